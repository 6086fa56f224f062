//! Slow start and congestion avoidance only (Jacobson 1988 without fast retransmit): every loss
//! waits for the timer.

use super::growth::Growth;
use super::plan::Plan;
use super::{Ack, Congestion, GuardOption, Options, Repair, Timeout};

#[derive(Debug)]
pub struct Vanilla {
    growth: Growth,
}

impl Vanilla {
    pub(super) const OPTIONS: Options = Options {
        retransmits_fast: false,
        follows_rfcs: false,
        takes_any_law: false,
        guard: GuardOption::Absent,
        readings: &["slow_start_at_ssthresh"],
    };

    pub(super) fn new(plan: &Plan) -> Self {
        Self { growth: Growth::new(plan) }
    }
}

impl Congestion for Vanilla {
    fn follows_rfcs(&self) -> bool {
        Self::OPTIONS.follows_rfcs
    }

    fn on_ack(&mut self, ack: &mut Ack<'_>) -> Repair {
        self.growth.grow(ack);
        Repair::Nothing
    }

    fn on_timeout(&mut self, timeout: &mut Timeout<'_>) {
        timeout.window.halve_ssthresh(timeout.flight);
        timeout.window.collapse();
    }
}
