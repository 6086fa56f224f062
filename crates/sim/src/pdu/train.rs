//! Trains: cells that travel one behind the other.

use std::num::NonZeroU32;

use super::{Cell, CellHead, ContentId};
use crate::units::{Span, Time};

/// Cells of one VC at equal gaps and with the same head; a single cell is a train of one. The last
/// cell of the frame, which carries the frame, may follow them: so a frame may be one train.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Train {
    /// The first cell.
    pub first: Cell,
    /// Time from one cell to the next.
    pub gap: Span,
    /// Number of cells.
    pub count: u32,
    /// The frame, if the last of several cells is the last of its frame.
    end: Option<End>,
}

/// A [`ContentId`] whose `Option` takes no more memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct End(NonZeroU32);

impl End {
    /// Stores the next number, which is not zero; `None` never occurs, since there are fewer
    /// contents than numbers.
    #[inline]
    fn of(content: u32) -> Option<Self> {
        NonZeroU32::new(content.wrapping_add(1)).map(Self)
    }

    #[inline]
    fn content(self) -> ContentId {
        ContentId(self.0.get() - 1)
    }
}

impl Train {
    /// Makes a train of equal cells.
    pub fn new(first: Cell, gap: Span, count: u32) -> Self {
        Self { first, gap, count, end: None }
    }

    /// One cell.
    #[inline]
    pub fn alone(cell: Cell) -> Self {
        Self { first: cell, gap: Span::ZERO, count: 1, end: None }
    }

    /// The cells of a whole frame, which are ready at `at`; `end` is the last of them.
    pub fn frame(at: Time, body: CellHead, count: u32, end: CellHead) -> Self {
        if count == 1 {
            return Self::alone(Cell { at, head: end });
        }
        debug_assert_eq!(
            body.ending(ContentId(end.tag())),
            end,
            "one VC, and the same indications"
        );
        let end = End::of(end.tag());
        Self { first: Cell { at, head: body }, gap: Span::ZERO, count, end }
    }

    /// Arrival of cell `number`, counted from 0.
    #[inline]
    pub fn at(&self, number: u32) -> Time {
        self.first.at + self.gap * i64::from(number)
    }

    /// Arrival of the last cell.
    #[inline]
    pub fn last(&self) -> Time {
        self.at(self.count - 1)
    }

    /// Number of cells that arrive before `limit`.
    #[inline]
    pub fn before(&self, limit: Time) -> u32 {
        if self.last() < limit {
            return self.count;
        }
        if limit <= self.first.at {
            return 0;
        }
        // The first cell comes before the limit and the last one does not, so the gap is not zero.
        let (span, gap) = ((limit - self.first.at).picoseconds(), self.gap.picoseconds());
        (span as u64).div_ceil(gap as u64) as u32
    }

    /// Removes the first `count` cells and returns them.
    #[inline]
    #[must_use]
    pub fn split(&mut self, count: u32) -> Self {
        let mut front = Self { count, end: None, ..*self };
        if count == self.count {
            front.end = self.end.take();
        }
        self.first.at = self.at(count);
        self.count -= count;
        self.settle();
        front
    }

    /// Moves the frame of a train of one cell into the head of the cell.
    #[inline]
    fn settle(&mut self) {
        if let Some(end) = self.end
            && self.count == 1
        {
            self.first.head = self.first.head.ending(end.content());
            self.end = None;
        }
    }

    /// Removes the last cell of the frame, if it is one of several cells.
    #[inline]
    pub fn take_end(&mut self) -> Option<Cell> {
        let end = self.end.take()?;
        let cell = Cell { at: self.last(), head: self.first.head.ending(end.content()) };
        self.count -= 1;
        Some(cell)
    }

    /// Frame of the last cell, if that ends a frame.
    pub fn end(&self) -> Option<ContentId> {
        let alone = self.first.head;
        let is_end = self.end.is_none() && alone.is_end_of_frame();
        self.end.map(End::content).or_else(|| is_end.then(|| ContentId(alone.tag())))
    }

    /// Arrival of its last cell if that ends a frame, or of the first if they are RM cells.
    pub fn next_end(&self) -> Option<Time> {
        match self.end() {
            Some(_) => Some(self.last()),
            None => self.first.head.is_rm().then_some(self.first.at),
        }
    }

