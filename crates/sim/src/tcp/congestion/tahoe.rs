//! Tahoe: the third duplicate ACK is treated like a timeout, without the wait (Jacobson 1988). By
//! default it is the Tahoe of the literature, without a guard that of 4.3BSD.
//!
//! ssthresh becomes half the window, cwnd one segment, and further duplicate ACKs do nothing until
//! new data are acknowledged. The data sent next depend on `fast_retransmit_guard`:
//!
//! * `always`, the default: the sender goes back to `snd_una`, so slow start sends again what was
//!   outstanding until an ACK jumps over it: the Tahoe of the literature. The guard is needed with
//!   it: three segments that arrive twice after going back would cause another, needless, fast
//!   retransmit, and that the next.
//! * `never`: 4.3BSD. `snd_nxt` is restored after the first segment. One loss in a window costs one
//!   segment sent again and not a window. With several nothing leaves after the first repair, since
//!   what is outstanding exceeds the small cwnd, and no duplicates come: each further hole waits
//!   for the timer, which does go back. Duplicates of what it sends again may then cause a needless
//!   fast retransmit.
//! * `after_timeouts`: 4.3BSD without the needless fast retransmit.
//!
//! The window opens linearly from ssthresh on, as Jacobson writes it; in 4.3BSD only above it.

use super::growth::Growth;
use super::guard::{FastRetransmitGuard, Guard};
use super::plan::Plan;
use super::{Ack, Congestion, DUP_ACK_THRESHOLD, GuardOption, Options, Repair, Timeout};

#[derive(Debug)]
pub struct Tahoe {
    growth: Growth,
    guard: Guard,
    goes_back: bool,
}

impl Tahoe {
    pub(super) const OPTIONS: Options = Options {
        retransmits_fast: true,
        follows_rfcs: false,
        takes_any_law: false,
        guard: GuardOption::Choice { default: FastRetransmitGuard::Always },
        readings: &[],
    };

    pub(super) fn new(plan: &Plan) -> Self {
        let goes_back = plan.fast_retransmit_guard == FastRetransmitGuard::Always;
        Self {
            growth: if goes_back { Growth::new(plan) } else { Growth::of_bsd(plan) },
            guard: Guard::new(plan.fast_retransmit_guard),
            goes_back,
        }
    }
}

impl Congestion for Tahoe {
    fn follows_rfcs(&self) -> bool {
        Self::OPTIONS.follows_rfcs
    }

    fn on_ack(&mut self, ack: &mut Ack<'_>) -> Repair {
        self.growth.grow(ack);
        Repair::Nothing
    }

    fn on_dup_ack(&mut self, ack: &mut Ack<'_>) -> Repair {
        let Ack { flight, ref mut window, .. } = *ack;
        if flight.dup_acks != DUP_ACK_THRESHOLD || !self.guard.admits(flight) {
            return Repair::Nothing;
        }
        self.guard.on_retransmit(flight);
        window.halve_ssthresh(flight);
        window.collapse();
        if self.goes_back { Repair::GoBackN } else { Repair::FastRetransmit }
    }

    fn on_timeout(&mut self, timeout: &mut Timeout<'_>) {
        self.guard.on_timeout(timeout.flight);
        timeout.window.halve_ssthresh(timeout.flight);
        timeout.window.collapse();
    }
}
