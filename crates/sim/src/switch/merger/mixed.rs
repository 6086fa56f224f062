//! Trains of unlike gaps, merged cell by cell.
//!
//! A train that has given a cell mostly goes behind most others. A few trains are kept in order and
//! move through memory; a crowd is kept in a heap.

use std::cmp::Ordering;
use std::collections::binary_heap::PeekMut;

use super::{Begun, Merger, Outputs};
use crate::engine::Io;
use crate::pdu::Cell;
use crate::units::Time;

/// Most trains of unlike gaps that are kept in order; more are a crowd.
pub(super) const FEW: usize = 128;

/// Train of a crowd; the next one is the greatest.
#[derive(Debug)]
pub(super) struct HeapEntry(pub(super) Begun);

impl Ord for HeapEntry {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.key().cmp(&self.0.key())
    }
}

impl PartialOrd for HeapEntry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for HeapEntry {
    fn eq(&self, other: &Self) -> bool {
        self.0.key() == other.0.key()
    }
}

impl Eq for HeapEntry {}

impl Merger {
    #[inline(never)]
    pub(super) fn push_to_heap(&mut self, begun: Begun) {
        self.heap.extend(self.in_order.drain(..).map(HeapEntry));
        self.heap.push(HeapEntry(begun));
    }

    /// Hands over cells that come before `limit` one by one to the port at `index`, at most `most`.
    #[inline(never)]
    pub(in crate::switch) fn hand_over_mixed(
        &mut self,
        limit: Time,
        most: usize,
        index: usize,
        to: &mut Outputs<'_>,
        io: &mut Io,
    ) {
        let mut mixed = Mixed { merger: self, given: 0, limit, stays_first: false };
        to.on_cells(index, mixed.by_ref().take(most), io);
        let given = mixed.given;
        self.in_order.drain(..given);
    }

    /// Takes the next cell of a crowd, if it comes before `limit`.
    fn pop_heap(&mut self, limit: Time) -> Option<(Cell, u32)> {
        let mut next = self.heap.peek_mut().filter(|next| next.0.train.first.at < limit)?;
        let (train, slot) = (next.0.train.split(1), next.0.slot);
        if next.0.train.count == 0 {
            PeekMut::pop(next);
            if self.heap.len() <= FEW / 2 {
                self.in_order.extend(self.heap.drain().map(|one| one.0));
                self.in_order.sort_by_key(Begun::key);
            }
        }
        Some((train.first, slot))
    }
}

/// The next cells before `limit`, one by one, as long as each is of another train.
///
/// A train that has given a cell mostly goes behind most others: they move through memory, and the
/// places that they leave behind are cleared at the end.
struct Mixed<'a> {
    merger: &'a mut Merger,
    /// Number of places that have been left behind.
    given: usize,
    limit: Time,
    /// True if the next cell is of the same train as the last one, and may be one of several in a
    /// row.
    stays_first: bool,
}

impl Iterator for Mixed<'_> {
    type Item = (Cell, u32);

    #[inline]
    fn next(&mut self) -> Option<(Cell, u32)> {
        let trains = &mut self.merger.in_order;
        let Some(&(mut begun)) = trains.get(self.given) else {
            return self.merger.pop_heap(self.limit);
        };
        if begun.train.first.at >= self.limit || self.stays_first {
            return None;
        }
        let (cell, slot) = (begun.train.split(1).first, begun.slot);
        self.given += 1;
        if begun.train.count > 0 {
            if self.given >= FEW {
                trains.drain(..self.given);
                self.given = 0;
            }
            let others = &trains[self.given..];
            let before = others.iter().rposition(|other| other.key() < begun.key());
            self.stays_first = before.is_none();
            trains.insert(self.given + before.map_or(0, |before| before + 1), begun);
        }
        Some((cell, slot))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdu::{CellHead, Train};
    use crate::units::Span;

    /// Makes a train for each number, all different; some begin at one instant.
    fn train(number: u32) -> Begun {
        let n = i64::from(number);
        let first = Cell { at: Time::from_picoseconds(n * 13 % 50), head: CellHead::raw(number) };
        let gap = Span::from_picoseconds(7 + n * n % 31);
        Begun::new(Train::new(first, gap, 1 + number * 7 % 40), number, number, n as u64)
    }

    #[test]
    fn cells_of_few_trains_and_of_a_crowd_come_in_the_order_of_their_arrival() {
        for trains in [1, 2, 9, FEW as u32, 3 * FEW as u32] {
            let all = || (0..trains).map(train);
            let cells =
                all().flat_map(|one| one.train.cells().map(move |cell| (cell.at, one.slot)));
            let mut expected: Vec<(Time, u32)> = cells.collect();
            expected.sort_unstable();
            let mut merger = Merger::new(false);
            all().for_each(|begun| merger.push(begun));
            assert_eq!(merger.heap.is_empty(), trains as usize <= FEW);
            let mut given = Vec::new();
            let mut limit = Time::ZERO;
            while merger.next() < Time::MAX {
                limit += Span::from_picoseconds(173);
                while merger.next() < limit {
                    let mut mixed =
                        Mixed { merger: &mut merger, given: 0, limit, stays_first: false };
                    given.extend(mixed.by_ref().map(|(cell, slot)| (cell.at, slot)));
                    let left_behind = mixed.given;
                    merger.in_order.drain(..left_behind);
                }
                assert!(given.iter().all(|(at, _)| *at < limit), "{trains} trains");
            }
            assert_eq!(given, expected, "{trains} trains");
        }
    }

    #[test]
    fn cells_of_one_train_that_come_alone_are_left_to_be_handed_over_together() {
        let at = |at| Time::from_picoseconds(at);
        let begun = |slot, first, gap| {
            let first = Cell { at: at(first), head: CellHead::raw(slot) };
            Begun::new(Train::new(first, Span::from_picoseconds(gap), 9), slot, slot, 0)
        };
        let mut merger = Merger::new(false);
        merger.push(begun(1, 0, 10));
        merger.push(begun(2, 5, 100));
        let mixed = Mixed { merger: &mut merger, given: 0, limit: at(1000), stays_first: false };
        let instants: Vec<i64> = mixed.map(|(cell, _)| cell.at.picoseconds()).collect();
        assert_eq!(instants, [0, 5, 10], "behind which those at 20, 30, … come alone");
    }
}
