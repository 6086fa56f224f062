//! Edges: where each flow's packets go on, the outputs for packets, and the interfaces for cells.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::ports::PortSite;
use super::queue_rules::QueueRules;
use super::wiring::Passing;
use super::{Assembly, PortName};
use crate::edge::{Edge, EdgePlan, Exit, Outlet};
use crate::host::{Nic, Nics, Origin};
use crate::scenario::NodeRef;
use crate::switch::{Port, Ports};

/// What an edge has on its outgoing links.
#[derive(Default)]
struct Outputs {
    ports: Vec<Port>,
    nics: Vec<Nic>,
    /// By position among the outgoing links.
    exits: Vec<Exit>,
}

impl Assembly<'_> {
    pub(super) fn edge(&self, index: usize, names: &mut Vec<PortName>) -> Edge {
        let node = NodeRef::Edge(index);
        let rules = QueueRules::of_edge(&self.scenario.edges[index]);
        let outputs = self.edge_outputs(index, &rules, names);
        let (outlets, origins) = self.outlets(index, &outputs.exits);
        let nic_of_link = |link: usize| match outputs.exits[self.wiring.output_of_link(link)] {
            Exit::Cells { nic } => nic,
            Exit::Packets { .. } => unreachable!("RM cells travel on links of cells only"),
        };
        let ends = self.terminals.of(node).iter();
        let ends = ends.map(|&vc| self.terminal(vc, None, &outputs.nics, nic_of_link));
        Edge::new(EdgePlan {
            inputs: self.inputs(node),
            terminal_of_vc: Arc::clone(&self.terminals.place_of_vc),
            terminals: ends.collect(),
            outlets,
            origins,
            ports: Ports::new(outputs.ports, rules.shared_size()),
            nics: Nics::new(outputs.nics),
        })
    }

    fn edge_outputs(&self, index: usize, rules: &QueueRules, names: &mut Vec<PortName>) -> Outputs {
        let mut outputs = Outputs::default();
        for &link in self.wiring.outgoing(NodeRef::Edge(index)) {
            if self.scenario.links[link].is_of_cells() {
                outputs.exits.push(Exit::Cells { nic: outputs.nics.len() });
                outputs.nics.push(self.nic(link));
                continue;
            }
            let site = PortSite::new(self, &self.scenario.edges[index].name, link, names)
                .without_classes();
            outputs.exits.push(Exit::Packets { port: outputs.ports.len(), slot: 0 });
            outputs.ports.push(self.port(&site, rules));
            names.push(site.port_name());
        }
        outputs
    }

    /// In order of the ways that pass an edge: where each goes on; and what begins there.
    fn outlets(&self, edge: usize, exits: &[Exit]) -> (Vec<(u32, Outlet)>, Vec<Origin>) {
        // Flows of a shared circuit have one origin.
        let mut places = BTreeMap::new();
        let mut origins = Vec::new();
        let outlets = self.wiring.passing(edge).iter().map(|&Passing { way, vc, hop }| {
            let link = self.wiring.legs.of(vc).path[hop];
            let mut exit = exits[self.wiring.output_of_link(link)];
            if let Exit::Packets { slot, .. } = &mut exit {
                let found = self.wiring.vcs_of_link(link).binary_search(&vc);
                *slot = found.expect("the VC passes the link") as u32;
            }
            let origin = (hop == 0).then(|| {
                *places.entry(vc).or_insert_with(|| {
                    origins.push(Origin::new(vc));
                    origins.len() - 1
                })
            });
            (way, Outlet { exit, vc, origin })
        });
        (outlets.collect(), origins)
    }
}
