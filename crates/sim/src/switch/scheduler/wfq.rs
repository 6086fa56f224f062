//! Weighted fair queueing, self-clocked (Golestani: "A self-clocked fair queueing scheme for
//! broadband applications", Infocom 1994).
//!
//! Each VC has a queue. The virtual time V is the finish time of the cell that was begun last. A
//! cell of VC i that arrives gets the finish time `F = max(V, F of its predecessor) + 1/w_i`; the
//! cell with the smallest is sent next. Self-clocked, because V of the fluid server (Demers,
//! Keshav, Shenker 1989; Parekh, Gallager 1993) must follow every VC between cells, and gives
//! bounds of delay that are not needed here: the shares are the same. While two VCs have cells
//! waiting, their service per weight differs by `1/w_i + 1/w_j` at most.
//!
//! Exact: virtual time is a whole number, and `1/w` is rounded to it once per VC. Decided here: at
//! equal finish times the VC of the lowest slot is served first; V is never reset, which changes no
//! differences; a cell that the drop policy discards when it is taken out is not served: the next
//! one of its VC takes over its finish time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Waiting;
use super::order::SchedulerSite;
use crate::engine::Fifo;
use crate::language::part::prelude::*;
use crate::switch::rate::Excess;

part! {
    /// Parameters of weighted fair queueing.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct WfqPlan {
        /// Sharing of the rate that the minimum rates leave among VCs with cells waiting.
        excess: Excess = default("by_mcr", "\"equal\"") as Kind::Variants(EXCESS),
    }
}

/// Words of [`Excess`] with their meaning for a scheduler.
const EXCESS: &[Variant] = &[
    Variant::word(
        "by_mcr",
        "As their minimum rates; VCs without one have the weight of a thousandth of the link.",
    ),
    Variant::word("equal", "Equally, on top of the minimum rates."),
];

/// 1 in virtual time. A weight is at most 10^13 bit/s, so that 1/w is rounded by 10^-11 of itself,
/// and V lasts 10^14 cells of weight 1.
const UNIT: u128 = 1_000_000_000_000_000_000_000_000;

/// Divisor of the link's rate that gives the weight of a VC without any other.
const MIN_PART: u64 = 1000;

impl WfqPlan {
    /// Weights by slot, bits per second: the minimum cell rate, and with [`Excess::Equal`] the part
    /// of the link that is left by the minimum rates, divided by the VCs of the class. A VC whose
    /// weight would be zero has a thousandth of the link, so that it is served at all, but no more
    /// than that equal part: guaranteed rates come first.
    fn weights(self, site: &SchedulerSite) -> Vec<u64> {
        let guaranteed = site.minimum_rates.iter().sum();
        let equal_part = site.rate.saturating_sub(guaranteed) / site.vcs_of_class;
        let share = match self.excess {
            Excess::ByMcr => 0,
            Excess::Equal => equal_part,
        };
        let weight = |minimum_rate: &u64| match minimum_rate + share {
            0 => (site.rate / MIN_PART).min(equal_part).max(1),
            weight => weight,
        };
        site.minimum_rates.iter().map(weight).collect()
    }
}

/// Queues by VC.
#[derive(Debug)]
pub(super) struct Wfq {
    /// Queues by slot.
    queues: Vec<VcQueue>,
    /// VCs with cells waiting, by the finish time of the first.
    backlogged: BinaryHeap<Reverse<(u128, u32)>>,
    /// V.
    virtual_time: u128,
}

#[derive(Debug)]
struct VcQueue {
    cells: Fifo<Waiting>,
    /// 1/w.
    increment: u128,
    /// F of the first cell that waits; of the last that was begun if none does.
    finish: u128,
}

impl Wfq {
    pub(super) fn build(plan: WfqPlan, site: &SchedulerSite) -> Self {
        Self::new(&plan.weights(site))
    }

