//! The minimum of the last N values of a sequence, in constant time per value on average.
//!
//! Only values that may still become the minimum are kept: each is above all earlier ones that are
//! still kept. A value enters once and leaves once (Lemire 2006, §4).

use std::collections::VecDeque;

/// The minimum of the last values.
#[derive(Clone, Debug)]
pub(super) struct SlidingMinimum {
    window: u64,
    /// Number of values so far.
    count: u64,
    /// Number and value, both rising.
    candidates: VecDeque<(u64, u128)>,
}

impl SlidingMinimum {
    /// Makes an empty window of the last `window` values, at least one.
    pub(super) fn new(window: u64) -> Self {
        assert!(window > 0, "a minimum is of something");
        Self { window, count: 0, candidates: VecDeque::new() }
    }

    /// Adds a value; returns the minimum including it.
    pub(super) fn push(&mut self, value: u128) -> u128 {
        while self.candidates.back().is_some_and(|&(_, kept)| kept >= value) {
            self.candidates.pop_back();
        }
        self.candidates.push_back((self.count, value));
        self.count += 1;
        while self.candidates.front().is_some_and(|&(number, _)| number + self.window < self.count)
        {
            self.candidates.pop_front();
        }
        self.candidates.front().map_or(value, |&(_, least)| least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values kept are never more than the window.
    #[test]
    fn rising_values_are_kept_up_to_the_window() {
        let mut minimum = SlidingMinimum::new(4);
        (0..100).for_each(|value| {
            minimum.push(value);
        });
        assert_eq!(minimum.candidates.len(), 4);
    }
}
