//! A FIFO output port of packets, where single packets are not followed: a ring of runs of equal
//! packets has all that later packets need to know of earlier ones.
//!
//! While the line is busy, packets leave it back to back. A *run* is a number of packets of one
//! size that come one after the other in a busy period; a packet of the size of the last one adds
//! nothing to the ring. The packets in the buffer are the last ones that were admitted, so a count
//! of those that have left is enough to know their number. It is brought up to date only where it
//! matters:
//!
//! - With units of at least s, n ≤ ⌈w/s⌉ packets are in the buffer if the last of them leaves it
//!   after w. Where that is less than the longest queue so far, another one finds room and makes no
//!   longer queue.
//! - After a count of n, as many packets as the longest queue has more need no count, either.
//!
//! A packet that finds the line free begins a busy period, and all others have left the buffer.
//! Accounts, policies, distributions and series of changes follow single packets, and lines of
//! varying rates do not send equal packets in equal times: [`FifoPort`](super::FifoPort).

use super::queue::{DropsBySlot, Queue};
use super::ringless::{longest_wait, size_of_buffer};
use crate::engine::{Fifo, Io};
use crate::link::Transmission;
use crate::pdu::{Cell, ContentId};
use crate::result::{Cause, Ledger, QueueRecorder, Series};
use crate::switch::drop::Policy;
use crate::switch::port::{BufferSize, InService, PortPlan, QueuePlan};
use crate::switch::ports::Pool;
use crate::units::{Span, Time};

/// A FIFO output port with a ring of runs.
#[derive(Debug)]
pub struct RunsPort {
    pub(in crate::switch) plan: PortPlan,
    /// Size of the last packet, bytes.
    bytes: u32,
    /// Time of the last packet on the line.
    unit: Span,
    /// Least wait for the line of a packet of that size for which the queue must be counted.
    counted_wait: Span,
    /// Packets admitted so far.
    admitted: u64,
    /// Picoseconds of waiting for the line, summed over all admitted packets.
    waits: i128,
    /// Time for which the line was idle before it became busy the last time.
    idle: Span,
    /// Begin of the busy period, if nothing was counted since; otherwise [`Time::MAX`].
    busy_since: Time,
    /// Packets admitted before it.
    admitted_before: u64,
    /// Runs before the last one.
    earlier: Fifo<Run>,
    /// Packets that have left the buffer, as of the last count.
    released: u64,
    /// Instant at which the next one leaves it, one that comes next included.
    next_release: Time,
    /// Least time on the line of all packets in the buffer, or less.
    least_unit: Span,
    /// Number of admitted packets up to which the queue need not be counted.
    uncounted_until: u64,
    max_queue: u64,
    /// Packets that fit.
    size: u64,
    drops: DropsBySlot,
    queue: Queue,
}

/// Packets of one size back to back.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    /// Time of each on the line.
    unit: Span,
    /// Packets that were admitted up to its last one.
    end: u64,
}

impl RunsPort {
    /// The buffer size, [`u64::MAX`] without a limit; `None` where single packets are followed.
    pub fn size(plan: &PortPlan, queue: &QueuePlan) -> Option<u64> {
        let is_of_packets = matches!(plan.transmitter.transmission(), Transmission::Packets { .. });
        let is_counted = queue.recorder.as_deref().is_some_and(QueueRecorder::needs_passages)
            || matches!(queue.buffer, BufferSize::Shared)
            || queue.has_guaranteed;
        let is_plain = matches!(queue.policy, Policy::Tail(_)) && !is_counted;
        if is_of_packets && is_plain { size_of_buffer(queue) } else { None }
    }

    /// Makes an empty port for so many packets.
    pub fn new(plan: PortPlan, size: u64, queue: QueuePlan) -> Self {
        let instant = Span::from_picoseconds(1);
        let mut port = Self {
            bytes: u32::MAX,
            unit: instant,
            counted_wait: Span::ZERO,
            admitted: 0,
            waits: 0,
            idle: Span::ZERO,
            busy_since: Time::MAX,
            admitted_before: 0,
            earlier: Fifo::default(),
            released: 0,
            next_release: Time::ZERO,
            least_unit: instant,
            uncounted_until: 0,
            max_queue: 0,
            size,
            drops: DropsBySlot::new(&plan),
            queue: Queue::fifo(queue, &plan),
            plan,
        };
        port.note_limits(0, 0);
        port
    }

