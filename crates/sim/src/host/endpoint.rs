//! One TCP connection at a host, and the application above it.

use super::nic::Nic;
use super::origin::Origin;
use super::probes::Probes;
use super::tap::Tap;
use crate::engine::Io;
use crate::pdu::{Frame, Packet, Segment};
use crate::result::{DelayDistribution, Ledger, OnWay, OneWay, Progress, TransactionCounters};
use crate::tcp::{Connection, Event, Reader};
use crate::traffic::{AnyApplication, Application, Offer, Write};
use crate::units::Time;

/// One end of a flow.
#[derive(Debug)]
pub struct Endpoint {
    /// The flow, by its number in the scenario.
    pub flow: usize,
    /// The VC that its segments leave on.
    pub origin: Origin,
    /// The interface that its segments leave by.
    pub nic: usize,
    /// The connection.
    pub connection: Connection,
    /// What writes; `None`: this end only receives.
    pub application: Option<AnyApplication>,
    /// What reads later than data arrive; `None`: they are read at once.
    pub reader: Option<Box<Reader>>,
    /// When the application stops writing and its end of the connection closes.
    pub stop: Time,
    /// What is recorded; only of senders.
    pub probes: Probes,
    /// From requests to their responses; only what writes requests has any.
    pub response_times: Option<Box<DelayDistribution>>,
    /// How packets with data arrive, if that is counted; only receivers have any.
    pub one_way: Option<Box<OneWay>>,
    /// How far what arrives is read, if that is noted; only receivers have any.
    pub progress: Option<Progress>,
    /// Packets with data handed to the interface.
    handed: u64,
    /// Whether it is the end that the flow leads to.
    is_receiver: bool,
    phase: Phase,
    /// When the application is asked without a segment; at first, when the flow starts.
    asks_at: Time,
    /// Whether a segment that arrives may let it write, or tell it something.
    is_asked: bool,
    finished_at: Option<Time>,
    aborted_at: Option<Time>,
}

/// How far its flow is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    /// It has not started.
    Waiting,
    /// It has, and may write.
    Started,
    /// It writes no more: its end of the connection is closed.
    Stopped,
}

