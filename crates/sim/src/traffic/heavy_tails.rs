//! Sizes of which the few largest have a large share of the total: bounded Pareto and lognormal.
//!
//! Bounded Pareto with shape α from L to H: P(X > x) = ((L/x)^α − (L/H)^α)/(1 − (L/H)^α), drawn by
//! inversion. Lognormal: ln X is normal with mean ln(median) and deviation σ; a draw above the
//! maximum is repeated. Both are rounded to whole bytes, at least one; means are those before
//! rounding.
//!
//! Crovella and Bestavros 1997 found α from 1.0 to 1.5 for files of the web; bodies are often
//! closer to lognormal (Barford and Crovella 1998).

use crate::engine::Stream;
use crate::language::interval::{Bound, Interval};
use crate::language::part::prelude::*;
use crate::units::Bytes;

const LONGEST: u64 = 1_000_000_000_000_000;
const SHAPE: Interval = Interval { min: Bound::From(0.1), max: Bound::From(100.0) };
const SIGMA: Interval = Interval { min: Bound::Beyond(0.0), max: Bound::From(10.0) };

part! {
    /// Parameters of bounded Pareto sizes.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Pareto {
        /// Minimum size.
        min: Bytes = required("\"1 kB\"") as Kind::Size { min: 1, max: LONGEST },
        /// α: the smaller, the heavier the tail.
        shape: f64 = default("1.2", "1.5") as Kind::Number(SHAPE),
        /// Maximum size.
        max: Bytes = default("1 GB", "\"10 MB\"") as Kind::Size { min: 1, max: LONGEST },
    }
    finish Pareto::checked;
}

part! {
    /// Parameters of lognormal sizes.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Lognormal {
        /// Size that half of the draws are below, apart from the maximum.
        median: Bytes = required("\"10 kB\"") as Kind::Size { min: 1, max: LONGEST },
        /// σ: deviation of the natural logarithm.
        sigma: f64 = default("1", "1.5") as Kind::Number(SIGMA),
        /// Maximum size.
        max: Bytes = default("1 GB", "\"10 MB\"") as Kind::Size { min: 1, max: LONGEST },
    }
    finish Lognormal::checked;
}

/// Checks that the maximum is above the minimum or the median.
fn check_max(section: &Section<'_>, (key, above): (&str, Bytes), max: Bytes) -> Result<(), Fault> {
    if max > above {
        return Ok(());
    }
    let message = format!(
        "`{0}.max` of {max} is not above `{0}.{key}` of {above}; expected more",
        section.place()
    );
    Err(Fault::new(&section.spanned::<Bytes>("max")?.at, message))
}

impl Pareto {
    /// Makes sizes of at least `min`, with the other defaults.
    pub fn above(min: Bytes) -> Self {
        Self { min, shape: 1.2, max: Bytes(1_000_000_000) }
    }

    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        check_max(section, ("min", self.min), self.max).map(|()| self)
    }

    /// Ratio of the minimum to the maximum, to the power of the shape.
    fn beyond_max(&self) -> f64 {
        libm::pow(self.min.0 as f64 / self.max.0 as f64, self.shape)
    }

    pub(super) fn draw(&self, stream: &mut Stream) -> u64 {
        let above = 1.0 - stream.unit() * (1.0 - self.beyond_max());
        rounded(self.min.0 as f64 * libm::pow(above, -1.0 / self.shape), self.max)
    }

    pub(super) fn mean(&self) -> f64 {
        let (min, ratio) = (self.min.0 as f64, self.min.0 as f64 / self.max.0 as f64);
        let excess = self.shape - 1.0;
        // ∫ x^−α from 1 to 1/ratio, which is a logarithm at α = 1.
        let integral = if excess.abs() < 1e-9 {
            -libm::log(ratio)
        } else {
            (1.0 - libm::pow(ratio, excess)) / excess
        };
        min * self.shape * integral / (1.0 - self.beyond_max())
    }

    /// Probability P(X > x), after rounding to whole bytes.
    pub(super) fn probability_above(&self, bytes: u64) -> f64 {
        let x = bytes as f64 + 0.5;
        if x <= self.min.0 as f64 {
            return 1.0;
        }
        let beyond_max = self.beyond_max();
        let beyond = libm::pow(self.min.0 as f64 / x, self.shape);
        ((beyond - beyond_max) / (1.0 - beyond_max)).max(0.0)
    }
}

impl Lognormal {
    /// Makes sizes of which half are below `median`, with the other defaults.
    pub fn around(median: Bytes) -> Self {
        Self { median, sigma: 1.0, max: Bytes(1_000_000_000) }
    }

    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        check_max(section, ("median", self.median), self.max).map(|()| self)
    }

    pub(super) fn draw(&self, stream: &mut Stream) -> u64 {
        loop {
            let size = self.median.0 as f64 * libm::exp(self.sigma * stream.normal());
            if size <= self.max.0 as f64 {
                return rounded(size, self.max);
            }
        }
    }

    pub(super) fn mean(&self) -> f64 {
        let widest = self.deviations(self.max.0 as f64);
        let all = self.median.0 as f64 * libm::exp(self.sigma * self.sigma / 2.0);
        all * below(widest - self.sigma) / below(widest)
    }

    /// Probability P(X > x), after rounding to whole bytes.
    pub(super) fn probability_above(&self, bytes: u64) -> f64 {
        if bytes == 0 {
            return 1.0;
        }
        let within = below(self.deviations(self.max.0 as f64));
        (1.0 - below(self.deviations(bytes as f64 + 0.5)) / within).max(0.0)
    }

    /// Distance of a size above the median, in deviations of the logarithm.
    fn deviations(&self, size: f64) -> f64 {
        libm::log(size / self.median.0 as f64) / self.sigma
    }
}

/// Distribution function of the standard normal distribution.
fn below(deviations: f64) -> f64 {
    0.5 * libm::erfc(-deviations / std::f64::consts::SQRT_2)
}

fn rounded(size: f64, max: Bytes) -> u64 {
    ((size + 0.5) as u64).clamp(1, max.0)
}
