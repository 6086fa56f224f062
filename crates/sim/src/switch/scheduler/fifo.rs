//! A FIFO output port whose units are followed one by one: it catches up, it does not schedule.
//!
//! A cell's departure from a FIFO is known when it arrives. It is put on the link at once; a ring
//! of the instants at which cells leave the buffer gives the occupancy that later arrivals find.
//! Departures at an instant come before arrivals at it; the other order would make a buffer seem
//! fuller by one at every tie. Where single cells are not followed, a
//! [`RinglessPort`](super::RinglessPort) needs no ring, and a [`RunsPort`](super::RunsPort) a ring
//! of few packets.

use super::queue::{DropsBySlot, Queue};
use crate::engine::{Fifo, Io};
use crate::pdu::{Cell, Train};
use crate::result::{Ledger, QueueRecorder, Series};
use crate::switch::drop::{Departure, DropPolicy, Verdict};
use crate::switch::port::{InService, PortPlan, QueuePlan};
use crate::switch::ports::Pool;
use crate::units::Time;

/// A FIFO output port with a ring of departures.
#[derive(Debug)]
pub struct FifoPort {
    pub(in crate::switch) plan: PortPlan,
    queue: Queue,
    /// Departures of the units that are in the buffer.
    releases: Fifo<Departure>,
    /// True if single departures are followed, by accounts, policy or recorder: one test a cell for
    /// all three.
    is_followed: bool,
    /// True if single arrivals are followed, for these or for distributions.
    is_observed: bool,
    drops: DropsBySlot,
    admitted: u64,
    max_queue: u64,
    /// Picoseconds in the buffer, summed over all admitted units.
    sojourn: i128,
    /// Picoseconds on the line, summed over all admitted units.
    busy: i128,
}

impl FifoPort {
    /// Makes an empty port.
    pub fn new(plan: PortPlan, queue: QueuePlan) -> Self {
        let queue = Queue::fifo(queue, &plan);
        let recorder = queue.plan.recorder.as_deref();
        let needs_changes = recorder.is_some_and(QueueRecorder::needs_changes);
        let is_followed = queue.accounts.are_kept() || queue.is_watched || needs_changes;
        Self {
            releases: Fifo::default(),
            is_followed,
            is_observed: is_followed || queue.needs_passages(),
            drops: DropsBySlot::new(&plan),
            admitted: 0,
            max_queue: 0,
            sojourn: 0,
            busy: 0,
            plan,
            queue,
        }
    }

    /// Number of units in shared memory, as of the last release or admission, and of their VCs if
    /// accounts are kept.
    #[inline]
    pub fn shared(&self) -> (u64, u64) {
        self.queue.shared(self.releases.len() as u64)
    }

    /// Occupancy of shared memory up to which every arrival is admitted.
    pub fn admits_up_to(&self) -> u64 {
        self.queue.plan.policy.admits_up_to()
    }

    /// Instant at which the next one leaves the buffer.
    #[inline]
    pub fn next_release(&self) -> Time {
        self.releases.front().map_or(Time::MAX, |release| release.at)
    }

    /// Releases all units that leave the buffer by `at`. Returns the number that remain.
    #[inline]
    pub fn release_until(&mut self, at: Time) -> u64 {
        // Only the instant is read, unless departures are followed.
        while self.next_release() <= at {
            if self.is_followed {
                self.note_release();
            } else {
                self.releases.skip();
            }
        }
        self.releases.len() as u64
    }

    #[inline(never)]
    fn note_release(&mut self) {
        let Some(release) = self.releases.pop() else { return };
        self.queue.release(release, 0);
        self.queue.note_change(release.at, self.releases.len() as u64);
    }

    /// A cell or packet of the VC at `slot` arrives at the queue at `cell.at`.
    #[inline(never)]
    pub fn on_arrival(&mut self, cell: Cell, slot: u32, pool: Option<&Pool>, io: &mut Io) {
        let at_port = self.release_until(cell.at);
        let (occupancy, size) = self.queue.buffer(slot, at_port, pool);
        // Inside an admitted frame only the room counts, and under tail drop always.
        let is_admitting = self.queue.plan.policy.is_admitting(cell.head, slot);
        let verdict = if occupancy < size && is_admitting {
            Verdict::Accept
        } else {
            self.judge(cell, slot, (occupancy, size), pool)
        };
        let cell = match verdict {
            Verdict::Accept => cell,
            Verdict::Mark => Cell { head: self.queue.mark(cell.head, slot), ..cell },
            Verdict::Discard(cause) => return self.drops.discard(cell, slot, cause, io),
        };
        self.admit(cell, slot, at_port + 1, io);
    }

