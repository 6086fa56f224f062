//! M/D/1: Poisson arrivals at a line that takes the same time for each cell, first in first out.
//!
//! Time is in service times, so that the arrival rate is the load ρ.
//!
//! - Mean wait `ρ / (2 (1 - ρ))`: Pollaczek 1930, Khintchine 1932.
//! - Cells in the system: the law behind departures, which is the law at any instant
//!   (`queue/levels.rs`).
//! - Wait: `P(W <= k - u) = e^(-ρu) Σ_{j<k} Q(k-1-j) (ρu)^j / j!` for `0 < u <= 1`, Q(m) the
//!   probability of at most m + 1 cells in the system (G. J. Franx: "A simple solution for the
//!   M/D/c waiting time distribution", Operations Research Letters 29, 2001). Here the complement
//!   is summed, which also has positive terms only.
//! - `P(W > x) <= e^(-θx)` with `e^θ = 1 + θ/ρ` (J. F. C. Kingman: "A martingale inequality in the
//!   theory of queues", 1964).
//! - M/D/1/K: the loss with K places, including the place of the cell in service, is
//!   `(1 - ρ) T / (1 - ρT)` with `T = P(N >= K)` of the infinite queue (J. Keilson: "The ergodic
//!   queue length distribution for queueing systems with finite capacity", 1966). K = 1 is Erlang's
//!   `ρ / (1 + ρ)`.
//!
//! Range: 0 < ρ < 1. Equal case: an arrival at the end of a service finds the line free.

use super::levels::{Levels, poisson};
use crate::range::{OutOfRange, within};
use crate::root::root;

/// A queue with a load below 1.
#[derive(Clone, Debug)]
pub struct Poisson {
    load: f64,
    levels: Levels,
    /// θ, per service time.
    decay: f64,
}

impl Poisson {
    /// Makes a queue with the load ρ.
    pub fn new(load: f64) -> Result<Self, OutOfRange> {
        within("load", load, "above 0 and below 1", |load| load > 0.0 && load < 1.0)?;
        let falling = |theta: f64| 1.0 + theta / load - libm::exp(theta);
        let decay = root(-libm::log(load), 2.0 * (1.0 / load - 1.0), falling);
        Ok(Self { load, levels: Levels::new(&poisson(load), load), decay })
    }

    /// E\[W\].
    pub fn mean_wait(&self) -> f64 {
        self.load / (2.0 * (1.0 - self.load))
    }

    /// Mean number of cells in the system, including the one in service.
    pub fn mean_number(&self) -> f64 {
        self.load * (1.0 + self.mean_wait())
    }

    /// P(N > cells), including the cell in service.
    pub fn number_above(&self, cells: u32) -> f64 {
        self.levels.above(cells as usize)
    }

    /// P(W > wait).
    pub fn wait_above(&self, wait: f64) -> f64 {
        if wait < 0.0 {
            return 1.0;
        }
        let next = wait.floor() + 1.0;
        let mean = self.load * (next - wait);
        let mut term = libm::exp(-mean);
        let mut sum = 0.0;
        let mut arrivals = 0.0;
        while arrivals < next && term > f64::MIN_POSITIVE {
            sum += term * self.levels.above((next - arrivals) as usize);
            arrivals += 1.0;
            term *= mean / arrivals;
        }
        while term > f64::EPSILON * sum {
            sum += term;
            arrivals += 1.0;
            term *= mean / arrivals;
        }
        sum
    }

    /// The wait that a fraction `quantile` of all cells do not exceed.
    pub fn wait_quantile(&self, quantile: f64) -> Result<f64, OutOfRange> {
        within("quantile", quantile, "at least 0 and below 1", |at| (0.0..1.0).contains(&at))?;
        let exceeding = 1.0 - quantile;
        if exceeding >= self.load {
            return Ok(0.0);
        }
        let bound = -libm::log(exceeding) / self.decay;
        Ok(root(0.0, bound, |wait| self.wait_above(wait) - exceeding))
    }

    /// Kingman's bound on P(W > wait).
    pub fn wait_bound(&self, wait: f64) -> f64 {
        libm::exp(-self.decay * wait.max(0.0))
    }

