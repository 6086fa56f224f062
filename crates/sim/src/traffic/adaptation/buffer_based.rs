//! Adaptation by the buffer, BBA-0: the lowest rate up to the reservoir, the highest above
//! reservoir and cushion, and between them a rate map f(B) that is linear in the buffer B.
//!
//! The rate of the segment before stays until f(B) reaches the next higher rate, or falls to the
//! next lower one. Then it becomes the highest below f(B), or the lowest above it.
//!
//! Source: Huang, Johari, McKeown, Trunnell, Watson, *A Buffer-Based Approach to Rate Adaptation:
//! Evidence from a Large Video Streaming Service*, SIGCOMM 2014, section 4 and Algorithm 1, there
//! with a reservoir of 90 s and a cushion of 126 s in a buffer of 240 s. Here both are parts of the
//! buffer: 0.375 and 0.525.
//!
//! Departures: BBA-1's reservoir by the sizes of coming segments, and BBA-2's quick start, are
//! absent, as in BBA-0.

use super::{AdaptationRule, Facts, highest_within};
use crate::language::part::prelude::*;

part! {
    /// Parameters of adaptation by the buffer.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct BufferBasedPlan {
        /// r: part of the buffer up to which the rate is the lowest.
        reservoir: f64 = default("0.375", "0.2") as Kind::Number(ABOVE_ZERO_TO_ONE),
        /// cu: part of the buffer over which the rate grows from the lowest to the highest.
        cushion: f64 = default("0.525", "0.6") as Kind::Number(ABOVE_ZERO_TO_ONE),
    }
    finish BufferBasedPlan::checked;
}

impl BufferBasedPlan {
    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        let sum = self.reservoir + self.cushion;
        if sum <= 1.0 {
            return Ok(self);
        }
        let message = format!(
            "`{}`: `reservoir` and `cushion` are {sum} of the buffer; expected at most 1",
            section.place()
        );
        Err(Fault::new(&section.spanned::<f64>("cushion")?.at, message))
    }
}

/// Adaptation by the buffer of one player.
#[derive(Debug)]
pub struct BufferBased {
    plan: BufferBasedPlan,
}

impl BufferBased {
    /// Makes the rule.
    pub const fn new(plan: BufferBasedPlan) -> Self {
        Self { plan }
    }

    /// The rate map f(B).
    fn map(&self, ladder: &[f64], filled: f64) -> f64 {
        let (lowest, highest) = (ladder[0], ladder[ladder.len() - 1]);
        let part = ((filled - self.plan.reservoir) / self.plan.cushion).clamp(0.0, 1.0);
        lowest + part * (highest - lowest)
    }
}

impl AdaptationRule for BufferBased {
    fn choose(&mut self, facts: &Facts<'_>) -> usize {
        let &Facts { ladder, previous, filled } = facts;
        let top = ladder.len() - 1;
        if filled <= self.plan.reservoir {
            return 0;
        }
        if filled >= self.plan.reservoir + self.plan.cushion {
            return top;
        }
        let (rate, previous) = (self.map(ladder, filled), previous.unwrap_or(0));
        if rate >= ladder[(previous + 1).min(top)] && previous < top {
            highest_within(ladder, rate)
        } else if rate <= ladder[previous.saturating_sub(1)] && previous > 0 {
            ladder.partition_point(|&one| one < rate).min(top)
        } else {
            previous
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ladder of 1, 2, 3 and 5 over a cushion from 0.2 to 0.6 of the buffer, with the map
    /// f(B) = 1 + 10(B − 0.2).
    #[test]
    fn the_rate_changes_where_the_map_meets_its_neighbours() {
        let ladder = [1.0, 2.0, 3.0, 5.0];
        let mut rule = BufferBased::new(BufferBasedPlan { reservoir: 0.2, cushion: 0.4 });
        let mut choose = |previous, filled| {
            rule.choose(&Facts { ladder: &ladder, previous: Some(previous), filled })
        };
        assert_eq!((choose(3, 0.2), choose(0, 0.6)), (0, 3));
        // Up at 2 and no sooner; to the highest within 3.5.
        assert_eq!((choose(0, 0.29), choose(0, 0.31), choose(0, 0.45)), (0, 1, 2));
        // A rate of 3 stays while the map is above 2, and one of 5 while it is above 3.
        assert_eq!((choose(2, 0.31), choose(2, 0.29)), (2, 1));
        assert_eq!((choose(3, 0.41), choose(3, 0.39), choose(3, 0.25)), (3, 2, 1));
    }
}
