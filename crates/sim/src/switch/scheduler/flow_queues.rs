//! The queues of FQ-CoDel and their order (Hoeiland-Joergensen et al.: RFC 8290, 2018, sections 4.1
//! and 4.2).
//!
//! Packets wait in queues by flow. A queue that gets a packet and is in neither list joins the list
//! of new queues with a credit of one quantum. The first new queue is served, without one the first
//! old queue. A queue with its credit used up gets a quantum more and goes to the end of the old
//! ones. An empty new queue goes there too, and an empty old one leaves the lists. Otherwise the
//! first packet of the queue is next, and costs its bytes when it is sent. A discarded packet costs
//! nothing.
//!
//! A buffer that overflows discards from the head of the queue with the most bytes, up to half of
//! them and at most `drop_batch` packets at once, so that the search for the longest queue is rare.
//! Decided here: among queues of equal bytes it is the first. A line that finds no packet to send
//! has gone through both lists; this is done when a packet next begins.

use super::Waiting;
use super::host_shares::HostShares;
use super::keyed::Keyed;
use super::longest::Longest;
use crate::engine::Fifo;
use crate::switch::drop::{FlowHash, OwnQueue};

/// Queues by flow, in two lists.
#[derive(Debug)]
pub(in crate::switch) struct FlowQueues {
    /// Index of the queue of each slot.
    queue_of_slot: Vec<u32>,
    /// Queues of packets with a key.
    keyed: Keyed,
    hash: FlowHash,
    queues: Vec<FlowQueue>,
    new: Fifo<u32>,
    /// The first old queues; others may wait in blocks of `hosts`.
    old: Fifo<u32>,
    /// Packets in all queues.
    waiting: usize,
    quantum: i64,
    /// Most packets that one overflow discards.
    drop_batch: u32,
    longest: Longest,
    /// Busy flows of hosts, if they divide the quantum.
    hosts: Option<Box<HostShares>>,
}

#[derive(Clone, Debug, Default)]
struct FlowQueue {
    packets: Fifo<Waiting>,
    bytes: u64,
    credit: i64,
    list: List,
}

/// List that a queue is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum List {
    #[default]
    None,
    New,
    /// The old ones; it has had no packets there.
    Old,
    /// The old ones; it counts among the busy ones of its hosts.
    Busy,
}

impl FlowQueues {
    /// Makes empty queues for so many `slots`.
    pub(in crate::switch) fn new(
        mut hash: FlowHash,
        slots: u32,
        quantum: u64,
        drop_batch: u32,
    ) -> Self {
        let queue_of_slot: Vec<u32> = (0..slots).map(|slot| hash.queue(slot, 0)).collect();
        Self {
            queue_of_slot,
            keyed: Keyed::default(),
            queues: vec![FlowQueue::default(); hash.queues()],
            hash,
            new: Fifo::default(),
            old: Fifo::default(),
            waiting: 0,
            quantum: quantum as i64,
            drop_batch,
            longest: Longest::default(),
            hosts: None,
        }
    }

    /// Divides the quantum of each queue by the busy ones of its hosts.
    pub(in crate::switch) fn set_hosts(&mut self, mut hosts: HostShares) {
        for (slot, queue) in self.queue_of_slot.iter().enumerate() {
            hosts.join(*queue, slot as u32);
        }
        self.hosts = Some(Box::new(hosts));
    }

    /// Quantum of a queue.
    fn quantum_of(&mut self, index: u32) -> i64 {
        let quantum = self.quantum;
        self.hosts.as_mut().map_or(quantum, |hosts| hosts.part(quantum, index))
    }

    /// Puts a queue among the old ones, of which those with packets are busy.
    fn set_old(&mut self, index: u32) {
        let queue = &mut self.queues[index as usize];
        if queue.list == List::Busy {
            return;
        }
        queue.list = if queue.packets.is_empty() { List::Old } else { List::Busy };
        if let (List::Busy, Some(hosts)) = (queue.list, &mut self.hosts) {
            hosts.begin(index);
        }
    }

    /// Puts a queue at the end of the old ones.
    fn push_old(&mut self, index: u32) {
        match &mut self.hosts {
            Some(hosts) if hosts.has_blocks(self.old.len()) => {
                hosts.push(index, self.queues[index as usize].credit);
            }
            _ => {
                self.old.push(index);
            }
        }
    }

    /// Takes the next old queues out of the blocks in which they wait.
    #[cold]
    fn open_block(&mut self) {
        let Some(hosts) = &mut self.hosts else { return };
        hosts.next_block(self.quantum, |index, credit| {
            self.queues[index as usize].credit = credit;
            self.old.push(index);
        });
    }

