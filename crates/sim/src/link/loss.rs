//! Independent losses: every unit, a packet or a cell, is lost with one probability, independently
//! of the others.
//!
//! A frame of n cells loses at least one with probability 1 − (1 − p)ⁿ.

use super::chance::Chance;
use super::plan::{ImpairmentPlan, Site, Train, probability};
use super::{CellRun, Fate, Impairment, Sent};
use crate::language::part::prelude::*;

/// Probability with which a unit is lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss(pub f64);

probability!(Loss);

impl ImpairmentPlan for Loss {
    fn build(&self, site: &Site<'_>) -> Box<dyn Impairment> {
        Box::new(IndependentLoss(Chance::new(self.0, (site.stream)("loss"))))
    }

    fn intact(&self, train: &Train) -> f64 {
        libm::pow(1.0 - self.0, train.units as f64)
    }
}

/// Units lost independently of each other.
#[derive(Debug)]
struct IndependentLoss(Chance);

impl Impairment for IndependentLoss {
    fn name(&self) -> &'static str {
        "loss"
    }

    fn judge(&mut self, _unit: &Sent<'_>) -> Fate {
        if self.0.succeeds() { Fate::Lost } else { Fate::Delivered }
    }

    fn keeps_time(&self) -> bool {
        true
    }

    fn delivers_all(&mut self, cell_run: &CellRun) -> bool {
        self.0.is_none_of(cell_run.cells)
    }

    fn pass(&mut self, cell_run: &CellRun) {
        self.0.count(cell_run.cells);
    }
}
