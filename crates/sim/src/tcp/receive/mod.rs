//! The receiving half: data that have arrived, and their acknowledgement.
//!
//! Follows Net/3 (Stevens, TCP/IP Illustrated, volume 2, chapters 26 to 28) and RFC 5681 §4.2. A
//! delayed ACK is sent at once when two full segments wait, or half the receive buffer if the
//! application reads at once: the second is Net/3's window update, without which a window below two
//! segments would stall until every fast tick. `window` has the window of a late reader, and
//! `quick` the ACKs of Linux.

pub(super) mod echo;
mod quick;
mod reports;
mod window;

use super::ack_timer::AckTimer;
use super::clocks::{AckRule, TickPhases};
use super::config::Config;
use super::ranges::Ranges;
use crate::pdu::{Ecn, Flags, SackOption, Segment};
use crate::units::Time;
use echo::{Earlier, Echo, EcnEcho};
pub(super) use quick::RoundTrip;
use quick::{Arrival, Quick, Reply};
use reports::Reports;
use window::ReceiveWindow;

#[derive(Clone, Debug)]
pub(super) struct Receiver {
    rcv_nxt: u64,
    /// The value of `rcv_nxt` when an ACK was last sent.
    last_acked: u64,
    /// Sequence number of the peer's FIN; [`u64::MAX`] before it comes.
    fin: u64,
    /// Ranges that wait beyond a gap.
    early: Ranges,
    /// True if every segment is acknowledged at once.
    acknowledges_each: bool,
    /// State of the rule of Linux, if it is that one.
    quick: Option<Box<Quick>>,
    mss: u64,
    ack_now: bool,
    ack_timer: AckTimer,
    /// In-order bytes that are acknowledged at once.
    ack_due: u64,
    window: ReceiveWindow,
    duplicates: u64,
    /// True if ACKs report segments that arrive twice (RFC 2883).
    reports_duplicates: bool,
    reports: Reports,
    /// Segments that arrived with CE, or braked.
    marked: u64,
    echo: Echo,
}

impl Receiver {
    /// Makes the half of an end whose rule follows RFCs or not, and which reports what it has
    /// beyond a gap or not.
    pub(super) fn new(
        config: &Config,
        follows_rfcs: bool,
        sacks: bool,
        phases: TickPhases,
    ) -> Self {
        let window = ReceiveWindow::new(config, follows_rfcs);
        let mss = config.full_segment();
        let acknowledges_each = config.ack == AckRule::EverySegment;
        let quick = match config.ack {
            AckRule::Quick(plan) => {
                let segments = config.largest_advertised() / mss;
                Some(Box::new(Quick::new(plan, segments, config.ack_delay(), sacks)))
            }
            AckRule::Delayed | AckRule::EverySegment => None,
        };
        Self {
            rcv_nxt: 0,
            last_acked: 0,
            fin: u64::MAX,
            early: Ranges::default(),
            acknowledges_each,
            quick,
            mss,
            ack_now: false,
            ack_timer: AckTimer::new(&config.timers, phases),
            ack_due: due(acknowledges_each, &window),
            window,
            duplicates: 0,
            reports_duplicates: config.d_sack,
            reports: Reports::default(),
            marked: 0,
            echo: Echo::Classic(false),
        }
    }

    /// Takes the peer's SYN: data follow from sequence number 1.
    pub(super) fn on_syn(&mut self) {
        self.rcv_nxt = 1;
        self.last_acked = 1;
    }

    /// Echoes marks in the agreed way.
    pub(super) fn use_echo(&mut self, mode: EcnEcho) {
        self.echo = mode.into();
    }

    /// Has the peer's SYN-ACK with this ECN field acknowledged at once, alone.
    pub(super) fn acknowledge_syn(&mut self, ecn: Ecn) {
        let Some(echo) = self.echo.on_syn_ack(ecn) else { return self.ask_for_ack() };
        self.reports.note_earlier(Earlier { ack: self.rcv_nxt, echo });
    }

    /// Takes a segment of an established connection.
    pub(super) fn on_segment(&mut self, now: Time, segment: &Segment) {
        let (start, end) = (segment.seq, segment.end());
        if start == end {
            if segment.ecn == Ecn::Congested {
                self.count_mark_of_ack();
            }
            return;
        }
        if start + u64::from(segment.len) > self.window.limit() {
            self.on_beyond_window(now, segment);
            return;
        }
        self.note_congestion(segment);
        if segment.flags.contains(Flags::FIN) {
            self.fin = end - 1;
        }
        if self.reports_duplicates && start < self.rcv_nxt {
            self.reports.note_duplicate((start, end.min(self.rcv_nxt)));
        }
        if start <= self.rcv_nxt && end > self.rcv_nxt {
            self.on_next(now, end);
        } else {
            // RFC 5681 §4.2: out-of-order data are acknowledged at once; so are duplicates (RFC
            // 9293 §3.10.7.4).
            self.ack_now = true;
            let is_new = start > self.rcv_nxt && self.early.insert(start, end) > 0;
            self.duplicates += u64::from(!is_new);
            if self.reports_duplicates && !is_new && start > self.rcv_nxt {
                self.reports.note_duplicate((start, end));
            }
        }
    }

