//! The common part of all queues, whatever their order of service: buffer, drop policy, counters
//! and series of single VCs, and a recorder.

use crate::engine::{Io, Place};
use crate::pdu::{Cell, CellHead};
use crate::result::{Cause, Drops, Ledger, PortDistributions, PortVcCounters, Series};
use crate::switch::accounts::Accounts;
use crate::switch::drop::{Departure, DropPolicy, QueueState, Verdict};
use crate::switch::port::{BufferSize, PortPlan, QueuePlan};
use crate::switch::ports::Pool;
use crate::units::{Span, Time};

/// A queue without the cells in it.
#[derive(Debug)]
pub(super) struct Queue {
    pub(super) plan: QueuePlan,
    pub(super) accounts: Accounts,
    /// True if departures are reported to the policy.
    pub(super) is_watched: bool,
    /// Cells that the policy has marked, by slot; empty unless it may mark.
    marks: Vec<u64>,
    /// True if its marks are brakes.
    brakes: bool,
}

impl Queue {
    /// Makes the queue of a port that `vcs` virtual circuits pass.
    pub(super) fn new(mut plan: QueuePlan, vcs: usize) -> Self {
        let accounts = plan.take_accounts(vcs);
        let needs = plan.policy.needs();
        let marks = vec![0; if needs.marks { vcs } else { 0 }];
        Self { accounts, is_watched: needs.departures, marks, brakes: needs.brakes, plan }
    }

    /// Makes the queue of a port that serves it first in, first out: distributions of equal cells
    /// need no changes then.
    pub(super) fn fifo(mut queue: QueuePlan, plan: &PortPlan) -> Self {
        if let Some(cell_time) = plan.transmitter.transmission().cell_time()
            && let Some(recorder) = &mut queue.recorder
        {
            recorder.expect_fifo(cell_time, plan.in_service.after_buffer(cell_time));
        }
        Self::new(queue, plan.vcs.len())
    }

    /// Marks the head of a cell of the VC at `slot`, and counts the mark.
    #[cold]
    pub(super) fn mark(&mut self, head: CellHead, slot: u32) -> CellHead {
        if let Some(marks) = self.marks.get_mut(slot as usize) {
            *marks += 1;
        }
        if self.brakes { head.with_brake() } else { head.with_efci() }
    }

    /// Cells that the policy has marked, if it may mark.
    pub(super) fn marked(&self) -> Option<u64> {
        (!self.marks.is_empty()).then(|| self.marks.iter().sum())
    }

    /// Number of the `occupancy` cells that are in shared memory, and of their VCs if accounts are
    /// kept.
    #[inline]
    pub(super) fn shared(&self, occupancy: u64) -> (u64, u64) {
        match self.plan.buffer {
            BufferSize::Shared => (occupancy, self.accounts.active()),
            BufferSize::Infinite | BufferSize::PerPort(_) | BufferSize::PerVc(_) => (0, 0),
        }
    }

    /// Occupancy and size of the buffer of a cell of the VC at `slot`, where the queue has
    /// `in_queue` cells.
    #[inline]
    pub(super) fn buffer(&self, slot: u32, in_queue: u64, pool: Option<&Pool>) -> (u64, u64) {
        match self.plan.buffer {
            BufferSize::Infinite => (in_queue, u64::MAX),
            BufferSize::PerPort(size) => (in_queue, size),
            BufferSize::PerVc(size) => (self.accounts.of(slot), size),
            BufferSize::Shared => pool.map_or((in_queue, 0), |pool| (pool.occupancy, pool.size)),
        }
    }

    /// The answer of the policy for an arriving cell, whose buffer is as [`buffer`](Self::buffer)
    /// says; `backlog` is the number of bytes that wait for the line.
    #[expect(clippy::inline_always, reason = "every cell of a served port; it has two callers")]
    #[inline(always)]
    pub(super) fn judge(
        &mut self,
        cell: Cell,
        slot: u32,
        (occupancy, size): (u64, u64),
        (line_free_at, backlog): (Time, u64),
        pool: Option<&Pool>,
    ) -> Verdict {
        let active = match self.plan.buffer {
            BufferSize::Shared => pool.map_or(0, |pool| pool.active),
            BufferSize::Infinite | BufferSize::PerPort(_) | BufferSize::PerVc(_) => {
                self.accounts.active()
            }
        };
        let accounts = &self.accounts;
        let state = QueueState {
            now: cell.at,
            occupancy,
            size,
            slot,
            active,
            line_free_at,
            backlog,
            accounts,
        };
        self.plan.policy.on_arrival(cell.head, &state)
    }

