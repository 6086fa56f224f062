//! A FIFO output port of equal cells under tail drop: all that later cells need to know of earlier
//! ones is one instant.
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
//! No ring of departures is kept. What follows single cells (accounts of VCs, policies that count
//! departures, series of changes) needs that ring, as do packets of
//! unequal size: [`FifoPort`](super::FifoPort). Distributions ([`FifoDistributions`]) and series on
//! a grid do not.

use std::iter;

use super::queue::DropsBySlot;
use super::rounds::Rounds;
use crate::engine::Io;
use crate::link::Transmitter;
use crate::pdu::{Cell, Train};
use crate::result::{Cause, FifoDistributions, Ledger, QueueRecorder, Series};
use crate::switch::drop::DropPolicy;
use crate::switch::merger::Begun;
use crate::switch::port::{BufferSize, PortPlan, QueuePlan};
use crate::units::{Span, Time};

/// A FIFO output port without a ring.
#[derive(Debug)]
pub struct TailPort {
    plan: PortPlan,
    /// T.
    cell_time: Span,
    /// From the instant at which a cell leaves the buffer to that at which it has left the line: f
    /// − r.
    after_buffer: Span,
    /// A cell that would wait longer for the line does not fit.
    longest_wait: Span,
    admitted: u64,
    /// Since the measurement began.
    longest_stay: Span,
    /// Picoseconds before the line, summed over all admitted cells.
    waits: i128,
    /// By slot.
    drops: DropsBySlot,
    distributions: Option<Box<FifoDistributions>>,
    /// Of a series on a grid.
    recorder: Option<Box<QueueRecorder>>,
}

impl TailPort {
    /// The time of a cell and the buffer size, [`u64::MAX`] without a limit; `None` where a ring is
    /// needed.
    pub fn measures(plan: &PortPlan, queue: &QueuePlan) -> Option<(Span, u64)> {
        Some((plan.transmitter.transmission().cell_time()?, size_of_buffer(queue)?))
    }

    /// An empty port, and what is recorded of it.
    pub fn new(
        plan: PortPlan,
        cell_time: Span,
        size: u64,
        mut recorder: Option<Box<QueueRecorder>>,
    ) -> Self {
        let after_buffer = plan.in_service.after_buffer(cell_time);
        let counted = recorder.as_mut().and_then(|recorder| recorder.hand_over_distributions());
        let distributions =
            counted.map(|window| FifoDistributions::new(window, cell_time, after_buffer));
        Self {
            cell_time,
            after_buffer,
            longest_wait: longest_wait(size, cell_time, after_buffer),
            admitted: 0,
            longest_stay: Span::ZERO,
            waits: 0,
            drops: DropsBySlot::new(plan.vcs.len()),
            distributions: distributions.map(Box::new),
            recorder,
            plan,
        }
    }

    /// What sends.
    pub fn transmitter(&self) -> &Transmitter {
        &self.plan.transmitter
    }

    /// Its number among all ports of the scenario.
    pub fn index(&self) -> usize {
        self.plan.index
    }

    /// How many cells are in the buffer at `at`; none that comes at `at` or later may have been
    /// admitted.
    #[inline]
    pub fn occupancy(&self, at: Time) -> u64 {
        self.cells_in(self.left_to_stay(at))
    }

    /// f.
    #[inline]
    fn free_at(&self) -> Time {
        self.plan.transmitter.free_at()
    }

    /// How long the last cell in the buffer stays from `at` on.
    #[inline]
    fn left_to_stay(&self, at: Time) -> Span {
        (self.free_at() - at - self.after_buffer).max(Span::ZERO)
    }

    /// How many cells leave the buffer within `stay`.
    fn cells_in(&self, stay: Span) -> u64 {
        (stay.picoseconds() as u64).div_ceil(self.cell_time.picoseconds() as u64)
    }

    /// A cell of the VC at `slot` arrives at the queue at `cell.at`.
    #[expect(clippy::inline_always, reason = "the loop over cells of a switch")]
    #[inline(always)]
    pub fn on_arrival(&mut self, cell: Cell, slot: u32, io: &mut Io) {
        let start = self.free_at().max(cell.at);
        let wait = start - cell.at;
        if wait > self.longest_wait {
            return self.drops.discard(cell, (self.plan.index, slot), Cause::Overflow, io);
        }
        let end = start + self.cell_time;
        self.plan.transmitter.send_until(end, cell.head, slot, io);
        self.admitted += 1;
        self.waits += i128::from(wait.picoseconds());
        self.longest_stay = self.longest_stay.max(end - cell.at - self.after_buffer);
        if let Some(distributions) = &mut self.distributions {
            distributions.note(cell.at, end);
        }
    }

