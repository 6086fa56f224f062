//! VCs of the cells in a FIFO queue of equal cells, which are counted only where their numbers are
//! read.
//!
//! Cells leave the buffer in the order of their arrival, so a queue of n cells has the last n that
//! were admitted. A *run* has cells of one VC that were admitted one after the other; no instants
//! are kept.
//!
//! The longest queue of a VC is needed, too. Cells that find the line free make none. While cells
//! of a train wait, their VC has the most just before a run of it begins to leave, or after the
//! last of them. Within a run, cells that come no faster than cells leave do not add up, and of
//! cells that come faster one follows each that leaves.

use crate::engine::{Fifo, Io};
use crate::pdu::Train;
use crate::switch::accounts::Accounts;
use crate::units::{Span, Time};

/// VCs of admitted cells, in order. Those that have left since the last [count](Self::keep_last)
/// are still in the accounts.
#[derive(Debug, Default)]
pub(super) struct Held {
    runs: Fifo<Run>,
    /// Cells admitted so far.
    admitted: u64,
    /// Cells that have left, as of the last count.
    released: u64,
}

/// Cells of one VC.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    slot: u32,
    /// Cells that were admitted up to its last one.
    end: u64,
}

/// A line that sends equal cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// Instant at which it is free.
    pub(super) free_at: Time,
    pub(super) cell_time: Span,
    /// Time from the begin of a cell's transmission to leaving the buffer.
    pub(super) in_service: Span,
}

impl Line {
    /// Instant at which the last cell leaves the buffer.
    pub(super) fn last_release(&self) -> Time {
        self.free_at - self.cell_time + self.in_service
    }

    /// Number of cells in the buffer at `at`; no cell that arrives at `at` or later may have been
    /// admitted.
    #[inline]
    pub(super) fn occupancy(&self, at: Time) -> u64 {
        let stay = (self.last_release() - at).max(Span::ZERO);
        (stay.picoseconds() as u64).div_ceil(self.cell_time.picoseconds() as u64)
    }

    /// Sends a cell that arrives at `at`. Returns the instant at which it leaves the buffer.
    fn send(&mut self, at: Time) -> Time {
        self.free_at = self.free_at.max(at) + self.cell_time;
        self.last_release()
    }
}

impl Held {
    /// Admits cells of the VC at `slot`, at least one.
    #[inline]
    fn admit(&mut self, slot: u32, count: u64, accounts: &mut Accounts, io: &mut Io) {
        accounts.admit_all(slot, count);
        self.admitted += count;
        let end = self.admitted;
        match self.runs.back_mut().filter(|last| last.slot == slot) {
            Some(last) => last.end = end,
            None => io.note_memory(self.runs.push(Run { slot, end })),
        }
    }

    /// Releases all cells but the last `cells`, which are in the buffer.
    #[inline]
    pub(super) fn keep_last(&mut self, cells: u64, accounts: &mut Accounts) {
        let released = self.admitted - cells;
        while self.released < released {
            let Some(&Run { slot, end }) = self.runs.front() else { return };
            let until = end.min(released);
            accounts.release_all(slot, until - self.released);
            self.released = until;
            if until == end {
                self.runs.skip();
            }
        }
    }

    /// Admits a train of the VC at `slot`, whose first `queued` cells wait for the line, or for the
    /// first of them.
    pub(super) fn admit_train(
        &mut self,
        mut train: Train,
        (slot, queued): (u32, u32),
        line: Line,
        accounts: &mut Accounts,
        io: &mut Io,
    ) {
        if queued > 0 {
            self.admit_queued(&train.split(queued), slot, line, accounts, io);
        }
        let Some(others) = train.count.checked_sub(1) else { return };
        self.keep_last(0, accounts);
        self.admitted += u64::from(others);
        self.released = self.admitted;
        if line.in_service.is_zero() {
            self.admitted += 1;
            self.released += 1;
        } else {
            self.admit(slot, 1, accounts, io);
            accounts.note(slot, train.last());
        }
    }

    fn admit_queued(
        &mut self,
        train: &Train,
        slot: u32,
        line: Line,
        accounts: &mut Accounts,
        io: &mut Io,
    ) {
        let count = u64::from(train.count);
        if !accounts.are_within_max(slot, count) {
            self.keep_last(line.occupancy(train.first.at), accounts);
            if line.free_at.max(train.first.at) + line.in_service <= train.last() {
                let arrivals = (0..train.count).map(|number| (train.at(number), slot));
                return self.admit_each(arrivals, line, accounts, io);
            }
            if !accounts.are_within_max(slot, count) {
                self.note_longest(train, slot, line, accounts);
            }
        }
        self.admit(slot, count, accounts, io);
    }

    /// Notes the longest queue of the VC at `slot` while these cells of it arrive, none of which
    /// leaves the buffer before the last one arrives.
    fn note_longest(&self, train: &Train, slot: u32, line: Line, accounts: &mut Accounts) {
        let (mut begin, mut of_vc) = (self.released, accounts.of(slot));
        let others = (self.admitted - begin) as i64 - 1;
        let mut release = line.last_release() - line.cell_time * others;
        for run in self.runs.iter() {
            if release > train.last() {
                break;
            }
            let cells = (run.end - begin) as i64;
            if run.slot == slot {
                accounts.raise_max(slot, of_vc + u64::from(train.before(release)));
                let due = (train.last() - release).picoseconds() / line.cell_time.picoseconds();
                of_vc -= cells.min(due + 1) as u64;
            }
            release += line.cell_time * cells;
            begin = run.end;
        }
        accounts.raise_max(slot, of_vc + u64::from(train.count));
    }

    /// Admits cells one by one, each with its arrival and the slot of its VC.
    pub(super) fn admit_each(
        &mut self,
        arrivals: impl Iterator<Item = (Time, u32)>,
        mut line: Line,
        accounts: &mut Accounts,
        io: &mut Io,
    ) {
        for (arrival, slot) in arrivals {
            self.keep_last(line.occupancy(arrival), accounts);
            self.admit(slot, 1, accounts, io);
            if line.send(arrival) > arrival {
                accounts.note(slot, arrival);
            }
        }
    }

    /// Slots of the VCs of the cells in the buffer, as of the last count, the last cell first.
    pub(super) fn last_first(&self) -> impl Iterator<Item = u32> {
        let mut end = self.admitted;
        let begins = self.runs.iter().map(|run| run.end).rev().skip(1).chain([self.released]);
        self.runs.iter().rev().zip(begins).flat_map(move |(run, begin)| {
            let cells = end - begin;
            end = begin;
            (0..cells).map(move |_| run.slot)
        })
    }
}