    /// Fraction of the cells that is lost with `places` for cells, including the one in service.
    pub fn loss(&self, places: u32) -> Result<f64, OutOfRange> {
        within("places", f64::from(places), "at least 1", |places| places >= 1.0)?;
        let full = self.number_above(places - 1);
        Ok((1.0 - self.load) * full / (1.0 - self.load * full))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn queue(load: f64) -> Poisson {
        Poisson::new(load).expect("a load below 1")
    }

    /// Erlang 1909: below one service time P(W <= x) = (1 - ρ) e^(ρx); below two
    /// (1 - ρ) (e^(ρx) - ρ(x-1) e^(ρ(x-1))).
    #[test]
    fn the_first_two_service_times_by_hand() {
        let queue = queue(0.7);
        let within = |wait: f64| 1.0 - queue.wait_above(wait);
        assert!((within(0.0) - 0.3).abs() < 1e-14);
        assert!((within(0.4) - 0.3 * libm::exp(0.28)).abs() < 1e-14);
        let second = libm::exp(0.7 * 1.5) - 0.7 * 0.5 * libm::exp(0.7 * 0.5);
        assert!((within(1.5) - 0.3 * second).abs() < 1e-14);
    }

    /// By hand: π(0) = 1 - ρ, π(0) + π(1) = (1 - ρ) e^ρ.
    #[test]
    fn few_cells_by_hand() {
        let queue = queue(0.5);
        assert!((queue.number_above(0) - 0.5).abs() < 1e-14);
        assert!((queue.number_above(1) - (1.0 - 0.5 * libm::exp(0.5))).abs() < 1e-14);
    }

    /// Erlang B with one place, and the loss that leaves a utilisation of 1 - π(0) with two.
    #[test]
    fn loss_with_one_and_two_places_by_hand() {
        let queue = queue(0.8);
        assert!((queue.loss(1).unwrap() - 0.8 / 1.8).abs() < 1e-14);
        // A departure leaves 0 or 1 behind, 0 with e^-ρ; a cycle is a service and the idle time 1/ρ
        // after an empty one: served per service time 1 / (1 + e^-ρ/ρ).
        let served = 1.0 / (1.0 + libm::exp(-0.8) / 0.8);
        assert!((queue.loss(2).unwrap() - (1.0 - served / 0.8)).abs() < 1e-14);
        assert_eq!(queue.loss(0).unwrap_err().name, "places");
    }

    #[test]
    fn far_out_the_wait_decays_with_theta() {
        let queue = queue(0.8);
        let ratio = queue.wait_above(601.3) / queue.wait_above(600.3);
        assert!((ratio / libm::exp(-queue.decay) - 1.0).abs() < 1e-9, "{ratio}");
        assert!((libm::exp(queue.decay) - (1.0 + queue.decay / 0.8)).abs() < 1e-12);
    }

    /// The fraction of cells that do not wait, and larger fractions.
    #[test]
    fn quantiles_are_where_the_law_says() {
        let queue = queue(0.9);
        assert!(queue.wait_quantile(0.05).unwrap().abs() < 1e-15);
        let p99 = queue.wait_quantile(0.99).unwrap();
        assert!((queue.wait_above(p99) - 0.01).abs() < 1e-12);
        assert_eq!(queue.wait_quantile(1.0).unwrap_err().name, "quantile");
        assert_eq!(Poisson::new(1.0).unwrap_err().name, "load");
    }

    proptest! {
        /// The integral of P(W > x) is the mean; the law falls and is below Kingman's bound.
        #[test]
        fn the_law_has_the_mean_of_pollaczek(load in 0.02..0.97_f64) {
            let queue = queue(load);
            let steps = 64.0;
            let end = (40.0 / queue.decay).ceil();
            let (mut sum, mut before) = (0.0, 1.0);
            for step in 0..(end * steps) as u32 {
                let wait = (f64::from(step) + 0.5) / steps;
                let above = queue.wait_above(wait);
                prop_assert!(above <= before && above <= queue.wait_bound(wait) * (1.0 + 1e-12));
                sum += above / steps;
                before = above;
            }
            prop_assert!((sum / queue.mean_wait() - 1.0).abs() < 2e-4, "{sum}");
            let number: f64 = (0..4000).map(|cells| queue.number_above(cells)).sum();
            prop_assert!((number / queue.mean_number() - 1.0).abs() < 1e-9, "{number}");
        }
    }
}
