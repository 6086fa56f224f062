//! Independent bit errors: every bit on the wire is wrong with one probability, the bit error
//! ratio, independently of the others.
//!
//! A packet with a wrong bit, framing bytes included, fails its frame check and is lost: with
//! probability 1 − (1 − p)ᵇ for b bits. The header of a cell passes [`HeaderCheck`]. A wrong bit in
//! the payload spoils the AAL5 frame, whose CRC-32 detects it, or the RM cell, whose CRC-10 does.
//! Where the line has time for another cell between two of ours it sends an idle one, whose header
//! the receiver checks too; only the last of several idle cells matters.
//!
//! Departure: a CRC never misses an error.

use super::chance::Chance;
use super::hec::{HEADER_BITS, HeaderCheck, intact};
use super::plan::{ImpairmentPlan, Site, Train, probability};
use super::{CellRun, Fate, Impairment, Sent};
use crate::language::part::prelude::*;
use crate::units::{CELL_BITS, Span, Time};

/// Probability with which a bit is wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BitErrors(pub f64);

probability!(BitErrors);

impl ImpairmentPlan for BitErrors {
    fn build(&self, site: &Site<'_>) -> Box<dyn Impairment> {
        let bits = Chance::new(self.0, (site.stream)("bit_errors"));
        match site.transmission.cell_time() {
            Some(cell_time) => Box::new(ErrorsOfCells {
                bits,
                cell_time,
                receiver: HeaderCheck::default(),
                last: Time::ZERO,
            }),
            None => Box::new(ErrorsOfPackets(bits)),
        }
    }

    fn intact(&self, train: &Train) -> f64 {
        if train.is_of_cells {
            return intact(train.units, self.0);
        }
        libm::pow(1.0 - self.0, (train.units * train.bits) as f64)
    }
}

/// Bit errors on a link of packets.
#[derive(Debug)]
struct ErrorsOfPackets(Chance);

impl Impairment for ErrorsOfPackets {
    fn name(&self) -> &'static str {
        "bit_errors"
    }

    fn judge(&mut self, unit: &Sent<'_>) -> Fate {
        if self.0.count(unit.bits) > 0 { Fate::Corrupted } else { Fate::Delivered }
    }
}

/// Bit errors on a link of cells.
#[derive(Debug)]
struct ErrorsOfCells {
    bits: Chance,
    cell_time: Span,
    receiver: HeaderCheck,
    /// The instant at which the last bit of the previous cell was sent.
    last: Time,
}

impl ErrorsOfCells {
    /// True if the line has time for another cell before one whose last bit is sent at `at`.
    fn has_idle_before(&self, at: Time) -> bool {
        at - self.last >= self.cell_time * 2
    }

    /// Bits of a stretch that the receiver checks.
    fn bits_of(&self, cell_run: &CellRun) -> u64 {
        let idle = cell_run.idle + u64::from(self.has_idle_before(cell_run.first));
        CELL_BITS * cell_run.cells + HEADER_BITS * idle
    }
}

impl Impairment for ErrorsOfCells {
    fn name(&self) -> &'static str {
        "bit_errors"
    }

    fn judge(&mut self, unit: &Sent<'_>) -> Fate {
        if self.has_idle_before(unit.at) {
            self.receiver.accepts(self.bits.count(HEADER_BITS));
        }
        self.last = unit.at;
        let is_accepted = self.receiver.accepts(self.bits.count(HEADER_BITS));
        let is_wrong = self.bits.count(unit.bits - HEADER_BITS) > 0;
        match (is_accepted, is_wrong) {
            (false, _) => Fate::Lost,
            (true, true) => Fate::Corrupted,
            (true, false) => Fate::Delivered,
        }
    }

    fn keeps_time(&self) -> bool {
        true
    }

    fn delivers_all(&mut self, cell_run: &CellRun) -> bool {
        self.bits.is_none_of(self.bits_of(cell_run))
    }

    fn pass(&mut self, cell_run: &CellRun) {
        self.bits.count(self.bits_of(cell_run));
        self.receiver.accepts(0);
        self.last = cell_run.last;
    }
}
