//! Cells at a constant rate.

use super::cells::{RawCells, Site, Spacing};
use crate::language::part::prelude::*;
use crate::language::rate_of_cells::SteadyRate;
use crate::units::{Rate, Span, Time};

part! {
    /// Parameters of cells at a constant rate.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Cbr {
        /// The (mean) rate, `of cell` or `of payload`.
        rate: SteadyRate = required("\"9.36 Mbit/s of cell\""),
    }
}

impl RawCells for Cbr {
    type Spacing = Constant;

    fn peak_rate(&self) -> Rate {
        self.rate.0
    }

    fn spacing(&self, _: &Site<'_>) -> Constant {
        Constant::new(self.rate.0.cell_time())
    }
}

/// One cell every cell time.
#[derive(Clone, Copy, Debug)]
pub struct Constant {
    cell_time: Span,
}

impl Constant {
    /// A cell every `cell_time`.
    pub const fn new(cell_time: Span) -> Self {
        Self { cell_time }
    }
}

impl Spacing for Constant {
    #[inline]
    fn next_after(&mut self, now: Time) -> Time {
        now.saturating_add(self.cell_time)
    }
}
