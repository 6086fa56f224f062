//! N·D/D/1: N sources of one constant rate, each at a random phase of the common period D, before a
//! line that takes one unit of time for each cell.
//!
//! The work V at any instant, the rest of the cell in service included:
//!
//! `P(V > x) = Σ_{x<n<=N} C(N,n) ((n-x)/D)^n (1 - (n-x)/D)^(N-n) (D-N+x)/(D-n+x)`
//!
//! (J. W. Roberts, J. T. Virtamo: "The superposition of periodic cell arrival streams in an ATM
//! multiplexer", IEEE Transactions on Communications 39(2), 1991). Every term is positive. The
//! number of cells in the system is V rounded up. A cell finds the work of the N - 1 other sources,
//! as its own source's last cell has left: the queue is empty at least once a period. The mean wait
//! follows from Little's law, `E[W] = (D/N) Σ_k P(V > k) - 1`.
//! A buffer of K cells, the one in service included, overflows with at most the probability
//! `P(V > K)`.
//! A buffer of K cells, that in service included, overflows at most as often as `P(V > K)` says.
//!
//! Range: N below D. The phases hold for a whole run: a single run has the law of its phases, not
//! this one, which is that of many runs. Equal case: cells that arrive at once are served in any
//! order.

use crate::range::{OutOfRange, within};
use crate::root::root;

/// N sources of the period D, in service times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Periodic {
    sources: u32,
    period: f64,
}

impl Periodic {
    /// `sources` with a cell each in every `period`.
    pub fn new(sources: u32, period: f64) -> Result<Self, OutOfRange> {
        within("sources", f64::from(sources), "at least 1", |sources| sources >= 1.0)?;
        let expected = "above the number of sources: the load is below 1";
        within("period", period, expected, |period| period > f64::from(sources))?;
        Ok(Self { sources, period })
    }

    /// N/D.
    pub fn load(&self) -> f64 {
        f64::from(self.sources) / self.period
    }

    /// P(V > work), V at any instant.
    pub fn work_above(&self, work: f64) -> f64 {
        work_above(self.sources, self.period, work)
    }

    /// Mean number of cells in the system, including the one in service.
    pub fn mean_number(&self) -> f64 {
        (0..self.sources).map(|cells| self.work_above(f64::from(cells))).sum()
    }

    /// P(W > wait), W the wait of a cell.
    pub fn wait_above(&self, wait: f64) -> f64 {
        work_above(self.sources - 1, self.period, wait)
    }

    /// E\[W\].
    pub fn mean_wait(&self) -> f64 {
        (self.mean_number() / self.load() - 1.0).max(0.0)
    }

    /// The wait that a fraction `quantile` of all cells do not exceed.
    pub fn wait_quantile(&self, quantile: f64) -> Result<f64, OutOfRange> {
        within("quantile", quantile, "at least 0 and at most 1", |at| (0.0..=1.0).contains(&at))?;
        let exceeding = 1.0 - quantile;
        if exceeding >= self.wait_above(0.0) {
            return Ok(0.0);
        }
        Ok(root(0.0, f64::from(self.sources), |wait| self.wait_above(wait) - exceeding))
    }
}

fn work_above(sources: u32, period: f64, work: f64) -> f64 {
    if work < 0.0 {
        return 1.0;
    }
    let all = f64::from(sources);
    let first = work.floor() as u32 + 1;
    (first..=sources)
        .map(|count| {
            let count = f64::from(count);
            let part = (count - work) / period;
            let within = libm::exp(
                log_choose(all, count)
                    + count * libm::log(part)
                    + (all - count) * libm::log1p(-part),
            );
            within * (period - all + work) / (period - count + work)
        })
        .sum()
}

/// ln C(n, k).
fn log_choose(n: f64, k: f64) -> f64 {
    libm::lgamma(n + 1.0) - libm::lgamma(k + 1.0) - libm::lgamma(n - k + 1.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn queue(sources: u32, period: f64) -> Periodic {
        Periodic::new(sources, period).expect("a load below 1")
    }

    /// Two sources, period 4: a cell waits if the other came less than one before it; 1/8 on
    /// average, half the time longer than 1/2 of those quarter.
    #[test]
    fn two_sources_by_hand() {
        let queue = queue(2, 4.0);
        assert!((queue.mean_wait() - 0.125).abs() < 1e-12);
        assert!((queue.wait_above(0.0) - 0.25).abs() < 1e-12);
        assert!((queue.wait_above(0.5) - 0.125).abs() < 1e-12);
        assert!((queue.wait_quantile(0.9).unwrap() - 0.6).abs() < 1e-12);
        assert!((queue.work_above(0.0) - 0.5).abs() < 1e-12);
        assert!((queue.work_above(1.0) - 1.0 / 16.0).abs() < 1e-12);
    }

    #[test]
    fn one_source_never_waits() {
        let queue = queue(1, 1.5);
        assert!(queue.mean_wait() < 1e-12 && queue.wait_above(0.0) == 0.0);
        assert!((queue.work_above(0.25) - 0.75 / 1.5).abs() < 1e-12);
    }

    /// As N grows at one load, the arrivals become those of M/D/1 from below.
    #[test]
    fn many_sources_are_a_poisson_process() {
        let poisson = super::super::poisson::Poisson::new(0.8).unwrap();
        let mut before = 0.0;
        for sources in [4, 40, 400, 4000] {
            let wait = queue(sources, f64::from(sources) / 0.8).mean_wait();
            assert!(wait > before && wait < poisson.mean_wait(), "{sources}: {wait}");
            before = wait;
        }
        assert!((before / poisson.mean_wait() - 1.0).abs() < 0.01, "{before}");
    }

    #[test]
    fn a_load_of_one_is_refused() {
        assert_eq!(Periodic::new(8, 8.0).unwrap_err().name, "period");
        assert_eq!(Periodic::new(0, 8.0).unwrap_err().name, "sources");
    }

    proptest! {
        /// P(V > 0) is the load; V falls, and is at most N; the wait's integral is its mean.
        #[test]
        fn it_is_a_law(sources in 1..60_u32, spare in 0.01..4.0_f64) {
            let queue = queue(sources, f64::from(sources) * (1.0 + spare));
            prop_assert!((queue.work_above(0.0) - queue.load()).abs() < 1e-9);
            let steps = 32.0;
            let (mut sum, mut before) = (0.0, 1.0);
            for step in 0..sources * 32 {
                let wait = (f64::from(step) + 0.5) / steps;
                let above = queue.wait_above(wait);
                prop_assert!((0.0..=before * (1.0 + 1e-12)).contains(&above));
                sum += above / steps;
                before = above;
            }
            prop_assert!((sum - queue.mean_wait()).abs() < 1e-3 * queue.mean_wait() + 1e-6);
            prop_assert!(queue.work_above(f64::from(sources)) == 0.0);
        }
    }
}
