//! Losses at equal distances: each n-th unit, a packet or a cell, is lost. The first loss is drawn
//! from the first n units.
//!
//! Formulas of TCP's rate that follow one sawtooth of the window assume such losses (Mathis et al.
//! 1997; RFC 9438 §5.1).

use super::plan::{Entry, ImpairmentPlan, Site, Train};
use super::{CellRun, Fate, Impairment, Sent};
use crate::language::part::prelude::*;

/// Units from one loss to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeriodicLoss(pub u64);

impl Entry for PeriodicLoss {
    const KIND: Kind = Kind::Integer { min: 1, max: 1_000_000_000_000 };

    fn read(section: &Section<'_>, key: &str) -> Result<Option<Self>, Fault> {
        Ok(section.written(key)?.map(|found| Self(found.value)))
    }

    fn write(&self) -> String {
        self.0.to_string()
    }
}

impl ImpairmentPlan for PeriodicLoss {
    fn build(&self, site: &Site<'_>) -> Box<dyn Impairment> {
        let first = (site.stream)("periodic_loss").unit() * self.0 as f64;
        Box::new(EveryNth { period: self.0, until_next: first as u64 })
    }

    /// The position of a train among the losses is random.
    fn intact(&self, train: &Train) -> f64 {
        1.0 - (train.units as f64 / self.0 as f64).min(1.0)
    }
}

#[derive(Debug)]
struct EveryNth {
    period: u64,
    /// Units that arrive before the next one is lost.
    until_next: u64,
}

impl Impairment for EveryNth {
    fn name(&self) -> &'static str {
        "periodic_loss"
    }

    fn judge(&mut self, _unit: &Sent<'_>) -> Fate {
        if self.until_next > 0 {
            self.until_next -= 1;
            return Fate::Delivered;
        }
        self.until_next = self.period - 1;
        Fate::Lost
    }

    fn keeps_time(&self) -> bool {
        true
    }

    fn delivers_all(&mut self, cell_run: &CellRun) -> bool {
        cell_run.cells <= self.until_next
    }

    fn pass(&mut self, cell_run: &CellRun) {
        self.until_next -= cell_run.cells;
    }
}
