//! Cells or datagrams at the instants of a Poisson process. Bursts are possible, and wait at the
//! interface.

use super::sends::Sends;
use super::source::{Site, Source, Spacing};
use crate::engine::{MOST_MEANS, Stream};
use crate::language::part::prelude::*;
use crate::units::Time;

part! {
    /// Parameters of a Poisson process.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Poisson {
        /// Unit that it sends, and its maximum rate.
        sends: Sends = flat(Sends),
    }
}

impl Source for Poisson {
    type Spacing = Exponential;

    fn sends(&self) -> &Sends {
        &self.sends
    }

    fn is_random(&self) -> bool {
        true
    }

    fn max_gap(&self, interval: u128) -> u128 {
        MOST_MEANS * interval
    }

    fn spacing(&self, site: &Site<'_>) -> Exponential {
        Exponential::new(self.sends.mean_seconds(), (site.stream)("arrivals"))
    }
}

/// Exponential times from one unit to the next.
#[derive(Clone, Debug)]
pub struct Exponential {
    /// Mean in seconds; rounded to picoseconds the rate would be wrong.
    mean_seconds: f64,
    stream: Stream,
}

impl Exponential {
    /// Makes exponential times with mean `mean_seconds`; the stream is the source's own.
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
