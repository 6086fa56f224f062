//! A FIFO output port of equal cells, where single cells are not followed: one instant has all that
//! later cells need to know of earlier ones.
//!
//! Let the line be free at *f* and a cell take T on it. A cell in the buffer at *a* arrived before
//! *a*, so none of them found the line free after *a*: they leave it back to back at f, f − T, f −
//! 2T, … down to the last instant after *a*. With r = f where the cell on the line counts, and r =
//! f − T where it does not, r is when the last of them leaves the buffer, and then
//!
//! - ⌈(r − a)/T⌉ cells are in it at *a*, departures at *a* done, or none if r ≤ a;
//! - another one fits into a buffer of B ≥ 1 if and only if max(r − a, 0) ≤ (B − 1)T;
//! - a cell that stays for *s* is the ⌈s/T⌉-th in the buffer when it comes, so the longest stay is
//!   the largest queue.
//!
//! No ring of departures is kept. Policies that count departures and series of changes follow
//! single cells and need that ring: [`FifoPort`](super::FifoPort). Distributions and series on a
//! grid do not, and accounts of VCs need to know [whose cells](super::held) came last. Packets,
//! whose sizes differ, have a [`RunsPort`](super::RunsPort).
//!
//! Under tail drop the wait for the line alone decides on a cell; another policy is asked.

mod trains;

use super::held::{Held, Line};
use super::queue::{DropsBySlot, Queue};
use crate::engine::Io;
use crate::pdu::{Cell, Train};
use crate::result::{Cause, Ledger, PortVcCounters, QueueRecorder, Series};
use crate::switch::drop::{DropPolicy, Policy, Verdict};
use crate::switch::port::{BufferSize, PortPlan, QueuePlan};
use crate::switch::ports::Pool;
use crate::switch::scheduler::AckFilter;
use crate::units::{Span, Time};

/// A FIFO output port without a ring.
#[derive(Debug)]
pub struct RinglessPort {
    pub(in crate::switch) plan: PortPlan,
    /// T.
    cell_time: Span,
    /// Time from leaving the buffer to having left the line: f − r.
    after_buffer: Span,
    /// Longest wait for the line of a cell that fits.
    longest_wait: Span,
    /// Longest wait at which a cell is admitted without asking the policy: under tail drop in a
    /// buffer of its own the longest wait, otherwise less than any.
    unasked_wait: Span,
    /// Longest wait of all cells of a frame that is admitted without asking the policy; negative if
    /// the policy is asked about each frame.
    frame_wait: Span,
    admitted: u64,
    /// Longest stay of a cell since the measurement began.
    longest_stay: Span,
    /// Picoseconds of waiting for the line, summed over all admitted cells.
    waits: i128,
    /// True if distributions need passages, or accounts of VCs are kept.
    is_followed: bool,
    /// Latest instant that the port was asked about: shared memory counts the cells that were left
    /// then.
    as_of: Time,
    drops: DropsBySlot,
    queue: Queue,
    /// VCs of the cells in the buffer, if accounts are kept.
    held: Option<Box<Held>>,
}

impl RinglessPort {
    /// The time of a cell and the buffer size, [`u64::MAX`] without a limit; `None` where a ring is
    /// needed.
    pub fn measures(plan: &PortPlan, queue: &QueuePlan) -> Option<(Span, u64)> {
        Some((plan.transmitter.transmission().cell_time()?, size_of_buffer(queue)?))
    }

    /// Makes an empty port with the [measures](Self::measures) of its queue.
    pub fn new(plan: PortPlan, (cell_time, size): (Span, u64), queue: QueuePlan) -> Self {
        let after_buffer = plan.in_service.after_buffer(cell_time);
        let longest_wait = |size| longest_wait(size, cell_time, after_buffer);
        let is_plain =
            matches!(queue.policy, Policy::Tail(_)) && !matches!(queue.buffer, BufferSize::Shared);
        let less_than_any = Span::from_picoseconds(i64::MIN);
        let places = match queue.policy.admits_up_to() {
            0 => 0,
            most => most.saturating_add(1).min(size),
        };
        let queue = Queue::fifo(queue, &plan);
        let held = queue.accounts.are_kept().then(Box::default);
        Self {
            cell_time,
            after_buffer,
            longest_wait: longest_wait(size),
            unasked_wait: if is_plain { longest_wait(size) } else { less_than_any },
            frame_wait: longest_wait(places),
            admitted: 0,
            longest_stay: Span::ZERO,
            waits: 0,
            is_followed: held.is_some() || queue.needs_passages(),
            as_of: Time::ZERO,
            drops: DropsBySlot::new(&plan),
            queue,
            held,
            plan,
        }
    }

    #[inline]
    fn policy(&self) -> &Policy {
        &self.queue.plan.policy
    }

    /// True if the wait for the line alone decides on cells.
    #[inline]
    fn is_plain(&self) -> bool {
        self.unasked_wait == self.longest_wait
    }