    /// A train of the VC at `slot` arrives; whether all of it is admitted, and otherwise nothing has
    /// happened.
    ///
    /// Each cell waits longer than the one before it by T less the gap, or shorter, down to none
    /// where the line is found free.
    #[inline]
    pub fn on_train(&mut self, train: Train, slot: u32, io: &mut Io) -> bool {
        self.on_train_within(self.longest_wait, train, slot, io)
    }

    /// The same, where none may wait longer.
    #[expect(clippy::inline_always, reason = "every train at a switch; it has two callers")]
    #[inline(always)]
    fn on_train_within(
        &mut self,
        longest_wait: Span,
        train: Train,
        slot: u32,
        io: &mut Io,
    ) -> bool {
        let (wait, growth) = (self.wait(train.first.at), self.cell_time - train.gap);
        let longest = wait + (growth * i64::from(train.count - 1)).max(Span::ZERO);
        if longest > longest_wait {
            return false;
        }
        self.note_admitted(u64::from(train.count), longest);
        self.note_passages(train.count, &iter::once(train));
        if wait.is_zero() && (growth <= Span::ZERO || train.count == 1) {
            self.plan.transmitter.send_train(train.later(self.cell_time), slot, io);
            return true;
        }
        let (queued, others) = train.through(self.free_at(), self.cell_time);
        let count = u64::from(queued.count);
        let growths = count * (count - 1) / 2;
        self.waits += i128::from(queued.count) * i128::from(wait.picoseconds())
            + i128::from(growths) * i128::from(growth.picoseconds());
        self.plan.transmitter.send_train(queued, slot, io);
        if others.count > 0 {
            self.plan.transmitter.send_train(others, slot, io);
        }
        true
    }

    /// How long a cell that comes at `at` waits for the line.
    #[inline]
    fn wait(&self, at: Time) -> Span {
        (self.free_at() - at).max(Span::ZERO)
    }

    /// So many rounds of cells of these trains are admitted, which distributions count one by one.
    #[inline]
    fn note_passages(&mut self, rounds: u32, trains: &(impl Iterator<Item = Train> + Clone)) {
        let Some(distributions) = &mut self.distributions else { return };
        let mut free_at = self.plan.transmitter.free_at();
        for round in 0..rounds {
            for train in trains.clone() {
                let arrival = train.at(round);
                free_at = arrival.max(free_at) + self.cell_time;
                distributions.note(arrival, free_at);
            }
        }
    }

    /// So many are admitted, which wait at most for `longest`.
    #[inline]
    fn note_admitted(&mut self, count: u64, longest: Span) {
        self.admitted += count;
        self.longest_stay = self.longest_stay.max(longest + self.cell_time - self.after_buffer);
    }

    /// At most so many rounds of cells arrive, one of each train after the other; whether some are
    /// admitted, which then are no longer in the trains.
    pub(in crate::switch) fn on_rounds(
        &mut self,
        of: &mut [Begun],
        most: u32,
        io: &mut Io,
    ) -> bool {
        self.on_rounds_within(self.longest_wait, of, most, io)
    }

    /// The same, where none may wait longer.
    #[expect(clippy::inline_always, reason = "rounds of every switch; it has two callers")]
    #[inline(always)]
    fn on_rounds_within(
        &mut self,
        longest_wait: Span,
        of: &mut [Begun],
        most: u32,
        io: &mut Io,
    ) -> bool {
        if !self.plan.transmitter.carries_trains(io) {
            return false;
        }
        let line = (self.free_at(), self.cell_time);
        let Some(rounds) = Rounds::of(of, line, longest_wait, most) else { return false };
        if !self.plan.transmitter.spares(|| rounds.sent(of, line)) {
            return false;
        }
        let cells = u64::from(rounds.count) * of.len() as u64;
        self.waits += rounds.waits();
        self.note_admitted(cells, rounds.longest_wait());
        self.note_passages(rounds.count, &of.iter().map(|begun| begun.train));
        let mut sent = self.free_at();
        for begun in of {
            let mut train = begun.train.split(rounds.count);
            sent = sent.max(train.first.at) + self.cell_time;
            (train.first.at, train.gap) = (sent, rounds.gap);
            self.plan.transmitter.send_spared(train, begun.slot, io);
        }
        true
    }

