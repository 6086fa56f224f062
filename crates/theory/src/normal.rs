//! The normal distribution.

use std::f64::consts::{PI, SQRT_2};

/// Part of a normally distributed number above zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AboveZero {
    /// P(Y > 0).
    pub probability: f64,
    /// E\[Y; Y > 0\].
    pub mean: f64,
}

/// Part above zero of Y with mean `mean` and standard deviation `deviation`, which may be 0.
pub(crate) fn above_zero(mean: f64, deviation: f64) -> AboveZero {
    if deviation <= 0.0 {
        return AboveZero { probability: f64::from(mean > 0.0), mean: mean.max(0.0) };
    }
    let z = mean / deviation;
    let density = libm::exp(-z * z / 2.0) / (2.0 * PI).sqrt();
    let probability = libm::erfc(-z / SQRT_2) / 2.0;
    AboveZero { probability, mean: (deviation * density + mean * probability).max(0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_a_centred_normal_is_above_zero_with_mean_deviation_over_root_two_pi() {
        let above = above_zero(0.0, 3.0);
        assert!((above.probability - 0.5).abs() < 1e-15);
        assert!((above.mean - 3.0 / (2.0 * PI).sqrt()).abs() < 1e-15);
    }

    /// Φ(1) = 0.841 345, φ(1) = 0.241 971 in any table.
    #[test]
    fn one_deviation_above_zero_is_as_tabulated() {
        let above = above_zero(1.0, 1.0);
        assert!((above.probability - 0.841_345).abs() < 5e-7);
        assert!((above.mean - (0.841_345 + 0.241_971)).abs() < 1e-6);
    }

    #[test]
    fn without_deviation_it_is_the_mean_or_nothing() {
        assert_eq!(above_zero(2.0, 0.0), AboveZero { probability: 1.0, mean: 2.0 });
        assert_eq!(above_zero(-2.0, 0.0), AboveZero { probability: 0.0, mean: 0.0 });
    }
}