    /// Number of cells in the buffer at `at`; no cell that arrives at `at` or later may have been
    /// admitted.
    #[inline]
    pub fn occupancy(&self, at: Time) -> u64 {
        self.cells_in(self.left_to_stay(at))
    }

    /// Instant f at which the line is free.
    #[inline]
    fn free_at(&self) -> Time {
        self.plan.transmitter.free_at()
    }

    /// Wait for the line of a cell that arrives at `at`.
    #[inline]
    fn wait(&self, at: Time) -> Span {
        (self.free_at() - at).max(Span::ZERO)
    }

    /// Stay of the last cell in the buffer from `at` on.
    #[inline]
    fn left_to_stay(&self, at: Time) -> Span {
        (self.free_at() - at - self.after_buffer).max(Span::ZERO)
    }

    /// Number of cells that leave the buffer within `stay`.
    fn cells_in(&self, stay: Span) -> u64 {
        (stay.picoseconds() as u64).div_ceil(self.cell_time.picoseconds() as u64)
    }

    /// Number of cells in shared memory, as of the last arrival, and of their VCs, which are not
    /// counted here.
    pub fn shared(&self) -> (u64, u64) {
        self.queue.shared(self.occupancy(self.as_of))
    }

    /// Occupancy of shared memory up to which every arrival is admitted.
    pub fn admits_up_to(&self) -> u64 {
        self.policy().admits_up_to()
    }

    /// Instant at which the next one leaves shared memory, as of the last arrival.
    pub fn next_release(&self) -> Time {
        let last = self.free_at() - self.after_buffer;
        match self.occupancy(self.as_of) {
            0 => Time::MAX,
            cells => last - self.cell_time * (cells - 1) as i64,
        }
    }

    /// Releases all cells that leave the buffer by `at`. Returns the number that remain.
    pub fn release_until(&mut self, at: Time) -> u64 {
        self.as_of = self.as_of.max(at);
        self.occupancy(at)
    }

    /// A cell of the VC at `slot` arrives at the queue at `cell.at`.
    #[expect(clippy::inline_always, reason = "the loop over cells of a switch")]
    #[inline(always)]
    pub fn on_arrival(&mut self, cell: Cell, slot: u32, pool: Option<&Pool>, io: &mut Io) {
        let start = self.free_at().max(cell.at);
        if start - cell.at > self.unasked_wait {
            return self.judge(cell, slot, pool, io);
        }
        self.admit(cell, slot, start, io);
    }

    #[inline(never)]
    fn judge(&mut self, cell: Cell, slot: u32, pool: Option<&Pool>, io: &mut Io) {
        if self.is_plain() {
            return self.drops.discard(cell, slot, Cause::Overflow, io);
        }
        self.as_of = cell.at;
        let has_room = match (self.queue.plan.buffer, pool) {
            (BufferSize::Shared, Some(pool)) => pool.occupancy < pool.size,
            _ => self.wait(cell.at) <= self.longest_wait,
        };
        let verdict = if has_room && self.policy().is_admitting(cell.head, slot) {
            Verdict::Accept
        } else {
            let occupancy = self.count_vcs(cell.at);
            let buffer = self.queue.buffer(slot, occupancy, pool);
            self.queue.judge(cell, slot, buffer, (self.free_at(), 0), pool)
        };
        let head = match verdict {
            Verdict::Accept => cell.head,
            Verdict::Mark => self.queue.mark(cell.head, slot),
            Verdict::Discard(cause) => return self.drops.discard(cell, slot, cause, io),
        };
        self.admit(Cell { head, ..cell }, slot, self.free_at().max(cell.at), io);
    }

    #[expect(clippy::inline_always, reason = "the loop over cells of a switch; it has two callers")]
    #[inline(always)]
    fn admit(&mut self, cell: Cell, slot: u32, start: Time, io: &mut Io) {
        let (wait, end) = (start - cell.at, start + self.cell_time);
        let waits = i128::from(wait.picoseconds());
        if self.is_followed {
            let queued = u32::from(start > cell.at);
            self.follow_train(&Train::alone(cell), (slot, queued, waits), io);
        }
        self.plan.transmitter.send_until(end, cell.head, slot, io);
        self.waits += waits;
        self.note_admitted(1, wait);
    }

    /// Time from the begin of a cell's transmission to leaving the buffer.
    #[inline]
    fn in_service(&self) -> Span {
        self.cell_time - self.after_buffer
    }

    #[inline]
    fn line(&self) -> Line {
        let (free_at, cell_time) = (self.free_at(), self.cell_time);
        Line { free_at, cell_time, in_service: self.in_service() }
    }

    /// Brings the accounts of VCs up to date, if there are any; no cell that arrives at `at` or
    /// later may have been admitted. Returns the number of cells in the buffer.
    fn count_vcs(&mut self, at: Time) -> u64 {
        let occupancy = self.occupancy(at);
        if let Some(held) = &mut self.held {
            held.keep_last(occupancy, &mut self.queue.accounts);
        }
        occupancy
    }

