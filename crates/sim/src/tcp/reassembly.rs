//! Sequence ranges that arrived ahead of a gap.
//!
//! Ranges are sorted, disjoint and never touch. Arrivals mostly extend the last range and gaps fill from the front,
//! so both ends are cheap; storage is kept between losses.

use std::collections::VecDeque;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    start: u64,
    end: u64,
}

/// The out-of-order part of a receive buffer.
#[derive(Clone, Debug, Default)]
pub(super) struct Reassembly {
    ranges: VecDeque<Range>,
}

impl Reassembly {
    /// Keeps `[start, end)`; false when all of it was already here.
    pub(super) fn insert(&mut self, start: u64, end: u64) -> bool {
        let first = self.ranges.partition_point(|range| range.end < start);
        let beyond = self.ranges.partition_point(|range| range.start <= end);
        if first == beyond {
            self.ranges.insert(first, Range { start, end });
            return true;
        }
        let known: u64 = self.ranges.range(first..beyond).map(|range| range.end - range.start).sum();
        let merged =
            Range { start: start.min(self.ranges[first].start), end: end.max(self.ranges[beyond - 1].end) };
        self.ranges[first] = merged;
        self.ranges.drain(first + 1..beyond);
        merged.end - merged.start > known
    }

    /// All before `next` has arrived: takes what now follows without a gap and answers where the next gap begins.
    pub(super) fn advance(&mut self, mut next: u64) -> u64 {
        while let Some(range) = self.ranges.front().filter(|range| range.start <= next) {
            next = next.max(range.end);
            self.ranges.pop_front();
        }
        next
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(reassembly: &Reassembly) -> Vec<(u64, u64)> {
        reassembly.ranges.iter().map(|range| (range.start, range.end)).collect()
    }

    #[test]
    fn ranges_stay_sorted_and_touching_ones_merge() {
        let mut reassembly = Reassembly::default();
        assert!(reassembly.insert(30, 40));
        assert!(reassembly.insert(10, 20));
        assert_eq!(ranges(&reassembly), [(10, 20), (30, 40)]);
        assert!(reassembly.insert(20, 30));
        assert_eq!(ranges(&reassembly), [(10, 40)]);
    }

    #[test]
    fn one_arrival_may_cover_several_ranges() {
        let mut reassembly = Reassembly::default();
        for start in [10, 30, 50, 90] {
            reassembly.insert(start, start + 5);
        }
        assert!(reassembly.insert(12, 60));
        assert_eq!(ranges(&reassembly), [(10, 60), (90, 95)]);
    }

    #[test]
    fn known_bytes_are_recognised() {
        let mut reassembly = Reassembly::default();
        reassembly.insert(10, 20);
        assert!(!reassembly.insert(10, 20));
        assert!(!reassembly.insert(12, 18));
        assert!(reassembly.insert(18, 21));
    }

    #[test]
    fn a_filled_gap_delivers_up_to_the_next_one() {
        let mut reassembly = Reassembly::default();
        reassembly.insert(10, 20);
        reassembly.insert(30, 40);
        assert_eq!(reassembly.advance(5), 5);
        assert_eq!(reassembly.advance(10), 20);
        assert_eq!(reassembly.advance(35), 40);
        assert!(reassembly.is_empty());
    }
}
