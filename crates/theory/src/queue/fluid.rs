//! On-off sources as a fluid before a line (D. Anick, D. Mitra, M. M. Sondhi: "Stochastic theory of
//! a data-handling system with multiple sources", Bell System Technical Journal 61(8), 1982).
//!
//! N sources are on and off for independent exponential times and send at one rate while on. Time
//! is in mean on times and rates are in that rate, so that λ is the mean on over the mean off time,
//! and c the rate of the line. With i sources on, the queue grows at the rate i - c:
//!
//! `dF/dx D = M F`, `P(X > x) = -Σ_k a_k φ_k(1) e^(z_k x)`, the sum over k = 0..N - ⌊c⌋ - 1
//!
//! - `z_k`, the negative root of `A z² + B z + C` with `A = (N/2-k)² - (N/2-c)²`,
//!   `B = 2(1-λ)(N/2-k)² - N(1+λ)(N/2-c)`, `C = -(1+λ)² {(N/2)² - (N/2-k)²}`. Of two
//!   negative roots one belongs to N - k: that of k has the sign of N - 2k in `z(N-2c) + N(1+λ)`.
//! - `φ_k(1) = (1 - r_1)^k (1 - r_2)^(N-k)`, r the roots of `λx² + (z + 1 - λ)x - 1`, the
//!   generating function of the eigenvector at 1.
//! - `a_k = -(λ/(1+λ))^N Π_{i≠k} z_i / (z_i - z_k)`: no fluid waits with more than c sources on.
//!
//! Products are in logarithms. Range: Nλ/(1+λ) < c < N, else the queue grows for ever or is always
//! empty; N at most [`MOST_SOURCES`], where ten digits of the sum remain after cancellation. Equal
//! case: with as many sources on as the line carries, the queue stays as it is. Departure: cells
//! are infinitely small, so that the queue of single cells, N·D/D/1, is left out.

use crate::range::{OutOfRange, within};
use crate::root::root;

/// Maximum number of sources for which the sum was compared with one of eighty digits.
pub const MOST_SOURCES: u32 = 200;

/// A queue of sources whose mean rate is below the line's, and whose peak rate is above it.
#[derive(Clone, Debug)]
pub struct Fluid {
    load: f64,
    terms: Vec<Term>,
}

/// A term of P(X > x).
#[derive(Clone, Copy, Debug)]
struct Term {
    /// `z_k`.
    rate: f64,
    /// `-a_k φ_k(1)`.
    weight: f64,
}

impl Fluid {
    /// `sources` with λ = `on_over_off` before a line of `capacity` times the rate of one.
    pub fn new(sources: u32, on_over_off: f64, capacity: f64) -> Result<Self, OutOfRange> {
        let expected = "1 to 200 sources";
        within("sources", f64::from(sources), expected, |_| (1..=MOST_SOURCES).contains(&sources))?;
        within("on_over_off", on_over_off, "above 0", |ratio| ratio > 0.0)?;
        let all = f64::from(sources);
        let mean = all * on_over_off / (1.0 + on_over_off);
        let expected = "above the mean rate of the sources, below that of all of them at once";
        within("capacity", capacity, expected, |capacity| mean < capacity && capacity < all)?;
        let count = sources - capacity.floor() as u32;
        let system = System { sources, ratio: on_over_off, capacity };
        let rates: Vec<f64> = (0..count).map(|k| system.eigenvalue(k)).collect();
        let terms = (0..count).map(|k| system.term(k, &rates)).collect();
        Ok(Self { load: mean / capacity, terms })
    }

    /// Mean rate of the sources over that of the line.
    pub fn load(&self) -> f64 {
        self.load
    }

    /// P(X > content), X in units of the data that a source sends in a mean on time.
    pub fn above(&self, content: f64) -> f64 {
        if content < 0.0 {
            return 1.0;
        }
        let sum: f64 =
            self.terms.iter().map(|term| term.weight * libm::exp(term.rate * content)).sum();
        sum.clamp(0.0, 1.0)
    }

    /// E\[X\].
    pub fn mean(&self) -> f64 {
        self.terms.iter().map(|term| -term.weight / term.rate).sum()
    }

    /// `z_0`: far out `P(X > x)` falls as `e^(z_0 x)`.
    pub fn decay(&self) -> f64 {
        self.terms[0].rate
    }

    /// The content that is not exceeded in the fraction `quantile` of the time.
    pub fn quantile(&self, quantile: f64) -> Result<f64, OutOfRange> {
        within("quantile", quantile, "at least 0 and below 1", |at| (0.0..1.0).contains(&at))?;
        let exceeding = 1.0 - quantile;
        if exceeding >= self.above(0.0) {
            return Ok(0.0);
        }
        let mut end = -libm::log(exceeding) / -self.decay();
        while self.above(end) > exceeding {
            end *= 2.0;
        }
        Ok(root(0.0, end, |content| self.above(content) - exceeding))
    }
}

struct System {
    sources: u32,
    ratio: f64,
    capacity: f64,
}

