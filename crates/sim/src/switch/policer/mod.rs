//! What the first switch of a GFR VC does before a cell reaches an output: the network's side of
//! the interface (TM 4.1).
//!
//! Each direction of a VC is tested by the first switch that it passes. Raw cells belong to no
//! frame and pass untested.

mod circuit;

use crate::engine::{Io, Place};
use crate::pdu::{Cell, Train};
use crate::result::Ledger;

use circuit::{Circuit, Verdict};
pub use circuit::{CircuitPlan, NonConforming};

/// The policed VCs of a switch.
#[derive(Debug)]
pub struct Policer {
    /// By VC: which of the circuits; [`NOT_POLICED`] if none is.
    place_of_vc: Vec<u32>,
    circuits: Vec<(u32, Circuit)>,
}

const NOT_POLICED: u32 = u32::MAX;

impl Policer {
    /// Of `plans`, each with its VC; `None` without any.
    pub fn new(plans: Vec<(u32, CircuitPlan)>) -> Option<Box<Self>> {
        let largest = plans.iter().map(|(vc, _)| *vc).max()?;
        let mut place_of_vc = vec![NOT_POLICED; largest as usize + 1];
        for (place, (vc, _)) in plans.iter().enumerate() {
            place_of_vc[*vc as usize] = place as u32;
        }
        let circuits = plans.into_iter().map(|(vc, plan)| (vc, Circuit::new(plan))).collect();
        Some(Box::new(Self { place_of_vc, circuits }))
    }

    /// A cell arrives, and may be tagged: whether it is accepted.
    #[inline]
    pub(super) fn admits(&mut self, cell: &mut Cell, io: &mut Io) -> bool {
        let place = self.place_of_vc.get(cell.head.vc() as usize).copied().unwrap_or(NOT_POLICED);
        if place == NOT_POLICED || cell.head.is_raw() {
            return true;
        }
        match self.circuits[place as usize].1.on_cell(*cell) {
            Verdict::Pass(head) => {
                cell.head = head;
                true
            }
            Verdict::Discard => {
                io.discard(*cell, Place::Policer);
                false
            }
        }
    }

    /// Cells arrive one behind the other; what is accepted of them goes on in trains.
    pub(super) fn pass(
        &mut self,
        train: Train,
        io: &mut Io,
        mut go_on: impl FnMut(Train, &mut Io),
    ) {
        let mut passed: Option<Train> = None;
        for mut cell in train.cells() {
            if !self.admits(&mut cell, io) {
                continue;
            }
            let next = Train::alone(cell);
            if passed.as_mut().is_some_and(|passed| passed.join(&next)) {
                continue;
            }
            if let Some(train) = passed.replace(next) {
                go_on(train, io);
            }
        }
        if let Some(train) = passed {
            go_on(train, io);
        }
    }

    /// Reports the counters.
    pub(super) fn report(&self, ledger: &mut Ledger) {
        for (vc, circuit) in &self.circuits {
            let counters = circuit.counters();
            let of_vc = &mut ledger.vcs[*vc as usize];
            of_vc.drops.add(&counters.drops);
            of_vc.gfr = Some(counters);
        }
    }
}
