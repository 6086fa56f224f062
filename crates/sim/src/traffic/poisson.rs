//! Cells at the instants of a Poisson process. Bursts are possible, and wait at the interface.

use super::cells::{RawCells, Site, Spacing};
use crate::engine::{MOST_MEANS, Stream};
use crate::language::part::prelude::*;
use crate::units::{Rate, Time};

part! {
    /// Parameters of a Poisson process of cells.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Poisson {
        /// The (mean) rate, `of cell` or `of payload`.
        rate: Rate = required("\"9.36 Mbit/s of cell\""),
    }
}

impl RawCells for Poisson {
    type Spacing = Exponential;

    fn peak_rate(&self) -> Rate {
        self.rate
    }

    fn is_random(&self) -> bool {
        true
    }

    fn max_gap(&self, cell: u128) -> u128 {
        MOST_MEANS * cell
    }

    fn spacing(&self, site: &Site<'_>) -> Exponential {
        Exponential::new(1.0 / self.rate.cells_per_second_f64(), (site.stream)("arrivals"))
    }
}

/// Exponential times between cells.
#[derive(Clone, Debug)]
pub struct Exponential {
    /// Rounded to picoseconds the rate would be wrong.
    mean_seconds: f64,
    stream: Stream,
}

impl Exponential {
    /// `mean_seconds` from one cell to the next, by the draws of the source's own stream.
    pub const fn new(mean_seconds: f64, stream: Stream) -> Self {
        Self { mean_seconds, stream }
    }
}

impl Spacing for Exponential {
    fn first(&mut self, start: Time) -> Time {
        start + self.stream.exponential(self.mean_seconds)
    }

    #[inline]
    fn next_after(&mut self, now: Time) -> Time {
        now + self.stream.exponential(self.mean_seconds)
    }
}
