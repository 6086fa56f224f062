//! Flow queues with PIE: [`Fair`] queueing (RFC 8290) over [`Pie`] (RFC 8033), as in Linux and
//! ns-3.
//!
//! An arriving packet is discarded with the probability of its own queue, which holds the delay of
//! that queue at `target`: every queue has its state, its corrections and its random numbers. The
//! two packets that always may wait are of one queue. Parameters: those of `pie` and of
//! [`FairPlan`].
//!
//! All queues are corrected at the same instants. A packet that an overflow discards from the head
//! of a queue does not change the delay of that queue. Linux discards the arriving packet where the
//! buffer is full, and limits memory to 32 MB; ns-3 3.44 takes from the longest queue as here, a
//! quantum of the device's MTU, and as `mean_frame` 1000 B. Both draw from one stream for all
//! queues.

use super::{Fair, FairPlan, FromPlan, Pie, PiePlan, PolicyFacts, Site};
use crate::language::part::prelude::*;
use crate::switch::scheduler::Scheduler;

part! {
    /// Parameters of FQ-PIE.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct FqPiePlan {
        /// PIE of each queue.
        pie: PiePlan = flat(PiePlan),
        /// Queues of flows.
        fair: FairPlan = flat(FairPlan),
    }
}

/// PIE in each queue of a flow.
pub type FqPie = Fair<Pie>;

impl FromPlan for FqPie {
    type Plan = FqPiePlan;

    fn build(plan: &FqPiePlan, site: &Site) -> Self {
        Self::new(Pie::build(&plan.pie, site))
    }

    fn facts(plan: &FqPiePlan) -> PolicyFacts {
        FairPlan::facts(Pie::facts(&plan.pie))
    }

    fn order(plan: &FqPiePlan, site: &Site) -> Option<Scheduler> {
        Some(plan.fair.order(site))
    }
}
