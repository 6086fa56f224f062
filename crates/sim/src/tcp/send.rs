//! The sending half: what may leave next, what an ACK means, and what happens when none comes.
//!
//! Follows the output and ACK processing of Net/3 (Stevens, TCP/IP Illustrated, volume 2, chapters
//! 26 to 29). Nothing is kept per segment: without selective acknowledgements `snd_una`, `snd_nxt`
//! and `snd_max` are the whole scoreboard.
//!
//! Departures: silly-window avoidance applies to retransmissions too, where BSD sends whatever
//! fits, so segment boundaries stay where they were; a lost SYN lowers cwnd to one segment but not
//! ssthresh (RFC 5681 §3.1), since no window has been tried yet; the ACK of a SYN does not open
//! cwnd (ibid.); Nagle's algorithm is off.

use super::config::{Config, TickPhases};
use super::congestion::{
    Ack, Congestion, DUP_ACK_THRESHOLD, NextSegment, Repair, Timeout, Transmission, Window,
};
use super::flight::Flight;
use super::scoreboard::Hole;
use super::sent::Sent;
use super::timers::RetransmissionTimer;
use crate::pdu::{Flags, Segment};
use crate::units::{Span, Time};

/// More bytes than any run sends: the data of a greedy source.
const ENDLESS: u64 = 1 << 62;

/// A stretch of sequence space to put into a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) seq: u64,
    pub(super) len: u64,
    pub(super) fin: bool,
}

impl Piece {
    fn end(self) -> u64 {
        self.seq + self.len + u64::from(self.fin)
    }
}

#[derive(Clone, Copy, Debug)]
struct Timing {
    seq: u64,
    sent: Time,
}

#[derive(Clone, Debug)]
pub(super) struct Sender<R> {
    mss: u64,
    flight: Flight,
    /// Whether ACKs report what has arrived beyond their number.
    reads_sack: bool,
    /// Largest window ever advertised to us.
    max_snd_wnd: u64,
    /// Sequence number after the last byte written.
    written: u64,
    closing: bool,
    /// The first unacknowledged segment is sent next, whatever the rule would send.
    retransmits_first: bool,
    window: Window,
    rule: R,
    /// RFC 3042: duplicate ACKs that let a segment go beyond cwnd, two or none.
    limited_transmits: u32,
    timer: RetransmissionTimer,
    timing: Option<Timing>,
    sent: Sent,
}

impl<R: Congestion> Sender<R> {
    pub(super) fn new(config: &Config, rule: R, phases: TickPhases) -> Self {
        Self {
            mss: config.mss.0,
            flight: Flight::default(),
            reads_sack: rule.reads_sack(),
            max_snd_wnd: 0,
            written: 1,
            closing: false,
            retransmits_first: false,
            window: Window::new(config),
            rule,
            limited_transmits: if config.limited_transmit { DUP_ACK_THRESHOLD - 1 } else { 0 },
            timer: RetransmissionTimer::new(&config.timers, phases),
            timing: None,
            sent: Sent::default(),
        }
    }

    /// Established without a handshake, facing a window of `snd_wnd` bytes.
    pub(super) fn skip_handshake(&mut self, snd_wnd: u32) {
        (self.flight.snd_una, self.flight.snd_nxt, self.flight.snd_max) = (1, 1, 1);
        self.on_window(snd_wnd);
    }

    pub(super) fn write(&mut self, bytes: u64) {
        assert!(!self.closing, "nothing is written after close");
        self.written = self.written.saturating_add(bytes).min(1 + ENDLESS);
    }

    pub(super) fn write_forever(&mut self) {
        self.write(ENDLESS);
    }

    pub(super) fn close(&mut self) {
        self.closing = true;
    }

    /// The peer offers `snd_wnd` bytes.
    pub(super) fn on_window(&mut self, snd_wnd: u32) {
        self.flight.snd_wnd = u64::from(snd_wnd);
        self.max_snd_wnd = self.max_snd_wnd.max(self.flight.snd_wnd);
    }