    /// Makes empty queues with these weights by slot, all above zero.
    pub(super) fn new(weights: &[u64]) -> Self {
        let queue = |&weight: &u64| {
            let weight = u128::from(weight);
            VcQueue { cells: Fifo::default(), increment: (UNIT + weight / 2) / weight, finish: 0 }
        };
        Self {
            queues: weights.iter().map(queue).collect(),
            backlogged: BinaryHeap::new(),
            virtual_time: 0,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.backlogged.is_empty()
    }

    /// Appends a cell. Returns the bytes of memory that were added.
    pub(super) fn push(&mut self, waiting: Waiting) -> usize {
        let queue = &mut self.queues[waiting.slot as usize];
        if queue.cells.is_empty() {
            queue.finish = queue.finish.max(self.virtual_time) + queue.increment;
            self.backlogged.push(Reverse((queue.finish, waiting.slot)));
        }
        queue.cells.push(waiting)
    }

    /// Cell that is sent next.
    pub(super) fn first(&self) -> Option<Waiting> {
        let Reverse((_, slot)) = self.backlogged.peek()?;
        self.queues[*slot as usize].cells.front().copied()
    }

    /// Removes the next cell, which is not sent: V stays, and so does the finish time for the next
    /// cell of its VC. If none waits, the VC has the finish time of the last that was begun.
    pub(super) fn discard_first(&mut self) {
        let Some(Reverse((finish, slot))) = self.backlogged.pop() else { return };
        let queue = &mut self.queues[slot as usize];
        queue.cells.pop();
        if queue.cells.is_empty() {
            queue.finish -= queue.increment;
        } else {
            self.backlogged.push(Reverse((finish, slot)));
        }
    }

    /// Removes the cell that is sent next.
    pub(super) fn pop(&mut self) -> Option<Waiting> {
        let Reverse((finish, slot)) = self.backlogged.pop()?;
        let queue = &mut self.queues[slot as usize];
        self.virtual_time = finish;
        let next = queue.cells.pop();
        if !queue.cells.is_empty() {
            // V is not beyond the finish time of a cell that waits, so only that of the predecessor
            // counts.
            queue.finish += queue.increment;
            self.backlogged.push(Reverse((queue.finish, slot)));
        }
        next
    }

    /// Takes note of a cell that is sent without waiting.
    pub(super) fn pass(&mut self, waiting: Waiting) {
        let queue = &mut self.queues[waiting.slot as usize];
        queue.finish = queue.finish.max(self.virtual_time) + queue.increment;
        self.virtual_time = queue.finish;
    }

    /// Cells that wait, by slot.
    pub(super) fn waiting(&self) -> Vec<Waiting> {
        self.queues.iter().flat_map(|queue| queue.cells.iter()).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdu::{Cell, CellHead};
    use proptest::prelude::*;

    fn cell(slot: u32) -> Waiting {
        Waiting { slot, ..Waiting::default() }
    }

    /// The slots in the order in which they are served, of queues that are never empty.
    fn saturated(weights: &[u64], cells: usize) -> Vec<usize> {
        let mut wfq = Wfq::new(weights);
        for slot in 0..weights.len() {
            wfq.push(cell(slot as u32));
            wfq.push(cell(slot as u32));
        }
        let mut serve = || {
            let slot = wfq.pop().expect("a cell waits").slot;
            wfq.push(cell(slot));
            slot as usize
        };
        (0..cells).map(|_| serve()).collect()
    }

    #[test]
    fn equal_weights_are_a_round_robin_from_the_first_slot() {
        assert_eq!(saturated(&[5, 5, 5], 9), [0, 1, 2, 0, 1, 2, 0, 1, 2]);
    }

    /// Finish times in sixths: 2, 4, 6, … for w = 3 and 3, 6, … for w = 2; slot 0 first at 6.
    #[test]
    fn three_to_two_by_hand() {
        assert_eq!(saturated(&[3, 2], 10), [0, 1, 0, 0, 1, 0, 1, 0, 0, 1]);
    }

    /// Every second cell of VC 0 is discarded as it is taken out: the cells that are sent are still
    /// in turn, and a VC all of whose cells were discarded has no debt.
    #[test]
    fn a_discarded_cell_does_not_count_as_served() {
        let mut wfq = Wfq::new(&[1, 1]);
        for slot in [0, 0, 0, 0, 1, 1, 1] {
            wfq.push(cell(slot));
        }
        let mut sent = Vec::new();
        let mut is_odd = false;
        while let Some(next) = wfq.first() {
            is_odd ^= next.slot == 0;
            if next.slot == 0 && is_odd {
                wfq.discard_first();
            } else {
                sent.push(next.slot);
                wfq.pop();
            }
        }
        assert_eq!(sent, [0, 1, 0, 1, 1]);
        wfq.push(cell(0));
        for _ in 0..100 {
            wfq.discard_first();
            wfq.push(cell(0));
        }
        wfq.push(cell(1));
        wfq.push(cell(1));
        let order: Vec<u32> =
            std::iter::from_fn(|| wfq.pop()).map(|waiting| waiting.slot).collect();
        assert_eq!(order, [0, 1, 1]);
    }

    #[test]
    fn cells_of_one_vc_keep_their_order() {
        let mut wfq = Wfq::new(&[1, 1]);
        let number = |number| Waiting {
            cell: Cell { head: CellHead::body(0, number), ..Cell::default() },
            ..Waiting::default()
        };
        for index in 0..3 {
            wfq.push(number(index));
        }
        let tags: Vec<u32> = (0..3).filter_map(|_| Some(wfq.pop()?.cell.head.tag())).collect();
        assert_eq!(tags, [0, 1, 2]);
    }

    /// A VC that was alone has no debt: the two are served in turn from when the second comes.
    #[test]
    fn service_of_an_idle_server_is_not_held_against_anyone() {
        let mut wfq = Wfq::new(&[1, 1]);
        for _ in 0..1000 {
            wfq.push(cell(0));
            assert_eq!(wfq.pop().map(|waiting| waiting.slot), Some(0));
        }
        wfq.pass(cell(0));
        for slot in [0, 0, 0, 1, 1, 1] {
            wfq.push(cell(slot));
        }
        let order: Vec<u32> =
            std::iter::from_fn(|| wfq.pop()).map(|waiting| waiting.slot).collect();
        assert_eq!(order, [0, 1, 0, 1, 0, 1]);
        assert!(wfq.is_empty());
    }

    proptest! {
        /// Golestani 1994, with cells of length 1: |W_i/w_i - W_j/w_j| <= 1/w_i + 1/w_j in every
        /// interval in which both have cells waiting.
        #[test]
        fn service_per_weight_differs_by_a_cell_of_each_at_most(
            weights in prop::collection::vec(1_u64..1000, 2..6),
            (from, length) in (0_usize..500, 1_usize..500),
        ) {
            let order = saturated(&weights, from + length);
            let served =
                |slot: usize| order[from..].iter().filter(|&&one| one == slot).count() as f64;
            for i in 0..weights.len() {
                for j in 0..i {
                    let [w, v] = [i, j].map(|slot| weights[slot] as f64);
                    let lag = (served(i) / w - served(j) / v).abs();
                    let most = (1.0 / w + 1.0 / v) * (1.0 + 1e-9);
                    prop_assert!(lag <= most, "{} of {:?}", lag, weights);
                }
            }
        }
    }
}
