//! Trains of several inputs that meet at one output.
//!
//! Cells go to the output in order of their arrival, those of one instant by input. They are handed
//! over in groups whose end the port can compute: cells of one train that come before any of
//! another, or *rounds* of trains of equal gap, each of which gives one cell to every round.

mod mixed;

use std::collections::BinaryHeap;

use super::policer::Policer;
use super::ports::Ports;
use crate::engine::Io;
use crate::pdu::{Cell, Train};
use crate::units::Time;
use mixed::{FEW, HeapEntry};

/// A train whose first cells may have been handed over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begun {
    /// Cells of it that are left.
    pub(super) train: Train,
    /// Slot of its VC at the port.
    pub(super) slot: u32,
    /// Input at which it arrives.
    pub(super) input: u32,
    /// Number of the train in order of arrival: cells that links without order bring at one instant
    /// keep this order.
    number: u64,
}

impl Begun {
    /// Makes a train that has arrived.
    pub(super) fn new(train: Train, slot: u32, input: u32, number: u64) -> Self {
        Self { train, slot, input, number }
    }

    #[inline]
    pub(super) fn key(&self) -> (Time, u32, u64) {
        (self.train.first.at, self.input, self.number)
    }
}

/// Ports of a switch, and its policer.
pub(super) struct Outputs<'a> {
    pub(super) ports: &'a mut Ports,
    pub(super) policer: Option<&'a mut Policer>,
}

impl Outputs<'_> {
    /// Passes on a train of the VC at `slot` to the port at `index`, where it arrives before any
    /// other cell.
    #[inline]
    pub(super) fn on_train(&mut self, index: usize, train: Train, slot: u32, io: &mut Io) {
        let ports = &mut *self.ports;
        match &mut self.policer {
            // A single cell needs none of the computations for a train.
            None if train.count == 1 => ports.on_arrival(index, train.first, slot, io),
            None => ports.on_train(index, train, slot, io),
            Some(policer) => {
                policer.pass(train, io, |passed, io| ports.on_train(index, passed, slot, io));
            }
        }
    }

    /// Passes on cells one by one.
    #[inline]
    fn on_cells(&mut self, index: usize, cells: impl Iterator<Item = (Cell, u32)>, io: &mut Io) {
        if self.policer.is_none() {
            return self.ports.on_cells(index, cells, io);
        }
        cells.for_each(|(cell, slot)| self.on_train(index, Train::alone(cell), slot, io));
    }

    /// Passes on rounds of cells. True if the port serves them as rounds.
    #[inline]
    fn on_rounds(&mut self, index: usize, of: &mut [Begun], most: u32, io: &mut Io) -> bool {
        self.policer.is_none() && self.ports.on_rounds(index, of, most, io)
    }
}

/// Trains that arrive for one output.
#[derive(Debug)]
pub(super) struct Merger {
    /// Trains in the order of their next cells.
    in_order: Vec<Begun>,
    /// All trains instead, if they are many of unlike gaps: they are merged cell by cell.
    heap: BinaryHeap<HeapEntry>,
    /// True if all trains since the merger was last empty have one gap, so that they make rounds.
    are_even: bool,
    /// True if no cell arrives before one that was sent earlier: cells need not wait for others.
    is_in_order: bool,
}

impl Merger {
    /// Makes an empty merger.
    pub(super) fn new(is_in_order: bool) -> Self {
        Self { in_order: Vec::new(), heap: BinaryHeap::new(), are_even: true, is_in_order }
    }

    /// True if no cell arrives before one that was sent earlier.
    #[inline]
    pub(super) fn is_in_order(&self) -> bool {
        self.is_in_order
    }

    /// Arrival of the next cell.
    #[inline]
    pub(super) fn next(&self) -> Time {
        self.front().map_or(Time::MAX, |begun| begun.train.first.at)
    }

    /// Train of the next cell.
    #[inline]
    pub(super) fn front(&self) -> Option<&Begun> {
        self.in_order.first().or_else(|| self.heap.peek().map(|next| &next.0))
    }

    /// Trains that are here, whose cells are still on their way.
    pub(super) fn begun(&self) -> impl Iterator<Item = &Begun> {
        self.in_order.iter().chain(self.heap.iter().map(|one| &one.0))
    }

    /// Adds a train that begins after all others have begun.
    #[inline]
    pub(super) fn push(&mut self, begun: Begun) {
        self.are_even = match self.in_order.first() {
            Some(other) => self.are_even && other.train.gap == begun.train.gap,
            None => self.heap.is_empty(),
        };
        if !self.are_even && (self.in_order.len() >= FEW || !self.heap.is_empty()) {
            return self.push_to_heap(begun);
        }
        // The others have given all cells that come before it, so that it is mostly the next.
        let before = self.in_order.iter().take_while(|other| other.key() < begun.key()).count();
        self.in_order.insert(before, begun);
    }

    /// Lengthens a train that is here by one of raw cells. True if it did. Trains that have given
    /// all their cells are not here.
    #[inline]
    pub(super) fn extend(&mut self, begun: &Begun) -> bool {
        let mut next = self.in_order.iter_mut().take(FEW);
        next.any(|other| other.slot == begun.slot && other.train.join(&begun.train))
    }

