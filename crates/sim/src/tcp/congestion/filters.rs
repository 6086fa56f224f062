//! Estimators of laws that model a path: a maximum over a window of rounds, and the count of rounds
//! that packets time.

use std::collections::VecDeque;

/// Maximum of the samples of the latest `len` ticks of a count.
#[derive(Clone, Debug, Default)]
pub(super) struct WindowedMax {
    /// Samples with their ticks, in the order of time and of decreasing value.
    samples: VecDeque<(u64, f64)>,
}

impl WindowedMax {
    /// Takes a sample at `tick`, and forgets those `len` ticks old.
    pub(super) fn update(&mut self, tick: u64, value: f64, len: u64) {
        while self.samples.back().is_some_and(|&(_, last)| last <= value) {
            self.samples.pop_back();
        }
        if self.samples.back().is_none_or(|&(last, _)| last != tick) {
            self.samples.push_back((tick, value));
        }
        while self.samples.front().is_some_and(|&(first, _)| first + len <= tick) {
            self.samples.pop_front();
        }
    }

    /// The maximum; zero before the first sample.
    pub(super) fn max(&self) -> f64 {
        self.samples.front().map_or(0.0, |&(_, value)| value)
    }
}

/// Round trips timed by packets: a round ends with the ACK of data sent after its start.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rounds {
    /// Number of rounds that have ended.
    pub(super) count: u64,
    /// True if the latest ACK has ended a round.
    pub(super) starts: bool,
    /// Bytes delivered at the start of the round.
    began: u64,
}

impl Rounds {
    /// Takes an ACK after which `total` bytes are delivered, and `prior` were when its newest
    /// segment left.
    pub(super) fn on_delivery(&mut self, prior: Option<u64>, total: u64) {
        self.starts = prior.is_some_and(|prior| prior >= self.began);
        if self.starts {
            self.count += 1;
            self.begin(total);
        }
    }

    /// Begins a round.
    pub(super) fn begin(&mut self, total: u64) {
        self.began = total;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::float_cmp, reason = "samples are returned as they are")]
    fn the_largest_sample_is_forgotten_with_its_tick() {
        let mut filter = WindowedMax::default();
        let found = [(1, 5.0), (2, 9.0), (3, 4.0), (4, 3.0), (5, 2.0)].map(|(tick, value)| {
            filter.update(tick, value, 3);
            filter.max()
        });
        assert_eq!(found, [5.0, 9.0, 9.0, 9.0, 4.0]);
    }
}
