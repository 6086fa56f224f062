//! Loss recovery by selective acknowledgements: RFC 6675.
//!
//! Sequence numbers here are one after the RFC's octets: `point` follows `RecoveryPoint`, `resent`
//! follows `HighRxt`. `pipe` is computed at every ACK and moves with the data sent in between (§5
//! C.4). `NextSeg` is unchanged, rules 1 to 4: new data before holes that are not lost, then the
//! rescue of the last segment; so the rescue may repeat a repair that is still in transit.
//!
//! Chosen: limited transmit counts duplicates, as in RFC 3042, and not by `pipe` (§5 step 3 permits
//! that); avoidance begins at ssthresh itself (RFC 5681 §3.1 allows both); the timer is that of RFC
//! 6298, and starts again with the fast retransmit; after a timeout all reports are removed (RFC
//! 2018 §8) and ranges reported since then are skipped when the sender goes back (§5.1). After a
//! timeout, also outside recovery, losses of earlier data begin no recovery. The ACK that ends
//! recovery does not grow the window.
//!
//! A timeout in a recovery sets ssthresh to at most half of the data outstanding then, and at most
//! its value in the recovery (§5.1, RFC 5681 §3.1).

use super::growth::{Growth, answers_of_law};
use super::law::Cause;
use super::plan::Plan;
use super::{
    Ack, Congestion, DUP_ACK_THRESHOLD, Flight, GuardOption, Hole, NextSegment, Options, Repair,
    Timeout, Transmission, Window,
};

#[derive(Debug)]
pub struct Sack {
    phase: Phase,
    growth: Growth,
    /// Sequence number at whose acknowledgement recovery ends, and before which none begins.
    point: u64,
    /// Sequence number before which all holes have been sent again.
    resent: u64,
    /// Sequence number beyond which an ACK must go before another rescue.
    rescued: u64,
    /// Bytes in the network.
    pipe: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Open,
    /// Before the fast retransmit is sent.
    Entering,
    Recovering,
}

impl Sack {
    pub(super) const OPTIONS: Options = Options {
        retransmits_fast: true,
        follows_rfcs: true,
        takes_any_law: true,
        guard: GuardOption::Inherent,
        readings: &["reduces"],
    };

    pub(super) fn new(plan: &Plan) -> Self {
        let growth = Growth::new(plan);
        Self { phase: Phase::Open, growth, point: 0, resent: 0, rescued: 0, pipe: 0 }
    }

    /// Enters recovery (§5 steps 1, 2 and 4) after enough duplicates, or enough bytes reported.
    fn enter_if_lost(&mut self, window: &mut Window, flight: &Flight) -> Repair {
        let is_first_lost = flight.snd_una < flight.board.lost_before(window.mss());
        if flight.snd_una < self.point || !(flight.dup_acks >= DUP_ACK_THRESHOLD || is_first_lost) {
            return Repair::Nothing;
        }
        self.phase = Phase::Entering;
        self.point = flight.snd_max;
        self.resent = flight.snd_una;
        self.rescued = flight.snd_una;
        self.growth.reduce(Cause::Loss, window, flight);
        window.deflate();
        self.estimate(window, flight);
        Repair::FastRetransmit
    }

    /// Computes `pipe`: `SetPipe`.
    fn estimate(&mut self, window: &Window, flight: &Flight) {
        self.pipe = flight.board.pipe(flight.snd_una, flight.snd_max, self.resent, window.mss());
    }

    /// The rescue, rule 4 of `NextSeg`: one segment with the highest byte that is not reported.
    fn rescue(&self, window: &Window, flight: &Flight) -> Option<Hole> {
        let hole = flight.board.last_hole(flight.snd_una, flight.snd_max);
        let last = |hole: Hole| Hole {
            start: hole.start.max(hole.end.saturating_sub(window.mss())),
            ..hole
        };
        hole.filter(|_| flight.snd_una > self.rescued).map(last)
    }
}

impl Congestion for Sack {
    answers_of_law!();

    fn follows_rfcs(&self) -> bool {
        Self::OPTIONS.follows_rfcs
    }

    fn reads_sack(&self) -> bool {
        true
    }

    fn on_ack(&mut self, ack: &mut Ack<'_>) -> Repair {
        if self.phase == Phase::Open {
            self.growth.grow(ack);
        }
        let Ack { flight, ref mut window, .. } = *ack;
        if self.phase == Phase::Open {
            // §2: an ACK that moves the number and reports something new is a duplicate, too.
            return if flight.dup_acks > 0 {
                self.enter_if_lost(window, flight)
            } else {
                Repair::Nothing
            };
        }
        if flight.snd_una < self.point {
            self.phase = Phase::Recovering;
            self.estimate(window, flight);
        } else {
            self.phase = Phase::Open;
        }
        Repair::Nothing
    }