    /// A train of the VC at `slot` arrives.
    pub fn on_train(&mut self, train: Train, slot: u32, io: &mut Io) {
        train.cells().for_each(|cell| self.on_arrival(cell, slot, None, io));
    }

    #[inline(never)]
    fn judge(&mut self, cell: Cell, slot: u32, buffer: (u64, u64), pool: Option<&Pool>) -> Verdict {
        let line_free_at = self.plan.transmitter.free_at();
        self.queue.judge(cell, slot, buffer, (line_free_at, 0), pool)
    }

    #[expect(
        clippy::inline_always,
        reason = "the loop over cells of a switch; edges call it too, so it has several callers"
    )]
    #[inline(always)]
    fn admit(&mut self, cell: Cell, slot: u32, occupancy: u64, io: &mut Io) {
        let (start, end) = self.plan.transmitter.send(cell, slot, io);
        let release = if self.plan.in_service == InService::Counted { end } else { start };
        self.busy += i128::from((end - start).picoseconds());
        self.admitted += 1;
        let departure = Departure { at: release, slot, ends_frame: cell.head.is_end_of_frame() };
        if release > cell.at {
            io.note_memory(self.releases.push(departure));
            let sojourn = i128::from((release - cell.at).picoseconds());
            self.max_queue = self.max_queue.max(occupancy);
            self.sojourn += sojourn;
            if self.is_observed {
                self.note_admission(cell.at, slot, occupancy, sojourn);
                self.queue.note_passage(cell.at, end);
            }
        } else if self.is_observed {
            self.queue.depart(departure);
            self.queue.note_passage(cell.at, end);
        }
    }

    #[inline(never)]
    fn note_admission(&mut self, at: Time, slot: u32, occupancy: u64, sojourn: i128) {
        let accounts = &mut self.queue.accounts;
        if accounts.are_kept() {
            accounts.admit(slot);
            accounts.add_sojourn(slot, sojourn);
            accounts.note(slot, at);
        }
        self.queue.note_change(at, occupancy);
    }

    /// Instant at which the next grid sample is due.
    pub fn next_sample(&self) -> Time {
        self.queue.next_sample()
    }

    /// Takes the grid samples that are due at `due`, when all units due by then have left the
    /// buffer.
    pub fn sample(&mut self, due: Time) {
        self.queue.sample(due, self.releases.len() as u64);
    }

    /// Reports the counters at `at`.
    ///
    /// Units are counted when they are admitted, so their times after `at` are subtracted again:
    /// the line is busy from `at` to `free_at` without a gap, and every unit still in the buffer
    /// stays until its release.
    pub fn report(&mut self, at: Time, ledger: &mut Ledger) {
        let waiting = self.release_until(at);
        let still_waiting: i128 =
            self.releases.iter().map(|release| i128::from((release.at - at).picoseconds())).sum();
        let free_at = self.plan.transmitter.free_at();
        let is_sending = free_at > at;
        let unsent = match self.plan.in_service {
            InService::Counted => waiting,
            InService::NotCounted => waiting + u64::from(is_sending),
        };
        let still_busy = if is_sending { i128::from((free_at - at).picoseconds()) } else { 0 };
        let port = &mut ledger.ports[self.plan.index];
        port.sent = self.admitted - unsent;
        port.queue_time = self.sojourn - still_waiting;
        port.busy_time = self.busy - still_busy;
        port.max_queue = self.max_queue;
        port.marked = self.queue.marked();
        port.distributions = self.queue.distributions(at, free_at);
        // The stay of a unit was counted whole when it arrived.
        let stays = self.releases.iter().map(|release| (release.slot, at - release.at));
        port.vcs = self.drops.vc_counters(|_| &self.queue, stays);
        self.drops.report(ledger);
        self.plan.transmitter.report(at, ledger);
    }

    /// Forgets the extremes seen so far.
    pub fn begin_measurement(&mut self, at: Time) {
        self.max_queue = self.release_until(at);
        self.queue.begin_measurement(at, self.plan.transmitter.free_at());
    }

    /// The series that were recorded, of the whole queue first.
    pub fn take_series(&mut self) -> Vec<Series> {
        self.queue.take_series().into_iter().chain(self.queue.accounts.take_series()).collect()
    }
}