    /// True under the rule of Linux, for which [`on_quick_segment`](Self::on_quick_segment) is.
    #[inline]
    pub(super) fn is_quick(&self) -> bool {
        self.quick.is_some()
    }

    /// Takes a segment of an established connection under the rule of Linux, with the present round
    /// trip of this end: the time of the ACK is the rule's, all else as in
    /// [`on_segment`](Self::on_segment).
    #[cold]
    pub(super) fn on_quick_segment(&mut self, now: Time, segment: &Segment, trip: RoundTrip) {
        let (start, end) = (segment.seq, segment.end());
        let is_beyond = start + u64::from(segment.len) > self.window.limit();
        let (was_due, timer) = (self.ack_now, self.ack_timer.clone());
        let (rcv_nxt, duplicates, waited, echoed) =
            (self.rcv_nxt, self.duplicates, !self.early.is_empty(), self.echo.is_latched());
        self.on_segment(now, segment);
        if start == end || is_beyond {
            return;
        }
        self.ack_timer = timer;
        let has_gap = !self.early.is_empty();
        let waiting = self.rcv_nxt - self.last_acked;
        let is_full = waiting > self.mss || waiting >= self.ack_due || self.is_finished();
        let Some(quick) = &mut self.quick else { return };
        quick.note(trip);
        if self.echo.is_latched() && !echoed {
            quick.on_mark();
        }
        let arrival = if self.rcv_nxt > rcv_nxt {
            Arrival::Next { is_due: is_full || waited && !has_gap, has_gap }
        } else {
            Arrival::Beside { is_old: end <= rcv_nxt, is_new: self.duplicates == duplicates }
        };
        let reply = quick.on_arrival(now, arrival, self.rcv_nxt, self.ack_timer.is_running());
        // The sender's window may be a segment now: Linux acknowledges CWR at once.
        let is_reduced = segment.flags.contains(Flags::CWR);
        self.ack_now = was_due || is_reduced || reply == Reply::Now;
        if let Reply::After(wait) = reply {
            self.ack_timer.start_for(now, wait);
        }
    }

    /// Discards data for which there is no room, such as a window probe, with a FIN after them, and
    /// acknowledges at once; data before them are accepted (RFC 9293 §3.10.7.4).
    #[cold]
    fn on_beyond_window(&mut self, now: Time, segment: &Segment) {
        self.ack_now = true;
        let room = self.window.limit().saturating_sub(segment.seq);
        if room > 0 {
            let flags = segment.flags.without(Flags::FIN);
            self.on_segment(now, &Segment { len: room as u16, flags, ..*segment });
        }
    }

    /// Notes marks.
    #[inline]
    fn note_congestion(&mut self, segment: &Segment) {
        let is_marked = segment.ecn == Ecn::Congested;
        self.marked += u64::from(is_marked);
        if let Echo::Classic(echoes) = &mut self.echo {
            // A mark on the segment that carries CWR is a new one (RFC 3168 §6.1.3).
            *echoes = *echoes & !segment.flags.contains(Flags::CWR) | is_marked;
        } else {
            self.note_each_mark(segment);
        }
    }

    /// Counts the mark of a pure ACK, which causes no ACK (RFC 9768 §3.2.2.5).
    #[cold]
    fn count_mark_of_ack(&mut self) {
        self.marked += 1;
        self.echo.on_marked_ack();
    }

    /// Notes marks of data of which each is echoed.
    #[cold]
    fn note_each_mark(&mut self, segment: &Segment) {
        let mut is_marked = segment.ecn == Ecn::Congested;
        if let Echo::Abc(brakes) = &mut self.echo {
            brakes.note_congestion(is_marked, segment.flags.contains(Flags::CWR));
            is_marked = segment.ecn == Ecn::Capable;
            self.marked += u64::from(is_marked);
        }
        if self.echo.changes(is_marked) {
            self.acknowledge_before_change();
        }
        self.ack_now |= self.echo.on_data(is_marked);
    }

    /// Has the data that wait acknowledged with the echo of theirs.
    fn acknowledge_before_change(&mut self) {
        if self.rcv_nxt > self.last_acked {
            let (ack, echo) = (self.rcv_nxt, self.echo.flags());
            self.reports.note_earlier(Earlier { ack, echo });
            self.last_acked = ack;
        }
    }

    /// The ACK that leaves before any other segment, if there is one.
    #[cold]
    pub(super) fn take_earlier(&mut self) -> Option<Earlier> {
        self.reports.take_earlier()
    }

