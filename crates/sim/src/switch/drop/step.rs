//! Step marking: every frame that finds more than a threshold in the queue is marked.
//!
//! Source: RFC 8257 §3.1; Alizadeh et al.: "Data Center TCP (DCTCP)", ACM SIGCOMM 2010, section
//! 3.1. Parameter: `threshold` K, in cells or packets, compared with the queue at the arrival of
//! the first cell, itself not counted. Equal case: a queue of K marks nothing. Frames of flows
//! without `tcp.ecn` are discarded there, as by the RED of switches with both thresholds at K.

use super::threshold::Threshold;
use super::{Admission, FrameRule, FromPlan, Needs, PolicyFacts, QueueState, Site};
use crate::language::part::prelude::*;
use crate::pdu::CellHead;

part! {
    /// Parameters of step marking.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct StepPlan {
        /// Queue above which every frame of a flow with `tcp.ecn` is marked, and others are
        /// discarded.
        threshold: Threshold = required("\"200 cell\""),
    }
}

/// Step marking.
#[derive(Clone, Debug)]
pub struct Step {
    threshold: u64,
}

impl Step {
    /// Makes a rule that marks above `threshold` cells or packets.
    pub fn new(threshold: u64) -> Self {
        Self { threshold }
    }
}

impl FrameRule for Step {
    fn needs(&self) -> Needs {
        Needs { marks: true, ..Needs::default() }
    }

    fn admits_up_to(&self) -> u64 {
        self.threshold
    }

    fn judge(&mut self, first: CellHead, queue: &QueueState<'_>) -> Admission {
        match queue.occupancy > self.threshold {
            true if first.is_ecn_capable() => Admission::Mark,
            is_above => Admission::when(!is_above),
        }
    }
}

impl FromPlan for Step {
    type Plan = StepPlan;

    fn build(plan: &StepPlan, site: &Site) -> Self {
        Self::new(site.units(plan.threshold))
    }

    fn facts(plan: &StepPlan) -> PolicyFacts {
        PolicyFacts {
            marks: true,
            thresholds: vec![vec![("threshold", plan.threshold)]],
            ..PolicyFacts::default()
        }
    }
}
