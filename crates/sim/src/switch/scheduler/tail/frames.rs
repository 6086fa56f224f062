//! A FIFO output port of equal cells whose policy judges frames by what waits in the whole queue: a
//! [`TailPort`], and the policy before it.
//!
//! Cells come to the port as trains where the answer for all of them is known: behind the first of
//! a frame that was admitted, and from the first on where none finds more in the buffer than the
//! policy [admits](DropPolicy::admits_up_to) in any case. Others are judged one by one.

use super::super::queue::Queue;
use super::{TailPort, longest_wait};
use crate::engine::Io;
use crate::link::Transmitter;
use crate::pdu::{Cell, Train};
use crate::result::{Ledger, Series};
use crate::switch::drop::{DropPolicy, Policy, Verdict};
use crate::switch::merger::Begun;
use crate::switch::port::{BufferSize, PortPlan, QueuePlan};
use crate::switch::ports::Pool;
use crate::units::{Span, Time};

/// A FIFO output port without a ring, under any policy that follows no single cells.
#[derive(Debug)]
pub struct FramePort {
    port: TailPort,
    queue: Queue,
    /// A frame is admitted whole if none of its cells waits longer for the line; less than nothing
    /// if the policy looks at each frame.
    admitted_wait: Span,
    /// All that has come came by then: memory shared with others counts what was left.
    as_of: Time,
}

impl FramePort {
    /// An empty port, with what its queue [measures](TailPort::measures).
    pub fn new(plan: PortPlan, (cell_time, size): (Span, u64), mut queue: QueuePlan) -> Self {
        let vcs = plan.vcs.len();
        let port = TailPort::new(plan, cell_time, size, queue.recorder.take());
        let admitted = Some(queue.policy.admits_up_to()).filter(|&most| most > 0);
        let places = admitted.map_or(0, |most| most.saturating_add(1));
        let admitted_wait = longest_wait(places, cell_time, port.after_buffer);
        Self { port, queue: Queue::new(queue, vcs), admitted_wait, as_of: Time::ZERO }
    }

    /// What sends.
    pub fn transmitter(&self) -> &Transmitter {
        self.port.transmitter()
    }

    /// Its number among all ports of the scenario.
    pub fn index(&self) -> usize {
        self.port.index()
    }

    /// How many cells are in the buffer at `at`; none that comes at `at` or later may have been
    /// admitted.
    pub fn occupancy(&self, at: Time) -> u64 {
        self.port.occupancy(at)
    }

    #[inline]
    fn policy(&self) -> &Policy {
        &self.queue.plan.policy
    }

    /// How many are in shared memory, as of the last arrival, and of how many VCs, which nothing
    /// here asks for.
    pub fn shared(&self) -> (u64, u64) {
        self.queue.shared(self.occupancy(self.as_of))
    }

    /// Shared memory with no more than this in it admits whatever arrives, however much it is.
    pub fn admits_up_to(&self) -> u64 {
        self.policy().admits_up_to()
    }

    /// When the next one leaves shared memory, as of the last arrival.
    pub fn next_release(&self) -> Time {
        let last = self.port.free_at() - self.port.after_buffer;
        match self.occupancy(self.as_of) {
            0 => Time::MAX,
            cells => last - self.port.cell_time * (cells - 1) as i64,
        }
    }

    /// Lets go of everything that leaves the buffer by `at`; how many remain.
    pub fn release_until(&mut self, at: Time) -> u64 {
        self.as_of = self.as_of.max(at);
        self.occupancy(at)
    }

