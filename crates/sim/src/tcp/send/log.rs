//! ACKs, transmissions and timeouts of a sender with a log of every segment.
//!
//! The retransmission timer restarts when the first segment is sent again, and at a tail loss probe
//! (RFC 8985 §7.3): otherwise the timer of the original would end a repair that is under way. An
//! ACK number below `snd_una` is ignored, with its blocks (RFC 9293 §3.10.7.4).

use super::Sender;
use crate::pdu::Segment;
use crate::tcp::behaviour::{Arrival, Behaviour, Behaviours, Findings};
use crate::tcp::congestion::{Ack, Congestion};
use crate::tcp::detection::LossDetection;
use crate::tcp::flight::Flight;
use crate::tcp::outstanding::Delivered;
use crate::tcp::piece::Piece;
use crate::units::{Span, Time};

impl<R: Congestion> Sender<R> {
    /// Takes the ACK field, blocks and window of a segment.
    #[inline(never)]
    pub(super) fn on_logged_ack(&mut self, now: Time, segment: &Segment, own: &mut Behaviours) {
        let Flight { snd_una, snd_max, snd_wnd, .. } = self.flight;
        if segment.ack >= snd_una {
            let is_new = segment.ack > snd_una;
            let mut findings = Findings::default();
            own.on_ack(&Arrival { now, segment, snd_una: segment.ack, is_new }, &mut findings);
            let Flight { ref board, ref mut log, .. } = self.flight;
            let log = log.as_mut().expect("a rule with a detection has a log");
            let mut delivered = log.on_ack(now, segment, board, snd_max);
            let sacked = self.flight.board.update(segment, snd_una, snd_max);
            let sample = self.sample_of_each(now, &delivered, findings.sample);
            let rtt = if is_new { self.sample(now, segment.ack, sample) } else { None };
            if findings.is_congested {
                self.on_congestion(now, segment.ack - snd_una, sacked, own);
            }
            self.note_dup_ack(segment, is_new, sacked);
            self.advance(now, segment.ack);
            self.detect(now, &mut delivered);
            if is_new || delivered.lost > 0 || segment.is_pure_ack() {
                self.tell_rule(now, segment, snd_una, sacked, rtt, &delivered, &findings, own);
            }
            self.on_window(segment.window, snd_una + snd_wnd);
            self.note_instants();
        }
        own.on_output(&self.flight);
    }

    /// Counts a duplicate ACK, also one that reports something new (RFC 6675 §2).
    fn note_dup_ack(&mut self, segment: &Segment, is_new: bool, sacked: u64) {
        let is_dup = !is_new && (sacked > 0 || self.is_plain_dup_ack(segment));
        if is_dup {
            self.sent.rare_mut().dup_acks += 1;
            self.flight.dup_acks += 1;
        } else if is_new {
            self.flight.dup_acks = u32::from(sacked > 0);
        }
    }

    fn is_plain_dup_ack(&self, segment: &Segment) -> bool {
        segment.is_pure_ack()
            && segment.window == self.advertised
            && self.flight.snd_max > self.flight.snd_una
            && !self.persist.is_running()
    }

    /// Moves the flight to `ack`, and restarts or stops the timer (RFC 6298 §5.2 and 5.3).
    fn advance(&mut self, now: Time, ack: u64) {
        if ack == self.flight.snd_una {
            return;
        }
        self.timer.on_progress();
        self.flight.snd_una = ack;
        self.flight.snd_nxt = self.flight.snd_nxt.max(ack);
        self.flight.board.advance(ack);
        if ack == self.flight.snd_max {
            self.timer.stop();
        } else {
            self.timer.start(now);
        }
    }