impl Endpoint {
    /// An end that will begin at `start`; without an application the one that the flow leads to.
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
            probes: Probes::default(),
            response_times: None,
            one_way: None,
            progress: None,
            handed: 0,
            is_receiver,
            phase: Phase::Waiting,
            asks_at: start,
            is_asked: true,
            finished_at: None,
            aborted_at: None,
        }
    }

    /// When it next wants to act by itself.
    pub fn deadline(&self) -> Time {
        // A rule of one's own may have an instant to be called at before its flow starts.
        if self.phase > Phase::Waiting {
            self.connection.next_timeout().min(self.asks_at)
        } else {
            self.asks_at
        }
    }

    /// The deadline has come: the flow starts, a timer of the connection expires, or the
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

    /// A segment has arrived.
    #[expect(clippy::inline_always, reason = "every segment of a host")]
    #[inline(always)]
    pub fn on_segment(&mut self, now: Time, segment: &Segment) {
        self.connection.on_segment(now, segment);
        if self.is_asked {
            self.ask(now);
        }
    }

    /// The application reads and writes. One that always has more is asked again when its flow
    /// stops.
    fn ask(&mut self, now: Time) {
        let reads_at = if self.reader.is_some() { self.read(now) } else { Time::MAX };
        self.asks_at = self.write(now).min(reads_at);
        self.note_progress(now);
    }

    /// When it reads next, as far as is known.
    #[cold]
    fn read(&mut self, now: Time) -> Time {
        let Some(reader) = &mut self.reader else { return Time::MAX };
        self.connection.read(reader.read(now, self.connection.unread()));
        reader.next(self.connection.unread())
    }

    /// What writes hears of what was read, and writes what it has; when it is asked next.
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

    /// The flow has stopped: what is written is still sent, then a FIN.
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

    /// A relay has its first byte for it: its flow starts.
    pub(super) fn begin(&mut self, now: Time) {
        if self.phase == Phase::Waiting {
            self.asks_at = now;
            self.on_timer(now);
        }
    }

    /// A relay has no more for it.
    pub(super) fn end(&mut self) {
        if self.phase == Phase::Started {
            self.close();
        }
    }

    /// Bytes that a relay may write now.
    pub(super) fn room(&self) -> u64 {
        if self.phase == Phase::Started { self.connection.room() } else { 0 }
    }

    /// A relay reads.
    pub(super) fn read_for_relay(&mut self, now: Time, bytes: u64) {
        self.connection.read(bytes);
        self.note_progress(now);
    }

    fn note_progress(&mut self, now: Time) {
        let Some(progress) = &mut self.progress else { return };
        let read = self.connection.delivered() - self.connection.unread();
        if read > progress.bytes {
            *progress = Progress { bytes: read, at: now };
        }
    }

    /// The next segment to send.
    #[expect(clippy::inline_always, reason = "every segment of a host")]
    #[inline(always)]
    pub fn poll_transmit(&mut self, now: Time) -> Option<Segment> {
        let segment = self.connection.poll_transmit(now);
        if let Some(segment) = segment
            && let Some(log) = &mut self.probes.segments
        {
            log.on_created(segment, self.connection.has_timed_out_at(segment.seq));
        }
        segment
    }

    /// Whatever the connection has to say, and whether a transfer is through.
    #[inline]
    pub fn note_events(&mut self, now: Time) {
        while let Some(event) = self.connection.poll_event() {
            if event == Event::Aborted {
                self.aborted_at = Some(now);
            }
        }
        if self.finished_at.is_none()
            && self.application.as_ref().is_some_and(|it| self.is_through(it))
        {
            self.finished_at = Some(now);
        }
    }

    #[inline]
    fn is_through(&self, application: &AnyApplication) -> bool {
        let is_all = || self.phase == Phase::Stopped && self.connection.is_all_acked();
        self.phase > Phase::Waiting && (application.is_through(self.connection.acked()) || is_all())
    }

    /// What its frames are known by, whatever circuit they travel in.
    #[inline]
    pub fn direction(&self) -> u32 {
        2 * self.flow as u32 + u32::from(self.is_receiver)
    }

    /// A whole frame came at `now`.
    #[inline]
    pub fn note_delivery(&mut self, now: Time, frame: &Frame) {
        if let Some(one_way) = self.one_way.as_mut().filter(|_| frame.segment.len > 0) {
            one_way.on_packet(frame.sent_at, frame.segment.seq, now);
        }
        if let Some(log) = &mut self.probes.segments {
            log.on_heard(now, &frame.segment);
        }
    }

    /// A timer of the connection has expired: perhaps that of retransmission.
    fn note_timeouts(&mut self, now: Time) {
        if let Some(log) = &mut self.probes.segments {
            // The first byte of data is number 1.
            let first = 1 + self.connection.acked();
            log.on_timeouts(now, self.connection.counters().timeouts, first);
        }
    }

    /// A segment is handed to the interface.
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
        if let Some(log) = &mut self.probes.segments {
            log.on_sent(now, segment);
        }
        let packet = Packet { ip_bytes: segment.ip_bytes() as u32, segment };
        self.origin.send(now, self.direction(), packet, nic, tap, io);
    }

    /// Reports the counters.
    pub fn report(&self, ledger: &mut Ledger) {
        let flow = &mut ledger.flows[self.flow];
        if self.is_receiver {
            flow.receiver = self.connection.counters();
            flow.delivered_bytes = self.connection.delivered();
            flow.read_bytes = flow.delivered_bytes - self.connection.unread();
            flow.progress = self.progress;
            flow.one_way = self.one_way.as_ref().map(|one_way| Box::new(one_way.summary()));
        } else {
            flow.transactions = self.transactions();
            flow.blocks =
                self.application.as_ref().and_then(|one| one.blocks(self.connection.taken()));
            flow.sender = self.connection.counters();
            flow.handed_segments = self.handed;
            flow.acked_bytes = self.connection.acked();
            flow.finished_at = self.finished_at;
            flow.aborted_at = self.aborted_at;
        }
        self.origin.report(ledger);
    }

    /// Counts which of its packets that are on their way have not arrived.
    pub fn count_inside(&self, on_way: &OnWay, ledger: &mut Ledger) {
        if let (Some(one_way), Some(packets)) = (&self.one_way, on_way.get(&self.flow)) {
            let inside = packets.iter().filter(|packet| !one_way.has_arrived(**packet));
            ledger.flows[self.flow].inside_segments = inside.count() as u64;
        }
    }

    fn transactions(&self) -> Option<Box<TransactionCounters>> {
        let times = self.response_times.as_ref()?;
        let (response_bytes, times) = (self.connection.delivered(), times.summary());
        Some(Box::new(TransactionCounters { response_bytes, times }))
    }
}
