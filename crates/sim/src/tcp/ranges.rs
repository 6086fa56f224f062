//! Sequence ranges beyond a gap: a receiver's reassembly queue, and a sender's record of it.
//!
//! Ranges are sorted, disjoint and never touch. Arrivals mostly extend the last range and gaps fill
//! from the front, so both ends are cheap; storage is made at the first loss and kept between
//! losses.

use std::collections::VecDeque;

/// Bytes from `start` up to but without `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) start: u64,
    pub(super) end: u64,
    /// Number of the last insertion that touched it.
    latest: u64,
}

impl Range {
    pub(super) fn len(&self) -> u64 {
        self.end - self.start
    }
}

/// A set of sequence numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ranges(Option<Box<List>>);

/// Ranges since the first insertion.
#[derive(Clone, Debug, Default)]
struct List {
    ranges: VecDeque<Range>,
    insertions: u64,
}

impl List {
    fn insert(&mut self, start: u64, end: u64) -> u64 {
        self.insertions += 1;
        let latest = self.insertions;
        let first = self.ranges.partition_point(|range| range.end < start);
        let beyond = self.ranges.partition_point(|range| range.start <= end);
        if first == beyond {
            self.ranges.insert(first, Range { start, end, latest });
            return end - start;
        }
        let known: u64 = self.ranges.range(first..beyond).map(Range::len).sum();
        let (start, end) =
            (start.min(self.ranges[first].start), end.max(self.ranges[beyond - 1].end));
        self.ranges[first] = Range { start, end, latest };
        self.ranges.drain(first + 1..beyond);
        end - start - known
    }

    fn advance(&mut self, mut next: u64) -> u64 {
        while let Some(range) = self.ranges.front().filter(|range| range.start <= next) {
            next = next.max(range.end);
            self.ranges.pop_front();
        }
        next
    }

    fn after(&self, seq: u64) -> impl Iterator<Item = &Range> {
        self.ranges.range(self.ranges.partition_point(|range| range.end <= seq)..)
    }

    fn latest_first(&self) -> impl Iterator<Item = &Range> {
        let mut before = u64::MAX;
        std::iter::from_fn(move || {
            let older = self.ranges.iter().filter(|range| range.latest < before);
            let range = older.max_by_key(|range| range.latest)?;
            before = range.latest;
            Some(range)
        })
    }
}

impl Ranges {
    /// Inserts `[start, end)`; returns the number of its bytes that are new.
    pub(crate) fn insert(&mut self, start: u64, end: u64) -> u64 {
        self.0.get_or_insert_default().insert(start, end)
    }

    /// Removes ranges that continue the bytes before `next` without a gap; returns the beginning of
    /// the next gap.
    #[inline]
    pub(crate) fn advance(&mut self, next: u64) -> u64 {
        self.0.as_mut().map_or(next, |list| list.advance(next))
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.as_ref().is_none_or(|list| list.ranges.is_empty())
    }

    pub(super) fn clear(&mut self) {
        if let Some(list) = &mut self.0 {
            list.ranges.clear();
        }
    }

    /// Ranges in order of sequence numbers.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Range> {
        self.0.iter().flat_map(|list| &list.ranges)
    }

    /// Ranges that end after `seq`, in order.
    #[inline]
    pub(super) fn after(&self, seq: u64) -> impl Iterator<Item = &Range> {
        self.0.iter().flat_map(move |list| list.after(seq))
    }

    /// Ranges in order of the latest insertion, the last one first. Each step looks at all ranges,
    /// which suits the few that an option holds.
    pub(super) fn latest_first(&self) -> impl Iterator<Item = &Range> {
        self.0.iter().flat_map(|list| list.latest_first())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs<'a>(ranges: impl Iterator<Item = &'a Range>) -> Vec<(u64, u64)> {
        ranges.map(|range| (range.start, range.end)).collect()
    }

    #[test]
    fn ranges_stay_sorted_and_touching_ones_merge() {
        let mut ranges = Ranges::default();
        assert_eq!(ranges.insert(30, 40), 10);
        assert_eq!(ranges.insert(10, 20), 10);
        assert_eq!(pairs(ranges.iter()), [(10, 20), (30, 40)]);
        assert_eq!(ranges.insert(20, 30), 10);
        assert_eq!(pairs(ranges.iter()), [(10, 40)]);
    }

    #[test]
    fn one_arrival_may_cover_several_ranges() {
        let mut ranges = Ranges::default();
        for start in [10, 30, 50, 90] {
            ranges.insert(start, start + 5);
        }
        // [12, 60) without 12 to 15, 30 to 35 and 50 to 55.
        assert_eq!(ranges.insert(12, 60), 35);
        assert_eq!(pairs(ranges.iter()), [(10, 60), (90, 95)]);
    }

    #[test]
    fn known_bytes_are_recognised() {
        let mut ranges = Ranges::default();
        ranges.insert(10, 20);
        assert_eq!(ranges.insert(10, 20), 0);
        assert_eq!(ranges.insert(12, 18), 0);
        assert_eq!(ranges.insert(18, 21), 1);
    }

    #[test]
    fn a_filled_gap_delivers_up_to_the_next_one() {
        let mut ranges = Ranges::default();
        ranges.insert(10, 20);
        ranges.insert(30, 40);
        assert_eq!(ranges.advance(5), 5);
        assert_eq!(ranges.advance(10), 20);
        assert_eq!(ranges.advance(35), 40);
        assert!(ranges.is_empty());
    }

    #[test]
    fn a_range_is_as_recent_as_what_touched_it_last() {
        let mut ranges = Ranges::default();
        for start in [10, 30, 50, 70] {
            ranges.insert(start, start + 5);
        }
        assert_eq!(pairs(ranges.latest_first()), [(70, 75), (50, 55), (30, 35), (10, 15)]);
        ranges.insert(30, 35);
        ranges.insert(15, 20);
        assert_eq!(pairs(ranges.latest_first()), [(10, 20), (30, 35), (70, 75), (50, 55)]);
        assert_eq!(pairs(ranges.after(35)), [(50, 55), (70, 75)]);
        assert_eq!(pairs(ranges.after(34)), [(30, 35), (50, 55), (70, 75)]);
    }
}
