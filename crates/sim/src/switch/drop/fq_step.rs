//! Flow queues with step marking: [`Fair`] queueing (RFC 8290) over [`Step`] (RFC 8257 §3.1).
//!
//! A packet that finds more than `threshold` packets in the queue of its flow is marked, and
//! without `tcp.ecn` discarded: each flow of DCTCP or Prague has the shallow queue that it asks
//! for, whatever waits in others, and others an equally short one. Parameters: that of `step`, and
//! those of [`FairPlan`]; a part of the buffer is of the whole buffer. Linux has for this a
//! `ce_threshold` of the wait in `fq_codel`, as packets leave, and may leave others to CoDel.

use super::{Fair, FairPlan, FromPlan, PolicyFacts, RuleOfFlow, Site, Step, StepPlan};
use crate::language::part::prelude::*;
use crate::switch::scheduler::Scheduler;

part! {
    /// Parameters of step marking in each queue of a flow.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct FqStepPlan {
        /// Step of each queue.
        step: StepPlan = flat(StepPlan),
        /// Queues of flows.
        fair: FairPlan = flat(FairPlan),
    }
}

/// Step marking in each queue of a flow.
pub type FqStep = Fair<Step>;

impl RuleOfFlow for Step {
    const JUDGES_ARRIVALS: bool = true;
}

impl FromPlan for FqStep {
    type Plan = FqStepPlan;

    fn build(plan: &FqStepPlan, site: &Site) -> Self {
        Self::new(Step::build(&plan.step, site))
    }

    fn facts(plan: &FqStepPlan) -> PolicyFacts {
        FairPlan::facts(Step::facts(&plan.step))
    }

    fn order(plan: &FqStepPlan, site: &Site) -> Option<Scheduler> {
        Some(plan.fair.order(site))
    }
}
