//! Independent trials with one probability: units lost, bits in error.
//!
//! The number of trials that fail before the next success is geometric: ⌊ln(1 − U) / ln(1 − p)⌋, U
//! in [0, 1). One draw makes all of them, so that rare successes cost next to nothing.

use crate::engine::Stream;

/// Trials that succeed independently of each other.
#[derive(Clone, Debug)]
pub(super) struct Chance {
    probability: f64,
    /// Number of trials that fail before the next success.
    failures: u64,
    stream: Stream,
}

impl Chance {
    /// Makes a sequence whose first trial is the next.
    pub(super) fn new(probability: f64, mut stream: Stream) -> Self {
        let failures = failures(probability, &mut stream);
        Self { probability, failures, stream }
    }

    /// Makes one trial; true if it succeeds.
    pub(super) fn succeeds(&mut self) -> bool {
        self.within(1).is_some()
    }

    /// True if none of the next `trials` succeeds.
    pub(super) fn is_none_of(&self, trials: u64) -> bool {
        self.failures >= trials
    }

    /// Makes so many trials; returns the number of successes.
    pub(super) fn count(&mut self, trials: u64) -> u64 {
        let (mut left, mut successes) = (trials, 0);
        while let Some(failed) = self.within(left) {
            left -= failed + 1;
            successes += 1;
        }
        successes
    }

    /// Makes trials up to the first success, but no more than `trials`. Returns the number that
    /// failed before it; `None` if no trial succeeds.
    fn within(&mut self, trials: u64) -> Option<u64> {
        if self.failures >= trials {
            // With probability zero the failures never end.
            self.failures -= if self.probability > 0.0 { trials } else { 0 };
            return None;
        }
        let failed = self.failures;
        self.failures = failures(self.probability, &mut self.stream);
        Some(failed)
    }
}

/// Failures before the next success. A probability of 0 or 1 takes nothing from the stream.
fn failures(probability: f64, stream: &mut Stream) -> u64 {
    if probability <= 0.0 {
        return u64::MAX;
    }
    if probability >= 1.0 {
        return 0;
    }
    // The cast saturates at a number greater than the trials of any run.
    (libm::log(1.0 - stream.unit()) / libm::log1p(-probability)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn successes(probability: f64, trials: u64) -> u64 {
        let mut chance = Chance::new(probability, Stream::new(3, "trials"));
        (0..trials).filter(|_| chance.succeeds()).count() as u64
    }

    #[test]
    fn as_many_succeed_as_their_probability_says() {
        let trials = 400_000_u64;
        for probability in [1e-4, 0.01, 0.3, 0.5, 0.97] {
            let mean = trials as f64 * probability;
            let deviation = (mean * (1.0 - probability)).sqrt();
            let found = successes(probability, trials) as f64;
            assert!((found - mean).abs() < 4.0 * deviation, "{probability}: {found}, not {mean}");
        }
        assert_eq!((successes(0.0, 1000), successes(1.0, 1000)), (0, 1000));
    }

    /// The chance of a success directly behind another is that of any trial.
    #[test]
    fn trials_do_not_depend_on_each_other() {
        let mut chance = Chance::new(0.3, Stream::new(4, "trials"));
        let outcomes: Vec<bool> = (0..400_000).map(|_| chance.succeeds()).collect();
        let pairs = outcomes.windows(2).filter(|pair| pair[0]);
        let (mut behind, mut both) = (0_u32, 0_u32);
        for pair in pairs {
            behind += 1;
            both += u32::from(pair[1]);
        }
        let found = f64::from(both) / f64::from(behind);
        assert!((found - 0.3).abs() < 4.0 * (0.21 / f64::from(behind)).sqrt(), "{found}");
    }

    #[test]
    fn many_trials_at_once_are_as_many_one_by_one() {
        let mut one_by_one = Chance::new(0.02, Stream::new(5, "trials"));
        let mut at_once = one_by_one.clone();
        for _ in 0..1000 {
            let found = (0..100).filter(|_| one_by_one.succeeds()).count() as u64;
            assert_eq!(found, at_once.count(100));
        }
    }
}