    fn on_dup_ack(&mut self, ack: &mut Ack<'_>) -> Repair {
        if self.phase == Phase::Open {
            return self.enter_if_lost(ack.window, ack.flight);
        }
        self.estimate(ack.window, ack.flight);
        Repair::Nothing
    }

    fn on_ecn_echo(&mut self, ack: &mut Ack<'_>) {
        self.growth.on_ecn_echo(ack);
    }

    fn is_recovering(&self) -> bool {
        self.phase != Phase::Open
    }

    fn on_timeout(&mut self, timeout: &mut Timeout<'_>) {
        let is_recovering = self.is_recovering();
        self.phase = Phase::Open;
        self.point = timeout.flight.snd_max;
        self.growth.time_out(timeout, is_recovering);
    }

    fn next_segment(&self, window: &Window, flight: &Flight) -> NextSegment {
        if self.phase == Phase::Open {
            return NextSegment::InSequence;
        }
        if window.cwnd() < self.pipe + window.mss() {
            return NextSegment::Nothing;
        }
        let hole = flight.board.hole_from(self.resent.max(flight.snd_una));
        match hole {
            Some(hole) if hole.start < flight.board.lost_before(window.mss()) => {
                NextSegment::Retransmission(hole)
            }
            Some(hole) => NextSegment::NewDataOr(Some(hole)),
            None => NextSegment::NewDataOr(self.rescue(window, flight)),
        }
    }

