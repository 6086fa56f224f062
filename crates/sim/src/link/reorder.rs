//! Packets out of order: each is held back with one probability, independently of the others, for
//! an extra time, in which packets sent behind it overtake it.

use super::chance::Chance;
use super::plan::{ImpairmentPlan, Site};
use super::{Fate, Impairment, Sent};
use crate::language::part::prelude::*;
use crate::units::Span;

part! {
    /// Probability and length of extra delays.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Reorder {
        /// Probability with which a packet is held back.
        probability: f64 = required("0.01") as Kind::Number(ZERO_TO_ONE),
        /// Time for which a packet is held back.
        extra_delay: Span = required("\"5 ms\"") as POSITIVE_TIME,
    }
}

impl ImpairmentPlan for Reorder {
    fn not_for_cells(&self) -> Option<&'static str> {
        Some("ATM keeps the order of a VC's cells")
    }

    fn build(&self, site: &Site<'_>) -> Box<dyn Impairment> {
        let chance = Chance::new(self.probability, (site.stream)("reorder"));
        Box::new(Reordering { chance, extra_delay: self.extra_delay })
    }

    fn longest_wait(&self) -> Span {
        self.extra_delay
    }
}

/// Reordering in one direction of a link.
#[derive(Debug)]
struct Reordering {
    chance: Chance,
    extra_delay: Span,
}

impl Impairment for Reordering {
    fn name(&self) -> &'static str {
        "reorder"
    }

    fn judge(&mut self, _unit: &Sent<'_>) -> Fate {
        if self.chance.succeeds() { Fate::Delayed(self.extra_delay) } else { Fate::Delivered }
    }
}
