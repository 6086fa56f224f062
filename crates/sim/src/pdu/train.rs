//! Cells that travel one behind the other.

use super::Cell;
use crate::units::{Span, Time};

/// Cells of one VC with the same head, at equal gaps; a single cell is a train of one. The last
/// cell of a frame, whose head has the frame, is in no train with those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Train {
    /// The first one.
    pub first: Cell,
    /// From one to the next.
    pub gap: Span,
    /// How many they are.
    pub count: u32,
}

impl Train {
    /// When one of them comes, the first being number nought.
    #[inline]
    pub fn at(&self, number: u32) -> Time {
        self.first.at + self.gap * i64::from(number)
    }

    /// When the last one comes.
    #[inline]
    pub fn last(&self) -> Time {
        self.at(self.count - 1)
    }

    /// How many come before `limit`.
    #[inline]
    pub fn before(&self, limit: Time) -> u32 {
        if self.last() < limit {
            return self.count;
        }
        if limit <= self.first.at {
            return 0;
        }
        // The last one does not come before it, so there are several and the gap is not nothing.
        let (span, gap) = ((limit - self.first.at).picoseconds(), self.gap.picoseconds());
        (span as u64).div_ceil(gap as u64) as u32
    }

    /// The first `count` of them, which are then no longer in it.
    #[inline]
    #[must_use]
    pub fn split(&mut self, count: u32) -> Self {
        let front = Self { count, ..*self };
        self.first.at = self.at(count);
        self.count -= count;
        front
    }

    /// The same, so much later.
    #[inline]
    #[must_use]
    pub fn later(self, by: Span) -> Self {
        Self { first: Cell { at: self.first.at + by, ..self.first }, ..self }
    }

    /// Its cells, in order.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        (0..self.count).map(move |number| Cell { at: self.at(number), ..self.first })
    }

    /// When they have left a line that is free at `free_at` and takes `cell_time` for each, first
    /// in, first out: a train of those that leave back to back, and one of the others, which find
    /// the line free. Either may be of none.
    ///
    /// With gaps g ≤ T all leave back to back. With g > T the wait of each is shorter by g − T than
    /// that of the one before it, until there is none.
    #[inline]
    pub fn through(mut self, free_at: Time, cell_time: Span) -> (Self, Self) {
        let wait = free_at - self.first.at;
        let relief = (self.gap - cell_time).picoseconds();
        let queued = if relief <= 0 {
            self.count
        } else {
            let until_free = (wait.max(Span::ZERO).picoseconds() as u64).div_ceil(relief as u64);
            until_free.min(u64::from(self.count)) as u32
        };
        let mut front = self.split(queued);
        front.first.at = front.first.at.max(free_at) + cell_time;
        front.gap = cell_time;
        (front, self.later(cell_time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdu::CellHead;

    fn train(at: i64, gap: i64, count: u32) -> Train {
        let first = Cell { at: Time::from_picoseconds(at), head: CellHead::body(3, 8) };
        Train { first, gap: Span::from_picoseconds(gap), count }
    }

    fn instants(train: Train) -> Vec<i64> {
        train.cells().map(|cell| cell.at.picoseconds()).collect()
    }

    #[test]
    fn it_splits_where_its_cells_come() {
        for (limit, count) in [(4, 0), (5, 0), (6, 1), (12, 1), (13, 2), (19, 2), (20, 3), (99, 3)]
        {
            let mut rest = train(5, 7, 3);
            assert_eq!(rest.before(Time::from_picoseconds(limit)), count, "before {limit}");
            let front = rest.split(count);
            assert_eq!([instants(front), instants(rest)].concat(), [5, 12, 19]);
        }
    }

    /// Cell by cell: each begins when it is there and the line is free.
    #[test]
    fn a_line_makes_of_it_what_it_makes_of_its_cells() {
        for (gap, free_at, count) in (0..15)
            .flat_map(|gap| (0..120).map(move |free_at| (gap, free_at)))
            .flat_map(|(gap, free_at)| [1, 2, 9].map(|count| (gap, free_at, count)))
        {
            let (at, cell_time) = (20, 6);
            let mut free = free_at;
            let expected: Vec<i64> = instants(train(at, gap, count))
                .into_iter()
                .map(|ready| {
                    free = ready.max(free) + cell_time;
                    free
                })
                .collect();
            let (front, rest) = train(at, gap, count)
                .through(Time::from_picoseconds(free_at), Span::from_picoseconds(cell_time));
            assert_eq!([instants(front), instants(rest)].concat(), expected, "{gap} {free_at}");
        }
    }
}
