//! New Reno (RFC 6582): fast recovery lasts until all data outstanding at its start are
//! acknowledged, and every partial ACK sends the next hole at once.
//!
//! `recover` also keeps duplicates after a timeout from causing needless fast retransmits: none
//! happens unless the ACK number lies beyond all that had been sent before the timeout, or before
//! the last recovery (§3.2 steps 1 and 2, §4).
//!
//! Departures: `recover` begins before the SYN and not at it, as nothing can have been sent twice
//! yet: the RFC's words would leave the very first data segment to the timer. The ACK that ends
//! going back after a timeout sets a window of one segment more than is outstanding, as the full
//! ACK of a recovery does: it often acknowledges half a window that had arrived, and a burst of
//! that size is then lost itself. Linux moderates its window there, too; RFC 6582 is silent. The
//! heuristics of §4 against a lost retransmission are absent.
//!
//! Chosen: the window after a full ACK is the first of the RFC's two, min(ssthresh,
//! max(`FlightSize`, SMSS) + SMSS), unless `full_ack = "ssthresh"`; avoidance begins at ssthresh
//! itself (RFC 5681 §3.1 allows both), so it has begun when the full ACK ends recovery. That ACK
//! sets this window and no more (§3.2 step 3); with `growth_after_recovery` it also opens it, as
//! 4.3BSD and ns-2 do.

use super::growth::{Growth, answers_of_law};
use super::law::Cause;
use super::plan::Plan;
use super::{
    Ack, Congestion, DUP_ACK_THRESHOLD, GuardOption, Options, Repair, Timeout, Transmission, Window,
};
use crate::tcp::FullAck;

#[derive(Debug)]
pub struct NewReno {
    phase: Phase,
    growth: Growth,
    /// The sequence number after the highest sent when recovery last began or the timer last
    /// expired.
    recover: u64,
    /// True if every partial ACK restarts the timer, and not only the first of a recovery (RFC 6582
    /// §3.2 and 4).
    steady: bool,
    full_ack: FullAck,
    /// True if the full ACK opens the window.
    grows_after_recovery: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Open,
    /// After a timeout, until all data sent before it are acknowledged.
    GoingBack,
    Recovering,
    RecoveringAfterPartialAck,
}

impl NewReno {
    pub(super) const OPTIONS: Options = Options {
        retransmits_fast: true,
        follows_rfcs: true,
        takes_any_law: true,
        guard: GuardOption::Inherent,
        readings: &["full_ack", "growth_after_recovery", "reduces"],
    };

    pub(super) fn impatient(plan: &Plan) -> Self {
        let full_ack = plan.readings.full_ack.unwrap_or(FullAck::Flight);
        Self {
            phase: Phase::Open,
            growth: Growth::new(plan),
            recover: 0,
            steady: false,
            full_ack,
            grows_after_recovery: plan.readings.growth_after_recovery.unwrap_or(false),
        }
    }

    pub(super) fn steady(plan: &Plan) -> Self {
        Self { steady: true, ..Self::impatient(plan) }
    }

    fn on_partial_ack(&mut self, window: &mut Window, acked: u64) -> Repair {
        window.deflate_by(acked);
        let is_first = self.phase == Phase::Recovering;
        self.phase = Phase::RecoveringAfterPartialAck;
        if is_first || self.steady { Repair::Retransmit } else { Repair::RetransmitKeepingTimer }
    }

    fn on_full_ack(&mut self, ack: &mut Ack<'_>) {
        self.phase = Phase::Open;
        match self.full_ack {
            FullAck::Flight => ack.window.deflate_to_flight(ack.flight),
            FullAck::Ssthresh => ack.window.deflate(),
        }
        if self.grows_after_recovery {
            self.growth.grow(ack);
        }
    }
}

impl Congestion for NewReno {
    answers_of_law!();

    fn follows_rfcs(&self) -> bool {
        Self::OPTIONS.follows_rfcs
    }

    fn on_ack(&mut self, ack: &mut Ack<'_>) -> Repair {
        if !self.is_recovering() {
            self.growth.grow(ack);
        }
        let Ack { acked, flight, ref mut window, .. } = *ack;
        if !self.is_recovering() {
            if self.phase == Phase::GoingBack && flight.snd_una >= self.recover {
                self.phase = Phase::Open;
                window.moderate(flight);
            }
            return Repair::Nothing;
        }
        if flight.snd_una < self.recover {
            return self.on_partial_ack(window, acked);
        }
        self.on_full_ack(ack);
        Repair::Nothing
    }

    fn on_dup_ack(&mut self, ack: &mut Ack<'_>) -> Repair {
        let Ack { flight, ref mut window, .. } = *ack;
        if self.is_recovering() {
            window.inflate(1);
            return Repair::Nothing;
        }
        if flight.dup_acks != DUP_ACK_THRESHOLD || flight.snd_una <= self.recover {
            return Repair::Nothing;
        }
        self.phase = Phase::Recovering;
        self.recover = flight.snd_max;
        self.growth.reduce(Cause::Loss, window, flight);
        window.deflate();
        // RFC 5681 §3.2 step 3: the three segments that the duplicates stand for have left the
        // network.
        window.inflate(DUP_ACK_THRESHOLD);
        Repair::FastRetransmit
    }

    fn on_ecn_echo(&mut self, ack: &mut Ack<'_>) {
        self.growth.on_ecn_echo(ack);
    }

    fn is_recovering(&self) -> bool {
        matches!(self.phase, Phase::Recovering | Phase::RecoveringAfterPartialAck)
    }

    fn on_timeout(&mut self, timeout: &mut Timeout<'_>) {
        let is_recovering = self.is_recovering();
        self.phase = Phase::GoingBack;
        self.recover = timeout.flight.snd_max;
        self.growth.time_out(timeout, is_recovering);
    }

    fn on_sent(&mut self, sent: &Transmission<'_>) {
        self.growth.on_sent(sent);
    }
}
