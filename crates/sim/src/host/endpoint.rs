//! One TCP connection at a host, and the application above it.

use super::arrivals::Arrivals;
use super::nic::Nic;
use super::origin::Origin;
use super::probes::Probes;
use super::tap::Tap;
use crate::engine::Io;
use crate::pdu::{Frame, IpVersion, Packet, Segment};
use crate::result::{DelayDistribution, Ledger, OnWay, Progress, SegmentLog, TransactionCounters};
use crate::tcp::{Connection, Event, Reader};
use crate::traffic::{AnyApplication, Application, Offer, Write};
use crate::units::Time;

/// One end of a flow.
#[derive(Debug)]
pub struct Endpoint {
    /// The flow, by its number in the scenario.
    pub flow: usize,
    /// Origin of the VC that its segments are sent on.
    pub origin: Origin,
    /// Index of the interface that sends its segments.
    pub nic: usize,
    /// The connection.
    pub connection: Connection,
    /// Application that writes; `None` if this end only receives.
    pub application: Option<AnyApplication>,
    /// Reader that reads later than data arrive; `None` if they are read at once.
    pub reader: Option<Box<Reader>>,
    /// The instant at which the application stops writing and its end of the connection closes.
    pub stop: Time,
    /// Recorders of a sender; `None` if nothing is observed.
    pub probes: Option<Box<Probes>>,
    /// Times from requests to their responses; only at an end that writes requests.
    pub response_times: Option<Box<DelayDistribution>>,
    /// Delays and counts of arrivals with data, if they are recorded; only at receivers.
    pub arrivals: Option<Box<Arrivals>>,
    /// Bytes read of the arrived data, if that is noted; only at receivers.
    pub progress: Option<Box<Progress>>,
    /// Arrived segments that the host's input queue had no room for.
    pub(super) input_drops: u64,
    /// Packets with data handed to the interface.
    handed: u64,
    /// Version of IP of its packets.
    pub ip: IpVersion,
    /// True for the end that the flow leads to.
    is_receiver: bool,
    phase: Phase,
    /// The instant of the next call of the application without a segment; at first, the start of
    /// the flow.
    asks_at: Time,
    /// True if an arriving segment is passed on to the application, which may write.
    is_asked: bool,
    /// [`Time::MAX`] until then.
    finished_at: Time,
    /// Likewise.
    aborted_at: Time,
}

/// State of an end's flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    /// The flow has not started.
    Waiting,
    /// The flow has started, and the end may write.
    Started,
    /// Its end of the connection is closed, and it writes no more.
    Stopped,
}

impl Endpoint {
    /// Makes an end that will begin at `start`; without an application it is the one that the flow
    /// leads to.
    pub fn new(
        flow: usize,
        vc: u32,
        nic: usize,
        connection: Connection,
        application: Option<AnyApplication>,
        start: Time,
    ) -> Self {
        let is_receiver = application.is_none();
        Self {
            flow,
            origin: Origin::new(vc),
            nic,
            connection,
            application,
            reader: None,
            stop: Time::MAX,
            probes: None,
            response_times: None,
            arrivals: None,
            progress: None,
            input_drops: 0,
            handed: 0,
            ip: IpVersion::V4,
            is_receiver,
            phase: Phase::Waiting,
            asks_at: start,
            is_asked: true,
            finished_at: Time::MAX,
            aborted_at: Time::MAX,
        }
    }

    /// The instant of its next timer, call of the application, or start.
    pub fn deadline(&self) -> Time {
        // A rule from outside may have an instant to be called at before its flow starts.
        if self.phase > Phase::Waiting {
            self.connection.next_timeout().min(self.asks_at)
        } else {
            self.asks_at
        }
    }

    /// Runs what is due at the deadline: the flow starts, a timer of the connection expires, or the
    /// application has named this instant.
    pub fn on_timer(&mut self, now: Time) {
        if self.phase > Phase::Waiting {
            self.connection.on_timeout(now);
            self.note_timeouts(now);
        } else {
            self.phase = Phase::Started;
            self.connection.open();
        }
        if self.asks_at <= now {
            self.ask(now);
        }
    }

    /// Takes a segment that has arrived.
    #[expect(clippy::inline_always, reason = "every segment of a host")]
    #[inline(always)]
    pub fn on_segment(&mut self, now: Time, segment: &Segment) {
        self.connection.on_segment(now, segment);
        if self.is_asked {
            self.ask(now);
        }
    }

