//! Cells at the instants of a Poisson process. Bursts are possible, and wait at the interface.

use super::cells::Spacing;
use crate::engine::Stream;
use crate::units::Time;

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