    /// Number of packets in shared memory, and of their VCs: none.
    pub fn shared(&self) -> (u64, u64) {
        self.queue.shared(0)
    }

    /// Instant at which the next one leaves shared memory.
    #[expect(clippy::unused_self, reason = "ports are asked alike")]
    pub fn next_release(&self) -> Time {
        Time::MAX
    }

    #[inline]
    fn free_at(&self) -> Time {
        self.plan.transmitter.free_at()
    }

    /// Time from the begin of a packet's transmission to leaving the buffer.
    #[inline]
    fn until_release(&self, unit: Span) -> Span {
        unit - self.plan.in_service.after_buffer(unit)
    }

    /// A packet of the VC at `slot` arrives at the queue at `cell.at`.
    #[expect(clippy::inline_always, reason = "the loop over packets of a switch")]
    #[inline(always)]
    pub fn on_arrival(&mut self, cell: Cell, slot: u32, _pool: Option<&Pool>, io: &mut Io) {
        let free_at = self.free_at();
        let start = free_at.max(cell.at);
        let wait = start - cell.at;
        let bytes = io.frames.look(ContentId(cell.head.tag())).bytes;
        if bytes != self.bytes || wait >= self.counted_wait {
            return self.on_other(cell, bytes, slot, io);
        }
        if start > free_at {
            self.begin_busy_period(start);
        }
        self.admit(cell, slot, start, io);
    }

    #[inline]
    fn begin_busy_period(&mut self, start: Time) {
        self.idle += start - self.free_at();
        self.busy_since = start;
        self.admitted_before = self.admitted;
    }

    #[expect(clippy::inline_always, reason = "the loop over packets; it has two callers")]
    #[inline(always)]
    fn admit(&mut self, cell: Cell, slot: u32, start: Time, io: &mut Io) {
        self.admitted += 1;
        self.waits += i128::from((start - cell.at).picoseconds());
        self.plan.transmitter.send_until(start + self.unit, cell.head, slot, io);
    }

    /// Takes a packet that begins a run, or for which the queue must perhaps be counted.
    #[inline(never)]
    fn on_other(&mut self, cell: Cell, bytes: u32, slot: u32, io: &mut Io) {
        let free_at = self.free_at();
        let start = free_at.max(cell.at);
        if bytes != self.bytes || self.admitted >= self.uncounted_until {
            let queue = self.release_until(cell.at);
            if queue >= self.size {
                return self.drops.discard(cell, slot, Cause::Overflow, io);
            }
            if bytes != self.bytes {
                self.begin_run(bytes, io);
            }
            let release = start + self.until_release(self.unit);
            if queue == 0 {
                self.next_release = release;
            }
            if release > cell.at {
                self.max_queue = self.max_queue.max(queue + 1);
            }
            self.note_limits(self.admitted + 1, queue + 1);
        }
        if start > free_at {
            self.begin_busy_period(start);
        }
        self.admit(cell, slot, start, io);
    }

    /// Begins a run of packets of another size; those that have left the buffer are released.
    fn begin_run(&mut self, bytes: u32, io: &mut Io) {
        if self.admitted > self.released {
            let run = Run { unit: self.unit, end: self.admitted };
            io.note_memory(self.earlier.push(run));
        }
        (self.bytes, self.unit) = (bytes, self.plan.transmitter.span_of_packet(bytes));
        self.least_unit = self.least_unit.min(self.unit);
    }

    /// Notes up to where no count is needed. With the first `admitted` packets at most `queue` are
    /// in the buffer.
    fn note_limits(&mut self, admitted: u64, queue: u64) {
        self.uncounted_until = admitted + self.max_queue.saturating_sub(queue);
        if self.earlier.is_empty() {
            self.least_unit = self.unit;
        }
        let after_buffer = self.plan.in_service.after_buffer(self.unit);
        let wait = match (self.max_queue, self.plan.in_service) {
            // A packet that finds the line free is not in the buffer. The first is counted.
            (0, InService::NotCounted) => Span::ZERO,
            (queue, _) => longest_wait(queue, self.least_unit, after_buffer),
        };
        self.counted_wait = Span::from_picoseconds(wait.picoseconds().saturating_add(1));
    }

