//! Host isolation of CAKE: a flow's quantum divided by the busy flows of its host
//! (Hoeiland-Joergensen, Taht, Morton: "Piece of CAKE", 2018, section III-B).
//!
//! A flow is busy from the end of its first turn with packets left, when it joins the old queues,
//! until it is found empty there. Of several hosts that are counted, that with more busy flows
//! divides. Departure: Linux rounds the quotient at random, here it is rounded down, to at least
//! one byte.

/// Busy flows by host, of sources and of destinations.
#[derive(Debug)]
pub(in crate::switch) struct HostShares {
    /// True for sources, and for destinations, if they are counted.
    counts: [bool; 2],
    /// Source and destination by slot.
    of_slot: Vec<[u32; 2]>,
    /// Source and destination of the flow of each queue.
    of_queue: Vec<[u32; 2]>,
    /// Busy queues of each host, as a source and as a destination.
    busy: [Vec<u32>; 2],
}

impl HostShares {
    /// Makes counters of the hosts of these slots; `counts` says for sources, and for destinations,
    /// if they are counted.
    pub(in crate::switch) fn new(counts: [bool; 2], of_slot: Vec<[u32; 2]>) -> Self {
        let hosts = of_slot.iter().flatten().max().map_or(0, |host| *host as usize + 1);
        Self { counts, of_slot, of_queue: Vec::new(), busy: [vec![0; hosts], vec![0; hosts]] }
    }

    /// Notes that a queue has the packets of a slot.
    pub(super) fn join(&mut self, queue: u32, slot: u32) {
        let index = queue as usize;
        self.of_queue.resize(self.of_queue.len().max(index + 1), [0; 2]);
        self.of_queue[index] = self.of_slot[slot as usize];
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

    /// Quantum of a queue.
    pub(super) fn part(&mut self, quantum: i64, queue: u32) -> i64 {
        let load = self.counters(queue).map(|busy| *busy).max().unwrap_or(0).max(1);
        (quantum / i64::from(load)).max(1)
    }
}
