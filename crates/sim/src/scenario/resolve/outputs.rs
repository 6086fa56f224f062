//! The links that leave each switch.

use crate::scenario::resolved::{NodeRef, Scenario};

/// Units that the links leaving a switch carry.
#[derive(Clone, Copy, Default)]
pub(super) struct Outputs {
    pub(super) cells: bool,
    pub(super) packets: bool,
}

pub(super) fn outputs(scenario: &Scenario) -> Vec<Outputs> {
    let mut outputs = vec![Outputs::default(); scenario.switches.len()];
    for link in &scenario.links {
        if let NodeRef::Switch(switch) = link.from {
            outputs[switch].cells |= link.is_of_cells();
            outputs[switch].packets |= !link.is_of_cells();
        }
    }
    outputs
}

/// Rate of the fastest link of cells that leaves each switch, bits per second.
pub(super) fn fastest_cells(scenario: &Scenario) -> Vec<u64> {
    let mut fastest = vec![0; scenario.switches.len()];
    for link in &scenario.links {
        if let (NodeRef::Switch(switch), Some(cell_rate)) = (link.from, link.carries.cell_rate()) {
            fastest[switch] = fastest[switch].max(cell_rate.bits_per_second());
        }
    }
    fastest
}
