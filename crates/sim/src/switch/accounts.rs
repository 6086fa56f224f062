//! Number of cells of each VC in a queue. It is kept only where it is read, since every cell costs
//! time.

use crate::result::{PortVcCounters, Recorder, Series};
use crate::units::Time;

/// Occupancies by slot.
#[derive(Clone, Debug, Default)]
pub struct Accounts {
    /// Occupancy of each VC; empty where none is kept.
    vcs: Vec<Occupancy>,
    active: u64,
    /// Recorders of the VCs that pass the queue; empty where no series is wanted.
    recorders: Vec<Option<Recorder>>,
    /// True if the summary has them: accounts for a series alone do not appear there.
    are_told: bool,
}

/// Cells of one VC in the queue, now and so far.
#[derive(Clone, Copy, Debug, Default)]
struct Occupancy {
    cells: u64,
    /// Maximum since the measurement began.
    max: u64,
    /// Picoseconds in the buffer, summed over its cells.
    sojourn: i128,
}

impl Accounts {
    /// Makes accounts of `vcs` virtual circuits.
    pub fn kept(vcs: usize) -> Self {
        Self { vcs: vec![Occupancy::default(); vcs], are_told: true, ..Self::default() }
    }

    /// Makes accounts for the summary, or for series by slot alone; empty ones if neither is
    /// wanted.
    pub(super) fn of_queue(vcs: usize, are_told: bool, recorders: Vec<Option<Recorder>>) -> Self {
        let are_kept = are_told || !recorders.is_empty();
        Self { recorders, are_told, ..Self::kept(if are_kept { vcs } else { 0 }) }
    }

    /// True if accounts are kept.
    #[inline]
    pub fn are_kept(&self) -> bool {
        !self.vcs.is_empty()
    }

    /// Cells of the VC at `slot`.
    #[inline]
    pub fn of(&self, slot: u32) -> u64 {
        self.vcs[slot as usize].cells
    }

    /// VCs with at least one cell.
    #[inline]
    pub fn active(&self) -> u64 {
        self.active
    }

    /// A cell of the VC at `slot` joins the queue.
    #[inline]
    pub fn admit(&mut self, slot: u32) {
        self.admit_all(slot, 1);
    }

    /// Cells of the VC at `slot`, at least one, join the queue.
    #[inline]
    pub(super) fn admit_all(&mut self, slot: u32, count: u64) {
        let cells = &mut self.vcs[slot as usize].cells;
        self.active += u64::from(*cells == 0);
        *cells += count;
    }

    /// True if so many more cells of the VC at `slot` are not more than there were at once.
    #[inline]
    pub(super) fn are_within_max(&self, slot: u32, more: u64) -> bool {
        let Occupancy { cells, max, .. } = self.vcs[slot as usize];
        cells + more <= max
    }

    /// Notes that there were as many cells of the VC at `slot`.
    #[inline]
    pub(super) fn raise_max(&mut self, slot: u32, cells: u64) {
        let max = &mut self.vcs[slot as usize].max;
        *max = cells.max(*max);
    }

    /// A cell of the VC at `slot` leaves it.
    #[inline]
    pub fn release(&mut self, slot: u32) {
        self.release_all(slot, 1);
    }

    /// Cells of the VC at `slot`, at least one, leave it.
    #[inline]
    pub(super) fn release_all(&mut self, slot: u32, count: u64) {
        let cells = &mut self.vcs[slot as usize].cells;
        *cells -= count;
        self.active -= u64::from(*cells == 0);
    }

    /// Adds the picoseconds that a cell of the VC at `slot` spends in the queue.
    #[inline]
    pub(super) fn add_sojourn(&mut self, slot: u32, picoseconds: i128) {
        self.vcs[slot as usize].sojourn += picoseconds;
    }

    /// Notes the cells of the VC at `slot` from `at` on, when everything at that instant is done.
    #[inline]
    pub(super) fn note(&mut self, slot: u32, at: Time) {
        let Occupancy { cells, ref mut max, .. } = self.vcs[slot as usize];
        *max = cells.max(*max);
        if !self.recorders.is_empty() {
            self.note_change(slot, at, cells);
        }
    }

    #[cold]
    fn note_change(&mut self, slot: u32, at: Time, cells: u64) {
        if let Some(recorder) = &mut self.recorders[slot as usize] {
            recorder.on_change(at, cells as f64);
        }
    }

    /// Instant at which the next grid sample is due.
    pub(super) fn next_sample(&self) -> Time {
        self.recorders.iter().flatten().map(Recorder::due).min().unwrap_or(Time::MAX)
    }

    /// Takes the grid samples that are due at `due`.
    pub(super) fn sample(&mut self, due: Time) {
        for (recorder, Occupancy { cells, .. }) in self.recorders.iter_mut().zip(&self.vcs) {
            if let Some(recorder) = recorder.as_mut().filter(|recorder| recorder.due() <= due) {
                recorder.sample(due, *cells as f64);
            }
        }
    }

    /// Counters of the VC at `slot` for the summary, if it has them, without losses.
    pub(super) fn counters(&self, slot: u32) -> Option<PortVcCounters> {
        let &Occupancy { max, sojourn, .. } =
            self.vcs.get(slot as usize).filter(|_| self.are_told)?;
        Some(PortVcCounters { queue_time: sojourn, max_queue: max, ..PortVcCounters::default() })
    }

    /// Forgets the extremes seen so far.
    pub(super) fn begin_measurement(&mut self) {
        self.vcs.iter_mut().for_each(|vc| vc.max = vc.cells);
    }

    /// The series that were recorded, by slot.
    pub(super) fn take_series(&mut self) -> Vec<Series> {
        std::mem::take(&mut self.recorders).into_iter().flatten().map(Recorder::finish).collect()
    }
}