    /// Our SYN is acknowledged.
    pub(super) fn on_syn_acked(&mut self, now: Time) {
        self.sample(now, 1);
        self.timer.on_progress();
        (self.flight.snd_una, self.flight.snd_nxt) = (1, 1);
        self.timer.stop();
    }

    /// The ACK field, blocks and window of a segment of an established connection.
    pub(super) fn on_ack(&mut self, now: Time, segment: &Segment) {
        if segment.ack > self.flight.snd_max {
            return;
        }
        let Flight { snd_una, snd_max, .. } = self.flight;
        let sacked =
            if self.reads_sack { self.flight.board.update(segment, snd_una, snd_max) } else { 0 };
        if segment.ack > snd_una {
            self.on_new_ack(now, segment, sacked);
        } else if self.is_dup_ack(segment, sacked) {
            self.on_dup_ack(now, segment, sacked);
        } else if !self.reads_sack {
            self.flight.dup_acks = 0;
        }
        if segment.ack == self.flight.snd_una {
            self.on_window(segment.window);
        }
    }

    /// The retransmission timer has expired; false: the connection is given up.
    pub(super) fn on_timeout(&mut self, now: Time) -> bool {
        if !self.timer.back_off() {
            return false;
        }
        self.sent.timeouts += 1;
        self.timing = None;
        self.flight.dup_acks = 0;
        self.retransmits_first = false;
        if self.flight.snd_una == 0 {
            self.window.collapse();
        } else {
            let (flight, window) = (&self.flight, &mut self.window);
            self.rule.on_timeout(&mut Timeout { now, flight, window });
        }
        self.flight.limited = 0;
        self.flight.timed_out = Some(self.flight.snd_una);
        self.flight.board.clear();
        self.flight.snd_nxt = self.flight.snd_una;
        self.timer.start(now);
        true
    }

    /// The SYN, if it is its turn. True once per transmission.
    pub(super) fn poll_syn(&mut self, now: Time) -> bool {
        let is_due = self.flight.snd_nxt == 0;
        if is_due {
            self.time(now, 0);
            self.flight.snd_nxt = 1;
            self.flight.snd_max = 1;
            self.arm(now);
        }
        is_due
    }

    /// The next piece that may leave, booked as sent.
    pub(super) fn poll(&mut self, now: Time) -> Option<Piece> {
        let piece = if self.retransmits_first { self.first() } else { self.next()? };
        self.retransmits_first = false;
        self.count(piece);
        self.time(now, piece.seq);
        let (start, end) = (piece.seq, piece.end());
        self.rule.on_sent(&Transmission { now, start, end, flight: &self.flight });
        self.flight.snd_nxt = self.flight.snd_nxt.max(piece.end());
        if piece.end() > self.flight.snd_max {
            self.flight.snd_max = piece.end();
            self.note_limited_transmit();
        }
        self.arm(now);
        Some(piece)
    }

    pub(super) fn next_timeout(&self) -> Time {
        self.timer.expiry()
    }

    pub(super) fn snd_max(&self) -> u64 {
        self.flight.snd_max
    }

    pub(super) fn cwnd(&self) -> u64 {
        self.window.cwnd()
    }

    pub(super) fn ssthresh(&self) -> u64 {
        self.window.ssthresh()
    }

    pub(super) fn rule(&self) -> &R {
        &self.rule
    }

    pub(super) fn sent(&self) -> &Sent {
        &self.sent
    }

    /// Bytes acknowledged: neither the SYN nor a FIN.
    pub(super) fn acked(&self) -> u64 {
        self.bytes_before(self.flight.snd_una)
    }

    /// Bytes sent and not acknowledged, lost ones included.
    pub(super) fn in_flight(&self) -> u64 {
        self.bytes_before(self.flight.snd_max) - self.acked()
    }

    /// Whether our FIN and all before it are acknowledged.
    pub(super) fn is_finished(&self) -> bool {
        self.closing && self.flight.snd_una > self.written
    }

