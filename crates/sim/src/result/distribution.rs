//! Distributions over the measurement: of the length of a queue, weighted by time, and of the delay
//! of single units.
//!
//! A [`Histogram`] counts every occupancy of a queue with the time that it lasted, in picoseconds,
//! or the delay of every unit once, when it is over, in picoseconds. The window begins when the
//! warm-up ends and leaves out what happens at that very instant, as all counters do.

use std::collections::BTreeMap;

use serde::Serialize;

use super::histogram::PRECISION;
use super::{Histogram, Shaped};
use crate::units::{Span, Time};

/// The time in which events are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// End of the warm-up.
    pub from: Time,
    /// End of the run.
    pub until: Time,
}

impl Window {
    /// True if a delay that ends at this instant is counted.
    #[inline]
    pub(super) fn has_end(&self, at: Time) -> bool {
        self.from < at && at <= self.until
    }
}

/// Distribution of the length of a queue, weighted by time.
#[derive(Clone, Debug)]
pub struct QueueDistribution {
    times: Histogram,
    window: Window,
    occupancy: u64,
    since: Time,
}

impl QueueDistribution {
    /// Makes the distribution of a queue that is empty at first.
    pub fn new(window: Window) -> Self {
        Self { times: Histogram::default(), window, occupancy: 0, since: window.from }
    }

    /// Sets the occupancy from `at` on.
    #[inline]
    pub fn on_change(&mut self, at: Time, occupancy: u64) {
        if at > self.since {
            let lasted = at.min(self.window.until) - self.since;
            self.times.add(self.occupancy, lasted.picoseconds().max(0) as u64);
            self.since = at;
        }
        self.occupancy = occupancy;
    }

    /// Summary of the counts until `at`; `None` before the window begins.
    pub fn summary(&mut self, at: Time) -> Option<QueueDistributionSummary> {
        self.on_change(at, self.occupancy);
        QueueDistributionSummary::of(&self.times)
    }
}

/// Distribution of the delays of units.
#[derive(Clone, Debug)]
pub struct DelayDistribution {
    delays: Histogram,
    window: Window,
}

impl DelayDistribution {
    /// Makes a distribution without units.
    pub fn new(window: Window) -> Self {
        Self { delays: Histogram::default(), window }
    }

    /// The time in which delays are counted.
    pub(super) fn window(&self) -> Window {
        self.window
    }

    /// Counts a unit with its delay from one instant to the other.
    #[inline]
    pub fn note(&mut self, from: Time, to: Time) {
        if self.window.has_end(to) {
            self.delays.add((to - from).picoseconds() as u64, 1);
        }
    }

    /// Counts units with these delays in picoseconds, all of which end within the window.
    pub(super) fn note_all(&mut self, delays: &[u64]) {
        self.delays.add_all(delays);
    }

    /// Summary of the counts so far.
    pub fn summary(&self) -> DelaySummary {
        let delays = &self.delays;
        let seconds = |picoseconds: u64| Span::from_picoseconds(picoseconds as i64).seconds_f64();
        let mut ascent = delays.ascent();
        let mut quantile = |fraction| ascent.quantile(fraction).map(seconds);
        let mut tails = delays.ascent();
        let ends = parts(delays.min(), delays.max());
        DelaySummary {
            unit: "second",
            samples: delays.weight(),
            mean: delays.mean().map(|mean| mean / 1e12),
            min: delays.min().map(seconds),
            p50: quantile(0.5),
            p90: quantile(0.9),
            p99: quantile(0.99),
            p99_9: quantile(0.999),
            max: quantile(1.0),
            above: ends.map(|delay| (seconds(delay), tails.above(delay))).collect(),
        }
    }
}

/// Distribution of a queue over the measurement, weighted by time: exact below 2048, above it
/// quantiles are too high by less than a thousandth.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct QueueDistributionSummary {
    /// Time average.
    #[unit("cell")]
    pub mean: f64,
    /// Median: for half of the time the queue was not longer.
    #[unit("cell")]
    pub p50: u64,
    /// Quantile of 90 % of the time.
    #[unit("cell")]
    pub p90: u64,
    /// Quantile of 99 % of the time.
    #[unit("cell")]
    pub p99: u64,
    /// Quantile of 99.9 % of the time.
    #[unit("cell")]
    #[serde(rename = "p99.9")]
    pub p99_9: u64,
    /// Longest queue that lasted for any time.
    #[unit("cell")]
    pub max: u64,
    /// Fraction of the time with more in the queue, by number: every number to 100, every tenth to
    /// 1000, and so on.
    #[unit("1")]
    pub above: BTreeMap<u64, f64>,
}

impl QueueDistributionSummary {
    /// Summary of occupancies, each with the time that it lasted; `None` if there is none.
    pub(super) fn of(times: &Histogram) -> Option<Self> {
        let (mut ascent, mut tails) = (times.ascent(), times.ascent());
        Some(Self {
            mean: times.mean()?,
            p50: ascent.quantile(0.5)?,
            p90: ascent.quantile(0.9)?,
            p99: ascent.quantile(0.99)?,
            p99_9: ascent.quantile(0.999)?,
            max: times.max(),
            above: round_numbers(times.max()).map(|number| (number, tails.above(number))).collect(),
        })
    }
}