    /// Lets the application read and write. One that always has more is called again when its flow
    /// stops.
    fn ask(&mut self, now: Time) {
        let reads_at = if self.reader.is_some() { self.read(now) } else { Time::MAX };
        self.asks_at = self.write(now).min(reads_at);
        self.note_progress(now);
    }

    /// Reads; returns the instant of the next read, as far as it is known.
    #[cold]
    fn read(&mut self, now: Time) -> Time {
        let Some(reader) = &mut self.reader else { return Time::MAX };
        self.connection.read(reader.read(now, self.connection.unread()));
        reader.next(self.connection.unread())
    }

    /// Tells the application what was read and lets it write; returns the instant of its next call.
    #[inline]
    fn write(&mut self, now: Time) -> Time {
        let Some(application) = &mut self.application else {
            self.is_asked = self.reader.is_some() || self.progress.is_some();
            return Time::MAX;
        };
        application.on_delivered(now, self.connection.delivered() - self.connection.unread());
        if let Some(times) = &mut self.response_times
            && let Some(since) = application.take_completed()
        {
            times.note(since, now);
        }
        if now >= self.stop || self.phase == Phase::Stopped {
            self.close();
            return Time::MAX;
        }
        let Offer { write, next } = application.poll(now, self.connection.acked());
        match write {
            Write::Bytes(bytes) => self.connection.write(bytes),
            Write::Forever => self.connection.write_forever(),
        }
        self.is_asked = write != Write::Forever || self.reader.is_some();
        if next > now { next.min(self.stop) } else { self.stop }
    }

    /// Closes after the stop of the flow: written data are still sent, then a FIN.
    #[cold]
    fn close(&mut self) {
        if self.phase == Phase::Stopped {
            return;
        }
        self.phase = Phase::Stopped;
        let taken = self.connection.taken();
        let written = self.application.as_ref().and_then(|one| one.written_at_stop(taken));
        if let Some(written) = written {
            self.connection.take_back_beyond(written);
        }
        self.connection.close();
    }

    /// Starts the flow when a relay has its first byte.
    pub(super) fn begin(&mut self, now: Time) {
        if self.phase == Phase::Waiting {
            self.asks_at = now;
            self.on_timer(now);
        }
    }

    /// Calls the application if another connection of its flow has left it something to do, and
    /// opens the connection for that; true if it was called.
    pub(super) fn call(&mut self, now: Time) -> bool {
        let is_wanted = self.application.as_ref().is_some_and(Application::is_wanted);
        if is_wanted && self.phase == Phase::Waiting {
            self.begin(now);
        } else if is_wanted {
            self.ask(now);
        }
        is_wanted
    }

    /// Ends the flow when a relay has no more for it.
    pub(super) fn end(&mut self) {
        if self.phase == Phase::Started {
            self.close();
        }
    }

    /// Bytes that a relay may write now.
    pub(super) fn room(&self) -> u64 {
        if self.phase == Phase::Started { self.connection.room() } else { 0 }
    }

    /// Reads `bytes` for a relay.
    pub(super) fn read_for_relay(&mut self, now: Time, bytes: u64) {
        self.connection.read(bytes);
        self.note_progress(now);
    }

    fn note_progress(&mut self, now: Time) {
        let Some(progress) = &mut self.progress else { return };
        let read = self.connection.delivered() - self.connection.unread();
        if read > progress.bytes {
            **progress = Progress { bytes: read, at: now };
        }
    }

    /// The next segment to send.
    #[expect(clippy::inline_always, reason = "every segment of a host")]
    #[inline(always)]
    pub fn poll_transmit(&mut self, now: Time) -> Option<Segment> {
        let segment = self.connection.poll_transmit(now);
        if let Some(segment) = segment
            && let Some(log) = log_of(&mut self.probes)
        {
            log.on_created(segment, self.connection.has_timed_out_at(segment.seq));
        }
        segment
    }

    /// Takes the events of the connection, and notes the end of a transfer.
    #[inline]
    pub fn note_events(&mut self, now: Time) {
        while let Some(event) = self.connection.poll_event() {
            if event == Event::Aborted {
                self.aborted_at = now;
            }
        }
        if self.finished_at == Time::MAX
            && self.application.as_ref().is_some_and(|it| self.is_through(it))
        {
            self.finished_at = now;
        }
    }

