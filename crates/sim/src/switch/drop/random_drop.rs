//! The random drop of RED: between two thresholds a frame is discarded with a probability that
//! grows with the mean queue.
//!
//! `pb = max_p (avg - min) / (max - min)`, and pa = pb / (1 - count pb) with `count` frames
//! admitted since the last drop, which spreads drops evenly (Floyd, Jacobson 1993, section 7; their
//! pseudo-code counts the arriving frame too, with which the gaps are one shorter than the text
//! derives). Below `min` nothing is discarded, from `max` on everything.
//!
//! A frame that would be dropped at random may be marked instead, which counts as a drop. From
//! `max` on no frame is marked: a mark does not reduce the load enough there (RFC 3168 §5 and 7;
//! `UseHardDrop` of ns-3).

use super::threshold::Threshold;
use super::{Admission, Ordered, Site};
use crate::engine::Stream;
use crate::language::part::prelude::*;
use crate::pdu::CellHead;

part! {
    /// Thresholds and greatest probability of random drop.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct RandomDropPlan {
        /// Mean queue below which no frame is discarded.
        min_threshold: Threshold = required("0.2"),
        /// Mean queue from which on every frame is discarded.
        max_threshold: Threshold = required("0.6"),
        /// Drop probability of a frame just below `max_threshold`.
        max_probability: f64 = default("0.1", "0.02") as Kind::Number(ABOVE_ZERO_TO_ONE),
    }
}

impl RandomDropPlan {
    /// Thresholds under these keys.
    pub(super) fn thresholds(&self, [min, max]: [&'static str; 2]) -> Ordered {
        vec![(min, self.min_threshold), (max, self.max_threshold)]
    }

    /// Makes the random drop, with nothing admitted yet.
    pub(super) fn build(&self, site: &Site) -> RandomDrop {
        let [min, max] =
            [self.min_threshold, self.max_threshold].map(|threshold| site.units(threshold));
        RandomDrop::new(min, max, self.max_probability)
    }
}

/// State of random drop: thresholds, probability, marking, and the count since the last drop.
#[derive(Clone, Copy, Debug)]
pub struct RandomDrop {
    pub(super) min_threshold: f64,
    pub(super) max_threshold: f64,
    max_probability: f64,
    /// True if it may mark frames.
    pub(super) marks: bool,
    /// Frames admitted since the last drop or the last mean queue below the lower threshold.
    admitted_since_drop: u64,
}

impl RandomDrop {
    /// Makes a state with nothing admitted yet.
    pub fn new(min_threshold: u64, max_threshold: u64, max_probability: f64) -> Self {
        Self {
            min_threshold: min_threshold as f64,
            max_threshold: max_threshold as f64,
            max_probability,
            marks: false,
            admitted_since_drop: 0,
        }
    }

    /// Sets whether it marks ECN-capable frames in place of dropping them at random.
    #[must_use]
    pub fn with_ecn(self, marks: bool) -> Self {
        Self { marks, ..self }
    }

    /// Judges a frame that finds this mean queue. An `is_exempt` frame is counted and not dropped
    /// at random.
    pub fn judge(
        &mut self,
        average: f64,
        is_exempt: bool,
        first: CellHead,
        stream: &mut Stream,
    ) -> Admission {
        if average < self.min_threshold {
            self.admitted_since_drop = 0;
            return Admission::Admit;
        }
        let count = self.admitted_since_drop;
        let is_full = average >= self.max_threshold;
        if !is_full && (is_exempt || stream.unit() >= self.probability(average, count)) {
            self.admitted_since_drop = count + 1;
            return Admission::Admit;
        }
        self.admitted_since_drop = 0;
        let is_marked = self.marks && first.is_ecn_capable() && !is_full;
        if is_marked { Admission::Mark } else { Admission::Refuse }
    }

    fn probability(&self, average: f64, count: u64) -> f64 {
        let filling = (average - self.min_threshold) / (self.max_threshold - self.min_threshold);
        let by_chance = self.max_probability * filling;
        let remaining = 1.0 - count as f64 * by_chance;
        if remaining > 0.0 { by_chance / remaining } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_the_thresholds_nothing_and_above_them_everything() {
        let mut stream = Stream::new(1, "drop");
        let capable = CellHead::end_of_frame(0, 0).with_ecn_capable();
        for marks in [true, false] {
            let mut random_drop = RandomDrop::new(10, 20, 0.1).with_ecn(marks);
            let mut judge = |average| random_drop.judge(average, false, capable, &mut stream);
            assert!((0..1000).all(|_| judge(9.9) == Admission::Admit));
            assert!((0..1000).all(|_| judge(20.0) == Admission::Refuse));
        }
    }
}