/// Distribution of the delay of units, in seconds, over the measurement; quantiles are too high by
/// less than a thousandth.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct DelaySummary {
    /// Unit of the following times.
    pub unit: &'static str,
    /// Number of units that were counted.
    pub samples: u64,
    /// Mean; this and the following are absent without samples.
    #[unit("s")]
    pub mean: Option<f64>,
    /// Shortest.
    #[unit("s")]
    pub min: Option<f64>,
    /// Median: half of the units took no longer.
    #[unit("s")]
    pub p50: Option<f64>,
    /// Quantile of 90 % of the units.
    #[unit("s")]
    pub p90: Option<f64>,
    /// Quantile of 99 % of the units.
    #[unit("s")]
    pub p99: Option<f64>,
    /// Quantile of 99.9 % of the units.
    #[unit("s")]
    #[serde(rename = "p99.9")]
    pub p99_9: Option<f64>,
    /// Longest.
    #[unit("s")]
    pub max: Option<f64>,
    /// Pairs: a delay, and the fraction of the units that took longer; 16 for each doubling, and 64
    /// between the shortest and the longest, or as many as there are bins.
    pub above: Vec<(f64, f64)>,
}

/// Numbers up to the first that is not below `max`: every number to 100, every tenth to 1000, every
/// hundredth to 10 000 and so on.
fn round_numbers(max: u64) -> impl Iterator<Item = u64> {
    let step = |number: u64| if number < 100 { 1 } else { 10_u64.pow(number.ilog10() - 1) };
    let next = move |number: &u64| (*number < max).then(|| number + step(*number));
    std::iter::successors(Some(0), next)
}

/// Numbers from before `min`, if there is one, to the first that is not below `max`. There are
/// sixteen in an octave, since delays may span many octaves, and 64 between the two, since delays
/// may span a part of one. No two are closer than the bins of the histogram.
fn parts(min: Option<u64>, max: u64) -> impl Iterator<Item = u64> {
    let of_span = max.saturating_sub(min.unwrap_or(0)).max(64).ilog2() - 6;
    let step = move |number: u64| {
        let octave = number.max(16).ilog2();
        1_u64 << (octave - 4).min(of_span).max(octave.saturating_sub(PRECISION))
    };
    let first = min.map(|min| min.saturating_sub(1) / step(min) * step(min));
    std::iter::successors(first, move |number| (*number < max).then(|| number + step(*number)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Window =
        Window { from: Time::from_picoseconds(100), until: Time::from_picoseconds(200) };

    fn at(picoseconds: i64) -> Time {
        Time::from_picoseconds(picoseconds)
    }

    #[test]
    fn a_queue_counts_from_the_end_of_the_warm_up_to_the_end_of_the_run() {
        let mut queue = QueueDistribution::new(WINDOW);
        for (instant, occupancy) in [(10, 5), (90, 3), (125, 4), (125, 5), (150, 0), (190, 1)] {
            queue.on_change(at(instant), occupancy);
        }
        let found = queue.summary(at(300)).expect("100 ps were counted");
        // 3 for 25 ps, 5 for 25 ps, 0 for 40 ps, 1 for 10 ps; 4 lasted for no time.
        assert_eq!((found.mean, found.max), (2.1, 5));
        assert_eq!((found.p50, found.p90), (1, 5));
        assert_eq!(
            (found.above[&0], found.above[&1], found.above[&4], found.above[&5]),
            (0.6, 0.5, 0.25, 0.0)
        );
    }

    #[test]
    fn before_the_warm_up_ends_there_is_nothing_to_tell() {
        let mut queue = QueueDistribution::new(WINDOW);
        queue.on_change(at(50), 7);
        assert_eq!(queue.summary(at(100)), None);
    }

    #[test]
    fn a_unit_counts_when_it_is_over() {
        let mut delays = DelayDistribution::new(WINDOW);
        for (from, to) in [(0, 100), (0, 101), (150, 200), (199, 201)] {
            delays.note(at(from), at(to));
        }
        let found = delays.summary();
        assert_eq!((found.samples, found.min, found.max), (2, Some(5e-11), Some(1.01e-10)));
        assert_eq!(found.above.first().map(|pair| pair.1), Some(1.0));
        assert_eq!(found.above.last().map(|pair| pair.1), Some(0.0));
    }

    /// 250 to 258 ms of a satellite lie in one sixteenth of an octave.
    #[test]
    fn delays_that_differ_little_are_told_apart() {
        let [shortest, longest] = [250_000_000_000, 258_000_000_000];
        let told: Vec<u64> = parts(Some(shortest), longest).collect();
        assert!((30..130).contains(&told.len()), "{told:?}");
        assert!(told[0] < shortest && told[told.len() - 1] >= longest, "{told:?}");
        assert!(told.windows(2).all(|pair| pair[1] - pair[0] == 1 << 27), "as wide as bins");
        let wide = parts(Some(1_000), longest).count();
        assert!((28 * 16..28 * 16 + 150).contains(&wide), "{wide} over 28 octaves");
    }

    #[test]
    fn without_units_there_are_no_delays() {
        let found = DelayDistribution::new(WINDOW).summary();
        assert_eq!((found.samples, found.mean, found.p50, found.above.len()), (0, None, None, 0));
    }

    #[test]
    fn tails_are_asked_at_numbers_that_people_ask_for() {
        let numbers: Vec<u64> = round_numbers(20_500).collect();
        assert!(
            [0, 1, 20, 99, 100, 110, 500, 1000, 1100, 20_000, 21_000]
                .iter()
                .all(|n| numbers.contains(n))
        );
        assert!(!numbers.contains(&101) && numbers.last() == Some(&21_000));
    }
}