    #[inline]
    fn is_through(&self, application: &AnyApplication) -> bool {
        let is_all = || self.phase == Phase::Stopped && self.connection.is_all_acked();
        self.phase > Phase::Waiting && (application.is_through(self.connection.acked()) || is_all())
    }

    /// Direction of its frames, which identifies them on any VC.
    #[inline]
    pub fn direction(&self) -> u32 {
        2 * self.flow as u32 + u32::from(self.is_receiver)
    }

    /// Notes a whole frame that arrived at `now`.
    #[inline]
    pub fn note_delivery(&mut self, now: Time, frame: &Frame) {
        if let Some(arrivals) = self.arrivals.as_mut().filter(|_| frame.segment.len > 0) {
            arrivals.on_segment(frame, now);
        }
        if let Some(log) = log_of(&mut self.probes) {
            log.on_received(now, &frame.segment);
        }
    }

    /// Notes that a timer of the connection has expired: perhaps that of retransmission.
    fn note_timeouts(&mut self, now: Time) {
        if let Some(log) = log_of(&mut self.probes) {
            // The first byte of data is number 1.
            let first = 1 + self.connection.acked();
            log.on_timeouts(now, self.connection.counters().timeouts, first);
        }
    }

    /// The packet of a segment.
    #[inline]
    pub(super) fn packet(&self, segment: Segment) -> Packet {
        Packet { ip_bytes: (segment.ip_bytes() + self.ip.more_bytes()) as u32, segment }
    }

    /// Hands a segment to the interface.
    #[expect(clippy::inline_always, reason = "every segment of a host")]
    #[inline(always)]
    pub(super) fn send(
        &mut self,
        now: Time,
        segment: Segment,
        nic: &mut Nic,
        tap: Option<&Tap>,
        io: &mut Io,
    ) {
        self.handed += u64::from(segment.len > 0);
        if let Some(log) = log_of(&mut self.probes) {
            log.on_sent(now, segment);
        }
        let packet = self.packet(segment);
        self.origin.send(now, self.direction(), packet, nic, tap, io);
    }

    /// Reports the counters.
    pub fn report(&self, ledger: &mut Ledger) {
        let flow = &mut ledger.flows[self.flow];
        flow.input_drops[usize::from(self.is_receiver)] = self.input_drops;
        if self.is_receiver {
            flow.receiver = self.connection.counters();
            flow.delivered_bytes = self.connection.delivered();
            flow.read_bytes = flow.delivered_bytes - self.connection.unread();
            flow.progress = self.progress.as_deref().copied();
            flow.one_way = self.arrivals.as_ref().and_then(|arrivals| arrivals.summary());
        } else {
            flow.transactions = self.transactions();
            let application = self.application.as_ref();
            flow.pages = application.and_then(Application::pages).map(Box::new);
            flow.playback = application.and_then(Application::playback).map(Box::new);
            flow.blocks =
                self.application.as_ref().and_then(|one| one.blocks(self.connection.taken()));
            flow.sender = self.connection.counters();
            flow.handed_segments = self.handed;
            flow.acked_bytes = self.connection.acked();
            flow.answer_bytes_read = self.connection.delivered() - self.connection.unread();
            let [finished, aborted] = [self.finished_at, self.aborted_at];
            flow.finished_at = (finished < Time::MAX).then_some(finished);
            flow.aborted_at = (aborted < Time::MAX).then_some(aborted);
        }
        self.origin.report(ledger);
    }

    /// Counts the packets in transit that have not arrived.
    pub fn count_inside(&self, on_way: &OnWay, ledger: &mut Ledger) {
        if let Some(arrivals) = &self.arrivals {
            arrivals.count_inside(self.flow, on_way, ledger);
        }
    }

    fn transactions(&self) -> Option<Box<TransactionCounters>> {
        let times = self.response_times.as_ref()?;
        let (response_bytes, times) = (self.connection.delivered(), times.summary());
        Some(Box::new(TransactionCounters { response_bytes, times }))
    }
}

/// The log of the segments of an end, if there is one.
#[inline]
fn log_of(probes: &mut Option<Box<Probes>>) -> Option<&mut SegmentLog> {
    probes.as_mut()?.segments.as_deref_mut()
}