    fn detect(&mut self, now: Time, delivered: &mut Delivered) {
        self.note_beyond_window();
        let situation = self.situation(now);
        if let Some(detection) = &mut self.detection {
            detection.on_ack(&situation, delivered, &mut self.flight);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the facts of one ACK")]
    fn tell_rule(
        &mut self,
        now: Time,
        segment: &Segment,
        snd_una: u64,
        sacked: u64,
        rtt: Option<Span>,
        delivered: &Delivered,
        findings: &Findings,
        own: &mut Behaviours,
    ) {
        let edge = self.flight.snd_una + u64::from(segment.window);
        let unsent = self.buffered().min(edge).saturating_sub(self.flight.snd_max);
        let marks = findings.marks;
        let marked = marks.of(delivered.bytes, self.window.mss());
        let (srtt, flight, window) = (self.srtt, &self.flight, &mut self.window);
        let repair = self.rule.on_ack(&mut Ack {
            now,
            rtt,
            latest_rtt: delivered.rtt,
            srtt,
            acked: segment.ack - snd_una,
            sacked,
            unsent,
            report: Some(delivered),
            ecn_echo: marks.are_there(),
            marked,
            grant: findings.grant,
            flight,
            window,
        });
        if delivered.lost > 0 {
            self.flight.log_mut().clear_losses();
        }
        self.repair(repair, own);
    }

    /// Counts the bytes beyond cwnd as those of limited transmit: each report lets out new data
    /// before a loss is found, for what is reported is not in the network.
    pub(super) fn note_beyond_window(&mut self) {
        self.flight.limited = self.flight.size().saturating_sub(self.window.cwnd());
    }

    /// Lets the detection mark what is lost at a timeout.
    pub(super) fn lose_at_timeout(&mut self, now: Time) {
        if self.detection.is_some() {
            self.note_beyond_window();
        }
        let situation = self.situation(now);
        if let Some(detection) = &mut self.detection {
            detection.on_timeout(&situation, &mut self.flight);
        }
        self.note_instants();
    }

    /// Counts what is lost as in flight again.
    pub(super) fn take_back(&mut self, are_reordered: bool) {
        self.flight.log_mut().forget_losses();
        let counted = &mut self.sent.rare_mut().recovery;
        counted.undone_repairs += u64::from(are_reordered);
        counted.undone_timeouts += u64::from(!are_reordered);
        if let Some(detection) = self.detection.as_mut().filter(|_| are_reordered) {
            detection.on_reordering();
        }
    }

    /// Notes a transmission, before `snd_max` moves.
    #[inline(never)]
    pub(super) fn note_in_log(&mut self, now: Time, start: u64, end: u64) {
        self.flight.log_mut().on_sent(now, start, end);
        if self.detection.is_none() {
            return;
        }
        if start == self.flight.snd_una && start < self.flight.snd_max {
            self.timer.start(now);
        }
        self.arm(now);
        let situation = self.situation(now);
        if let Some(detection) = &mut self.detection {
            detection.on_sent(&situation, start, end, &self.flight);
        }
        self.note_release(now, end - start);
        self.note_instants();
    }

    /// Notes in the log that the application limits the flight: all that it has written is sent,
    /// and cwnd has room.
    #[inline(never)]
    pub(super) fn note_limit(&mut self) {
        let buffered = self.buffered();
        if let Some(log) = &mut self.flight.log
            && buffered <= self.flight.snd_nxt
            && log.lost() == 0
            && log.in_flight() < self.window.cwnd()
        {
            log.limit_by_application();
        }
    }

    /// The tail loss probe: new data, beyond cwnd too, or the last segment that is not reported.
    #[cold]
    pub(super) fn tail_probe(&mut self, now: Time, own: &mut Behaviours) -> Piece {
        let last = self.flight.log().last_unreported();
        let new = self.new_data(self.flight.snd_nxt, u64::MAX, own);
        let piece = new.or_else(|| last.map(|last| self.of_hole(last)));
        let piece = piece.expect("a probe is due while something is outstanding");
        self.sent.rare_mut().recovery.tail_probes += 1;
        self.book(now, piece, own)
    }
}
