//! INSTCAP: each ABR VC is told an equal part of the average capacity of the last interval, over RM
//! cells ([`InstCap`](crate::link::feedback::InstCap) has the source and the law).

use super::capacity_feedback::CapacityFeedback;
use super::{Plan, PortOfVcs};
use crate::language::part::prelude::*;
use crate::link::feedback::InstCap;
use crate::units::Span;

part! {
    /// Parameters of INSTCAP at a switch.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct InstCapRates {
        /// s: interval over which a sample of the capacity is measured.
        interval: Span =
            default("30 ms", "\"10 ms\"") as POSITIVE_TIME,
    }
}

impl Plan for InstCapRates {
    type Rule = Box<CapacityFeedback<InstCap>>;

    fn build(&self, port: &PortOfVcs<'_>) -> Self::Rule {
        Box::new(CapacityFeedback::new(self.interval, port, |_| InstCap::default()))
    }
    fn interval(&self) -> Option<Span> {
        Some(self.interval)
    }
}
