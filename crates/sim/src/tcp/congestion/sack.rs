//! Loss recovery by selective acknowledgements: RFC 6675.
//!
//! Sequence numbers here are those after the RFC's octets: `point` follows `RecoveryPoint`, `resent` follows `HighRxt`.
//! `pipe` is computed at every ACK and moves with what is sent in between (§5 C.4). New data before holes that are not
//! lost, the rescue of the last segment: `NextSeg` as it stands, rules 1 to 4.
//!
//! Chosen: no limited transmit before recovery (§5 step 3 permits it); the timer is that of RFC 6298, and starts again
//! with the fast retransmit; after a timeout all reports are forgotten (RFC 2018 §8) and what is reported since then is
//! skipped when the sender goes back (§5.1). A timeout outside recovery keeps losses of earlier data from a recovery,
//! too. The ACK that ends recovery does not grow the window.

use super::{Congestion, DUP_ACK_THRESHOLD, Flight, Repair, Turn, Window};
use crate::tcp::scoreboard::Hole;

#[derive(Clone, Debug, Default)]
pub(in crate::tcp) struct Sack {
    phase: Phase,
    /// Recovery lasts until this is acknowledged, and none begins before.
    point: u64,
    /// All holes before this have been sent again.
    resent: u64,
    /// The rescue is spent until this is acknowledged.
    rescued: u64,
    /// Bytes in the network.
    pipe: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    Open,
    /// The fast retransmit has still to leave.
    Entering,
    Recovering,
}

impl Sack {
    /// §5 steps 1, 2 and 4: enough duplicates, or enough bytes reported.
    fn enter_if_lost(&mut self, window: &mut Window, flight: &Flight) -> Repair {
        let is_first_lost = flight.snd_una < flight.board.lost_before(window.mss());
        if flight.snd_una < self.point || !(flight.dup_acks >= DUP_ACK_THRESHOLD || is_first_lost) {
            return Repair::Nothing;
        }
        self.phase = Phase::Entering;
        self.point = flight.snd_max;
        self.resent = flight.snd_una;
        self.rescued = flight.snd_una;
        window.halve_flight(flight);
        window.deflate();
        self.estimate(window, flight);
        Repair::ResendFirst
    }

    /// `SetPipe`.
    fn estimate(&mut self, window: &Window, flight: &Flight) {
        self.pipe = flight.board.pipe(flight.snd_una, flight.snd_max, self.resent, window.mss());
    }

    /// Rule 4 of `NextSeg`: one segment with the highest byte that is not reported.
    fn rescue(&self, window: &Window, flight: &Flight) -> Option<Hole> {
        let hole = flight.board.last_hole(flight.snd_una, flight.snd_max);
        let last = |hole: Hole| Hole { start: hole.start.max(hole.end.saturating_sub(window.mss())), ..hole };
        hole.filter(|_| flight.snd_una >= self.rescued).map(last)
    }
}

impl Congestion for Sack {
    fn on_ack(&mut self, window: &mut Window, flight: &Flight, _acked: u64) -> Repair {
        if self.phase == Phase::Open {
            window.grow();
            // §2: an ACK that moves the number and reports something new is a duplicate, too.
            return if flight.dup_acks > 0 { self.enter_if_lost(window, flight) } else { Repair::Nothing };
        }
        if flight.snd_una < self.point {
            self.phase = Phase::Recovering;
            self.estimate(window, flight);
        } else {
            self.phase = Phase::Open;
        }
        Repair::Nothing
    }

    fn on_dup_ack(&mut self, window: &mut Window, flight: &Flight) -> Repair {
        if self.phase == Phase::Open {
            return self.enter_if_lost(window, flight);
        }
        self.estimate(window, flight);
        Repair::Nothing
    }

    fn on_timeout(&mut self, window: &mut Window, flight: &Flight) {
        self.phase = Phase::Open;
        self.point = flight.snd_max;
        window.halve_ssthresh(flight);
        window.collapse();
    }

    fn turn(&self, window: &Window, flight: &Flight) -> Turn {
        if self.phase == Phase::Open {
            return Turn::AsTheWindowAllows;
        }
        if window.cwnd() < self.pipe + window.mss() {
            return Turn::Nobody;
        }
        let hole = flight.board.hole_from(self.resent.max(flight.snd_una));
        match hole {
            Some(hole) if hole.start < flight.board.lost_before(window.mss()) => Turn::Resend(hole),
            Some(hole) => Turn::NewOr(Some(hole)),
            None => Turn::NewOr(self.rescue(window, flight)),
        }
    }

    fn on_sent(&mut self, flight: &Flight, start: u64, end: u64) {
        if self.phase == Phase::Open {
            return;
        }
        self.pipe += end - start;
        if start >= flight.snd_max {
            return;
        }
        if self.phase == Phase::Entering {
            // §5 step 4.3: neither this segment again nor a rescue before anything else is acknowledged.
            self.phase = Phase::Recovering;
            (self.resent, self.rescued) = (end, end);
        } else if start < flight.board.highest() && start >= self.resent {
            self.resent = end;
        } else {
            self.rescued = self.point;
        }
    }
}
