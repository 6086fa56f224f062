//! A queue for low latency and a classic one in one buffer: packets with the identifier of L4S wait
//! in the first, and a scheduler between them says which one is served.
//!
//! The drop policy of the buffer is the controller of both queues: it is asked about each packet
//! that is taken out, and told its [queue](crate::switch::Dequeue::queue).

use super::Waiting;
use super::two_queues::{CLASSIC, LOW_LATENCY, TwoQueues};
use crate::engine::Fifo;
use crate::pdu::CellHead;
use crate::units::Time;

/// First packet of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::switch) struct First {
    /// Instant at which it joined the queue.
    pub arrival: Time,
    /// Its IP bytes.
    pub bytes: u16,
}

/// The two queues.
#[derive(Debug)]
pub(in crate::switch) struct L4sQueues {
    between: TwoQueues,
    queues: [Fifo<Waiting>; 2],
    /// Bytes in each.
    bytes: [u64; 2],
}

/// Index of the queue of a packet. The identifier of L4S is ECT(1), and CE, which may have been
/// ECT(1) (RFC 9331 section 5.1).
pub(in crate::switch) fn queue_of(head: CellHead) -> usize {
    let is_marked = head.is_ecn_capable() && head.has_efci();
    if head.is_l4s() || is_marked { LOW_LATENCY } else { CLASSIC }
}

impl L4sQueues {
    /// Makes empty queues.
    pub(in crate::switch) fn new(between: TwoQueues) -> Self {
        Self { between, queues: <[Fifo<Waiting>; 2]>::default(), bytes: [0; 2] }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.queues.iter().all(Fifo::is_empty)
    }

    /// Appends a packet. Returns the bytes of memory that were added.
    pub(super) fn push(&mut self, waiting: Waiting) -> usize {
        let index = queue_of(waiting.cell.head);
        self.bytes[index] += u64::from(waiting.bytes);
        self.queues[index].push(waiting)
    }

    fn firsts(&self) -> [Option<First>; 2] {
        let first = |waiting: &Waiting| First { arrival: waiting.cell.at, bytes: waiting.bytes };
        std::array::from_fn(|index| self.queues[index].front().map(first))
    }

    /// Index of the queue that is served next, if a packet waits.
    fn next(&self) -> Option<usize> {
        (!self.is_empty()).then(|| self.between.next(&self.firsts()))
    }

    /// Packet that is sent next.
    pub(super) fn first(&mut self) -> Option<Waiting> {
        self.queues[self.next()?].front().copied()
    }

    /// Removes the packet that is sent next.
    pub(super) fn pop(&mut self) -> Option<Waiting> {
        let index = self.next()?;
        self.between.on_sent(index, &self.firsts());
        self.take(index)
    }

    /// Removes the next packet, which is not sent: it is no turn of its queue.
    pub(super) fn discard_first(&mut self) {
        if let Some(index) = self.next() {
            self.take(index);
        }
    }

    fn take(&mut self, index: usize) -> Option<Waiting> {
        let first = self.queues[index].pop()?;
        self.bytes[index] -= u64::from(first.bytes);
        Some(first)
    }

    /// Packets that wait in the queue of a packet.
    pub(super) fn beside(&self, waiting: &Waiting) -> &Fifo<Waiting> {
        &self.queues[queue_of(waiting.cell.head)]
    }

    /// Removes the packet with so many others before it in the queue of `waiting`.
    pub(super) fn remove_beside(&mut self, waiting: &Waiting, before: usize) -> Option<Waiting> {
        let index = queue_of(waiting.cell.head);
        let gone = self.queues[index].remove(before)?;
        self.bytes[index] -= u64::from(gone.bytes);
        Some(gone)
    }

    /// Takes note of a packet that is sent without waiting: no queue has another one.
    #[expect(clippy::unused_self, reason = "schedulers have the same methods")]
    pub(super) fn pass(&mut self, _waiting: Waiting) {}

    /// Index of the queue of a packet, in which it is first or which it joins, and the bytes behind
    /// it there.
    pub(super) fn queue_and_backlog(&self, waiting: &Waiting) -> (u32, u64) {
        let index = queue_of(waiting.cell.head);
        (index as u32, self.bytes[index].saturating_sub(u64::from(waiting.bytes)))
    }

    /// Packets that wait, by queue.
    pub(super) fn waiting(&self) -> Vec<Waiting> {
        self.queues.iter().flat_map(Fifo::iter).copied().collect()
    }
}
