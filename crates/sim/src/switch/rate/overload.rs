//! The overload factor z: ABR input over the ABR capacity that is to be used (R. Jain et al., "ERICA Switch Algorithm: A
//! Complete Description", ATM Forum 96-1172; Kalyanaraman 1997, section 6.15 and appendix C).
//!
//! One interval's ratio may be wild: zero when no cell came (z underestimated), infinite when there was no capacity. Two averages
//! over intervals, both with a weight Az (0.2 in the source):
//! - *exponential*: of the ratio itself, begun anew whenever the instantaneous or the kept value is zero or infinite;
//! - *ratio*: of cells, capacity and interval length, each by itself; z is the ratio of the averages, so nothing is left out.
//!
//! Decided here: z is 1 before the first interval has ended.

/// How z is averaged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OverloadAverage {
    /// Not at all.
    None,
    /// The ratio, begun anew at zero and infinity.
    Exponential {
        /// Az, of the newest.
        weight: f64,
    },
    /// Cells and capacity, each by itself.
    Ratio {
        /// Az, of the newest.
        weight: f64,
    },
}

/// The overload factor of one port.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overload {
    average: OverloadAverage,
    factor: f64,
    /// Of the ratio of averages: cells, capacity in cells, seconds.
    means: Option<[f64; 3]>,
}

impl Overload {
    pub(super) fn new(average: OverloadAverage) -> Self {
        Self { average, factor: 1.0, means: None }
    }

    /// z, infinite where there is no capacity.
    pub(super) fn factor(&self) -> f64 {
        self.factor
    }

    /// An interval of `seconds` brought `input` cells for a capacity of `capacity` cells per second; the capacity to share
    /// out.
    pub(super) fn end_interval(&mut self, input: f64, capacity: f64, seconds: f64) -> f64 {
        match self.average {
            OverloadAverage::None => {
                self.factor = ratio(input, capacity * seconds);
                capacity
            }
            OverloadAverage::Exponential { weight } => {
                let latest = ratio(input, capacity * seconds);
                let is_outlier = |z: f64| z == 0.0 || z.is_infinite();
                self.factor = if is_outlier(latest) || is_outlier(self.factor) {
                    latest
                } else {
                    (1.0 - weight) * self.factor + weight * latest
                };
                capacity
            }
            OverloadAverage::Ratio { weight } => {
                let latest = [input, capacity * seconds, seconds];
                let means = self.means.map_or(latest, |means| {
                    [0, 1, 2].map(|index| (1.0 - weight) * means[index] + weight * latest[index])
                });
                self.means = Some(means);
                let [input, capacity, seconds] = means;
                self.factor = ratio(input, capacity);
                capacity / seconds
            }
        }
    }
}

fn ratio(input: f64, capacity: f64) -> f64 {
    if capacity > 0.0 { input / capacity } else { f64::INFINITY }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "values that are exact")]
mod tests {
    use super::*;

    const MS: f64 = 0.001;

    #[test]
    fn the_exponential_average_begins_anew_at_zero_and_infinity() {
        let mut overload = Overload::new(OverloadAverage::Exponential { weight: 0.2 });
        let mut factor = |input, capacity| {
            overload.end_interval(input, capacity, MS);
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
        let mut overload = Overload::new(OverloadAverage::Ratio { weight: 0.2 });
        overload.end_interval(100.0, 100_000.0, MS);
        let capacity = overload.end_interval(0.0, 0.0, MS);
        assert!((overload.factor() - 1.0).abs() < 1e-12, "80 cells for a capacity of 80");
        assert!((capacity - 80_000.0).abs() < 1e-6);
        overload.end_interval(60.0, 0.0, MS);
        assert!((overload.factor() - (0.8 * 80.0 + 0.2 * 60.0) / 64.0).abs() < 1e-12);
    }

    #[test]
    fn no_capacity_at_all_is_an_infinite_overload() {
        for average in [OverloadAverage::None, OverloadAverage::Ratio { weight: 0.2 }] {
            let mut overload = Overload::new(average);
            assert_eq!(overload.end_interval(0.0, 0.0, MS), 0.0);
            assert_eq!(overload.factor(), f64::INFINITY);
        }
    }
}