    /// Reports the counters at `at`.
    ///
    /// Cells are counted when they are admitted, so what they will do after `at` is taken off
    /// again: of the n cells in the buffer the last stays for s more, the one before it for s − T,
    /// and so on: n s − T n(n − 1)/2 together.
    pub fn report(&mut self, at: Time, ledger: &mut Ledger) {
        let stay = self.left_to_stay(at);
        let cell_time = i128::from(self.cell_time.picoseconds());
        let cells = i128::from(self.cells_in(stay));
        let still_waiting =
            cells * i128::from(stay.picoseconds()) - cell_time * (cells * (cells - 1) / 2);
        let still_busy = i128::from((self.free_at() - at).max(Span::ZERO).picoseconds());
        let admitted = i128::from(self.admitted);
        let in_service = cell_time - i128::from(self.after_buffer.picoseconds());
        let unsent = (still_busy as u64).div_ceil(cell_time as u64);
        let port = &mut ledger.ports[self.plan.index];
        port.sent = self.admitted - unsent;
        port.queue_time = self.waits + admitted * in_service - still_waiting;
        port.busy_time = admitted * cell_time - still_busy;
        port.max_queue = self.cells_in(self.longest_stay);
        let free_at = self.plan.transmitter.free_at();
        let distributions = self.distributions.as_mut();
        port.distributions =
            distributions.and_then(|counted| counted.summary(at, free_at)).map(Box::new);
        self.drops.report(self.plan.index, &self.plan.vcs, ledger);
        self.plan.transmitter.report(at, ledger);
    }

    /// When the next grid sample is due.
    pub fn next_sample(&self) -> Time {
        self.recorder.as_ref().map_or(Time::MAX, |recorder| recorder.due())
    }

    /// Takes every grid sample that is due by `at`.
    pub fn sample_through(&mut self, at: Time) {
        while self.next_sample() <= at {
            let due = self.next_sample();
            let occupancy = self.occupancy(due);
            if let Some(recorder) = &mut self.recorder {
                recorder.sample(due, occupancy);
            }
        }
    }

    /// The series that was recorded.
    pub fn take_series(&mut self) -> Vec<Series> {
        self.recorder.take().and_then(|recorder| recorder.finish()).into_iter().collect()
    }

    /// Forgets the extremes seen so far.
    pub fn begin_measurement(&mut self, at: Time) {
        self.longest_stay = self.left_to_stay(at);
        if let Some(distributions) = &mut self.distributions {
            distributions.begin(at, self.plan.transmitter.free_at());
        }
    }
}

/// How many cells fit, [`u64::MAX`] without a limit; `None` where something follows single cells.
fn size_of_buffer(queue: &QueuePlan) -> Option<u64> {
    // Every field by name: whatever is added to a queue must say here whether it needs the ring.
    let QueuePlan { class: _, buffer, policy, scheduler, recorder, has_guaranteed, vc_recorders } =
        queue;
    let is_recorded = recorder.as_deref().is_some_and(QueueRecorder::is_on_change);
    let is_followed =
        *has_guaranteed || is_recorded || !vc_recorders.is_empty() || scheduler.is_some();
    let is_counted = policy.needs_accounts() || policy.watches_departures();
    match buffer {
        _ if is_followed || is_counted => None,
        // Of shared memory others know how much is left.
        BufferSize::Infinite | BufferSize::Shared => Some(u64::MAX),
        BufferSize::PerPort(size) => Some(*size),
        BufferSize::PerVc(_) => None,
    }
}

/// The longest wait for the line of a cell that fits: (B − 1)T + f − r; nothing fits a buffer of
/// none.
fn longest_wait(size: u64, cell_time: Span, after_buffer: Span) -> Span {
    let Some(others) = size.checked_sub(1) else { return Span::from_picoseconds(-1) };
    let others = i64::try_from(others).unwrap_or(i64::MAX);
    let wait =
        cell_time.picoseconds().saturating_mul(others).saturating_add(after_buffer.picoseconds());
    Span::from_picoseconds(wait)
}

mod frames;
#[cfg(test)]
mod tests;

pub(in crate::switch) use frames::FramePort;