    fn on_sent(&mut self, sent: &Transmission<'_>) {
        self.growth.on_sent(sent);
        let Transmission { start, end, flight, .. } = *sent;
        if self.phase == Phase::Open {
            return;
        }
        self.pipe += end - start;
        if start >= flight.snd_max {
            return;
        }
        if self.phase == Phase::Entering {
            // §5 step 4.3: neither this segment again nor a rescue before anything else is
            // acknowledged.
            self.phase = Phase::Recovering;
            (self.resent, self.rescued) = (end, end);
        } else if start < flight.board.highest() && start >= self.resent {
            self.resent = end;
        } else {
            self.rescued = self.point;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdu::{SackOption, Segment};
    use crate::tcp::scaling::MAX_WINDOW;
    use crate::units::Time;

    const MSS: u64 = 1000;

    /// A sender with a cwnd of `cwnd` segments that has sent `sent` of 1000 bytes, the first one at
    /// sequence number 0.
    struct Sender {
        rule: Sack,
        window: Window,
        flight: Flight,
    }

    fn sender(cwnd: u32, sent: u64) -> Sender {
        let window = Window::new(MSS, cwnd, MAX_WINDOW, 65_535);
        let flight = Flight { snd_nxt: sent * MSS, snd_max: sent * MSS, ..Flight::default() };
        Sender { rule: Sack::new(&Plan::default()), window, flight }
    }

    impl Sender {
        /// Reports segment `n`.
        fn report(&mut self, n: u64) -> Repair {
            let sack = SackOption::new(0, std::iter::once((n * MSS, (n + 1) * MSS)));
            let segment = Segment { sack, ..Segment::default() };
            let sacked = self.flight.board.update(&segment, 0, self.flight.snd_max);
            self.flight.dup_acks += 1;
            let mut ack = Ack::of_test(Time::ZERO, 0, &self.flight, &mut self.window);
            ack.sacked = sacked;
            self.rule.on_dup_ack(&mut ack)
        }

        /// Acknowledges all before segment `n`.
        fn acknowledge(&mut self, n: u64) -> Repair {
            let acked = n * MSS - self.flight.snd_una;
            self.flight.snd_una = n * MSS;
            self.flight.board.advance(n * MSS);
            self.flight.dup_acks = 0;
            let mut ack = Ack::of_test(Time::ZERO, acked, &self.flight, &mut self.window);
            self.rule.on_ack(&mut ack)
        }

        fn send(&mut self, n: u64) {
            let (now, start, end) = (Time::ZERO, n * MSS, (n + 1) * MSS);
            self.rule.on_sent(&Transmission { now, start, end, flight: &self.flight });
            self.flight.snd_max = self.flight.snd_max.max((n + 1) * MSS);
        }

        /// Lets the timer expire.
        fn time_out(&mut self) {
            let (flight, window) = (&self.flight, &mut self.window);
            self.rule.on_timeout(&mut Timeout { now: Time::ZERO, flight, window });
        }

        fn next(&self) -> NextSegment {
            self.rule.next_segment(&self.window, &self.flight)
        }
    }

    fn hole(from: u64, to: u64) -> Hole {
        Hole { start: from * MSS, end: to * MSS }
    }

    /// Segments 0, 2 and 8 of ten do not arrive; 1, 3, 4, 5, 6, 7, 9 are reported in turn.
    #[test]
    fn next_seg_by_its_four_rules() {
        let mut sender = sender(10, 10);
        assert_eq!([1, 3].map(|n| sender.report(n)), [Repair::Nothing; 2]);
        assert_eq!(sender.next(), NextSegment::InSequence);
        assert_eq!(sender.report(4), Repair::FastRetransmit);
        assert_eq!((sender.window.cwnd(), sender.window.ssthresh()), (5000, 5000));
        sender.send(0);
        // 2, 5, 6, 7, 8, 9 are not lost, and 0 is in the network again.
        assert_eq!((sender.rule.pipe, sender.next()), (7000, NextSegment::Nothing));
        sender.report(5);
        // 2 is lost, as more than two segments above it are reported: 6, 7, 8, 9 and 0.
        assert_eq!((sender.rule.pipe, sender.next()), (5000, NextSegment::Nothing));
        sender.report(6);
        // Rule 1.
        assert_eq!(
            (sender.rule.pipe, sender.next()),
            (4000, NextSegment::Retransmission(hole(2, 3)))
        );
        sender.send(2);
        assert_eq!((sender.rule.pipe, sender.next()), (5000, NextSegment::Nothing));
        sender.report(7);
        // Rule 2, and below it neither a hole nor a rescue: only after an ACK beyond the fast
        // retransmit.
        assert_eq!((sender.rule.pipe, sender.next()), (4000, NextSegment::NewDataOr(None)));
        sender.report(9);
        // Rule 3 after rule 2: 8 is not lost yet.
        assert_eq!(
            (sender.rule.pipe, sender.next()),
            (3000, NextSegment::NewDataOr(Some(hole(8, 9))))
        );
        sender.send(8);
        assert_eq!((sender.rule.pipe, sender.next()), (4000, NextSegment::NewDataOr(None)));
        assert_eq!(sender.acknowledge(2), Repair::Nothing);
        // Rule 4, once: the highest that is not reported, though its repair is on the way. 8 counts
        // twice, 2 once.
        assert_eq!(
            (sender.rule.pipe, sender.next()),
            (3000, NextSegment::NewDataOr(Some(hole(8, 9))))
        );
        sender.send(8);
        assert_eq!((sender.rule.pipe, sender.next()), (4000, NextSegment::NewDataOr(None)));
    }

    /// Rescue of §4 rule 4: `HighACK` must be greater than `RescueRxt`, which is the fast
    /// retransmit at first. 0, 1 and 7 of eight segments are lost.
    #[test]
    fn no_rescue_before_more_than_the_fast_retransmit_is_acknowledged() {
        let mut sender = sender(8, 8);
        assert_eq!([2, 3, 4].map(|n| sender.report(n))[2], Repair::FastRetransmit);
        sender.send(0);
        sender.report(5);
        sender.report(6);
        assert_eq!(sender.next(), NextSegment::Retransmission(hole(1, 2)));
        sender.send(1);
        sender.acknowledge(1);
        assert_eq!(sender.next(), NextSegment::NewDataOr(None));
        sender.acknowledge(7);
        assert_eq!(sender.next(), NextSegment::NewDataOr(Some(hole(7, 8))));
    }

    /// Recovery by §5 step A and §5.1.
    #[test]
    fn recovery_ends_at_its_point_and_none_begins_before() {
        let mut sender = sender(10, 10);
        for n in [1, 2, 3] {
            sender.report(n);
        }
        sender.send(0);
        sender.time_out();
        sender.flight.board.clear();
        assert_eq!([4, 5, 6, 7].map(|n| sender.report(n)), [Repair::Nothing; 4]);
        sender.acknowledge(10);
        sender.flight.snd_max = 20 * MSS;
        assert_eq!([12, 13].map(|n| sender.report(n)), [Repair::Nothing; 2]);
        assert_eq!(sender.report(14), Repair::FastRetransmit);
        sender.send(10);
        assert_eq!(sender.window.cwnd(), 5000);
        sender.acknowledge(19);
        assert_ne!(sender.next(), NextSegment::InSequence);
        sender.acknowledge(20);
        assert_eq!((sender.next(), sender.window.cwnd()), (NextSegment::InSequence, 5000));
    }
}
