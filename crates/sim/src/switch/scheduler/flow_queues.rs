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
    old: Fifo<u32>,
    /// Packets in all queues.
    waiting: usize,
    quantum: i64,
    /// Most packets that one overflow discards.
    drop_batch: u32,
    /// Busy flows of hosts, if they divide the quantum.
    hosts: Option<Box<HostShares>>,
}

#[derive(Clone, Debug, Default)]
struct FlowQueue {
    packets: Fifo<Waiting>,
    bytes: u64,
    credit: i64,
    /// True if it is in one of the lists.
    is_listed: bool,
    /// True if it is in the list of old ones.
    is_old: bool,
    /// True if it counts among the busy ones of its hosts.
    is_busy: bool,
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

    /// Takes note of a queue that is in the list of old ones.
    #[cold]
    fn note_old(&mut self, index: u32) {
        let (Some(hosts), queue) = (&mut self.hosts, &mut self.queues[index as usize]) else {
            return;
        };
        if !queue.is_busy && !queue.packets.is_empty() {
            queue.is_busy = true;
            hosts.begin(index);
        }
    }

    /// Takes note of a queue that has left the lists.
    #[cold]
    fn note_unlisted(&mut self, index: u32) {
        let queue = &mut self.queues[index as usize];
        queue.is_old = false;
        if let Some(hosts) = &mut self.hosts
            && queue.is_busy
        {
            queue.is_busy = false;
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
        if !self.queues[index as usize].is_listed {
            let quantum = self.quantum_of(index);
            let queue = &mut self.queues[index as usize];
            (queue.is_listed, queue.credit) = (true, quantum);
            self.new.push(index);
        }
        let queue = &mut self.queues[index as usize];
        queue.bytes += u64::from(waiting.bytes);
        self.waiting += 1;
        let added = queue.packets.push(waiting);
        if self.hosts.is_some() && self.queues[index as usize].is_old {
            self.note_old(index);
        }
        added
    }

    /// Packet that is sent next.
    pub(super) fn first(&mut self) -> Option<Waiting> {
        while self.waiting > 0 {
            let is_new = !self.new.is_empty();
            let list = if is_new { &mut self.new } else { &mut self.old };
            let index = *list.front()?;
            let queue = &mut self.queues[index as usize];
            if queue.credit <= 0 {
                list.skip();
                self.old.push(index);
                if self.hosts.is_some() {
                    queue.is_old = true;
                    self.note_old(index);
                }
                let quantum = self.quantum_of(index);
                self.queues[index as usize].credit += quantum;
            } else if let Some(first) = queue.packets.front() {
                return Some(*first);
            } else {
                list.skip();
                queue.is_listed = is_new;
                queue.is_old = is_new;
                if is_new {
                    self.old.push(index);
                } else if self.hosts.is_some() {
                    self.note_unlisted(index);
                }
            }
        }
        None
    }

    /// Removes the packet that is sent next.
    pub(super) fn pop(&mut self) -> Option<Waiting> {
        let first = self.first()?;
        self.discard_first();
        let index = self.queue_of(&first);
        self.queues[index as usize].credit -= i64::from(first.bytes);
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
        self.waiting -= 1;
        Some(head)
    }

    /// Takes note of a packet that is sent without waiting.
    pub(super) fn pass(&mut self, waiting: Waiting) {
        while let Some(index) = self.new.pop().or_else(|| self.old.pop()) {
            self.queues[index as usize].is_listed = false;
            if self.hosts.is_some() {
                self.note_unlisted(index);
            }
        }
        self.push(waiting);
        self.pop();
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
    pub(super) fn longest(&self) -> u64 {
        self.queues.iter().map(|queue| queue.bytes).max().unwrap_or(0)
    }

    /// Removes the packets that an overflow discards, in order.
    pub(super) fn drop_from_longest(&mut self) -> Vec<Waiting> {
        let longest = self.longest();
        let Some(index) = self.queues.iter().position(|queue| queue.bytes == longest) else {
            return Vec::new();
        };
        let (mut dropped, mut bytes) = (Vec::new(), 0);
        while let Some(head) = self.take_head(index as u32) {
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
mod tests {
    use super::*;

    fn packet(slot: u32, bytes: u16) -> Waiting {
        Waiting { slot, bytes, ..Waiting::default() }
    }

    fn queues(flows: u32) -> FlowQueues {
        FlowQueues::new(FlowHash::each(), flows, 1500, 64)
    }

    fn backlog(queues: &mut FlowQueues, packets: usize, packet: Waiting) {
        for _ in 0..packets {
            queues.push(packet);
        }
    }

    fn served(queues: &mut FlowQueues, packets: usize) -> Vec<u32> {
        (0..packets).filter_map(|_| queues.pop()).map(|packet| packet.slot).collect()
    }

    /// Flow 0 has a backlog. Flow 1 comes with small packets: it is new, and sends one quantum
    /// before flow 0 has its turn. Both have used up their credit then: flow 1 is behind flow 0,
    /// and flow 0, which gets its quantum there, behind flow 1; from then on they take turns.
    #[test]
    fn a_new_flow_is_served_first_for_one_quantum() {
        let mut queues = queues(2);
        backlog(&mut queues, 20, packet(0, 1500));
        assert_eq!(served(&mut queues, 3), [0, 0, 0]);
        backlog(&mut queues, 20, packet(1, 500));
        assert_eq!(served(&mut queues, 12), [1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 0, 1]);
    }

    /// A sparse flow waits for one packet on the line at most, every time that it comes: emptied,
    /// it goes to the end of the old ones, and leaves them at its turn there.
    #[test]
    fn a_sparse_flow_is_new_again_after_a_round() {
        let mut queues = queues(3);
        for _ in 0..20 {
            queues.push(packet(0, 1500));
            queues.push(packet(1, 1500));
        }
        served(&mut queues, 4);
        for _ in 0..3 {
            queues.push(packet(2, 100));
            assert_eq!(served(&mut queues, 1), [2]);
            // It is empty and moves behind both; only after their turns does it leave the lists.
            served(&mut queues, 1);
            assert!(queues.queues[2].is_listed);
            served(&mut queues, 2);
            assert!(!queues.queues[2].is_listed);
        }
    }

    /// One that comes back before the round is over has no more than its share (section 4.2: the
    /// move to the old queues keeps it from being new all the time).
    #[test]
    fn an_emptied_new_queue_is_old() {
        let mut queues = queues(2);
        backlog(&mut queues, 20, packet(0, 1500));
        served(&mut queues, 2);
        let mut order = Vec::new();
        for _ in 0..4 {
            queues.push(packet(1, 1500));
            order.extend(served(&mut queues, 2));
        }
        assert_eq!(order.iter().filter(|slot| **slot == 1).count(), 4, "{order:?}");
        assert_eq!(order[..4], [1, 0, 1, 0], "{order:?}");
    }

    /// 40 of 1000 bytes are more than 30 of 1200: half of the 40000 bytes go, from the head.
    #[test]
    fn an_overflow_takes_half_of_the_longest_queue_in_bytes() {
        let mut queues = queues(2);
        for number in 0..40 {
            let mut first = packet(0, 1000);
            first.cell.head = crate::pdu::CellHead::body(0, number);
            queues.push(first);
        }
        backlog(&mut queues, 30, packet(1, 1200));
        let dropped = queues.drop_from_longest();
        assert!(dropped.iter().all(|packet| packet.slot == 0));
        let numbers: Vec<u32> = dropped.iter().map(|packet| packet.cell.head.tag()).collect();
        assert_eq!(numbers, (0..20).collect::<Vec<u32>>());
        // Now flow 1 has 36000 bytes.
        assert_eq!(queues.drop_from_longest().len(), 15);
        assert_eq!(queues.waiting().len(), 35);
        queues.drop_batch = 4;
        assert_eq!(queues.drop_from_longest().len(), 4);
    }

    /// The line was free and nothing waited: all queues have left the lists, and a flow that was
    /// served last is new.
    #[test]
    fn an_idle_line_forgets() {
        let mut queues = queues(2);
        backlog(&mut queues, 2, packet(0, 1500));
        served(&mut queues, 2);
        queues.pass(packet(1, 40));
        queues.push(packet(0, 1500));
        queues.push(packet(1, 1500));
        assert_eq!(queues.queues[0].credit, 1500);
        assert_eq!(queues.queues[1].credit, 1460);
        assert_eq!(served(&mut queues, 2), [1, 0]);
    }
}