    /// Takes a queue out of its list.
    fn unlist(&mut self, index: u32) {
        let list = std::mem::take(&mut self.queues[index as usize].list);
        if let (List::Busy, Some(hosts)) = (list, &mut self.hosts) {
            hosts.end(index);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting == 0
    }

    /// Number of the queue of a flow's packets with this key, as in [`Waiting::keyed`].
    pub(super) fn number_of_key(&mut self, slot: u32, key: u32) -> u16 {
        let number = self.keyed.number(slot, key, || self.hash.queue(slot, key));
        self.queues.resize(self.hash.queues(), FlowQueue::default());
        if let Some(hosts) = &mut self.hosts {
            hosts.join(self.keyed.queue(number), slot);
        }
        number
    }

    /// Index of the queue of a packet.
    fn queue_of(&self, waiting: &Waiting) -> u32 {
        match waiting.keyed {
            0 => self.queue_of_slot[waiting.slot as usize],
            number => self.keyed.queue(number),
        }
    }

    /// Appends a packet. Returns the bytes of memory that were added.
    pub(super) fn push(&mut self, waiting: Waiting) -> usize {
        let index = self.queue_of(&waiting);
        if self.queues[index as usize].list == List::None {
            let quantum = self.quantum_of(index);
            let queue = &mut self.queues[index as usize];
            (queue.list, queue.credit) = (List::New, quantum);
            self.new.push(index);
        }
        let queue = &mut self.queues[index as usize];
        queue.bytes += u64::from(waiting.bytes);
        self.longest.note(index);
        self.waiting += 1;
        let added = queue.packets.push(waiting);
        if queue.list == List::Old {
            self.set_old(index);
        }
        added
    }

    /// Packet that is sent next.
    pub(super) fn first(&mut self) -> Option<Waiting> {
        while self.waiting > 0 {
            let is_new = !self.new.is_empty();
            if !is_new && self.old.is_empty() {
                self.open_block();
            }
            let list = if is_new { &mut self.new } else { &mut self.old };
            let index = *list.front()?;
            let queue = &self.queues[index as usize];
            if queue.credit <= 0 {
                list.skip();
                self.set_old(index);
                let quantum = self.quantum_of(index);
                self.queues[index as usize].credit += quantum;
                self.push_old(index);
            } else if let Some(first) = queue.packets.front() {
                return Some(*first);
            } else {
                list.skip();
                if is_new {
                    self.set_old(index);
                    self.push_old(index);
                } else {
                    self.unlist(index);
                }
            }
        }
        None
    }

    /// Removes the packet that is sent next.
    pub(super) fn pop(&mut self) -> Option<Waiting> {
        self.pop_at_cost(|bytes| bytes)
    }

    /// Removes the packet that is sent next; `cost` is that of so many IP bytes.
    pub(super) fn pop_at_cost(&mut self, cost: impl Fn(u64) -> u64) -> Option<Waiting> {
        let first = self.first()?;
        self.discard_first();
        let index = self.queue_of(&first);
        self.queues[index as usize].credit -= cost(u64::from(first.bytes)) as i64;
        Some(first)
    }

    /// Removes the next packet, which is not sent.
    pub(super) fn discard_first(&mut self) {
        if let Some(first) = self.first() {
            self.take_head(self.queue_of(&first));
        }
    }

    fn take_head(&mut self, index: u32) -> Option<Waiting> {
        let queue = &mut self.queues[index as usize];
        let head = queue.packets.pop()?;
        queue.bytes -= u64::from(head.bytes);
        self.longest.note(index);
        self.waiting -= 1;
        Some(head)
    }

    /// Packets that wait in the queue of a packet.
    pub(super) fn beside(&self, waiting: &Waiting) -> &Fifo<Waiting> {
        &self.queues[self.queue_of(waiting) as usize].packets
    }

    /// Removes the packet with so many others before it in the queue of `waiting`, which is not its
    /// last one.
    pub(super) fn remove_beside(&mut self, waiting: &Waiting, before: usize) -> Option<Waiting> {
        let index = self.queue_of(waiting);
        let queue = &mut self.queues[index as usize];
        let gone = queue.packets.remove(before)?;
        queue.bytes -= u64::from(gone.bytes);
        self.longest.note(index);
        self.waiting -= 1;
        Some(gone)
    }

    /// Takes note of a packet that is sent without waiting.
    pub(super) fn pass(&mut self, waiting: Waiting) {
        self.pass_at_cost(waiting, |bytes| bytes);
    }

    /// Takes note of a packet that is sent without waiting; `cost` is that of so many IP bytes.
    pub(super) fn pass_at_cost(&mut self, waiting: Waiting, cost: impl Fn(u64) -> u64) {
        loop {
            while let Some(index) = self.new.pop().or_else(|| self.old.pop()) {
                self.unlist(index);
            }
            let Some(hosts) = &mut self.hosts else { break };
            if !hosts.pop_block(|index, _| _ = self.old.push(index)) {
                break;
            }
        }
        self.push(waiting);
        self.pop_at_cost(cost);
    }

    /// Queue that a packet would join.
    pub(super) fn own_queue(&self, waiting: &Waiting) -> OwnQueue {
        let index = self.queue_of(waiting);
        let queue = &self.queues[index as usize];
        OwnQueue { queue: index, packets: queue.packets.len() as u64, bytes: queue.bytes }
    }

    /// Index of the queue of a packet, in which it is first or which it joins, and the bytes behind
    /// it there.
    pub(super) fn queue_and_backlog(&self, waiting: &Waiting) -> (u32, u64) {
        let index = self.queue_of(waiting);
        let bytes = self.queues[index as usize].bytes;
        (index, bytes.saturating_sub(u64::from(waiting.bytes)))
    }

    /// Bytes in the longest queue.
    pub(super) fn longest(&mut self) -> u64 {
        self.longest.find(self.queues.len(), |index| self.queues[index].bytes).1
    }

    /// Removes the packets that an overflow discards, in order.
    pub(super) fn drop_from_longest(&mut self) -> Vec<Waiting> {
        let (index, longest) =
            self.longest.find(self.queues.len(), |index| self.queues[index].bytes);
        let (mut dropped, mut bytes) = (Vec::new(), 0);
        while let Some(head) = self.take_head(index) {
            dropped.push(head);
            bytes += u64::from(head.bytes);
            if 2 * bytes >= longest || dropped.len() >= self.drop_batch as usize {
                break;
            }
        }
        dropped
    }

    /// Packets that wait, by queue.
    pub(super) fn waiting(&self) -> Vec<Waiting> {
        self.queues.iter().flat_map(|queue| queue.packets.iter()).copied().collect()
    }
}

#[cfg(test)]
mod tests;
