//! Packets that arrive twice: each is copied with one probability, independently of the others. The
//! copy arrives directly behind the packet, at the same instant; later impairments judge each of
//! the two.

use super::chance::Chance;
use super::plan::{ImpairmentPlan, Site, probability};
use super::{Fate, Impairment, Sent};
use crate::language::part::prelude::*;

/// Probability with which a packet arrives twice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Duplicate(pub f64);

probability!(Duplicate);

impl ImpairmentPlan for Duplicate {
    fn not_for_cells(&self) -> Option<&'static str> {
        Some("no part of an ATM network copies cells")
    }

    fn build(&self, site: &Site<'_>) -> Box<dyn Impairment> {
        Box::new(Duplication(Chance::new(self.0, (site.stream)("duplicate"))))
    }
}

/// Duplication in one direction of a link.
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
