//! Enhanced RED (Feng, Kandlur, Saha, Shin: "Understanding and improving TCP performance over
//! networks with minimum rate guarantees", IEEE/ACM Transactions on Networking 7(2), 1999).
//!
//! RED with a lower drop probability for marked frames. Marked frames have CLP = 0: the marker of
//! each VC chooses them, up to its rate. Unmarked frames have CLP = 1. One mean queue serves both.
//! The classification counts the markers, which account for each VC, as part of the scheme.
//! Parameters as of [`Red`](super::Red), for unmarked frames and with `marked_` for the others;
//! `ecn` is for both; its marks are not CLP.

use super::average::Average;
use super::random_drop::{RandomDrop, RandomDropPlan};
use super::red::RedPlan;
use super::threshold::Threshold;
use super::{Admission, FrameRule, FromPlan, Needs, PolicyFacts, QueueState, Site};
use crate::engine::Stream;
use crate::language::part::prelude::*;
use crate::pdu::CellHead;

part! {
    /// Parameters of Enhanced RED: those of RED are for unmarked frames, CLP = 1.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct EredPlan {
        /// RED for unmarked frames.
        unmarked: RedPlan = flat(RedPlan),
        /// Mean queue below which no marked frame is discarded.
        marked_min_threshold: Option<Threshold> = absent("as `min_threshold`", "0.4"),
        /// Mean queue from which on every marked frame is discarded.
        marked_max_threshold: Option<Threshold> = absent("as `max_threshold`", "0.8"),
        /// Drop probability of a marked frame just below `marked_max_threshold`.
        marked_max_probability: f64 = default("0.02", "0.05") as Kind::Number(ABOVE_ZERO_TO_ONE),
    }
    finish EredPlan::complete;
}

impl EredPlan {
    /// Gives marked frames the thresholds of the others, unless they have their own.
    #[expect(clippy::unnecessary_wraps, reason = "what finishes a part may refuse it")]
    fn complete(self, _: &Section<'_>) -> Result<Self, Fault> {
        let RandomDropPlan { min_threshold, max_threshold, .. } = self.unmarked.random_drop;
        Ok(Self {
            marked_min_threshold: self.marked_min_threshold.or(Some(min_threshold)),
            marked_max_threshold: self.marked_max_threshold.or(Some(max_threshold)),
            ..self
        })
    }

    /// Random drop for marked frames, CLP = 0.
    pub fn marked(&self) -> RandomDropPlan {
        let unmarked = self.unmarked.random_drop;
        RandomDropPlan {
            min_threshold: self.marked_min_threshold.unwrap_or(unmarked.min_threshold),
            max_threshold: self.marked_max_threshold.unwrap_or(unmarked.max_threshold),
            max_probability: self.marked_max_probability,
        }
    }
}

/// Enhanced RED.
#[derive(Clone, Debug)]
pub struct Ered {
    average: Average,
    unmarked: RandomDrop,
    marked: RandomDrop,
    stream: Stream,
}

impl Ered {
    /// Makes a rule with its average at zero.
    pub fn new(average: Average, unmarked: RandomDrop, marked: RandomDrop, stream: Stream) -> Self {
        Self { average, unmarked, marked, stream }
    }
}

impl FrameRule for Ered {
    fn needs(&self) -> Needs {
        let marks = self.unmarked.marks || self.marked.marks;
        Needs { marks, ..Needs::default() }
    }

    fn judge(&mut self, first: CellHead, queue: &QueueState<'_>) -> Admission {
        self.average.on_arrival(queue.occupancy, queue.now, queue.line_free_at);
        let random_drop =
            if first.is_low_priority() { &mut self.unmarked } else { &mut self.marked };
        random_drop.judge(self.average.value(), false, first, &mut self.stream)
    }
}

impl FromPlan for Ered {
    type Plan = EredPlan;

    fn build(plan: &EredPlan, site: &Site) -> Self {
        let red = &plan.unmarked;
        let marked = plan.marked().build(site).with_ecn(red.ecn);
        Self::new(red.average(site), red.random_drop(site), marked, site.stream.clone())
    }

    fn facts(plan: &EredPlan) -> PolicyFacts {
        let unmarked = plan.unmarked.random_drop;
        let unmarked = unmarked.thresholds(["min_threshold", "max_threshold"]);
        let marked = plan.marked().thresholds(["marked_min_threshold", "marked_max_threshold"]);
        PolicyFacts {
            marks: plan.unmarked.ecn,
            needs_common_buffer: Some("averages one queue of all VCs"),
            is_random: true,
            thresholds: vec![unmarked, marked],
            ..PolicyFacts::default()
        }
    }
}
