//! Deficit round robin (Shreedhar, Varghese: "Efficient fair queuing using deficit round-robin",
//! IEEE/ACM Transactions on Networking 4(3), 1996).
//!
//! Each VC has a queue; VCs with units waiting take turns. In its turn a VC gets its quantum of
//! bytes in addition to the deficit that is left of the last one, and sends as long as its first
//! packet or cell fits into the deficit. A VC with nothing waiting keeps no deficit. Parameters:
//! `quantum` 1500 B of IP packets or of the payload of cells; `share` equal, or by the minimum
//! rates. The bytes sent by two VCs with packets waiting, each in units of its quantum, differ by a
//! quantum and two packets at most.
//!
//! Decided here: a packet of just the deficit is sent; a VC without a minimum rate has the plain
//! quantum, as has the one with the smallest; a packet that the drop policy discards as it is taken
//! out costs nothing. Packets of a driver that have a [key](crate::pdu::Packet::with_key) wait in a
//! queue of their flow and key, which has the quantum of the flow.

use super::Waiting;
use super::keyed::Keyed;
use super::order::SchedulerSite;
use crate::engine::Fifo;
use crate::language::part::prelude::*;
use crate::units::Bytes;

part! {
    /// Parameters of deficit round robin.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct DrrPlan {
        /// Bytes that a VC, or a flow of packets, may send in its turn.
        quantum: Bytes = default("1500 B", "\"9180 B\"") as Kind::Size { min: 48, max: MAX_PACKET },
        /// Proportions of the quanta.
        share: DrrShare = default("equal", "\"by_mcr\""),
    }
}

variants! {
    /// `scheduler.drr.share`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum DrrShare {
        /// Equal quanta.
        Equal = "equal",
        /// In proportion to minimum cell rates; VCs without one have the quantum of the smallest.
        ByMcr = "by_mcr",
    }
}

impl DrrPlan {
    /// Quanta by slot, bytes.
    fn quanta(self, site: &SchedulerSite) -> Vec<u64> {
        let smallest = site.minimum_rates.iter().copied().filter(|rate| *rate > 0).min();
        let quantum = |&rate: &u64| match (self.share, smallest) {
            (DrrShare::ByMcr, Some(smallest)) if rate > 0 => {
                let parts = u128::from(self.quantum.0) * u128::from(rate);
                (parts / u128::from(smallest)) as u64
            }
            _ => self.quantum.0,
        };
        site.minimum_rates.iter().map(quantum).collect()
    }
}

/// Queues by VC.
#[derive(Debug)]
pub(super) struct Drr {
    /// Queues by slot, and then those of packets with a key.
    queues: Vec<VcQueue>,
    keyed: Keyed,
    /// Queues with units waiting; the first has its turn.
    active: Fifo<u32>,
    /// True if the first queue got its quantum.
    has_begun: bool,
}

#[derive(Debug)]
struct VcQueue {
    cells: Fifo<Waiting>,
    quantum: u64,
    deficit: u64,
}

impl VcQueue {
    fn with(quantum: u64) -> Self {
        Self { cells: Fifo::default(), quantum, deficit: 0 }
    }
}

impl Drr {
    pub(super) fn build(plan: DrrPlan, site: &SchedulerSite) -> Self {
        Self::new(&plan.quanta(site))
    }

