//! The queue at an output of a slotted switch (M. J. Karol, M. G. Hluchyj, S. P. Morgan: "Input
//! versus output queueing on a space-division packet switch", IEEE Transactions on Communications
//! 35(12), 1987, section III).
//!
//! In each slot each of N inputs has a cell with the probability p, for any of N outputs: A of them
//! come to this one, binomial with N and p/N, Poisson with p as N grows. The output sends one cell
//! per slot: `Q' = (Q + A - 1)+`. So a cell that finds nothing is sent in its own slot and is never
//! queued.
//!
//! - Mean wait `(N-1)/N · p / (2 (1 - p))` slots.
//! - `P(Q > n)` by `queue/levels.rs`.
//! - With b places for queued cells, `Q' = min(b, (Q + A - 1)+)`: the same law cut off at b, so
//!   that
//!   `(1-p)/p · P(Q > b) / P(Q <= b)` of the cells are lost.
//!
//! Range: 0 < p < 1. Equal case: cells of one slot are served in any order.

use super::levels::{Levels, binomial, poisson};
use crate::range::{OutOfRange, within};

/// An output with a load below 1.
#[derive(Clone, Debug)]
pub struct Slotted {
    /// (N - 1)/N.
    others: f64,
    load: f64,
    levels: Levels,
}

impl Slotted {
    /// Makes an output of N inputs, infinitely many for `None`, with the load p of each.
    pub fn new(inputs: Option<u32>, load: f64) -> Result<Self, OutOfRange> {
        within("load", load, "above 0 and below 1", |load| load > 0.0 && load < 1.0)?;
        let (others, arrivals) = match inputs {
            None => (1.0, poisson(load)),
            Some(inputs) => {
                let count = f64::from(inputs);
                within("inputs", count, "at least 1", |count| count >= 1.0)?;
                (1.0 - 1.0 / count, binomial(inputs, load / count))
            }
        };
        Ok(Self { others, load, levels: Levels::new(&arrivals, load) })
    }

    /// Mean number of slots from the arrival of a cell to the slot in which it is sent.
    pub fn mean_wait(&self) -> f64 {
        self.others * self.load / (2.0 * (1.0 - self.load))
    }

    /// P(Q > cells) at the end of a slot.
    pub fn queue_above(&self, cells: u32) -> f64 {
        self.levels.above(cells as usize + 1)
    }

    /// Fraction of the cells that is lost with `places` for queued cells.
    pub fn loss(&self, places: u32) -> f64 {
        let beyond = self.queue_above(places);
        (1.0 - self.load) / self.load * beyond / (1.0 - beyond)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn output(inputs: Option<u32>, load: f64) -> Slotted {
        Slotted::new(inputs, load).expect("a load below 1")
    }

    /// Section III: at a load of 80 % a buffer of 28 cells keeps the loss below 1e-6 for any N.
    #[test]
    fn twenty_eight_cells_are_enough_for_a_loss_of_a_millionth() {
        for inputs in [Some(2), Some(8), Some(32), None] {
            assert!(output(inputs, 0.8).loss(28) < 1e-6, "{inputs:?}");
        }
        assert!(output(None, 0.8).loss(27) > 1e-6);
    }

    /// Without places, of A cells A - 1 are lost: of two inputs at 1/2 a sixteenth of the slots
    /// lose one of half a cell.
    #[test]
    fn without_places_all_but_one_of_a_slot_are_lost() {
        assert!((output(Some(2), 0.5).loss(0) - 1.0 / 16.0 / 0.5).abs() < 1e-14);
        let poisson = (0.9 - 1.0 + libm::exp(-0.9)) / 0.9;
        assert!((output(None, 0.9).loss(0) - poisson).abs() < 1e-13);
    }

    #[test]
    fn one_input_makes_no_queue() {
        let alone = output(Some(1), 0.9);
        let nothing = [alone.mean_wait(), alone.queue_above(0), alone.loss(0)];
        assert!(nothing.into_iter().all(|number| number == 0.0), "{nothing:?}");
        assert_eq!(Slotted::new(Some(0), 0.5).unwrap_err().name, "inputs");
        assert_eq!(Slotted::new(None, 0.0).unwrap_err().name, "load");
    }

    /// Loss with few places: the chain itself, step by step until nothing changes.
    fn loss_of_the_chain(arrivals: &[f64], load: f64, places: usize) -> f64 {
        let mut law = vec![1.0 / (places + 1) as f64; places + 1];
        let mut lost = 0.0;
        for _ in 0..3000 {
            let mut next = vec![0.0; places + 1];
            lost = 0.0;
            for (queue, probability) in law.iter().enumerate() {
                for (count, arrival) in arrivals.iter().enumerate() {
                    let left = (queue + count).saturating_sub(1);
                    next[left.min(places)] += probability * arrival;
                    lost += probability * arrival * left.saturating_sub(places) as f64;
                }
            }
            law = next;
        }
        lost / load
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]
        /// Little's law, and the loss of the finite chain.
        #[test]
        fn the_law_has_the_mean_and_the_loss(inputs in 2..20_u32, load in 0.1..0.95_f64) {
            let found = output(Some(inputs), load);
            let queue: f64 = (0..3000).map(|cells| found.queue_above(cells)).sum();
            prop_assert!((queue / load - found.mean_wait()).abs() < 1e-9 * found.mean_wait());
            let arrivals = binomial(inputs, load / f64::from(inputs));
            let chain = loss_of_the_chain(&arrivals, load, 3);
            prop_assert!((found.loss(3) - chain).abs() < 1e-9, "{} {chain}", found.loss(3));
        }
    }
}
