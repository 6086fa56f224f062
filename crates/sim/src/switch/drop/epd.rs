//! Early packet discard (Romanow, Floyd: "Dynamics of TCP Traffic over ATM Networks", IEEE JSAC
//! 13(4), 1995).
//!
//! A frame whose first cell finds more than `threshold` cells in the buffer is discarded whole.
//! Parameter: `threshold`, cells, compared with the occupancy of the buffer of the frame: that of
//! its VC, its port or the switch. Equal case: occupancy = threshold admits the frame.

use super::threshold::Threshold;
use super::{Admission, FrameRule, FromPlan, PolicyFacts, QueueState, Site};
use crate::language::part::prelude::*;
use crate::pdu::CellHead;

part! {
    /// Parameters of early packet discard.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct EpdPlan {
        /// Queue above which no new frame is accepted.
        threshold: Threshold = required("\"200 cell\""),
    }
}

/// Early packet discard.
#[derive(Clone, Debug)]
pub struct Epd {
    threshold: u64,
}

impl Epd {
    /// Makes a rule that admits no new frame above `threshold` cells.
    pub fn new(threshold: u64) -> Self {
        Self { threshold }
    }
}

impl FrameRule for Epd {
    fn admits_up_to(&self) -> u64 {
        self.threshold
    }

    fn judge(&mut self, _first: CellHead, queue: &QueueState<'_>) -> Admission {
        Admission::when(queue.occupancy <= self.threshold)
    }
}

impl FromPlan for Epd {
    type Plan = EpdPlan;

    fn build(plan: &EpdPlan, site: &Site) -> Self {
        Self::new(site.units(plan.threshold))
    }

    fn facts(plan: &EpdPlan) -> PolicyFacts {
        PolicyFacts {
            thresholds: vec![vec![("threshold", plan.threshold)]],
            ..PolicyFacts::default()
        }
    }
}
