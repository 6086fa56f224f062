//! Policer of GFR VCs at their first switch, before a cell reaches an output: the network's side of
//! the interface (TM 4.1).
//!
//! Each direction of a VC is tested by the first switch that it passes. Raw cells belong to no
//! frame and pass untested.

mod circuit;

use crate::engine::{Io, Place};
use crate::pdu::{Cell, CellHead, Train};
use crate::result::Ledger;

use circuit::Circuit;
pub use circuit::{CircuitPlan, NonConforming};

/// The policed VCs of a switch.
#[derive(Debug)]
pub struct Policer {
    /// Circuits by VC; `None` for one that is not policed.
    circuits: Vec<Option<Box<Circuit>>>,
}

impl Policer {
    /// Makes a policer of `plans`, each with its VC; `None` without any.
    pub fn new(plans: Vec<(u32, CircuitPlan)>) -> Option<Box<Self>> {
        let largest = plans.iter().map(|(vc, _)| *vc).max()?;
        let mut circuits: Vec<_> = (0..=largest).map(|_| None).collect();
        for (vc, plan) in plans {
            circuits[vc as usize] = Some(Box::new(Circuit::new(plan)));
        }
        Some(Box::new(Self { circuits }))
    }

    /// The circuit of a cell that is tested.
    #[inline]
    fn circuit(&mut self, head: CellHead) -> Option<&mut Circuit> {
        let circuit = self.circuits.get_mut(head.vc() as usize)?.as_deref_mut();
        circuit.filter(|_| !head.is_raw())
    }

    /// Tests an arriving cell, which may be tagged. True if it is accepted.
    #[inline]
    pub(super) fn admits(&mut self, cell: &mut Cell, io: &mut Io) -> bool {
        let Some(circuit) = self.circuit(cell.head) else { return true };
        let head = circuit.on_cell(*cell);
        match head {
            Some(head) => cell.head = head,
            None => io.discard(*cell, Place::Policer),
        }
        head.is_some()
    }

    /// Tests the cells of a train. Accepted cells go on in trains.
    pub(super) fn pass(
        &mut self,
        mut train: Train,
        io: &mut Io,
        mut go_on: impl FnMut(Train, &mut Io),
    ) {
        let Some(circuit) = self.circuit(train.first.head) else { return go_on(train, io) };
        let mut passed: Option<Train> = None;
        while train.count > 0 {
            let alike = circuit.alike(&train);
            let mut next = train.split(alike.max(1));
            let head =
                if alike > 0 { Some(circuit.on_alike(&next)) } else { circuit.on_cell(next.first) };
            let Some(head) = head else {
                io.discard(next.first, Place::Policer);
                continue;
            };
            next.first.head = head;
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
        for (of_vc, circuit) in ledger.vcs.iter_mut().zip(&self.circuits) {
            let Some(circuit) = circuit else { continue };
            let counters = circuit.counters();
            of_vc.drops.add(&counters.drops);
            of_vc.gfr = Some(counters);
        }
    }
}
