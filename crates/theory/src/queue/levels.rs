//! The stationary law of a queue that loses one cell per step: `N' = (N - 1)+ + A`, with a number A
//! of arrivals that is independent from step to step.
//!
//! Steps upward over a level n are as frequent as steps downward, which are by one:
//! `π(n+1) P(A = 0) = π(0) P(A > n) + Σ_{i=1..n} π(i) P(A > n + 1 - i)`, and `π(0) = 1 - E[A]`. No
//! term is negative, so that small probabilities are as exact as large ones. Far out the law is
//! geometric; it is continued so beyond [`LEVELS`].

/// Levels that are calculated; the ratio of neighbours is constant long before.
const LEVELS: usize = 256;

/// P(N > n) for every n.
#[derive(Clone, Debug)]
pub(super) struct Levels {
    above: Vec<f64>,
    /// P(N > n + 1) / P(N > n) far out.
    decay: f64,
}

impl Levels {
    /// `arrivals[k]` is P(A = k), and their mean is `load`, below 1.
    pub(super) fn new(arrivals: &[f64], load: f64) -> Self {
        let exceeds = exceeding(arrivals);
        let exceeding = |count: usize| exceeds.get(count).copied().unwrap_or(0.0);
        let mut law = vec![1.0 - load];
        for level in 0..LEVELS {
            let nearest = (level + 1).saturating_sub(exceeds.len()).max(1);
            let from_busy: f64 =
                (nearest..=level).map(|from| law[from] * exceeding(level + 1 - from)).sum();
            law.push((law[0] * exceeding(level) + from_busy) / arrivals[0]);
        }
        let decay = match law[LEVELS - 1] {
            0.0 => 0.0,
            before => (law[LEVELS] / before).min(1.0),
        };
        let mut above = vec![0.0; LEVELS];
        let mut beyond = law[LEVELS] / (1.0 - decay);
        for level in (0..LEVELS).rev() {
            above[level] = beyond;
            beyond += law[level];
        }
        Self { above, decay }
    }

    /// P(N > level).
    pub(super) fn above(&self, level: usize) -> f64 {
        self.above.get(level).copied().unwrap_or_else(|| {
            let last = self.above.len() - 1;
            self.above[last] * libm::pow(self.decay, (level - last) as f64)
        })
    }
}

/// P(A > k), summed from the small end.
fn exceeding(arrivals: &[f64]) -> Vec<f64> {
    let mut beyond = 0.0;
    let mut sums: Vec<f64> = arrivals
        .iter()
        .rev()
        .map(|&probability| {
            let above = beyond;
            beyond += probability;
            above
        })
        .collect();
    sums.reverse();
    sums
}

/// Arrivals of a Poisson law with the mean `mean`, up to where they no longer matter.
pub(super) fn poisson(mean: f64) -> Vec<f64> {
    let mut law = vec![libm::exp(-mean)];
    while law.len() < 2 || law[law.len() - 1] > f64::MIN_POSITIVE {
        law.push(law[law.len() - 1] * mean / law.len() as f64);
    }
    law
}

/// Arrivals from `sources` that send with the probability `each`.
pub(super) fn binomial(sources: u32, each: f64) -> Vec<f64> {
    let odds = each / (1.0 - each);
    let mut law = vec![libm::pow(1.0 - each, f64::from(sources))];
    for count in 1..=sources {
        let before = law[law.len() - 1];
        law.push(before * odds * f64::from(sources + 1 - count) / f64::from(count));
        if law[law.len() - 1] <= f64::MIN_POSITIVE {
            break;
        }
    }
    law
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At most one arrival: never more than one cell.
    #[test]
    fn one_source_makes_no_queue() {
        let levels = Levels::new(&binomial(1, 0.5), 0.5);
        assert!((levels.above(0) - 0.5).abs() < 1e-15);
        assert!([1, 5, 10_000].into_iter().all(|level| levels.above(level) == 0.0));
    }

    /// Two sources at 1/4 by hand: P(A) = 9/16, 6/16, 1/16; π(0) = 1/2, π(1) = 1/2 · 7/9,
    /// π(2) = (1/2 + π(1)) / 9, and each further one is a ninth of the one before.
    #[test]
    fn two_sources_by_hand() {
        let levels = Levels::new(&binomial(2, 0.25), 0.5);
        let two = (0.5 + 3.5 / 9.0) / 9.0;
        assert!((levels.above(0) - 0.5).abs() < 1e-14);
        assert!((levels.above(1) - two * 9.0 / 8.0).abs() < 1e-14);
        assert!((levels.above(2) - two / 8.0).abs() < 1e-14);
        let far = levels.above(300) / levels.above(290);
        assert!((far * libm::pow(9.0, 10.0) - 1.0).abs() < 1e-9, "{far}");
    }

    #[test]
    fn laws_add_up_to_one_and_have_their_means() {
        for (law, mean) in [(poisson(0.9), 0.9), (binomial(40, 0.02), 0.8)] {
            let mean_of =
                |law: &[f64]| law.iter().enumerate().map(|(n, p)| n as f64 * p).sum::<f64>();
            assert!((law.iter().sum::<f64>() - 1.0).abs() < 1e-14);
            assert!((mean_of(&law) - mean).abs() < 1e-14);
        }
    }
}
