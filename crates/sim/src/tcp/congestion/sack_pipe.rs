//! The "Sack1" sender of Fall and Floyd 1996 ("Simulation-based Comparisons of Tahoe, Reno, and
//! SACK TCP"): Reno's entry and halving, and a count of the segments in the network instead of an
//! inflated window.
//!
//! `pipe` begins as the segments outstanding less those that the duplicates stand for. A segment
//! sent adds one, a duplicate ACK that reports something new subtracts one, a partial ACK two: the
//! lost original and the repair. While `pipe` is below cwnd the next hole below the highest report
//! is sent, each once in a recovery, and new data after them. A repair that is lost too waits for
//! the timer, which removes all reports.
//!
//! Departures: the first repair of a recovery is not counted, though the paper's words count every
//! segment sent: the simulator that its figures come from sends that one without looking at `pipe`,
//! and the other repairs leave up to a round trip earlier. As in that simulator, too, every timeout
//! halves the window: in a recovery that has halved it, once more. A duplicate is what RFC 6675 §2
//! calls one, an ACK that reports something new; after a timeout no recovery begins before all that
//! had been sent is acknowledged, which the paper leaves open; the guard against bursts
//! (`maxburst`) is absent.

use super::growth::Growth;
use super::plan::Plan;
use super::{
    Ack, Congestion, DUP_ACK_THRESHOLD, Flight, GuardOption, NextSegment, Options, Repair, Timeout,
    Transmission, Window,
};

#[derive(Debug)]
pub struct SackPipe {
    phase: Phase,
    growth: Growth,
    /// The sequence number after the highest sent when recovery last began or the timer last
    /// expired.
    recover: u64,
    /// Sequence number before which all holes have been sent again.
    repaired: u64,
    /// Segments in the network.
    pipe: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Open,
    /// Before the first repair is sent.
    Entering,
    Recovering,
}

impl SackPipe {
    pub(super) const OPTIONS: Options = Options {
        retransmits_fast: true,
        follows_rfcs: false,
        takes_any_law: false,
        guard: GuardOption::Inherent,
        readings: &[],
    };

    pub(super) fn new(plan: &Plan) -> Self {
        Self { phase: Phase::Open, growth: Growth::new(plan), recover: 0, repaired: 0, pipe: 0 }
    }

    fn enter(&mut self, window: &mut Window, flight: &Flight) -> Repair {
        self.phase = Phase::Entering;
        self.recover = flight.snd_max;
        self.repaired = flight.snd_una;
        self.pipe = window.segments(flight.size()).saturating_sub(u64::from(DUP_ACK_THRESHOLD));
        window.halve_ssthresh(flight);
        window.deflate();
        Repair::FastRetransmit
    }

    fn leaves(&mut self, segments: u64) {
        self.pipe = self.pipe.saturating_sub(segments);
    }
}

impl Congestion for SackPipe {
    fn follows_rfcs(&self) -> bool {
        Self::OPTIONS.follows_rfcs
    }

    fn reads_sack(&self) -> bool {
        true
    }

    fn on_ack(&mut self, ack: &mut Ack<'_>) -> Repair {
        if !self.is_recovering() {
            self.growth.grow(ack);
        } else if ack.flight.snd_una < self.recover {
            self.leaves(2);
        } else {
            self.phase = Phase::Open;
        }
        Repair::Nothing
    }

    fn on_dup_ack(&mut self, ack: &mut Ack<'_>) -> Repair {
        if self.is_recovering() {
            self.leaves(1);
        } else if ack.flight.dup_acks == DUP_ACK_THRESHOLD && ack.flight.snd_una >= self.recover {
            return self.enter(ack.window, ack.flight);
        }
        Repair::Nothing
    }

    fn is_recovering(&self) -> bool {
        self.phase != Phase::Open
    }

    fn on_timeout(&mut self, timeout: &mut Timeout<'_>) {
        self.phase = Phase::Open;
        self.recover = timeout.flight.snd_max;
        timeout.window.halve_ssthresh(timeout.flight);
        timeout.window.collapse();
    }

    fn next_segment(&self, window: &Window, flight: &Flight) -> NextSegment {
        if !self.is_recovering() {
            return NextSegment::InSequence;
        }
        if self.pipe >= window.whole_segments() {
            return NextSegment::Nothing;
        }
        let hole = flight.board.hole_from(self.repaired.max(flight.snd_una));
        hole.map_or(NextSegment::NewDataOr(None), NextSegment::Retransmission)
    }

    fn on_sent(&mut self, sent: &Transmission<'_>) {
        match self.phase {
            Phase::Open => return,
            Phase::Entering => self.phase = Phase::Recovering,
            Phase::Recovering => self.pipe += 1,
        }
        if sent.start < sent.flight.snd_max {
            self.repaired = sent.end;
        }
    }
}