    /// Appends `next` if together they are one train. True if it did.
    #[expect(clippy::inline_always, reason = "every train on every link")]
    #[inline(always)]
    pub fn join(&mut self, next: &Self) -> bool {
        // A single cell without a frame comes from a source of unequal gaps.
        if self.end.is_some() || (self.count == 1 && self.first.head.is_raw()) {
            return false;
        }
        let gap = if self.count == 1 { next.first.at - self.first.at } else { self.gap };
        let is_next = self.last() + gap == next.first.at;
        if !is_next || (next.count > 1 && next.gap != gap) {
            return false;
        }
        debug_assert!(gap > Span::ZERO, "one line sends one cell at a time");
        let (body, other) = (self.first.head, next.first.head);
        if other == body {
            self.end = next.end;
        } else if body.is_body() && body.ending(ContentId(other.tag())) == other {
            self.end = End::of(other.tag());
        } else {
            return false;
        }
        let Some(count) = self.count.checked_add(next.count) else { return false };
        (self.gap, self.count) = (gap, count);
        true
    }

    /// Delays all cells by `by`.
    #[inline]
    #[must_use]
    pub fn later(self, by: Span) -> Self {
        Self { first: Cell { at: self.first.at + by, ..self.first }, ..self }
    }

    /// Cells of the train, in order.
    pub fn cells(mut self) -> impl Iterator<Item = Cell> {
        let end = self.take_end();
        let body = (0..self.count).map(move |number| Cell { at: self.at(number), ..self.first });
        body.chain(end)
    }

    /// Sends the train over a FIFO line that is free at `free_at` and takes `cell_time` per cell.
    /// Returns the cells that leave back to back, then the others, which find the line free. Either
    /// train may be empty.
    ///
    /// With gaps g ≤ T all leave back to back. With g > T each cell waits g − T less than the one
    /// before it, until the wait is zero.
    #[inline]
    pub fn through(mut self, free_at: Time, cell_time: Span) -> (Self, Self) {
        let wait = free_at - self.first.at;
        let gain = (self.gap - cell_time).picoseconds();
        if gain <= 0 {
            return (self.back_to_back(free_at, cell_time), Self { count: 0, end: None, ..self });
        }
        let until_free = (wait.max(Span::ZERO).picoseconds() as u64).div_ceil(gain as u64);
        let queued = until_free.min(u64::from(self.count)) as u32;
        let front = self.split(queued).back_to_back(free_at, cell_time);
        (front, self.later(cell_time))
    }

    /// Sends the train over such a line, if the gap is at most `cell_time`: all cells leave back to
    /// back.
    #[inline]
    #[must_use]
    pub fn back_to_back(self, free_at: Time, cell_time: Span) -> Self {
        let first = Cell { at: self.first.at.max(free_at) + cell_time, ..self.first };
        Self { first, gap: cell_time, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdu::CellHead;

    fn train(at: i64, gap: i64, count: u32) -> Train {
        let first = Cell { at: Time::from_picoseconds(at), head: CellHead::body(3, 8) };
        Train::new(first, Span::from_picoseconds(gap), count)
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

    fn frame(at: i64, gap: i64, count: u32) -> Train {
        let at = Time::from_picoseconds(at);
        let frame = Train::frame(at, CellHead::body(3, 8), count, CellHead::end_of_frame(3, 70));
        Train { gap: Span::from_picoseconds(gap), ..frame }
    }

    /// Cut at any place, the cells are the same, and the last one has the frame.
    #[test]
    fn a_frame_that_is_cut_and_joined_again_is_the_same() {
        let whole = frame(5, 7, 4);
        let cells: Vec<Cell> = whole.cells().collect();
        assert_eq!(cells.iter().filter(|cell| cell.head.is_end_of_frame()).count(), 1);
        assert_eq!(cells[3].head, CellHead::end_of_frame(3, 70));
        for cut in 1..4 {
            let mut rest = whole;
            let mut front = rest.split(cut);
            assert_eq!((front.end(), rest.end()), (None, Some(ContentId(70))));
            let both: Vec<Cell> = front.cells().chain(rest.cells()).collect();
            assert_eq!(both, cells, "cut behind {cut}");
            assert!(front.join(&rest), "cut behind {cut}");
            assert_eq!(front, whole);
        }
    }

    #[test]
    fn only_what_comes_next_at_the_same_gap_joins() {
        let whole = train(5, 7, 3);
        for (next, joins) in [
            (train(26, 7, 2), true),
            (train(26, 7, 1), true),
            (train(26, 8, 2), false),
            (train(27, 7, 2), false),
            (frame(26, 7, 2), true),
            (frame(26, 7, 1), true),
        ] {
            assert_eq!({ whole }.join(&next), joins, "{next:?}");
        }
        let other = Cell { at: Time::from_picoseconds(26), head: CellHead::body(3, 9) };
        assert!(!{ whole }.join(&Train::alone(other)), "another frame");
        assert!(!{ frame(5, 7, 3) }.join(&train(26, 7, 2)), "behind the end of a frame");
        assert!({ train(5, 0, 1) }.join(&train(26, 21, 2)), "one cell has no gap of its own");
    }

    /// Cell by cell: each begins when it has arrived and the line is free.
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
