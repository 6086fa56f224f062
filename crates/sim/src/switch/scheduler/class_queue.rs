//! Cells of one class at a port that is served, and their counters.

use super::order::Order;
use super::queue::Queue;
use super::{AckFilter, Waiting};
use crate::engine::Io;
use crate::result::ClassCounters;
use crate::switch::drop::{Departure, Dequeue, DropPolicy, Verdict};
use crate::switch::port::QueuePlan;
use crate::units::{Span, Time};

#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a need of its own")]
pub(super) struct ClassQueue {
    pub(super) queue: Queue,
    pub(super) cells: Order,
    /// Cells in the buffer, the one on the line included if that counts.
    pub(super) occupancy: u64,
    /// True if the policy is asked about each cell that is taken out.
    pub(super) is_judged: bool,
    /// True if the policy is told of the queue that an arriving packet would join.
    pub(super) tells_own_queue: bool,
    /// True if the policy or the scheduler needs the bytes of single cells.
    pub(super) is_sized: bool,
    /// Filter of its ACKs.
    pub(super) ack_filter: AckFilter,
    /// True if the policy reads and writes congestion headers.
    pub(super) has_headers: bool,
    /// Time over which the policy is told the rate of the line.
    pub(super) line_over: Option<Span>,
    /// Bytes that wait for the line, if the policy judges dequeues.
    pub(super) backlog: u64,
    pub(super) counters: ClassCounters,
}

impl ClassQueue {
    /// Makes the queue of a port that `vcs` virtual circuits pass.
    pub(super) fn new(mut plan: QueuePlan, vcs: usize) -> Self {
        let cells = Order::new(plan.scheduler.take());
        let needs = plan.policy.needs();
        let is_judged = needs.dequeues;
        Self {
            occupancy: 0,
            is_judged,
            tells_own_queue: needs.own_queue,
            is_sized: is_judged || cells.counts_bytes(),
            ack_filter: plan.ack_filter,
            has_headers: needs.headers,
            line_over: needs.line_over,
            backlog: 0,
            counters: ClassCounters::default(),
            queue: Queue::new(plan, vcs),
            cells,
        }
    }

    /// Tells the policy of the queue that a packet would join.
    pub(super) fn tell_own_queue(&mut self, waiting: &Waiting) {
        if let Some(queues) = self.cells.flow_queues() {
            let own = queues.own_queue(waiting);
            self.queue.plan.policy.on_own_queue(own);
        }
    }

    /// Tells the policy that a packet, and perhaps more of its queue, is discarded by an overflow.
    pub(super) fn note_overflow(&mut self, first: &Waiting, at: Time) {
        if let Some((queue, _)) = self.cells.queue_and_backlog(first) {
            self.queue.plan.policy.on_overflow(at, queue);
        }
    }

    /// Removes the packet with so many others before it in the queue of `waiting`, which is not its
    /// last one.
    pub(super) fn remove(&mut self, waiting: &Waiting, before: usize) -> Option<Waiting> {
        let gone = self.cells.remove_beside(waiting, before)?;
        self.take(&gone);
        let (queue, _) = self.cells.queue_and_backlog(waiting).unwrap_or_default();
        self.queue.plan.policy.on_removal(queue, before);
        Some(gone)
    }

    /// Appends a cell that waits for the line.
    #[expect(clippy::inline_always, reason = "every cell of a served port; few others call it")]
    #[inline(always)]
    pub(super) fn push(&mut self, waiting: Waiting, io: &mut Io) {
        if self.is_judged {
            self.backlog += u64::from(waiting.bytes);
        }
        io.note_memory(self.cells.push(waiting));
    }

    /// Tells a scheduler that goes by the clock that it is `at` now.
    pub(super) fn set_clock(&mut self, at: Time) {
        if let Some(queues) = self.cells.clocked() {
            queues.set_clock(at);
        }
    }

    /// Instant before which a scheduler that goes by the clock lets nothing begin.
    #[inline]
    pub(super) fn gate(&mut self) -> Option<Time> {
        self.cells.clocked().map(|queues| queues.gate())
    }

    /// Counts a waiting cell that is taken out.
    pub(super) fn take(&mut self, waiting: &Waiting) {
        if self.is_judged {
            self.backlog -= u64::from(waiting.bytes);
        }
    }

    /// The answer of the policy for a cell that is taken out at `at` to be sent; the pair has its
    /// bits on the wire and the rate of the line, bit/s, if the policy needs them.
    pub(super) fn judge_dequeue(
        &mut self,
        waiting: &Waiting,
        at: Time,
        (bits, line_rate): (u64, f64),
    ) -> Verdict {
        let of_queue = self.cells.queue_and_backlog(waiting);
        let (queue, backlog) = of_queue.unwrap_or((0, self.backlog));
        let dequeue = Dequeue {
            now: at,
            sojourn: at - waiting.cell.at,
            occupancy: self.occupancy,
            backlog,
            slot: waiting.slot,
            queue,
            bits,
            line_rate,
        };
        self.queue.plan.policy.on_dequeue(waiting.cell.head, &dequeue)
    }

    /// Counts a cell of the VC at `slot` that joins the buffer.
    #[inline]
    pub(super) fn admit(&mut self, slot: u32) {
        self.occupancy += 1;
        if self.queue.accounts.are_kept() {
            self.queue.accounts.admit(slot);
        }
    }

    /// Notes the occupancy of the buffer after an admission.
    #[inline]
    pub(super) fn note_largest(&mut self, slot: u32, at: Time) {
        self.counters.max_queue = self.counters.max_queue.max(self.occupancy);
        if self.queue.accounts.are_kept() {
            self.queue.accounts.note(slot, at);
        }
    }

    /// Counts a cell that leaves the buffer at `at`.
    #[inline]
    pub(super) fn release(&mut self, Waiting { cell, slot, .. }: Waiting, at: Time) {
        self.occupancy -= 1;
        let sojourn = i128::from((at - cell.at).picoseconds());
        self.counters.queue_time += sojourn;
        let ends_frame = cell.head.is_end_of_frame();
        self.queue.release(Departure { at, slot, ends_frame }, sojourn);
    }
}
