//! EFFCAP: each ABR VC is told an equal part of the minimum over the last averages of the capacity,
//! over RM cells ([`EffCap`](crate::link::feedback::EffCap) has the source and the law).

use super::capacity_feedback::CapacityFeedback;
use super::{Plan, PortOfVcs};
use crate::language::part::prelude::*;
use crate::link::feedback::{EffCap, EffCapPlan};
use crate::units::Span;

part! {
    /// Parameters of EFFCAP at a switch.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct EffCapRates {
        /// s: interval over which a sample of the capacity is measured.
        interval: Span =
            default("30 ms", "\"10 ms\"") as POSITIVE_TIME,
        /// Memory of the law.
        law: EffCapPlan = flat(EffCapPlan),
    }
}

impl Plan for EffCapRates {
    type Rule = Box<CapacityFeedback<EffCap>>;

    fn build(&self, port: &PortOfVcs<'_>) -> Self::Rule {
        Box::new(CapacityFeedback::new(self.interval, port, |samples| self.law.law(samples)))
    }
    fn interval(&self) -> Option<Span> {
        Some(self.interval)
    }
}
