//! Priority drop by several thresholds of one count (ATM Forum 98-0405, section 6: the SA-MT
//! scheme).
//!
//! Above the first threshold frames of the lowest priority are discarded, above the last all. ATM
//! has two priorities: above `low` frames with CLP = 1 are discarded, above `high` every frame, as
//! with EPD. Parameters in cells. Equal cases admit.

use super::threshold::Threshold;
use super::{Admission, FrameRule, FromPlan, PolicyFacts, QueueState, Site};
use crate::language::part::prelude::*;
use crate::pdu::CellHead;

part! {
    /// Parameters of priority drop.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct PriorityPlan {
        /// Queue above which frames with CLP = 1 are discarded.
        low: Threshold = required("0.5"),
        /// Queue above which all frames are discarded.
        high: Threshold = required("0.8"),
    }
}

/// Priority drop.
#[derive(Clone, Debug)]
pub struct PriorityDrop {
    low: u64,
    high: u64,
}

impl PriorityDrop {
    /// Makes a rule that admits no frame with CLP = 1 above `low` cells, and none above `high`.
    pub fn new(low: u64, high: u64) -> Self {
        Self { low, high }
    }
}

impl FrameRule for PriorityDrop {
    fn judge(&mut self, first: CellHead, queue: &QueueState<'_>) -> Admission {
        Admission::when(
            queue.occupancy <= if first.is_low_priority() { self.low } else { self.high },
        )
    }
}

impl FromPlan for PriorityDrop {
    type Plan = PriorityPlan;

    fn build(plan: &PriorityPlan, site: &Site) -> Self {
        Self::new(site.units(plan.low), site.units(plan.high))
    }

    fn facts(plan: &PriorityPlan) -> PolicyFacts {
        PolicyFacts {
            thresholds: vec![vec![("low", plan.low), ("high", plan.high)]],
            ..PolicyFacts::default()
        }
    }
}