    fn bytes_before(&self, seq: u64) -> u64 {
        seq.clamp(1, self.written) - 1
    }

    fn on_new_ack(&mut self, now: Time, segment: &Segment, sacked: u64) {
        let ack = segment.ack;
        let rtt = self.sample(now, ack);
        self.timer.on_progress();
        let acked = ack - self.flight.snd_una;
        self.flight.snd_una = ack;
        self.flight.snd_nxt = self.flight.snd_nxt.max(ack);
        self.flight.board.advance(ack);
        // RFC 6675 §5: the count begins anew, with an ACK that also reports something.
        self.flight.dup_acks = u32::from(sacked > 0);
        self.flight.limited = 0;
        self.retransmits_first = false;
        let ecn_echo = segment.flags.contains(Flags::ECE);
        let (flight, window) = (&self.flight, &mut self.window);
        let repair =
            self.rule.on_ack(&mut Ack { now, rtt, acked, sacked, ecn_echo, flight, window });
        // RFC 6298 §5.2 and 5.3: stopped when all is acknowledged, restarted while something is
        // outstanding.
        if ack == self.flight.snd_max {
            self.timer.stop();
        } else if repair != Repair::RetransmitKeepingTimer {
            self.timer.start(now);
        }
        self.repair(repair);
    }

    /// RFC 5681 §2: something is outstanding, no data, no FIN, the same ACK field and the same
    /// window. With selective acknowledgements whatever reports something new (RFC 6675 §2).
    fn is_dup_ack(&self, segment: &Segment, sacked: u64) -> bool {
        if self.reads_sack {
            return sacked > 0;
        }
        segment.ack == self.flight.snd_una
            && segment.end() == segment.seq
            && u64::from(segment.window) == self.flight.snd_wnd
            && self.flight.snd_max > self.flight.snd_una
    }

    fn on_dup_ack(&mut self, now: Time, segment: &Segment, sacked: u64) {
        self.sent.dup_acks += 1;
        self.flight.dup_acks += 1;
        let ecn_echo = segment.flags.contains(Flags::ECE);
        let (flight, window) = (&self.flight, &mut self.window);
        let ack = &mut Ack { now, rtt: None, acked: 0, sacked, ecn_echo, flight, window };
        let repair = self.rule.on_dup_ack(ack);
        self.repair(repair);
    }

    fn repair(&mut self, repair: Repair) {
        match repair {
            Repair::Nothing => return,
            Repair::Retransmit | Repair::RetransmitKeepingTimer => {
                self.retransmits_first = true;
                return;
            }
            Repair::FastRetransmit => self.retransmits_first = true,
            Repair::GoBackN => self.flight.snd_nxt = self.flight.snd_una,
        }
        self.sent.fast_retransmits += 1;
        // The timer counts anew from the repair (Net/3).
        self.timer.stop();
    }

    /// The first unacknowledged segment.
    fn first(&self) -> Piece {
        let una = self.flight.snd_una;
        self.piece(una, self.mss.min(self.flight.snd_wnd).min(self.flight.board.gap(una)))
    }

    /// What the rule sends next, if there is any of it.
    fn next(&self) -> Option<Piece> {
        match self.rule.next_segment(&self.window, &self.flight) {
            NextSegment::InSequence => self.in_sequence(),
            NextSegment::Retransmission(hole) => Some(self.of_hole(hole)),
            NextSegment::NewDataOr(hole) => {
                self.new_data().or_else(|| hole.map(|hole| self.of_hole(hole)))
            }
            NextSegment::Nothing => None,
        }
    }

    fn of_hole(&self, hole: Hole) -> Piece {
        self.piece(hole.start, self.mss.min(hole.end - hole.start))
    }

    /// What was never sent, if the receiver has room and silly-window avoidance allows.
    fn new_data(&self) -> Option<Piece> {
        let Flight { snd_una, snd_max, snd_wnd, .. } = self.flight;
        self.if_worth_sending(
            self.piece(snd_max, (snd_una + snd_wnd).saturating_sub(snd_max).min(self.mss)),
        )
    }

