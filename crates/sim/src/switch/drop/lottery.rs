//! The lottery of RED: between two thresholds a frame is dropped with a probability that grows with
//! the mean queue.
//!
//! `pb = max_p (avg - min) / (max - min)`, and pa = pb / (1 - count pb) with `count` frames
//! admitted since the last drop, which spreads drops evenly (Floyd, Jacobson 1993, section 7; their
//! pseudo-code counts the arriving frame too, with which the gaps are one shorter than the text
//! derives). Below `min` nothing goes, from `max` on everything.

use crate::engine::Stream;

/// Thresholds, probability, and the count since the last drop.
#[derive(Clone, Copy, Debug)]
pub struct Lottery {
    min_threshold: f64,
    max_threshold: f64,
    max_probability: f64,
    /// And since the mean queue was last below the lower threshold.
    admitted_since_drop: u64,
}

impl Lottery {
    /// Nothing admitted yet.
    pub fn new(min_threshold: u64, max_threshold: u64, max_probability: f64) -> Self {
        Self {
            min_threshold: min_threshold as f64,
            max_threshold: max_threshold as f64,
            max_probability,
            admitted_since_drop: 0,
        }
    }

    /// Where it begins.
    pub fn min_threshold(&self) -> f64 {
        self.min_threshold
    }

    /// Where it ends.
    pub fn max_threshold(&self) -> f64 {
        self.max_threshold
    }

    /// Whether a frame that finds this mean queue comes in; `is_spared` ones are counted and do not
    /// take part.
    pub fn admits(&mut self, average: f64, is_spared: bool, stream: &mut Stream) -> bool {
        if average < self.min_threshold {
            self.admitted_since_drop = 0;
            return true;
        }
        let count = self.admitted_since_drop;
        let is_admitted = average < self.max_threshold
            && (is_spared || stream.unit() >= self.probability(average, count));
        self.admitted_since_drop = if is_admitted { count + 1 } else { 0 };
        is_admitted
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

    /// With the count, the gap between drops is uniform on 1 to 1/pb (Floyd, Jacobson 1993, section
    /// 7): its mean is half of that.
    #[test]
    fn gaps_between_drops_are_uniform() {
        let mut lottery = Lottery::new(0, 100, 0.1);
        let mut stream = Stream::new(1, "lottery");
        let drops: Vec<usize> =
            (0..100_000).filter(|_| !lottery.admits(50.0, false, &mut stream)).collect();
        let gaps: Vec<usize> = drops.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let mean = gaps.iter().sum::<usize>() as f64 / gaps.len() as f64;
        assert!(gaps.iter().all(|&gap| (1..=20).contains(&gap)));
        assert!((mean - 10.5).abs() < 0.2, "{mean}");
    }

    #[test]
    fn below_the_thresholds_nothing_and_above_them_everything() {
        let mut stream = Stream::new(1, "lottery");
        let mut lottery = Lottery::new(10, 20, 0.1);
        assert!((0..1000).all(|_| lottery.admits(9.9, false, &mut stream)));
        assert!((0..1000).all(|_| !lottery.admits(20.0, false, &mut stream)));
    }
}
