//! Selective Drop (Goyal, Jain, Kalyanaraman, Fahmy, Vandalore: "Improving the Performance of TCP
//! over the ATM-UBR service", Computer Communications 21, 1998).
//!
//! Above R cells in the buffer, a frame of VC i is discarded if `X_i · N_a / X > Z`: if the VC has
//! more than Z times its equal share. `N_a` counts the VCs with at least one cell in the buffer.
//! Parameters: `threshold` R, in cells (its authors found 0.8 to 0.9 of the buffer best); `z`,
//! about 0.8. Equal cases admit: X = R, and a VC with exactly Z times its share.

use super::threshold::Threshold;
use super::{Admission, FrameRule, FromPlan, Needs, PolicyFacts, QueueState, Site};
use crate::language::part::prelude::*;
use crate::pdu::CellHead;

part! {
    /// Parameters of Selective Drop and Fair Buffer Allocation.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct FairSharePlan {
        /// R: queue up to which every frame is accepted.
        threshold: Threshold = required("0.8"),
        /// Z: part of its equal share that a VC may have above the threshold.
        z: f64 = default("0.8", "0.5") as Kind::Number(ABOVE_ZERO_TO_ONE),
    }
}

/// Selective Drop.
#[derive(Clone, Debug)]
pub struct SelectiveDrop {
    threshold: u64,
    z: f64,
}

impl SelectiveDrop {
    /// Makes a rule that limits VCs to `z` times their equal share above `threshold` cells.
    pub fn new(threshold: u64, z: f64) -> Self {
        Self { threshold, z }
    }
}

/// `X_i · N_a / X`: cells of a VC over its equal share. The queue must not be empty.
#[inline]
pub(super) fn load_ratio(queue: &QueueState<'_>) -> f64 {
    let of_vc = queue.accounts.of(queue.slot) * queue.active;
    of_vc as f64 / queue.occupancy as f64
}

impl FrameRule for SelectiveDrop {
    fn needs(&self) -> Needs {
        Needs { accounts: true, ..Needs::default() }
    }

    fn admits_up_to(&self) -> u64 {
        self.threshold
    }

    fn judge(&mut self, _first: CellHead, queue: &QueueState<'_>) -> Admission {
        Admission::when(queue.occupancy <= self.threshold || load_ratio(queue) <= self.z)
    }
}

impl FromPlan for SelectiveDrop {
    type Plan = FairSharePlan;

    fn build(plan: &FairSharePlan, site: &Site) -> Self {
        Self::new(site.units(plan.threshold), plan.z)
    }

    fn facts(plan: &FairSharePlan) -> PolicyFacts {
        PolicyFacts {
            needs_common_buffer: Some("compares VCs that share a buffer"),
            thresholds: vec![vec![("threshold", plan.threshold)]],
            ..PolicyFacts::default()
        }
    }
}