    /// Releases all packets that leave the buffer by `at`. Returns the number that remain.
    pub fn release_until(&mut self, at: Time) -> u64 {
        if self.busy_since < Time::MAX {
            // Packets of other sizes are counted, so all of this busy period are of the last size.
            while self.earlier.pop().is_some() {}
            self.released = self.admitted_before;
            self.next_release = self.busy_since + self.until_release(self.unit);
            self.busy_since = Time::MAX;
        }
        while self.released < self.admitted && self.next_release <= at {
            self.release_of_run(at);
        }
        self.admitted - self.released
    }

    /// Releases packets of the first run that leave the buffer by `at`, at least one.
    fn release_of_run(&mut self, at: Time) {
        let Run { unit, end } = self.first_run();
        let last = self.next_release + unit * (end - self.released - 1) as i64;
        if last > at {
            let due = (at - self.next_release).picoseconds() / unit.picoseconds() + 1;
            self.released += due as u64;
            self.next_release += unit * due;
            return;
        }
        self.released = end;
        self.earlier.pop();
        self.next_release = last + self.between(unit, self.first_run().unit);
    }

    /// The run of the next packet that leaves the buffer.
    fn first_run(&self) -> Run {
        let last = Run { unit: self.unit, end: self.admitted };
        self.earlier.front().copied().unwrap_or(last)
    }

    /// Time from the release of a packet to that of the next one, for their times on the line.
    fn between(&self, unit: Span, next: Span) -> Span {
        match self.plan.in_service {
            InService::Counted => next,
            InService::NotCounted => unit,
        }
    }

    /// Picoseconds that packets remain in the buffer after `at`, the instant of the last count.
    fn left_to_wait(&self, at: Time) -> i128 {
        let last = Run { unit: self.unit, end: self.admitted };
        let (mut sum, mut begin, mut stay) = (0, self.released, self.next_release - at);
        let mut runs = self.earlier.iter().copied().chain([last]).peekable();
        while let Some(Run { unit, end }) = runs.next() {
            let count = i128::from(end - begin);
            let [first, each] = [stay, unit].map(|span| i128::from(span.picoseconds()));
            sum += count * first + each * (count * (count - 1) / 2);
            if let Some(next) = runs.peek() {
                stay += unit * (end - begin - 1) as i64 + self.between(unit, next.unit);
            }
            begin = end;
        }
        sum
    }

    /// Reports the counters at `at`.
    ///
    /// Packets are counted when they are admitted, so their times after `at` are subtracted again.
    pub fn report(&mut self, at: Time, ledger: &mut Ledger) {
        let waiting = self.release_until(at);
        let still_busy = (self.free_at() - at).max(Span::ZERO);
        let sent_by_free = i128::from((self.free_at() - Time::ZERO - self.idle).picoseconds());
        let (unsent, in_service) = match self.plan.in_service {
            InService::Counted => (waiting, sent_by_free),
            InService::NotCounted => (waiting + u64::from(!still_busy.is_zero()), 0),
        };
        let port = &mut ledger.ports[self.plan.index];
        port.sent = self.admitted - unsent;
        port.queue_time = self.waits + in_service - self.left_to_wait(at);
        port.busy_time = sent_by_free - i128::from(still_busy.picoseconds());
        port.max_queue = self.max_queue;
        self.drops.report(ledger);
        self.plan.transmitter.report(at, ledger);
    }

    /// Instant at which the next grid sample is due.
    pub fn next_sample(&self) -> Time {
        self.queue.next_sample()
    }

    /// Takes the grid sample that is due at `due`, when all packets due by then are released.
    pub fn sample(&mut self, due: Time) {
        self.queue.sample(due, self.admitted - self.released);
    }

    /// The series that was recorded.
    pub fn take_series(&mut self) -> Vec<Series> {
        self.queue.take_series().into_iter().collect()
    }

    /// Forgets the extremes seen so far.
    pub fn begin_measurement(&mut self, at: Time) {
        self.max_queue = self.release_until(at);
        self.note_limits(self.admitted, self.max_queue);
        self.queue.begin_measurement(at, self.free_at());
    }
}

#[cfg(test)]
mod tests;
