//! Consecutive cells on a line, as far as an impairment must know them to decide whether all of
//! them arrive.

use crate::pdu::Train;
use crate::units::{Span, Time};

/// Cells that a line sends with no others in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellRun {
    /// The instant at which the last bit of the first cell is sent.
    pub first: Time,
    /// The instant at which the last bit of the last cell is sent.
    pub last: Time,
    /// Number of cells.
    pub cells: u64,
    /// Number of these cells, without the first, before which the line has time for another cell:
    /// it sends an idle one there.
    pub idle: u64,
    /// Number of these cells that are the last of their frames.
    pub ends: u64,
}

impl CellRun {
    /// Makes a run of one cell.
    pub fn alone(at: Time) -> Self {
        Self { first: at, last: at, cells: 1, idle: 0, ends: 0 }
    }

    /// Makes a run of the cells of a train, on a line that takes so long for each.
    pub fn of(train: &Train, cell_time: Span) -> Self {
        Self::alone(train.first.at)
            .repeated(train.count, train.gap, cell_time)
            .with_ends(train.end().is_some().into())
    }

    /// The same cells, of which so many are the last of their frames.
    #[must_use]
    pub fn with_ends(self, ends: u64) -> Self {
        Self { ends, ..self }
    }

    /// Repeats the run, without ends of frames, so many times, each so much later than the one
    /// before.
    #[must_use]
    pub fn repeated(self, times: u32, later: Span, cell_time: Span) -> Self {
        let again = i64::from(times) - 1;
        let is_apart = self.first + later - self.last >= cell_time * 2;
        Self {
            last: self.last + later * again,
            cells: self.cells * u64::from(times),
            idle: self.idle * u64::from(times) + u64::from(is_apart) * again as u64,
            ..self
        }
    }

    /// Appends a cell.
    #[must_use]
    pub fn and(self, next: Time, cell_time: Span) -> Self {
        let is_apart = next - self.last >= cell_time * 2;
        let (cells, idle) = (self.cells + 1, self.idle + u64::from(is_apart));
        Self { last: next, cells, idle, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdu::{CellHead, ContentId};

    const CELL_TIME: Span = Span::from_picoseconds(10);

    fn one_by_one(instants: &[i64]) -> CellRun {
        let mut instants = instants.iter().map(|&at| Time::from_picoseconds(at));
        let first = CellRun::alone(instants.next().expect("there is a cell"));
        instants.fold(first, |cell_run, next| cell_run.and(next, CELL_TIME))
    }

    #[test]
    fn idle_cells_are_where_there_is_time_for_one() {
        let cell_run = one_by_one(&[10, 20, 39, 59, 100]);
        let (first, last) = (Time::from_picoseconds(10), Time::from_picoseconds(100));
        assert_eq!(cell_run, CellRun { first, last, cells: 5, idle: 2, ends: 0 });
    }

    #[test]
    fn a_frame_has_one_end_and_its_other_cells_none() {
        let body = CellHead::raw(0);
        let mut frame = Train::frame(Time::ZERO, body, 3, body.ending(ContentId(7)));
        assert_eq!(CellRun::of(&frame, CELL_TIME).ends, 1);
        assert_eq!(CellRun::of(&frame.split(2), CELL_TIME).ends, 0);
        assert_eq!(CellRun::of(&frame, CELL_TIME).ends, 1);
    }

    #[test]
    fn rounds_are_their_cells_one_by_one() {
        let back_to_back = [(30, 1), (30, 2), (39, 3), (40, 3), (90, 4)].map(|of| (20, of));
        let apart = [(50, 3), (60, 3)].map(|of| (40, of));
        for (second, (later, times)) in back_to_back.into_iter().chain(apart) {
            let round = [10, second, second + 10];
            let instants = (0..i64::from(times))
                .flat_map(|again| round.map(|at| at + later * again))
                .collect::<Vec<i64>>();
            let repeated =
                one_by_one(&round).repeated(times, Span::from_picoseconds(later), CELL_TIME);
            assert_eq!(repeated, one_by_one(&instants), "{times} times {later}");
        }
    }
}
