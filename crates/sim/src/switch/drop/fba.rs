//! Fair Buffer Allocation (Heinanen, Kilkki: "A fair buffer allocation scheme", Computer
//! Communications 21(3), 1998).
//!
//! Above R cells in the buffer, a frame of VC i is discarded if
//! `X_i · N_a / X > Z · (K - R) / (X - R)`: just above R nothing is discarded, and at X = K a VC
//! may have Z times its equal share. Parameters: `threshold` R, in cells; `z`. R is in cells
//! throughout, also where descriptions write it as a part of K. In a buffer without limit the right
//! side is infinite and nothing is dropped. Equal cases admit.

use super::selective_drop::{FairSharePlan, SelectiveDrop};
use super::{Admission, FrameRule, FromPlan, Needs, PolicyFacts, QueueState, Site};
use crate::pdu::CellHead;

/// Fair Buffer Allocation.
#[derive(Clone, Debug)]
pub struct Fba {
    threshold: u64,
    z: f64,
}

impl Fba {
    /// Limits VCs above `threshold` cells, the more the less space is left: at the end to `z` times
    /// their equal share.
    pub fn new(threshold: u64, z: f64) -> Self {
        Self { threshold, z }
    }
}

impl FrameRule for Fba {
    fn needs(&self) -> Needs {
        Needs { accounts: true, ..Needs::default() }
    }

    fn admits_up_to(&self) -> u64 {
        self.threshold
    }

    fn judge(&mut self, _first: CellHead, queue: &QueueState<'_>) -> Admission {
        if queue.occupancy <= self.threshold {
            return Admission::Admit;
        }
        // Multiplied out, so that equal sides are found equal.
        let excess = queue.occupancy - self.threshold;
        let of_vc = queue.accounts.of(queue.slot) * queue.active;
        let allowed = self.z * ((queue.size - self.threshold) as f64 * queue.occupancy as f64);
        Admission::when(of_vc as f64 * excess as f64 <= allowed)
    }
}

impl FromPlan for Fba {
    type Plan = FairSharePlan;

    fn build(plan: &FairSharePlan, site: &Site) -> Self {
        Self::new(site.units(plan.threshold), plan.z)
    }

    fn facts(plan: &FairSharePlan) -> PolicyFacts {
        SelectiveDrop::facts(plan)
    }
}
