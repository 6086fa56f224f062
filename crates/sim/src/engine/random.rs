//! Random streams: one per named component, from (seed, name).
//!
//! Adding a component never changes the draws of another, because no stream is shared and a stream
//! depends on nothing but the seed and its own name. PCG-64 (O'Neill 2014) gives the bits; every
//! distribution is written out here, so that no library's next release moves a result.

use rand_core::Rng;
use rand_pcg::Pcg64;

use crate::units::Span;

/// The random numbers of one named component.
#[derive(Clone, Debug)]
pub struct Stream(Pcg64);

impl Stream {
    /// The stream of component `name` in a run with `seed`.
    pub fn new(seed: u64, name: &str) -> Self {
        let low = mix(fnv1a(name) ^ mix(seed));
        let high = mix(low ^ 0x9e37_79b9_7f4a_7c15);
        let stream = u128::from(mix(high)) << 64 | u128::from(fnv1a(name));
        Self(Pcg64::new(u128::from(high) << 64 | u128::from(low), stream))
    }

    /// A stream of a part of the component.
    #[must_use]
    pub fn part(&self, name: &str) -> Self {
        Self::new(self.0.clone().next_u64(), name)
    }

    /// Uniform in [0, 1), in steps of 2^-53.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform in [0, span), in whole picoseconds; zero for an empty span.
    #[inline]
    pub fn span_below(&mut self, span: Span) -> Span {
        let wide = u128::from(self.0.next_u64()) * span.picoseconds().max(0) as u128;
        Span::from_picoseconds((wide >> 64) as i64)
    }

    /// Normal with mean 0 and deviation 1, as Box and Muller (1958) draw it.
    #[inline]
    pub fn normal(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.unit()));
        radius * libm::cos(std::f64::consts::TAU * self.unit())
    }

    /// Exponential with a mean of `mean_seconds`, rounded to the picosecond.
    #[inline]
    pub fn exponential(&mut self, mean_seconds: f64) -> Span {
        let draw = -libm::log(1.0 - self.unit());
        Span::from_picoseconds((draw * mean_seconds * 1e12 + 0.5) as i64)
    }
}

/// Upper bound of an exponential draw, in means: 53·ln 2, rounded up.
pub const MOST_MEANS: u128 = 37;

/// FNV-1a, 64 bits: turns a name into a number, written out because results hang on it.
fn fnv1a(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The finaliser of `SplitMix64` (Steele, Lea, Flood 2014): spreads neighbouring seeds apart.
fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_depend_on_seed_and_name_only() {
        let draws = |seed, name| {
            let mut stream = Stream::new(seed, name);
            [stream.unit(), stream.unit(), stream.unit()].map(f64::to_bits)
        };
        assert_eq!(draws(1, "flow a"), draws(1, "flow a"));
        assert_ne!(draws(1, "flow a"), draws(1, "flow b"));
        assert_ne!(draws(1, "flow a"), draws(2, "flow a"));
    }

    #[test]
    fn the_first_draws_never_change() {
        let mut stream = Stream::new(1, "host ku timers");
        let drawn: Vec<i64> =
            (0..3).map(|_| stream.span_below(Span::from_milliseconds(500)).picoseconds()).collect();
        assert_eq!(drawn, [253_843_236_698, 154_699_465_722, 131_944_290_056]);
    }

    #[test]
    fn means_are_right() {
        let mut stream = Stream::new(7, "means");
        let n = 200_000;
        let uniform: f64 = (0..n).map(|_| stream.unit()).sum::<f64>() / f64::from(n);
        // Standard error 0.29/sqrt(n) = 0.00065: four of them.
        assert!((uniform - 0.5).abs() < 0.0026, "{uniform}");
        let exponential: i64 =
            (0..n).map(|_| stream.exponential(3e-6).picoseconds()).sum::<i64>() / i64::from(n);
        assert!((exponential - 3_000_000).abs() < 27_000, "{exponential}");
    }
}