    /// True if there is one.
    #[inline]
    pub(super) fn has_earlier(&self) -> bool {
        self.reports.has_earlier()
    }

    /// Flags that echo marks.
    #[inline]
    pub(super) fn echo(&mut self) -> Flags {
        if let Echo::Classic(echoes) = self.echo {
            Flags::ECE.when(echoes)
        } else {
            self.echo_of_each()
        }
    }

    #[cold]
    fn echo_of_each(&mut self) -> Flags {
        self.echo.flags()
    }

    /// Segments that arrived with CE.
    pub(super) fn marked(&self) -> u64 {
        self.marked
    }

    /// Runs the delayed-ACK timer, which has expired.
    pub(super) fn on_timeout(&mut self) {
        self.ack_timer.stop();
        self.ack_now = true;
        if let Some(quick) = &mut self.quick {
            quick.on_timeout();
        }
    }

    /// Asks for an acknowledgement, as a segment of its own if no data go the same way.
    pub(super) fn ask_for_ack(&mut self) {
        self.ack_now = true;
    }

    pub(super) fn is_ack_due(&self) -> bool {
        self.ack_now
    }

    /// Notes that an acknowledgement is sent, alone or with data; returns the window in it.
    #[expect(clippy::inline_always, reason = "every segment that is sent")]
    #[inline(always)]
    pub(super) fn on_ack_sent(&mut self, scaled: bool) -> u32 {
        self.ack_now = false;
        self.last_acked = self.rcv_nxt;
        self.ack_timer.stop();
        self.advertise(scaled)
    }

    /// The window in bytes of a segment that is sent now.
    #[expect(clippy::inline_always, reason = "every segment that is sent")]
    #[inline(always)]
    pub(super) fn advertise(&mut self, scaled: bool) -> u32 {
        let size = self.window.size(self.rcv_nxt, scaled);
        self.window.note_advertised(self.rcv_nxt, size);
        size
    }

    /// Lets the application read when it wants to, from the beginning on.
    pub(super) fn read_late(&mut self) {
        self.window.read_late();
        self.ack_due = due(self.acknowledges_each, &self.window);
    }

    /// Bytes in order that the application has not read.
    pub(super) fn unread(&self) -> u64 {
        self.window.unread(1 + self.delivered())
    }

    /// Notes that the application has read `bytes`.
    pub(super) fn read(&mut self, bytes: u64, scaled: bool) {
        self.ack_now |= self.window.read(bytes, self.rcv_nxt, scaled);
    }

    /// Stops the timer when the connection is given up.
    pub(super) fn stop(&mut self) {
        self.ack_timer.stop();
    }

    /// The instant at which a waiting acknowledgement is sent.
    pub(super) fn next_timeout(&self) -> Time {
        self.ack_timer.expiry()
    }

    /// `Last.ACK.sent` of RFC 7323 §4.3.
    #[inline]
    pub(super) fn last_acked(&self) -> u64 {
        self.last_acked
    }

    pub(super) fn rcv_nxt(&self) -> u64 {
        self.rcv_nxt
    }

    /// Blocks of RFC 2018 §4: first the one with the latest arrival, then those that were first
    /// most recently. In front of them stand data that arrived twice (RFC 2883 §4), in one ACK.
    #[inline(never)]
    pub(super) fn sack(&mut self) -> SackOption {
        let early = self.early.latest_first().map(|range| (range.start, range.end));
        let duplicate = self.reports.take_duplicate().into_iter();
        SackOption::new(self.rcv_nxt, duplicate.chain(early))
    }

    /// Bytes received in order: the SYN and a FIN are not bytes.
    pub(super) fn delivered(&self) -> u64 {
        self.rcv_nxt.saturating_sub(1 + u64::from(self.is_finished()))
    }

    /// True if the peer's FIN and all before it have arrived.
    pub(super) fn is_finished(&self) -> bool {
        self.rcv_nxt > self.fin
    }

    /// Data segments without new data.
    pub(super) fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// Takes data up to `end` that continue the data in order.
    fn on_next(&mut self, now: Time, end: u64) {
        // RFC 5681 §4.2: a segment that fills all or part of a gap is acknowledged at once.
        let fills_gap = !self.early.is_empty();
        self.rcv_nxt = self.early.advance(end);
        let waiting = self.rcv_nxt - self.last_acked;
        if fills_gap || self.is_finished() || waiting >= self.ack_due {
            self.ack_now = true;
        } else {
            self.ack_timer.start(now);
        }
    }
}

/// In-order bytes that are acknowledged at once.
fn due(acknowledges_each: bool, window: &ReceiveWindow) -> u64 {
    if acknowledges_each { 1 } else { window.due() }
}

#[cfg(test)]
mod tests;
