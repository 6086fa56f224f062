//! The overload factor z: ABR input over the ABR capacity that is to be used (R. Jain et al.,
//! "ERICA Switch Algorithm: A Complete Description", ATM Forum 96-1172; Kalyanaraman 1997, section
//! 6.15 and appendix C).
//!
//! One interval's ratio may be an outlier: zero when no cell came (z underestimated), infinite when
//! there was no capacity. Two averages over intervals, both with a weight Az (0.2 in the source):
//! - *exponential*: of the ratio itself, begun anew whenever the instantaneous or the kept value is
//!   zero or infinite;
//! - *ratio*: of cells, capacity and interval length, each by itself; z is the ratio of the
//!   averages, so nothing is left out.
//!
//! Cells within minimum rates are subtracted from both input and capacity before (B. Vandalore et
//! al., "Overload Based Explicit Rate Switch Schemes with MCR Guarantees", ATM Forum 98-0408,
//! equations 14 and 15): z compares the parts above the minimum rates.
//!
//! Decided here: z is 1 before the first interval has ended.

use crate::language::part::prelude::*;

variants! {
    /// Averaging of z.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum OverloadAverage {
        /// Each interval counts by itself.
        None = "none",
        /// Average of the ratio, begun anew whenever it is zero or infinite.
        Exponential(Average) = "exponential",
        /// Averages of input and capacity, each by itself.
        Ratio(Average) = "ratio",
    }
}

part! {
    /// A moving average over intervals.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Average {
        /// Az: the weight of the newest interval.
        weight: f64 = default("0.2", "0.5") as Kind::Number(ABOVE_ZERO_TO_ONE),
    }
}

/// Input and capacity of one interval.
#[derive(Clone, Copy, Debug)]
pub(super) struct Load {
    /// Length of the interval.
    pub(super) seconds: f64,
    /// Input, cells.
    pub(super) input: f64,
    /// Capacity, cells per second.
    pub(super) capacity: f64,
    /// Cells within the minimum rates of their VCs.
    pub(super) guaranteed: f64,
}

/// The overload factor of one port.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overload {
    average: OverloadAverage,
    factor: f64,
    /// Averages of the ratio: seconds, cells, capacity in cells, guaranteed cells.
    means: Option<[f64; 4]>,
}

impl Overload {
    pub(super) fn new(average: OverloadAverage) -> Self {
        Self { average, factor: 1.0, means: None }
    }

    /// z, infinite where there is no capacity.
    pub(super) fn factor(&self) -> f64 {
        self.factor
    }

    /// Ends an interval. Returns the capacity to share out, cells per second, minimum rates
    /// included.
    pub(super) fn end_interval(&mut self, latest: Load) -> f64 {
        let newest = ratio(latest.cells());
        match self.average {
            OverloadAverage::None => self.factor = newest,
            OverloadAverage::Exponential(Average { weight }) => {
                let is_outlier = |z: f64| z == 0.0 || z.is_infinite();
                self.factor = if is_outlier(newest) || is_outlier(self.factor) {
                    newest
                } else {
                    (1.0 - weight) * self.factor + weight * newest
                };
            }
            OverloadAverage::Ratio(Average { weight }) => {
                let latest = latest.cells();
                let means = self.means.map_or(latest, |means| {
                    [0, 1, 2, 3].map(|index| (1.0 - weight) * means[index] + weight * latest[index])
                });
                self.means = Some(means);
                self.factor = ratio(means);
                return means[2] / means[0];
            }
        }
        latest.capacity
    }
}

impl Load {
    fn cells(&self) -> [f64; 4] {
        [self.seconds, self.input, self.capacity * self.seconds, self.guaranteed]
    }
}

/// Input over capacity, both above the minimum rates.
fn ratio([_, input, capacity, guaranteed]: [f64; 4]) -> f64 {
    let shared = capacity - guaranteed;
    if shared > 0.0 { (input - guaranteed).max(0.0) / shared } else { f64::INFINITY }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "values that are exact")]
mod tests {
    use super::*;

    /// A millisecond without minimum rates; `capacity` in cells per second.
    fn load(input: f64, capacity: f64) -> Load {
        Load { seconds: 0.001, input, capacity, guaranteed: 0.0 }
    }

    #[test]
    fn the_exponential_average_begins_anew_at_zero_and_infinity() {
        let mut overload = Overload::new(OverloadAverage::Exponential(Average { weight: 0.2 }));
        let mut factor = |input, capacity| {
            overload.end_interval(load(input, capacity));
            overload.factor()
        };
        assert!((factor(200.0, 100_000.0) - (0.8 + 0.2 * 2.0)).abs() < 1e-12);
        assert_eq!(factor(0.0, 100_000.0), 0.0);
        assert_eq!(factor(50.0, 100_000.0), 0.5, "the zero was not averaged in");
        assert_eq!(factor(50.0, 0.0), f64::INFINITY);
        assert_eq!(factor(150.0, 100_000.0), 1.5, "nor was the infinity");
    }

    #[test]
    fn the_ratio_of_averages_keeps_outliers() {
        let mut overload = Overload::new(OverloadAverage::Ratio(Average { weight: 0.2 }));
        overload.end_interval(load(100.0, 100_000.0));
        let capacity = overload.end_interval(load(0.0, 0.0));
        assert!((overload.factor() - 1.0).abs() < 1e-12, "80 cells for a capacity of 80");
        assert!((capacity - 80_000.0).abs() < 1e-6);
        overload.end_interval(load(60.0, 0.0));
        assert!((overload.factor() - (0.8 * 80.0 + 0.2 * 60.0) / 64.0).abs() < 1e-12);
    }

    #[test]
    fn no_capacity_at_all_is_an_infinite_overload() {
        for average in [OverloadAverage::None, OverloadAverage::Ratio(Average { weight: 0.2 })] {
            let mut overload = Overload::new(average);
            assert_eq!(overload.end_interval(load(0.0, 0.0)), 0.0);
            assert_eq!(overload.factor(), f64::INFINITY);
        }
    }

    /// 60 + 5 cells for 60 + 20: a quarter of the capacity above the minimum rates, and four fifths
    /// of the total.
    #[test]
    fn what_is_within_minimum_rates_is_no_load() {
        for average in [OverloadAverage::None, OverloadAverage::Ratio(Average { weight: 0.2 })] {
            let mut overload = Overload::new(average);
            let capacity = overload.end_interval(Load { guaranteed: 60.0, ..load(65.0, 80_000.0) });
            assert!((overload.factor() - 0.25).abs() < 1e-12 && (capacity - 80_000.0).abs() < 1e-6);
            overload.end_interval(Load { guaranteed: 90.0, ..load(90.0, 80_000.0) });
            overload.end_interval(Load { guaranteed: 600.0, ..load(600.0, 80_000.0) });
            assert_eq!(
                overload.factor(),
                f64::INFINITY,
                "minimum rates alone are more than there is"
            );
        }
    }
}
