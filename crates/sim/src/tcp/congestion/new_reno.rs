//! New Reno (RFC 6582): fast recovery lasts until all that was outstanding at its start is acknowledged, and every partial
//! ACK sends the next hole at once.
//!
//! `recover` also keeps duplicates after a timeout from causing needless fast retransmits: none happens unless the ACK
//! number lies beyond what had been sent before the timeout, or before the last recovery (§3.2 steps 1 and 2, §4). It
//! begins at the SYN, as in the RFC, so the very first data segment waits for the timer if it is lost.
//!
//! Departures: of the full ACK's two windows the first, min(ssthresh, max(`FlightSize`, SMSS) + SMSS); after timeouts
//! ssthresh is that of the other rules (4.3BSD's); the heuristics of §4 against a lost retransmission are absent.

use super::{Congestion, DUP_ACK_THRESHOLD, Flight, Repair, Window};

#[derive(Clone, Debug)]
pub(in crate::tcp) struct NewReno {
    phase: Phase,
    /// The sequence number after the highest sent when recovery last began or the timer last expired.
    recover: u64,
    /// Whether every partial ACK restarts the timer, and not the first of a recovery alone (RFC 6582 §3.2 and 4).
    steady: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Open,
    Recovering,
    RecoveringAfterPartialAck,
}

impl NewReno {
    pub(super) fn impatient() -> Self {
        // The SYN is number 0: what follows it is the highest sent so far.
        Self { phase: Phase::Open, recover: 1, steady: false }
    }

    pub(super) fn steady() -> Self {
        Self { steady: true, ..Self::impatient() }
    }

    fn on_partial_ack(&mut self, window: &mut Window, acked: u64) -> Repair {
        window.deflate_by(acked);
        let is_first = self.phase == Phase::Recovering;
        self.phase = Phase::RecoveringAfterPartialAck;
        if is_first || self.steady { Repair::ResendNext } else { Repair::ResendNextAgainstTheClock }
    }
}

impl Congestion for NewReno {
    fn on_ack(&mut self, window: &mut Window, flight: &Flight, acked: u64) -> Repair {
        if self.phase == Phase::Open {
            window.grow();
            return Repair::Nothing;
        }
        if flight.snd_una < self.recover {
            return self.on_partial_ack(window, acked);
        }
        self.phase = Phase::Open;
        window.deflate_to_flight(flight);
        Repair::Nothing
    }

    fn on_dup_ack(&mut self, window: &mut Window, flight: &Flight) -> Repair {
        if self.phase != Phase::Open {
            window.inflate(1);
            return Repair::Nothing;
        }
        if flight.dup_acks != DUP_ACK_THRESHOLD || flight.snd_una <= self.recover {
            return Repair::Nothing;
        }
        self.phase = Phase::Recovering;
        self.recover = flight.snd_max;
        window.halve_flight(flight);
        window.deflate();
        // RFC 5681 §3.2 step 3: the three segments that the duplicates stand for have left the network.
        window.inflate(DUP_ACK_THRESHOLD);
        Repair::ResendFirst
    }

    fn on_timeout(&mut self, window: &mut Window, flight: &Flight) {
        self.phase = Phase::Open;
        self.recover = flight.snd_max;
        window.halve_ssthresh(flight);
        window.collapse();
    }
}
