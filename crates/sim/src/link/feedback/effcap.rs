//! EFFCAP: the minimum over the last N sliding averages of M samples of the capacity (Shakkottai,
//! Kumar, Karnik and Anvekar, "TCP Performance Over End-to-End Rate Control and Stochastic
//! Available Capacity", IEEE/ACM Transactions on Networking 9(4), 2001, equation 28 and figure 7).
//!
//! Defaults are the paper's: M covers a round trip, "M:D", that is ceil(D/s) samples; N covers
//! eight with the first average, "N:8D", that is (8 - 1) ceil(D/s) averages. For D = 200 ms and s =
//! 30 ms these are 7 and 49.
//!
//! The paper leaves the beginning open. Here the first M - 1 values are averages over the samples
//! that there are, and the minimum is over the complete averages that there are.

use std::collections::VecDeque;

use super::sliding_minimum::SlidingMinimum;
use super::{Average, FeedbackLaw};
use crate::language::part::prelude::*;

/// The limit of a memory: almost an hour of samples every 30 ms. A greater number is a mistake.
const MOST: u64 = 100_000;

variants! {
    /// Number of samples, or of averages.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Memory {
        /// This many.
        Count(u64) = "count" value("7") as Kind::Integer { min: 1, max: MOST },
        /// As many as the memory of so many round trips: for k round trips, k times the samples of
        /// one, and k - 1 times as many averages, since the first average has the memory of one.
        RoundTrips(u64) = "round_trips" value("2") as Kind::Integer { min: 1, max: MOST },
    }
}

part! {
    /// Parameters of EFFCAP.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct EffCapPlan {
        /// M: number of samples in an average.
        samples: Memory = default("{ round_trips = 1 }", "{ count = 7 }"),
        /// N: number of averages over which the minimum is taken.
        averages: Memory = default("{ round_trips = 8 }", "{ count = 49 }"),
    }
}

impl EffCapPlan {
    /// M, for a round trip of so many samples.
    pub const fn samples(&self, of_round_trip: u64) -> u64 {
        match self.samples {
            Memory::Count(count) => count,
            Memory::RoundTrips(trips) => trips.saturating_mul(of_round_trip),
        }
    }

    /// N, for a round trip of so many samples.
    pub const fn averages(&self, of_round_trip: u64) -> u64 {
        match self.averages {
            Memory::Count(count) => count,
            Memory::RoundTrips(1) => 1,
            Memory::RoundTrips(trips) => (trips - 1).saturating_mul(of_round_trip),
        }
    }

    /// Makes the law, for a round trip of so many samples.
    pub fn law(&self, of_round_trip: u64) -> EffCap {
        EffCap::new(self.samples(of_round_trip), self.averages(of_round_trip))
    }
}

/// The last samples, and the minimum of their averages.
#[derive(Clone, Debug)]
pub struct EffCap {
    /// M.
    samples: usize,
    last: VecDeque<u128>,
    /// Sum of `last`.
    sum: u128,
    minimum: SlidingMinimum,
    value: Option<Average>,
}

impl EffCap {
    /// Makes the minimum over `averages` averages of `samples` samples each, at least one of both.
    pub fn new(samples: u64, averages: u64) -> Self {
        assert!(samples > 0, "an average is of something");
        Self {
            samples: samples as usize,
            last: VecDeque::new(),
            sum: 0,
            minimum: SlidingMinimum::new(averages),
            value: None,
        }
    }
}

impl FeedbackLaw for EffCap {
    fn on_sample(&mut self, parts: u128) {
        self.last.push_back(parts);
        self.sum += parts;
        if self.last.len() > self.samples {
            self.sum -= self.last.pop_front().unwrap_or(0);
        }
        let is_whole = self.last.len() == self.samples;
        let parts = if is_whole { self.minimum.push(self.sum) } else { self.sum };
        self.value = Some(Average { parts, samples: self.last.len() as u64 });
    }

    fn value(&self) -> Option<Average> {
        self.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Stream;

    fn values(law: &mut impl FeedbackLaw, samples: &[u128]) -> Vec<(u128, u64)> {
        let mut value = |&parts: &u128| {
            law.on_sample(parts);
            law.value().map_or((0, 0), |average| (average.parts, average.samples))
        };
        samples.iter().map(&mut value).collect()
    }

    /// M = 2, N = 3 over 4, 4, 2, 4, 4, 4, 4: averages 4, 3, 3, 4, 4, 4, of which the second and
    /// the third are the minimum until three others have come.
    #[test]
    fn the_least_of_three_averages_of_two_samples() {
        let mut law = EffCap::new(2, 3);
        let found = values(&mut law, &[4, 4, 2, 4, 4, 4, 4]);
        assert_eq!(found, [(4, 1), (8, 2), (6, 2), (6, 2), (6, 2), (6, 2), (8, 2)]);
    }

    #[test]
    fn before_m_samples_it_is_the_average_of_those_there_are() {
        let mut law = EffCap::new(3, 2);
        assert_eq!(law.value(), None);
        let found = values(&mut law, &[1, 6, 5, 4, 9]);
        assert_eq!(found, [(1, 1), (7, 2), (12, 3), (12, 3), (15, 3)]);
    }

    /// Comparison with every minimum of averages calculated anew.
    #[test]
    fn it_is_the_minimum_over_all_averages_in_memory() {
        let mut stream = Stream::new(7, "samples");
        for (m, n) in [(1, 1), (1, 9), (7, 1), (7, 49), (5, 3), (60, 2)] {
            let samples: Vec<u128> = (0..400)
                .map(|_| stream.span_below(Span::from_picoseconds(1000)))
                .map(parts)
                .collect();
            let found = values(&mut EffCap::new(m as u64, n as u64), &samples);
            for end in m..=samples.len() {
                let averages = samples[..end].windows(m).rev().take(n);
                let least = averages.map(|window| window.iter().sum::<u128>()).min();
                assert_eq!(Some(found[end - 1].0), least, "M {m}, N {n}, {end} samples");
            }
        }
    }

    fn parts(span: Span) -> u128 {
        span.picoseconds() as u128
    }

    use crate::units::Span;

    /// Memories of the paper: D 200 ms, s 30 ms: M:D is 7; N:2D is 7, N:8D 49; two connections of
    /// 240 and 360 ms have M 8 and 12, N:12D 88 and 132.
    #[test]
    fn memories_of_round_trips_are_the_papers() {
        let plan = |trips| EffCapPlan {
            samples: Memory::RoundTrips(1),
            averages: Memory::RoundTrips(trips),
        };
        assert_eq!((plan(8).samples(7), plan(8).averages(7), plan(2).averages(7)), (7, 49, 7));
        assert_eq!([8, 12].map(|trip| plan(12).samples(trip)), [8, 12]);
        assert_eq!([8, 12].map(|trip| plan(12).averages(trip)), [88, 132]);
        let counted = EffCapPlan { samples: Memory::Count(10), averages: Memory::Count(110) };
        assert_eq!((counted.samples(8), counted.averages(8)), (10, 110));
    }
}
