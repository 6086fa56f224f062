//! Several queues of packets in one buffer: a classifier says in which one a packet waits, and a
//! scheduler between them which one is served.
//!
//! Both are types, so that a port of one scheme has no calls through pointers. The drop policy of
//! the buffer is the controller of all queues: it is asked about each packet that is taken out,
//! and told its [queue](crate::switch::Dequeue::queue). A scheme is the file of its policy, which
//! has the classifier, and a name in the list of the schedulers of policies.

use super::Waiting;
use crate::engine::Fifo;
use crate::pdu::CellHead;
use crate::units::Time;

/// Choice of the queue of a packet.
pub(in crate::switch) trait Classify: std::fmt::Debug {
    /// Index of the queue of a packet of the flow at `slot`.
    fn queue_of(&self, head: CellHead, slot: u32) -> usize;
}

/// Choice among `N` queues, at least one of which has packets.
pub(in crate::switch) trait Between<const N: usize>: std::fmt::Debug {
    /// Index of the queue that is served next.
    fn next(&self, firsts: &[Option<First>; N]) -> usize;

    /// Takes note that the first packet of a queue is sent, with the queues as they were before.
    fn on_sent(&mut self, _queue: usize, _firsts: &[Option<First>; N]) {}
}

/// First packet of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::switch) struct First {
    /// Instant at which it joined the queue.
    pub arrival: Time,
    /// Its IP bytes.
    pub bytes: u16,
}

/// Queues of packets that a classifier fills.
#[derive(Debug)]
pub(in crate::switch) struct Classified<C, B, const N: usize> {
    classifier: C,
    between: B,
    queues: [Fifo<Waiting>; N],
    /// Bytes in each.
    bytes: [u64; N],
}

impl<C: Classify, B: Between<N>, const N: usize> Classified<C, B, N> {
    /// Makes empty queues.
    pub(in crate::switch) fn new(classifier: C, between: B) -> Self {
        let queues = std::array::from_fn(|_| Fifo::default());
        Self { classifier, between, queues, bytes: [0; N] }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.queues.iter().all(Fifo::is_empty)
    }

    fn queue_of(&self, waiting: &Waiting) -> usize {
        self.classifier.queue_of(waiting.cell.head, waiting.slot)
    }

    /// Appends a packet. Returns the bytes of memory that were added.
    pub(super) fn push(&mut self, waiting: Waiting) -> usize {
        let index = self.queue_of(&waiting);
        self.bytes[index] += u64::from(waiting.bytes);
        self.queues[index].push(waiting)
    }

    fn firsts(&self) -> [Option<First>; N] {
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
        &self.queues[self.queue_of(waiting)]
    }

    /// Removes the packet with so many others before it in the queue of `waiting`.
    pub(super) fn remove_beside(&mut self, waiting: &Waiting, before: usize) -> Option<Waiting> {
        let index = self.queue_of(waiting);
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
        let index = self.queue_of(waiting);
        (index as u32, self.bytes[index].saturating_sub(u64::from(waiting.bytes)))
    }

    /// Packets that wait, by queue.
    pub(super) fn waiting(&self) -> Vec<Waiting> {
        self.queues.iter().flat_map(Fifo::iter).copied().collect()
    }
}
