//! Adaptation by rate: the highest bit rate that is at most `safety` of the harmonic mean of the
//! throughputs of the last `samples` segments; the lowest before the first has arrived.
//!
//! Source: Jiang, Sekar, Zhang, *Improving Fairness, Efficiency, and Stability in HTTP-based
//! Adaptive Video Streaming with FESTIVE*, at the conference `CoNEXT` 2012: harmonic mean of 20
//! samples, a part p = 0.85 of it. The harmonic mean gives a short burst little weight.
//!
//! Departures: FESTIVE also goes up by one rate at a time and after a number of segments that grows
//! with the rate, weighs efficiency against stability, and asks for segments at random instants.

use std::collections::VecDeque;

use super::{AdaptationRule, Facts, highest_within};
use crate::language::part::prelude::*;

part! {
    /// Parameters of adaptation by rate.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct RateBasedPlan {
        /// p: part of the throughput that the bit rate may have.
        safety: f64 = default("0.85", "0.8") as Kind::Number(ABOVE_ZERO_TO_ONE),
        /// Segments whose throughputs count.
        samples: u64 = default("20", "5") as Kind::Integer { min: 1, max: 1000 },
    }
}

/// Adaptation by rate of one player.
#[derive(Debug)]
pub struct RateBased {
    plan: RateBasedPlan,
    /// Throughputs of the last segments, bits per second.
    throughputs: VecDeque<f64>,
}

impl RateBased {
    /// Makes a rule that knows no throughput yet.
    pub const fn new(plan: RateBasedPlan) -> Self {
        Self { plan, throughputs: VecDeque::new() }
    }

    /// Harmonic mean; zero without a segment.
    fn mean(&self) -> f64 {
        let inverses: f64 = self.throughputs.iter().map(|rate| 1.0 / rate).sum();
        if inverses > 0.0 { self.throughputs.len() as f64 / inverses } else { 0.0 }
    }
}

impl AdaptationRule for RateBased {
    fn choose(&mut self, facts: &Facts<'_>) -> usize {
        highest_within(facts.ladder, self.plan.safety * self.mean())
    }

    fn on_segment(&mut self, bits_per_second: f64) {
        self.throughputs.push_back(bits_per_second);
        if self.throughputs.len() as u64 > self.plan.samples {
            self.throughputs.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Throughputs of 1, 4 and 4 have a harmonic mean of 2; when the first is forgotten it is 4.
    #[test]
    fn the_rate_follows_the_harmonic_mean() {
        let ladder = [1.0, 1.9, 2.1, 3.9, 8.0];
        let facts = Facts { ladder: &ladder, previous: None, filled: 0.0 };
        let mut rule = RateBased::new(RateBasedPlan { safety: 1.0, samples: 3 });
        assert_eq!(rule.choose(&facts), 0);
        for rate in [1.0, 4.0, 4.0] {
            rule.on_segment(rate);
        }
        assert_eq!(rule.choose(&facts), 1);
        rule.on_segment(4.0);
        assert_eq!(rule.choose(&facts), 3);
    }
}
