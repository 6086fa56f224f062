//! Flow queues with CoDel (Hoeiland-Joergensen, McKenney, Taht, Gettys, Dumazet: RFC 8290, 2018).
//!
//! [`Fair`] queueing over [`Codel`]. Parameters: those of `codel` and of [`FairPlan`]. Linux counts
//! the packets that an overflow discards as drops of that queue's CoDel, which the RFC and ns-3 do
//! not, and limits memory to 32 MB; ns-3 3.44 takes a quantum of the device's MTU.

use super::{Codel, CodelPlan, Fair, FairPlan, FromPlan, PolicyFacts, RuleOfFlow, Site};
use crate::language::part::prelude::*;
use crate::switch::scheduler::Scheduler;

part! {
    /// Parameters of FQ-CoDel.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct FqCodelPlan {
        /// CoDel of each queue.
        codel: CodelPlan = flat(CodelPlan),
        /// Queues of flows.
        fair: FairPlan = flat(FairPlan),
    }
}

/// CoDel in each queue of a flow.
pub type FqCodel = Fair<Codel>;

impl RuleOfFlow for Codel {
    const JUDGES_ARRIVALS: bool = false;
}

impl FromPlan for FqCodel {
    type Plan = FqCodelPlan;

    fn build(plan: &FqCodelPlan, site: &Site) -> Self {
        Self::new(Codel::build(&plan.codel, site))
    }

    fn facts(plan: &FqCodelPlan) -> PolicyFacts {
        FairPlan::facts(Codel::facts(&plan.codel))
    }

    fn order(plan: &FqCodelPlan, site: &Site) -> Option<Scheduler> {
        Some(plan.fair.order(site))
    }
}