    /// What follows `snd_nxt`, if the windows and silly-window avoidance allow.
    fn in_sequence(&self) -> Option<Piece> {
        if !self.flight.board.is_empty() && self.flight.snd_nxt < self.flight.snd_max {
            return self.next_hole();
        }
        let Flight { snd_una, snd_nxt, snd_wnd, .. } = self.flight;
        let room = self.window.cwnd() + self.beyond_cwnd();
        let usable = (snd_una + room.min(snd_wnd)).saturating_sub(snd_nxt);
        self.if_worth_sending(self.piece(snd_nxt, usable.min(self.mss)))
    }

    /// RFC 3042 §2: each of the first two duplicate ACKs lets one segment of new data go beyond
    /// cwnd.
    fn beyond_cwnd(&self) -> u64 {
        let Flight { snd_nxt, snd_max, dup_acks, .. } = self.flight;
        let applies = dup_acks <= self.limited_transmits && snd_nxt == snd_max;
        if applies && !self.rule.is_recovering() { u64::from(dup_acks) * self.mss } else { 0 }
    }

    /// What was sent that way is no part of the window that a loss halves (RFC 5681 §3.2 step 2).
    fn note_limited_transmit(&mut self) {
        if self.beyond_cwnd() > 0 {
            self.flight.limited = self.flight.size().saturating_sub(self.window.cwnd());
        }
    }

    /// Going back, what is reported is passed over and takes no room in cwnd.
    fn next_hole(&self) -> Option<Piece> {
        let Flight { snd_una, snd_nxt, snd_wnd, ref board, .. } = self.flight;
        let seq = board.skip(snd_nxt);
        let edge = snd_una + snd_wnd.min(self.window.cwnd() + board.bytes_between(snd_una, seq));
        let (usable, gap) = (edge.saturating_sub(seq), board.gap(seq));
        let piece = self.piece(seq, usable.min(self.mss).min(gap));
        if piece.len > 0 && piece.len == gap { Some(piece) } else { self.if_worth_sending(piece) }
    }

    /// At most `room` bytes from `seq`, and the FIN when they are the last.
    fn piece(&self, seq: u64, room: u64) -> Piece {
        let len = room.min(self.written.saturating_sub(seq));
        Piece { seq, len, fin: self.closing && seq + len == self.written }
    }

    /// RFC 1122 §4.2.3.4: a full segment, all that is left, or half the largest window ever
    /// offered.
    fn if_worth_sending(&self, piece: Piece) -> Option<Piece> {
        let is_worth = piece.len > 0
            && (piece.len == self.mss
                || piece.end() == self.written
                || 2 * piece.len >= self.max_snd_wnd);
        (piece.fin || is_worth).then_some(piece)
    }

    fn count(&mut self, piece: Piece) {
        if piece.seq < self.flight.snd_max {
            // Karn's rule.
            self.timing = None;
        }
        self.sent.count(piece.seq, piece.len, self.flight.snd_max);
    }

    /// Times the segment at `seq` if it is sent for the first time and no other is being timed.
    fn time(&mut self, now: Time, seq: u64) {
        if self.timing.is_none() && seq == self.flight.snd_max {
            self.timing = Some(Timing { seq, sent: now });
        }
    }

    /// The round trip that an ACK up to `ack` completes.
    fn sample(&mut self, now: Time, ack: u64) -> Option<Span> {
        let timing = self.timing.take_if(|timing| ack > timing.seq)?;
        let rtt = now - timing.sent;
        self.sent.rtt.add(rtt);
        self.timer.on_sample(timing.sent, now);
        Some(rtt)
    }

    /// RFC 6298 §5.1: sending starts the timer if it is not running.
    fn arm(&mut self, now: Time) {
        if !self.timer.is_running() {
            self.timer.start(now);
        }
    }
}
