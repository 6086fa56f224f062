//! Extreme of the round trips of a time that ends now: the shortest, or with `MAX` the longest.

use std::collections::VecDeque;

use crate::units::{Span, Time};

/// Round trips that are or may become the extreme, oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Extreme<const MAX: bool> {
    values: VecDeque<(Time, Span)>,
}

impl<const MAX: bool> Extreme<MAX> {
    /// Takes a round trip, and returns the extreme of those since `now - window`.
    pub(super) fn update(&mut self, now: Time, value: Span, window: Span) -> Span {
        let is_beaten = |old: Span| if MAX { old <= value } else { old >= value };
        while self.values.back().is_some_and(|(_, old)| is_beaten(*old)) {
            self.values.pop_back();
        }
        self.values.push_back((now, value));
        while self.values.front().is_some_and(|(at, _)| now - *at > window) {
            self.values.pop_front();
        }
        self.values.front().map_or(value, |(_, extreme)| *extreme)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extreme_is_forgotten_after_its_window() {
        let (mut least, mut most) = (Extreme::<false>::default(), Extreme::<true>::default());
        let milliseconds = Span::from_milliseconds;
        let mut both = |at, value| {
            let (now, value) = (Time::ZERO + milliseconds(at), milliseconds(value));
            let window = milliseconds(100);
            [least.update(now, value, window), most.update(now, value, window)]
        };
        for (at, value, extremes) in
            [(0, 20, [20, 20]), (50, 40, [20, 40]), (100, 30, [20, 40]), (101, 30, [30, 40])]
        {
            assert_eq!(both(at, value), extremes.map(milliseconds), "{at} ms");
        }
        assert_eq!(both(151, 35), [30, 35].map(milliseconds));
    }
}
