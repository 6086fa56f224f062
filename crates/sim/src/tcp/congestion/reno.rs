//! 4.3BSD Reno: fast retransmit and fast recovery (Jacobson 1990; RFC 5681 §3.2).
//!
//! As in 4.3BSD the first ACK of new data ends recovery however little it covers, and opens the
//! window like any other: linearly only above ssthresh, hence by a whole segment. The sender does
//! not record the extent of the loss: a second loss in the window needs three more duplicate ACKs
//! and halves again, or waits for the timer, and duplicates after a timeout may cause a needless
//! fast retransmit. On the third duplicate only the first segment is sent, whatever the inflated
//! window allows: Net/3 narrows it for that one call, and the next ACK allows the others. A
//! `fast_retransmit_guard` is not 4.3BSD's: after timeouts it prevents the needless one alone;
//! always, a second loss in the window waits for the timer.
//!
//! With `growth_after_recovery = false` the ACK that ends recovery sets cwnd to ssthresh and no
//! more (RFC 5681 §3.2 step 6). With `third_duplicate_sends` the third duplicate allows new
//! segments as far as the inflated window does (step 5).
//!
//! Departures: recovery is a state and not "three or more duplicates counted", so a data segment
//! that resets the count cannot leave cwnd inflated; and the window is deflated after exactly three
//! duplicates too (Net/3 needs a fourth, and continues with three segments too many without one).

use super::growth::Growth;
use super::guard::{FastRetransmitGuard, Guard};
use super::plan::Plan;
use super::{
    Ack, Congestion, DUP_ACK_THRESHOLD, Flight, GuardOption, NextSegment, Options, Repair, Timeout,
    Window,
};

#[derive(Debug)]
pub struct Reno {
    phase: Phase,
    growth: Growth,
    guard: Guard,
    /// True if the ACK that ends recovery opens the window.
    grows_after_recovery: bool,
    /// The phase that the third duplicate begins.
    first_phase: Phase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Open,
    /// Since the third duplicate: only the first segment is sent before the next ACK.
    Entering,
    Recovering,
}

impl Reno {
    pub(super) const OPTIONS: Options = Options {
        retransmits_fast: true,
        follows_rfcs: false,
        takes_any_law: false,
        guard: GuardOption::Choice { default: FastRetransmitGuard::Never },
        readings: &["growth_after_recovery", "third_duplicate_sends"],
    };

    pub(super) fn new(plan: &Plan) -> Self {
        let third_sends = plan.readings.third_duplicate_sends.unwrap_or(false);
        Self {
            phase: Phase::Open,
            growth: Growth::of_bsd(plan),
            guard: Guard::new(plan.fast_retransmit_guard),
            grows_after_recovery: plan.readings.growth_after_recovery.unwrap_or(true),
            first_phase: if third_sends { Phase::Recovering } else { Phase::Entering },
        }
    }
}

impl Congestion for Reno {
    fn follows_rfcs(&self) -> bool {
        Self::OPTIONS.follows_rfcs
    }

    fn on_ack(&mut self, ack: &mut Ack<'_>) -> Repair {
        if self.is_recovering() {
            self.phase = Phase::Open;
            ack.window.deflate();
            if !self.grows_after_recovery {
                return Repair::Nothing;
            }
        }
        self.growth.grow(ack);
        Repair::Nothing
    }

    fn on_dup_ack(&mut self, ack: &mut Ack<'_>) -> Repair {
        let Ack { flight, ref mut window, .. } = *ack;
        if self.is_recovering() {
            self.phase = Phase::Recovering;
            // RFC 5681 §3.2 step 4: another segment has left the network.
            window.inflate(1);
            return Repair::Nothing;
        }
        if flight.dup_acks != DUP_ACK_THRESHOLD || !self.guard.admits(flight) {
            return Repair::Nothing;
        }
        self.phase = self.first_phase;
        self.guard.on_retransmit(flight);
        window.halve_ssthresh(flight);
        window.deflate();
        // RFC 5681 §3.2 step 3: the three segments that the duplicates stand for have left the
        // network.
        window.inflate(DUP_ACK_THRESHOLD);
        Repair::FastRetransmit
    }

    fn is_recovering(&self) -> bool {
        self.phase != Phase::Open
    }

    fn next_segment(&self, _window: &Window, _flight: &Flight) -> NextSegment {
        if self.phase == Phase::Entering { NextSegment::Nothing } else { NextSegment::InSequence }
    }

    fn on_timeout(&mut self, timeout: &mut Timeout<'_>) {
        self.phase = Phase::Open;
        self.guard.on_timeout(timeout.flight);
        timeout.window.halve_ssthresh(timeout.flight);
        timeout.window.collapse();
    }
}
