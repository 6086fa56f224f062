//! Explicit forward congestion indication (TM 4.0 section 5.10.6, switch behaviour 1a).
//!
//! Data cells that find more than `threshold` ABR cells waiting are marked; the destination turns
//! the mark into CI = 1 of the next RM cell that it returns. Equal case: a queue at the threshold
//! does not mark.

use super::{Plan, PortOfVcs, RateAllocator};
use crate::language::part::prelude::*;
use crate::units::Cells;

part! {
    /// Marks data cells.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Efci {
        /// ABR cells waiting above which data cells are marked.
        threshold: Cells = required("\"300 cell\""),
    }
}

impl Plan for Efci {
    type Rule = Self;

    fn build(&self, _: &PortOfVcs<'_>) -> Self {
        *self
    }
}

impl Efci {
    /// True if data cells that arrive now are marked.
    #[inline]
    pub(in crate::switch) fn marks_data(self, queue: u64) -> bool {
        queue > self.threshold.0
    }
}

impl RateAllocator for Efci {}