    /// Counters of VCs at `at`, if they are told.
    fn vc_counters(&mut self, at: Time) -> Vec<(u32, PortVcCounters)> {
        self.count_vcs(at);
        let Some(held) = &self.held else { return Vec::new() };
        let last = self.line().last_release();
        let releases = (0..).map(|others| last - self.cell_time * others);
        let stays = held.last_first().zip(releases);
        // The stay of a cell was counted whole when it arrived.
        let stays = stays.map(|(slot, release)| (slot, at - release));
        self.drops.vc_counters(|_| &self.queue, stays)
    }

    /// Counts admitted cells, which wait at most for `longest`.
    #[inline]
    fn note_admitted(&mut self, count: u64, longest: Span) {
        self.admitted += count;
        self.longest_stay = self.longest_stay.max(longest + self.in_service());
    }

    /// Reports the counters at `at`.
    ///
    /// Cells are counted when they are admitted, so their times after `at` are subtracted again: of
    /// the n cells in the buffer the last stays for s more, the one before it for s − T, and so on:
    /// n s − T n(n − 1)/2 together.
    pub fn report(&mut self, at: Time, ledger: &mut Ledger) {
        let stay = self.left_to_stay(at);
        let vcs = self.vc_counters(at);
        let cell_time = i128::from(self.cell_time.picoseconds());
        let cells = i128::from(self.cells_in(stay));
        let still_waiting =
            cells * i128::from(stay.picoseconds()) - cell_time * (cells * (cells - 1) / 2);
        let still_busy = i128::from(self.wait(at).picoseconds());
        let admitted = i128::from(self.admitted);
        let in_service = i128::from(self.in_service().picoseconds());
        let unsent = (still_busy as u64).div_ceil(cell_time as u64);
        let port = &mut ledger.ports[self.plan.index];
        port.sent = self.admitted - unsent;
        port.queue_time = self.waits + admitted * in_service - still_waiting;
        port.busy_time = admitted * cell_time - still_busy;
        port.max_queue = self.cells_in(self.longest_stay);
        port.marked = self.queue.marked();
        port.distributions = self.queue.distributions(at, self.free_at());
        port.vcs = vcs;
        self.drops.report(ledger);
        self.plan.transmitter.report(at, ledger);
    }

    /// Instant at which the next grid sample is due.
    pub fn next_sample(&self) -> Time {
        self.queue.next_sample()
    }

    /// Takes the grid sample that is due at `due`.
    pub fn sample(&mut self, due: Time) {
        self.queue.sample(due, self.occupancy(due));
    }

    /// The series that was recorded.
    pub fn take_series(&mut self) -> Vec<Series> {
        self.queue.take_series().into_iter().collect()
    }

    /// Forgets the extremes seen so far.
    pub fn begin_measurement(&mut self, at: Time) {
        self.longest_stay = self.left_to_stay(at);
        self.count_vcs(at);
        self.queue.begin_measurement(at, self.free_at());
    }
}

/// Number of cells that fit, [`u64::MAX`] without a limit; `None` where single cells are followed.
pub(super) fn size_of_buffer(queue: &QueuePlan) -> Option<u64> {
    // Every field by name: a new field of a queue must be judged here, as it may need the ring.
    let QueuePlan {
        class: _,
        buffer,
        policy,
        scheduler,
        ack_filter,
        recorder,
        has_guaranteed,
        vc_recorders,
    } = queue;
    let is_recorded = recorder.as_deref().is_some_and(QueueRecorder::is_on_change);
    let is_served = scheduler.is_some() || *ack_filter != AckFilter::None;
    let is_followed = is_recorded || !vc_recorders.is_empty() || is_served;
    // Memory is shared by VCs of all ports, whose accounts must be true at each arrival.
    let is_shared_by_vcs =
        matches!(buffer, BufferSize::Shared) && (*has_guaranteed || policy.needs().accounts);
    match buffer {
        _ if is_followed || is_shared_by_vcs || policy.needs().departures => None,
        // The pool knows the space that is left in shared memory.
        BufferSize::Infinite | BufferSize::Shared => Some(u64::MAX),
        BufferSize::PerPort(size) => Some(*size),
        BufferSize::PerVc(_) => None,
    }
}

/// The longest wait for the line of a cell that fits: (B − 1)T + f − r; negative for a buffer of
/// size zero, which no cell fits.
pub(super) fn longest_wait(size: u64, cell_time: Span, after_buffer: Span) -> Span {
    let Some(others) = size.checked_sub(1) else { return Span::from_picoseconds(-1) };
    let others = i64::try_from(others).unwrap_or(i64::MAX);
    let wait =
        cell_time.picoseconds().saturating_mul(others).saturating_add(after_buffer.picoseconds());
    Span::from_picoseconds(wait)
}

#[cfg(test)]
mod tests;