    /// Makes empty queues with these quanta by slot, bytes above zero.
    pub(super) fn new(quanta: &[u64]) -> Self {
        Self {
            queues: quanta.iter().map(|quantum| VcQueue::with(*quantum)).collect(),
            keyed: Keyed::default(),
            active: Fifo::default(),
            has_begun: false,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.active.is_empty()
    }

    /// Number of the queue of a flow's packets with this key, as in [`Waiting::keyed`].
    pub(super) fn number_of_key(&mut self, slot: u32, key: u32) -> u16 {
        self.keyed.number(slot, key, || {
            self.queues.push(VcQueue::with(self.queues[slot as usize].quantum));
            self.queues.len() as u32 - 1
        })
    }

    /// Index of the queue of a unit.
    fn queue_of(&self, waiting: &Waiting) -> u32 {
        if waiting.keyed == 0 { waiting.slot } else { self.keyed.queue(waiting.keyed) }
    }

    /// Units that wait in the queue of a unit.
    pub(super) fn beside(&self, waiting: &Waiting) -> &Fifo<Waiting> {
        &self.queues[self.queue_of(waiting) as usize].cells
    }

    /// Removes the unit with so many others before it in the queue of `waiting`, which is not its
    /// last one.
    pub(super) fn remove_beside(&mut self, waiting: &Waiting, before: usize) -> Option<Waiting> {
        let index = self.queue_of(waiting);
        self.queues[index as usize].cells.remove(before)
    }

    /// Appends a unit. Returns the bytes of memory that were added.
    pub(super) fn push(&mut self, waiting: Waiting) -> usize {
        let index = self.queue_of(&waiting);
        let queue = &mut self.queues[index as usize];
        if queue.cells.is_empty() {
            self.active.push(index);
        }
        queue.cells.push(waiting)
    }

    /// Unit that is sent next.
    pub(super) fn first(&mut self) -> Option<Waiting> {
        loop {
            let index = *self.active.front()?;
            let queue = &mut self.queues[index as usize];
            if !self.has_begun {
                queue.deficit += queue.quantum;
                self.has_begun = true;
            }
            let first = *queue.cells.front()?;
            if u64::from(first.bytes) <= queue.deficit {
                return Some(first);
            }
            self.active.skip();
            self.active.push(index);
            self.has_begun = false;
        }
    }

    /// Removes the next unit, which is not sent.
    pub(super) fn discard_first(&mut self) {
        self.take(0);
    }

    /// Removes the unit that is sent next.
    pub(super) fn pop(&mut self) -> Option<Waiting> {
        let bytes = u64::from(self.first()?.bytes);
        self.take(bytes)
    }

    /// Removes the next unit, which costs `bytes`.
    fn take(&mut self, bytes: u64) -> Option<Waiting> {
        self.first()?;
        let queue = &mut self.queues[*self.active.front()? as usize];
        queue.deficit -= bytes;
        let taken = queue.cells.pop();
        if queue.cells.is_empty() {
            queue.deficit = 0;
            self.active.skip();
            self.has_begun = false;
        }
        taken
    }

    /// Takes note of a cell that is sent without waiting: its VC has no deficit.
    #[expect(clippy::unused_self, reason = "schedulers have the same methods")]
    pub(super) fn pass(&mut self, _waiting: Waiting) {}

    /// Units that wait, by slot.
    pub(super) fn waiting(&self) -> Vec<Waiting> {
        self.queues.iter().flat_map(|queue| queue.cells.iter()).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn packet(slot: u32, bytes: u16) -> Waiting {
        Waiting { slot, bytes, ..Waiting::default() }
    }

    /// The slots in the order in which they are served, of queues that are never empty, each with
    /// packets of its own size.
    fn saturated(quanta: &[u64], sizes: &[u16], packets: usize) -> Vec<usize> {
        let mut drr = Drr::new(quanta);
        for (slot, &bytes) in (0..).zip(sizes) {
            drr.push(packet(slot, bytes));
            drr.push(packet(slot, bytes));
        }
        let mut serve = || {
            let sent = drr.pop().expect("a packet waits");
            drr.push(sent);
            sent.slot as usize
        };
        (0..packets).map(|_| serve()).collect()
    }

    /// Figure 2 of the paper in small: quanta of 500; 200 at a time leave 100 for the next turn,
    /// and 750 wait for the second.
    #[test]
    fn what_is_left_of_a_turn_is_kept() {
        let order = saturated(&[500, 500], &[200, 750], 9);
        // 2 of 500, 0 of 500; 3 of 600, 1 of 1000; 2 of 500, 1 of 750.
        assert_eq!(order, [0, 0, 0, 0, 0, 1, 0, 0, 1]);
    }

    #[test]
    fn a_vc_with_nothing_waiting_keeps_nothing() {
        let mut drr = Drr::new(&[1500, 1500]);
        for sent in [packet(0, 40), packet(0, 1500), packet(1, 1500)] {
            drr.push(sent);
            drr.push(packet(1, 1500));
            drr.first();
        }
        let order: Vec<u32> =
            std::iter::from_fn(|| drr.pop()).map(|waiting| waiting.slot).collect();
        // After 40 of 1500 bytes the next 1500 do not fit.
        assert_eq!(order, [0, 1, 0, 1, 1, 1]);
        assert!(drr.is_empty() && drr.queues.iter().all(|queue| queue.deficit == 0));
    }

    #[test]
    fn a_discarded_packet_costs_nothing() {
        let mut drr = Drr::new(&[1500, 1500]);
        for slot in [0, 0, 1, 1] {
            drr.push(packet(slot, 1500));
        }
        drr.discard_first();
        let order: Vec<u32> =
            std::iter::from_fn(|| drr.pop()).map(|waiting| waiting.slot).collect();
        assert_eq!(order, [0, 1, 1]);
    }

    #[test]
    fn quanta_may_be_as_minimum_rates() {
        let site = SchedulerSite { rate: 0, minimum_rates: vec![30, 0, 10], vcs_of_class: 3 };
        let plan = DrrPlan { quantum: Bytes(480), share: DrrShare::ByMcr };
        assert_eq!(plan.quanta(&site), [1440, 480, 480]);
        assert_eq!(DrrPlan { share: DrrShare::Equal, ..plan }.quanta(&site), [480; 3]);
    }

    proptest! {
        /// Lemma 2 and theorem 3 of the paper, for equal quanta: while two VCs have packets
        /// waiting, their bytes differ by a quantum and the largest packet of each at most.
        #[test]
        fn bytes_differ_by_a_quantum_and_two_packets_at_most(
            quantum in 48_u64..3000,
            sizes in prop::collection::vec(
                prop_oneof![Just(40_u16), Just(1500), 28..1501_u16], 2..6
            ),
            (from, length) in (0_usize..500, 1_usize..500),
        ) {
            let order = saturated(&vec![quantum; sizes.len()], &sizes, from + length);
            let served = |slot: usize| {
                order[from..].iter().filter(|&&one| one == slot).count() as u64
                    * u64::from(sizes[slot])
            };
            for i in 0..sizes.len() {
                for j in 0..i {
                    let bound = quantum + u64::from(sizes[i]) + u64::from(sizes[j]);
                    prop_assert!(served(i).abs_diff(served(j)) <= bound, "{:?} {:?}", sizes, order);
                }
            }
        }
    }
}