    /// A cell of the VC at `slot` arrives at the queue at `cell.at`.
    #[inline(never)]
    pub fn on_arrival(&mut self, cell: Cell, slot: u32, pool: Option<&Pool>, io: &mut Io) {
        self.as_of = cell.at;
        let has_room = match (self.queue.plan.buffer, pool) {
            (BufferSize::Shared, Some(pool)) => pool.occupancy < pool.size,
            _ => self.port.wait(cell.at) <= self.port.longest_wait,
        };
        let verdict = if has_room && self.policy().is_admitting(cell.head, slot) {
            Verdict::Accept
        } else {
            let buffer = self.queue.buffer(slot, self.port.occupancy(cell.at), pool);
            self.queue.judge(cell, slot, buffer, (self.port.free_at(), 0), pool)
        };
        let head = match verdict {
            Verdict::Accept => cell.head,
            Verdict::Mark => self.queue.mark(cell.head, slot),
            Verdict::Discard(cause) => {
                let place = (self.index(), slot);
                return self.port.drops.discard(cell, place, cause, io);
            }
        };
        self.port.on_arrival(Cell { head, ..cell }, slot, io);
    }

    /// A train of the VC at `slot` arrives; at shared memory, one in which all that comes finds room.
    #[inline(never)]
    pub fn on_train(&mut self, mut train: Train, slot: u32, pool: Option<&Pool>, io: &mut Io) {
        if self.admits(&train, slot, io) {
            return;
        }
        // It may be the first cell of a frame, which answers for the others.
        self.on_arrival(train.split(1).first, slot, pool, io);
        if train.count > 0 && !self.admits(&train, slot, io) {
            train.cells().for_each(|cell| self.on_arrival(cell, slot, pool, io));
        }
    }

    /// Whether all of a train is admitted, without a look at its cells; otherwise nothing has
    /// happened.
    fn admits(&mut self, train: &Train, slot: u32, io: &mut Io) -> bool {
        let Some(longest_wait) = self.known_wait(train, slot) else { return false };
        let is_admitted = self.port.on_train_within(longest_wait, *train, slot, io);
        if is_admitted {
            self.as_of = train.last();
            self.queue.plan.policy.note_admitted(train.end().is_some(), slot);
        }
        is_admitted
    }

    /// Cells that wait no longer than this, and find room, are admitted; `None` if the policy must
    /// be asked.
    #[inline]
    fn known_wait(&self, train: &Train, slot: u32) -> Option<Span> {
        if self.policy().is_admitting(train.first.head, slot) {
            Some(self.port.longest_wait)
        } else {
            let is_first = self.policy().awaits_first(train.first.head, slot);
            is_first.then_some(self.admitted_wait.min(self.port.longest_wait))
        }
    }

    /// At most so many rounds of cells arrive, one of each train after the other; whether some are
    /// admitted, which then are no longer in the trains.
    pub(in crate::switch) fn on_rounds(
        &mut self,
        of: &mut [Begun],
        most: u32,
        io: &mut Io,
    ) -> bool {
        let (mut longest_wait, mut ends) = (Span::MAX, 0_u64);
        for (place, begun) in of.iter().enumerate() {
            let Some(known) = self.known_wait(&begun.train, begun.slot) else { return false };
            longest_wait = longest_wait.min(known);
            ends |= u64::from(begun.train.end().is_some()) << place;
        }
        if !self.port.on_rounds_within(longest_wait, of, most, io) {
            return false;
        }
        for (place, begun) in of.iter().enumerate() {
            self.as_of = self.as_of.max(begun.train.first.at - begun.train.gap);
            let is_ended = begun.train.count == 0 && ends >> place & 1 != 0;
            self.queue.plan.policy.note_admitted(is_ended, begun.slot);
        }
        true
    }

    /// Reports the counters at `at`.
    pub fn report(&mut self, at: Time, ledger: &mut Ledger) {
        self.port.report(at, ledger);
        ledger.ports[self.index()].marked = self.queue.marked();
    }

    /// When the next grid sample is due.
    pub fn next_sample(&self) -> Time {
        self.port.next_sample()
    }

    /// Takes every grid sample that is due by `at`.
    pub fn sample_through(&mut self, at: Time) {
        self.port.sample_through(at);
    }

    /// The series that was recorded.
    pub fn take_series(&mut self) -> Vec<Series> {
        self.port.take_series()
    }

    /// Forgets the extremes seen so far.
    pub fn begin_measurement(&mut self, at: Time) {
        self.port.begin_measurement(at);
    }
}

#[cfg(test)]
mod tests;
