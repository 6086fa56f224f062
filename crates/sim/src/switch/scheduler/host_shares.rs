//! Host isolation of CAKE: a flow's quantum divided by the busy flows of its host
//! (Hoeiland-Joergensen, Taht, Morton: "Piece of CAKE", 2018, section III-B).
//!
//! A flow is busy from the end of its first turn with packets left, when it joins the old queues,
//! until it is found empty there. Of several hosts that are counted, that with more busy flows
//! divides. Departure: Linux rounds the quotient to whole bytes at random, here each queue keeps
//! the fraction for its next quantum. Queues of hosts with many busy flows wait in blocks
//! ([`Turns`]).

use super::turns::{Divider, Turns};

/// Busy flows by host, of sources and of destinations.
#[derive(Debug)]
pub(in crate::switch) struct HostShares {
    /// True for sources, and for destinations, if they are counted.
    counts: [bool; 2],
    /// Source and destination by slot.
    of_slot: Vec<[u32; 2]>,
    /// Source and destination of the flow of each queue.
    of_queue: Vec<[u32; 2]>,
    /// Part of a byte that each queue has not had, in 1/65536 bytes.
    fractions: Vec<u16>,
    /// Busy queues of each host, as a source and as a destination.
    busy: [Vec<u32>; 2],
    /// Old queues that have their turns in blocks.
    turns: Turns,
}

impl HostShares {
    /// Makes counters of the hosts of these slots; `counts` says for sources, and for destinations,
    /// if they are counted.
    pub(in crate::switch) fn new(counts: [bool; 2], of_slot: Vec<[u32; 2]>) -> Self {
        let hosts = of_slot.iter().flatten().max().map_or(0, |host| *host as usize + 1);
        let (of_queue, fractions) = (Vec::new(), Vec::new());
        let busy = [vec![0; hosts], vec![0; hosts]];
        Self { counts, of_slot, of_queue, fractions, busy, turns: Turns::default() }
    }

    /// Lets every queue have single turns.
    #[cfg(test)]
    pub(super) fn with_single_turns(self) -> Self {
        Self { turns: Turns::all_single(), ..self }
    }

    /// Notes that the next new queue has the packets of a slot. A queue that is known keeps its
    /// hosts, for which it may be busy.
    pub(super) fn join(&mut self, queue: u32, slot: u32) {
        if queue as usize == self.of_queue.len() {
            self.of_queue.push(self.of_slot[slot as usize]);
            self.fractions.push(0);
        }
    }

    fn counters(&mut self, queue: u32) -> impl Iterator<Item = &mut u32> {
        let hosts = self.of_queue[queue as usize];
        let busy = self.busy.iter_mut().zip(hosts).zip(self.counts);
        busy.filter_map(|((busy, host), is_counted)| is_counted.then_some(&mut busy[host as usize]))
    }

    /// Notes that a queue is busy.
    pub(super) fn begin(&mut self, queue: u32) {
        self.counters(queue).for_each(|busy| *busy += 1);
    }

    /// Notes that a queue is no longer busy.
    pub(super) fn end(&mut self, queue: u32) {
        self.counters(queue).for_each(|busy| *busy -= 1);
    }

    /// Quantum of a queue in its turn.
    pub(super) fn part(&mut self, quantum: i64, queue: u32) -> i64 {
        let load = self.counters(queue).map(|busy| *busy).max().unwrap_or(0);
        let fraction = &mut self.fractions[queue as usize];
        let part = part_of(quantum, load) + u32::from(*fraction);
        *fraction = part as u16;
        i64::from(part >> 16)
    }

    /// True if an old queue has its turns in a block, where so many others have single turns.
    pub(super) fn has_blocks(&self, single: usize) -> bool {
        self.turns.takes(single)
    }

    /// Puts a queue with this credit at the end of the blocks.
    pub(super) fn push(&mut self, queue: u32, credit: i64) {
        let [source, destination] = self.of_queue[queue as usize];
        let busy =
            |side: usize, host: u32| self.counts[side].then(|| self.busy[side][host as usize]);
        let is_destination = busy(1, destination) > busy(0, source);
        let divider = (is_destination, if is_destination { destination } else { source });
        let credit = (credit << 16) + i64::from(self.fractions[queue as usize]);
        self.turns.push(queue, credit, divider);
    }

    /// Gives blocks their turns up to the first with a queue that may be served, and takes that one
    /// apart: calls `each` with its queues and their credits, in order.
    pub(super) fn next_block(&mut self, quantum: i64, each: impl FnMut(u32, i64)) {
        let most = [0, 1].map(|side| self.busy[side].iter().copied().max().unwrap_or(0));
        let part = |(is_destination, host): Divider| {
            let side = usize::from(is_destination);
            let load = self.busy[side][host as usize];
            // No other host of such a queue has more, then.
            (load >= most[1 - side]).then(|| i64::from(part_of(quantum, load)))
        };
        let queues = self.turns.next(part);
        Self::take_apart(&mut self.fractions, queues, each);
    }

    /// Takes the first block apart as it is; false if there is none.
    pub(super) fn pop_block(&mut self, each: impl FnMut(u32, i64)) -> bool {
        let queues = self.turns.pop();
        let is_some = queues.is_some();
        Self::take_apart(&mut self.fractions, queues, each);
        is_some
    }

    fn take_apart(
        fractions: &mut [u16],
        queues: Option<impl Iterator<Item = (u32, i64)>>,
        mut each: impl FnMut(u32, i64),
    ) {
        for (queue, credit) in queues.into_iter().flatten() {
            fractions[queue as usize] = credit as u16;
            each(queue, credit >> 16);
        }
    }
}

/// Part of a quantum among so many busy flows, in 1/65536 bytes.
fn part_of(quantum: i64, load: u32) -> u32 {
    ((quantum as u32) << 16) / load.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three busy flows of a host have 1000 of 3000 bytes in ten turns of 300 bytes each, one of
    /// 101 has 3000/101.
    #[test]
    fn turns_add_up_to_the_part() {
        for (flows, expected) in [(3, 1000), (7, 428), (101, 29), (900, 3)] {
            let mut hosts = HostShares::new([true, false], vec![[0, 0]]);
            (0..flows).for_each(|queue| hosts.join(queue, 0));
            (0..flows).for_each(|queue| hosts.begin(queue));
            let bytes: i64 = (0..10).map(|_| hosts.part(300, 0)).sum();
            assert!(bytes == expected || bytes + 1 == expected, "{flows} {bytes}");
        }
    }

    /// Packets of a flow of another host join the queue while it is busy: it ends for the host for
    /// which it began, whose counter would be below zero otherwise.
    #[test]
    fn a_busy_queue_keeps_its_host() {
        let mut hosts = HostShares::new([true, false], vec![[0, 9], [1, 9]]);
        hosts.join(0, 0);
        hosts.begin(0);
        hosts.join(0, 1);
        hosts.end(0);
        assert_eq!(hosts.busy[0], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    }
}
