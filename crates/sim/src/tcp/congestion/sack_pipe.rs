//! The "Sack1" sender of Fall and Floyd 1996 ("Simulation-based Comparisons of Tahoe, Reno, and SACK TCP"): Reno's
//! entry and halving, and a count of the segments in the network instead of an inflated window.
//!
//! `pipe` begins as what is outstanding without the segments that the duplicates stand for. A segment sent adds one, a
//! duplicate ACK that reports something new takes one away, a partial ACK two: the lost original and the repair. While
//! `pipe` is below cwnd the next hole below the highest report leaves, each once in a recovery, and new data after them.
//! A repair that is lost too waits for the timer, which forgets all reports.
//!
//! Departures: the first repair of a recovery is not counted, though the paper's words count every segment sent: the
//! simulator that its figures come from sends that one without looking at `pipe`, and the other repairs leave up to a
//! round trip earlier. A timeout in a recovery keeps the ssthresh that the recovery has halved, as in Linux (see
//! [`Window::time_out`]). A duplicate is what RFC 6675 §2 calls one, an ACK that reports something new; after a timeout no recovery
//! begins before all that had been sent is acknowledged, which the paper leaves open; the guard against bursts
//! (`maxburst`) is absent.

use super::{Congestion, DUP_ACK_THRESHOLD, Flight, Repair, Turn, Window};

#[derive(Clone, Debug, Default)]
pub(in crate::tcp) struct SackPipe {
    phase: Phase,
    /// The sequence number after the highest sent when recovery last began or the timer last expired.
    recover: u64,
    /// All holes before this have been sent again.
    repaired: u64,
    /// Segments in the network.
    pipe: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    Open,
    /// The first repair has still to leave.
    Entering,
    Recovering,
}

impl SackPipe {
    fn enter(&mut self, window: &mut Window, flight: &Flight) -> Repair {
        self.phase = Phase::Entering;
        self.recover = flight.snd_max;
        self.repaired = flight.snd_una;
        self.pipe = window.segments(flight.size()).saturating_sub(u64::from(DUP_ACK_THRESHOLD));
        window.halve_ssthresh(flight);
        window.deflate();
        Repair::ResendFirst
    }

    fn leaves(&mut self, segments: u64) {
        self.pipe = self.pipe.saturating_sub(segments);
    }
}

impl Congestion for SackPipe {
    fn on_ack(&mut self, window: &mut Window, flight: &Flight, _acked: u64) -> Repair {
        if !self.is_recovering() {
            window.grow();
        } else if flight.snd_una < self.recover {
            self.leaves(2);
        } else {
            self.phase = Phase::Open;
        }
        Repair::Nothing
    }

    fn on_dup_ack(&mut self, window: &mut Window, flight: &Flight) -> Repair {
        if self.is_recovering() {
            self.leaves(1);
        } else if flight.dup_acks == DUP_ACK_THRESHOLD && flight.snd_una >= self.recover {
            return self.enter(window, flight);
        }
        Repair::Nothing
    }

    fn is_recovering(&self) -> bool {
        self.phase != Phase::Open
    }

    fn on_timeout(&mut self, window: &mut Window, flight: &Flight) {
        let is_recovering = self.is_recovering();
        self.phase = Phase::Open;
        self.recover = flight.snd_max;
        window.time_out(flight, is_recovering);
    }

    fn turn(&self, window: &Window, flight: &Flight) -> Turn {
        if !self.is_recovering() {
            return Turn::AsTheWindowAllows;
        }
        if self.pipe >= window.whole_segments() {
            return Turn::Nobody;
        }
        let hole = flight.board.hole_from(self.repaired.max(flight.snd_una));
        hole.map_or(Turn::NewOr(None), Turn::Resend)
    }

    fn on_sent(&mut self, flight: &Flight, start: u64, end: u64) {
        match self.phase {
            Phase::Open => return,
            Phase::Entering => self.phase = Phase::Recovering,
            Phase::Recovering => self.pipe += 1,
        }
        if start < flight.snd_max {
            self.repaired = end;
        }
    }
}