    /// Releases a cell from the buffer, and adds the picoseconds of its stay that are not counted
    /// yet.
    #[expect(clippy::inline_always, reason = "every cell that is followed; it has two callers")]
    #[inline(always)]
    pub(super) fn release(&mut self, departure: Departure, sojourn: i128) {
        let Departure { at, slot, .. } = departure;
        if self.accounts.are_kept() {
            self.accounts.release(slot);
            self.accounts.add_sojourn(slot, sojourn);
            self.accounts.note(slot, at);
        }
        self.depart(departure);
    }

    /// Tells the policy of a departure, if it watches them.
    #[inline]
    pub(super) fn depart(&mut self, departure: Departure) {
        if self.is_watched {
            self.plan.policy.on_departure(departure);
        }
    }

    /// The queue has `occupancy` cells from `at` on.
    #[inline]
    pub(super) fn note_change(&mut self, at: Time, occupancy: u64) {
        if let Some(recorder) = &mut self.plan.recorder {
            recorder.on_change(at, occupancy);
        }
    }

    /// True if distributions need passages.
    pub(super) fn needs_passages(&self) -> bool {
        self.plan.recorder.as_ref().is_some_and(|recorder| recorder.needs_passages())
    }

    /// A unit that comes at `arrival` is known to leave the line at `departure`.
    #[inline]
    pub(super) fn note_passage(&mut self, arrival: Time, departure: Time) {
        if let Some(recorder) = &mut self.plan.recorder {
            recorder.note_passage(arrival, departure);
        }
    }

    /// Distributions that were counted until `at`, with the line free at `free_at`.
    pub(super) fn distributions(
        &mut self,
        at: Time,
        free_at: Time,
    ) -> Option<Box<PortDistributions>> {
        self.plan.recorder.as_mut()?.distributions(at, free_at).map(Box::new)
    }

    /// Forgets the extremes seen so far, with the line free at `free_at`.
    pub(super) fn begin_measurement(&mut self, at: Time, free_at: Time) {
        self.accounts.begin_measurement();
        if let Some(recorder) = &mut self.plan.recorder {
            recorder.begin(at, free_at);
        }
    }

    /// Instant at which the next grid sample is due.
    pub(super) fn next_sample(&self) -> Time {
        let of_all = self.plan.recorder.as_ref().map_or(Time::MAX, |recorder| recorder.due());
        of_all.min(self.accounts.next_sample())
    }

    /// Takes the grid samples that are due at `due`, of `occupancy` cells.
    pub(super) fn sample(&mut self, due: Time, occupancy: u64) {
        if let Some(recorder) = &mut self.plan.recorder {
            recorder.sample(due, occupancy);
        }
        self.accounts.sample(due);
    }

    /// The series of the whole queue.
    pub(super) fn take_series(&mut self) -> Option<Series> {
        self.plan.recorder.take().and_then(|recorder| recorder.finish())
    }
}

/// Counters of the cells that a port discarded.
#[derive(Debug)]
pub(super) struct DropsBySlot {
    /// Index among all ports of the scenario.
    port: usize,
    /// Each VC and its discarded cells, by slot.
    of_vcs: Vec<(u32, Drops)>,
}

impl DropsBySlot {
    /// Makes counters at zero.
    pub(super) fn new(plan: &PortPlan) -> Self {
        let of_vcs = plan.vcs.iter().map(|&vc| (vc, Drops::default())).collect();
        Self { port: plan.index, of_vcs }
    }

    /// Discards a cell of the VC at `slot`.
    #[cold]
    pub(super) fn discard(&mut self, cell: Cell, slot: u32, cause: Cause, io: &mut Io) {
        self.of_vcs[slot as usize].1.count(cause);
        io.discard(cell, Place::Port(self.port as u32));
    }

    /// Reports the counters of the port and of its VCs.
    pub(super) fn report(&self, ledger: &mut Ledger) {
        for (vc, drops) in &self.of_vcs {
            ledger.ports[self.port].drops.add(drops);
            ledger.vcs[*vc as usize].drops.add(drops);
        }
    }

    /// Counters of the VCs whose queue counts them; `stays` are picoseconds in the buffer, by slot,
    /// that the queue has not counted.
    pub(super) fn vc_counters<'a>(
        &self,
        queue_of: impl Fn(usize) -> &'a Queue,
        stays: impl Iterator<Item = (u32, Span)>,
    ) -> Vec<(u32, PortVcCounters)> {
        let mut lacking = vec![0; self.of_vcs.len()];
        for (slot, stay) in stays {
            lacking[slot as usize] += i128::from(stay.picoseconds());
        }
        let counted = self.of_vcs.iter().zip(lacking).enumerate();
        let counted = counted.filter_map(|(slot, (&(vc, drops), lacking))| {
            let queue = queue_of(slot);
            let counters = queue.accounts.counters(slot as u32)?;
            let queue_time = counters.queue_time + lacking;
            let marked = queue.marks.get(slot).copied();
            Some((vc, PortVcCounters { queue_time, drops, marked, ..counters }))
        });
        counted.collect()
    }
}
