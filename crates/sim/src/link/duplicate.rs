//! Packets that arrive twice: the copy of a packet, with one probability, independently of the
//! others. The copy arrives directly behind it, at the same instant; what the impairments behind
//! this one do, they do to each.

use super::chance::Chance;
use super::plan::{ImpairmentPlan, Site, probability};
use super::{Fate, Impairment, Sent};
use crate::language::part::prelude::*;

/// The probability with which a packet arrives twice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Duplicate(pub f64);

probability!(Duplicate);

impl ImpairmentPlan for Duplicate {
    const NOT_FOR_CELLS: Option<&'static str> = Some("no part of an ATM network copies cells");

    fn build(&self, site: &Site<'_>) -> Box<dyn Impairment> {
        Box::new(Duplication(Chance::new(self.0, (site.stream)("duplicate"))))
    }
}

/// One direction of a link.
#[derive(Debug)]
struct Duplication(Chance);

impl Impairment for Duplication {
    fn name(&self) -> &'static str {
        "duplicate"
    }

    fn judge(&mut self, _unit: &Sent<'_>) -> Fate {
        if self.0.succeeds() { Fate::Duplicated } else { Fate::Delivered }
    }
}