    /// Hands over every cell that comes before `limit` to the port at `index`.
    pub(super) fn run(&mut self, limit: Time, index: usize, to: &mut Outputs<'_>, io: &mut Io) {
        while self.next() < limit {
            let alone = self.alone(limit);
            if alone > 1 || (self.are_even && !self.serve_rounds(limit, index, to, io)) {
                self.hand_over(alone, index, to, io);
            } else if !self.are_even {
                self.hand_over_mixed(limit, usize::MAX, index, to, io);
            }
        }
    }

    /// Number of cells of the first train that come before `limit` and before any other, at least
    /// one.
    #[inline]
    fn alone(&self, limit: Time) -> u32 {
        let Some(front) = self.in_order.first() else { return 1 };
        let until = self.in_order.get(1).map_or(limit, |second| {
            let is_first = u32::from(front.input < second.input);
            let at = second.train.first.at.picoseconds() + i64::from(is_first);
            limit.min(Time::from_picoseconds(at))
        });
        front.train.before(until).max(1)
    }

    /// Hands over `count` cells of the first train in order to the port at `index`.
    #[expect(clippy::inline_always, reason = "every train at a switch; it has two callers")]
    #[inline(always)]
    fn hand_over(&mut self, count: u32, index: usize, to: &mut Outputs<'_>, io: &mut Io) {
        let front = &mut self.in_order[0];
        let (train, slot) = (front.train.split(count), front.slot);
        self.settle();
        to.on_train(index, train, slot, io);
    }

    /// Moves the first train, which has given cells, to its place in the order.
    #[inline]
    fn settle(&mut self) {
        let begun = self.in_order[0];
        if begun.train.count == 0 {
            self.in_order.remove(0);
            return;
        }
        let mut place = 0;
        while self.in_order.get(place + 1).is_some_and(|other| other.key() < begun.key()) {
            self.in_order[place] = self.in_order[place + 1];
            place += 1;
        }
        self.in_order[place] = begun;
    }

    /// Hands over rounds of cells that come before `limit`, or one cell by cell where the port
    /// serves none. True if there were any.
    fn serve_rounds(
        &mut self,
        limit: Time,
        index: usize,
        to: &mut Outputs<'_>,
        io: &mut Io,
    ) -> bool {
        let Some((count, most)) = self.rounds(limit) else { return false };
        let round = &mut self.in_order[..count];
        if !to.on_rounds(index, round, most, io) {
            for begun in round {
                let cell = begun.train.split(1);
                to.on_train(index, cell, begun.slot, io);
            }
        }
        let others = self.in_order.len() - count;
        self.in_order.retain(|begun| begun.train.count > 0);
        let given = self.in_order.len() - others;
        // They mostly go behind all others, in the same order.
        self.in_order.rotate_left(given);
        if given > 0 && others > 0 && self.in_order[others - 1].key() > self.in_order[others].key()
        {
            self.in_order.sort_by_key(Begun::key);
        }
        true
    }

    /// Number of trains, from the first on, that give a cell to each round, and the maximum number
    /// of rounds; `None` unless there are several trains.
    fn rounds(&self, limit: Time) -> Option<(usize, u32)> {
        let front = &self.in_order[0].train;
        let next_round = front.first.at + front.gap;
        let end = next_round.min(limit);
        let count = self.in_order.iter().take_while(|begun| begun.train.first.at < end).count();
        let (round, others) = self.in_order.split_at(count);
        if count < 2 {
            return None;
        }
        if end < next_round {
            return Some((count, 1));
        }
        let limit = others.first().map_or(limit, |next| limit.min(next.train.first.at));
        let most = round[count - 1].train.before(limit);
        Some((count, round.iter().map(|begun| begun.train.count).fold(most, u32::min)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdu::{Cell, CellHead};
    use crate::units::Span;

    /// Cells of a source at the slot with the number of its VC.
    fn cells(vc: u32, at: i64, gap: i64, count: u32) -> Begun {
        let first = Cell { at: Time::from_picoseconds(at), head: CellHead::raw(vc) };
        Begun::new(Train::new(first, Span::from_picoseconds(gap), count), vc, 0, at as u64)
    }

    #[test]
    fn only_cells_of_the_same_source_at_its_gap_make_a_train_longer() {
        let mut merger = Merger::new(false);
        merger.push(cells(1, 10, 30, 3));
        merger.push(cells(2, 15, 30, 3));
        for (next, is_longer) in [
            (cells(2, 100, 30, 2), false),
            (cells(1, 101, 30, 2), false),
            (cells(1, 100, 31, 2), false),
            (cells(3, 105, 30, 2), false),
            (cells(1, 100, 30, 2), true),
            (cells(2, 105, 30, 1), true),
        ] {
            assert_eq!(merger.extend(&next), is_longer, "{next:?}");
        }
        assert_eq!(merger.begun().map(|begun| begun.train.count).collect::<Vec<_>>(), [5, 4]);
        assert_eq!(merger.next(), Time::from_picoseconds(10));
    }
}
