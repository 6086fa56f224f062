//! Edges: where each flow's packets go on, the outputs for packets, and the interfaces for cells.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::PortName;
use super::switches::shared_room;
use super::wiring::{Passing, Terminals, Wiring};
use crate::atm::Class;
use crate::edge::{Beginning, Edge, EdgePlan, Exit, Outlet};
use crate::engine::LinkId;
use crate::host::Nic;
use crate::scenario::{InService, NodeRef, RateAllocation, Scenario, Scheduler, Switch};
use crate::switch::{Pool, Port};

/// What an edge has on its outgoing links.
#[derive(Default)]
struct Outputs {
    ports: Vec<Port>,
    nics: Vec<Nic>,
    /// By position among the outgoing links.
    exits: Vec<Exit>,
}

impl Scenario {
    pub(super) fn build_edge(
        &self,
        index: usize,
        wiring: &Wiring<'_>,
        terminals: &Terminals,
        names: &mut Vec<PortName>,
    ) -> Edge {
        let node = NodeRef::Edge(index);
        let outputs = self.edge_outputs(index, wiring, names);
        let (outlets, beginnings) = outlets(index, wiring, &outputs.exits);
        let nic_of_link = |link: usize| match outputs.exits[wiring.output_of_link(link)] {
            Exit::Cells { nic } => nic,
            Exit::Packets { .. } => unreachable!("RM cells travel on links of cells only"),
        };
        let ends = terminals.of(node).iter();
        let ends = ends.map(|&vc| Self::terminal(vc, None, wiring, (&outputs.nics, nic_of_link)));
        let pool = shared_room(self.edges[index].buffer).map(|room| Pool::new(room, outputs.ports.len()));
        Edge::new(EdgePlan {
            inputs: wiring.incoming(node).iter().map(|&link| LinkId(link as u32)).collect(),
            terminal_of_vc: Arc::clone(&terminals.place_of_vc),
            terminals: ends.collect(),
            outlets,
            beginnings,
            pool,
            ports: outputs.ports,
            nics: outputs.nics,
        })
    }

    fn edge_outputs(&self, index: usize, wiring: &Wiring<'_>, names: &mut Vec<PortName>) -> Outputs {
        let rules = self.packet_rules(index);
        let mut outputs = Outputs::default();
        for &link in wiring.outgoing(NodeRef::Edge(index)) {
            if self.links[link].is_of_cells() {
                outputs.exits.push(Exit::Cells { nic: outputs.nics.len() });
                outputs.nics.push(self.nic(link, wiring));
                continue;
            }
            let vcs = wiring.vcs_of_link(link);
            // Packets know no service: one queue.
            let classes = vec![Class::default(); vcs.len()];
            let name = format!("{}.{}", self.edges[index].name, self.links[link].name);
            let plan = self.port_plan(&rules, link, (vcs, &classes), (names.len(), &name), wiring);
            outputs.exits.push(Exit::Packets { port: outputs.ports.len(), slot: 0 });
            outputs.ports.push(Port::new(plan, &classes));
            names.push(PortName { name, unit: self.unit_of(link) });
        }
        outputs
    }

    /// The outputs for packets are those of a packet switch.
    fn packet_rules(&self, index: usize) -> Switch {
        let edge = &self.edges[index];
        Switch {
            name: edge.name.clone(),
            delay: edge.delay,
            buffer: edge.buffer,
            in_service: InService::Counted,
            drop: edge.drop,
            vbr_buffer: None,
            abr_buffer: None,
            rate_allocator: RateAllocation::None,
            scheduler: Scheduler::Fifo,
        }
    }
}

/// In order of the ways that pass an edge: where each goes on; and what begins there.
fn outlets(edge: usize, wiring: &Wiring<'_>, exits: &[Exit]) -> (Vec<(u32, Outlet)>, Vec<Beginning>) {
    // Flows of a shared circuit have one beginning.
    let mut places = BTreeMap::new();
    let mut beginnings = Vec::new();
    let outlets = wiring.passing(edge).iter().map(|&Passing { way, vc, hop }| {
        let link = wiring.legs.of(vc).path[hop];
        let mut exit = exits[wiring.output_of_link(link)];
        if let Exit::Packets { slot, .. } = &mut exit {
            let found = wiring.vcs_of_link(link).binary_search(&vc);
            *slot = found.expect("the VC passes the link") as u32;
        }
        let beginning = (hop == 0).then(|| {
            *places.entry(vc).or_insert_with(|| {
                beginnings.push(Beginning::new(vc));
                beginnings.len() - 1
            })
        });
        (way, Outlet { exit, vc, beginning })
    });
    (outlets.collect(), beginnings)
}