impl System {
    /// `z_k`.
    fn eigenvalue(&self, k: u32) -> f64 {
        let Self { ratio, capacity, .. } = *self;
        let sources = f64::from(self.sources);
        let (half, up) = (sources / 2.0, 1.0 + ratio);
        let below_half = half - f64::from(k);
        let square = below_half * below_half;
        let a = square - (half - capacity) * (half - capacity);
        let b = 2.0 * (1.0 - ratio) * square - sources * up * (half - capacity);
        let c = -up * up * (half * half - square);
        if k == 0 {
            // C is 0: the other root is 0, for the stationary number of sources.
            return -b / a;
        }
        if 2 * k == self.sources {
            // Both roots are the same.
            return -b / (2.0 * a);
        }
        let stable = -(b + (b * b - 4.0 * a * c).max(0.0).sqrt().copysign(b)) / 2.0;
        let side = |z: f64| z * (sources - 2.0 * capacity) + sources * up;
        let is_of_k = |z: &f64| z.is_finite() && *z < 0.0 && side(*z) * below_half >= 0.0;
        [stable / a, c / stable].into_iter().find(is_of_k).expect("one negative root is that of k")
    }

    fn term(&self, k: u32, rates: &[f64]) -> Term {
        let Self { sources, ratio, .. } = *self;
        let rate = rates[k as usize];
        let linear = rate + 1.0 - ratio;
        let spread = (linear * linear + 4.0 * ratio).sqrt();
        let [first, second] = [spread, -spread].map(|root| 1.0 - (root - linear) / (2.0 * ratio));
        let mut log = f64::from(sources) * libm::log(ratio / (1.0 + ratio));
        let mut is_negative = false;
        let mut multiply = |factor: f64, times: u32| {
            log += f64::from(times) * libm::log(factor.abs());
            is_negative ^= factor < 0.0 && times % 2 == 1;
        };
        multiply(first, k);
        multiply(second, sources - k);
        for (_, other) in (0..).zip(rates).filter(|&(index, _)| index != k) {
            multiply(other / (other - rate), 1);
        }
        let size = libm::exp(log);
        Term { rate, weight: if is_negative { -size } else { size } }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn queue(sources: u32, ratio: f64, capacity: f64) -> Fluid {
        Fluid::new(sources, ratio, capacity).expect("a queue that is full at times")
    }

    /// One source by hand: it fills at 1 - c for a mean on time of 1, and off drains. The decay is
    /// λ/c - 1/(1-c), and at the end of an on time X is above 0, so that P(X > 0) = λ/(1+λ)/c.
    #[test]
    fn one_source_by_hand() {
        let (ratio, capacity) = (0.5, 0.6);
        let queue = queue(1, ratio, capacity);
        let decay = ratio / capacity - 1.0 / (1.0 - capacity);
        assert!((queue.decay() - decay).abs() < 1e-12);
        let busy = ratio / (1.0 + ratio) / capacity;
        assert!((queue.above(0.0) - busy).abs() < 1e-12);
        assert!((queue.above(0.7) - busy * libm::exp(decay * 0.7)).abs() < 1e-12);
        assert!((queue.mean() - busy / -decay).abs() < 1e-12);
        let p99 = queue.quantile(0.99).unwrap();
        assert!((queue.above(p99) - 0.01).abs() < 1e-12);
    }

    /// The largest eigenvalue in closed form, as the paper has it: -(1 + λ - Nλ/c) / (1 - c/N).
    #[test]
    fn the_slowest_decay_is_in_closed_form() {
        for (sources, ratio, capacity) in [(10, 0.4, 4.5), (10, 0.4, 7.2), (40, 1.0, 30.0)] {
            let all = f64::from(sources);
            let closed = -(1.0 + ratio - all * ratio / capacity) / (1.0 - capacity / all);
            assert!((queue(sources, ratio, capacity).decay() / closed - 1.0).abs() < 1e-12);
        }
    }

    /// Between whole numbers and at them the queue is a continuous function of the capacity.
    #[test]
    fn a_whole_capacity_is_no_exception() {
        for whole in [3.0, 5.0, 8.0] {
            let [below, at, above] =
                [-1e-7, 0.0, 1e-7].map(|change| queue(10, 0.25, whole + change).above(0.3));
            assert!((at / below - 1.0).abs() < 1e-5 && (at / above - 1.0).abs() < 1e-5, "{whole}");
        }
    }

    #[test]
    fn queues_that_grow_for_ever_or_never_are_refused() {
        let refused = |capacity| Fluid::new(10, 0.25, capacity).unwrap_err().name;
        assert_eq!([refused(2.0), refused(10.0)], ["capacity", "capacity"]);
        assert_eq!(Fluid::new(201, 0.25, 60.0).unwrap_err().name, "sources");
    }

    proptest! {
        /// Eigenvalues are negative and fall with k; the law falls from at most 1, has its mean,
        /// and P(X > 0) is at least the time in which more sources are on than the line carries.
        #[test]
        fn it_is_a_law(sources in 1..200_u32, ratio in 0.05..3.0_f64, place in 0.02..0.98_f64) {
            let all = f64::from(sources);
            let mean = all * ratio / (1.0 + ratio);
            let queue = queue(sources, ratio, mean + place * (all - mean));
            let rates: Vec<f64> = queue.terms.iter().map(|term| term.rate).collect();
            prop_assert!(rates[0] < 0.0 && rates.windows(2).all(|pair| pair[1] < pair[0]));
            let mut before = queue.terms.iter().map(|term| term.weight).sum::<f64>();
            prop_assert!(before <= 1.0 + 1e-6 && before > 0.0, "{before}");
            for step in 1..200 {
                let above = queue.above(f64::from(step) * 0.05 / -rates[0]);
                prop_assert!(above <= before * (1.0 + 1e-9));
                before = above;
            }
        }
    }
}
