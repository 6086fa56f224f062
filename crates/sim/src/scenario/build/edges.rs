//! Edges: where each flow's packets go on, the outputs for packets, and the interfaces for cells.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::PortName;
use super::switches::units_of;
use super::wiring::{Terminals, Wiring};
use crate::edge::{Beginning, Edge, EdgePlan, Exit, Outlet};
use crate::engine::LinkId;
use crate::host::Nic;
use crate::scenario::{Buffer, InService, NodeRef, RateAllocation, Scenario, Switch};
use crate::switch::{Class, Pool, Port};

/// What an edge has on its outgoing links.
#[derive(Default)]
struct Outputs {
    ports: Vec<Port>,
    nics: Vec<Nic>,
    /// By position among the outgoing links: the link, and its place among ports or interfaces.
    exits: Vec<(usize, Exit)>,
}

impl Outputs {
    fn exit(&self, link: usize) -> Option<Exit> {
        self.exits.iter().find(|(outgoing, _)| *outgoing == link).map(|(_, exit)| *exit)
    }

    fn nic_of_link(&self, link: usize) -> usize {
        match self.exit(link) {
            Some(Exit::Cells { nic }) => nic,
            _ => unreachable!("a circuit that ends at an edge has its other direction begin there"),
        }
    }
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
        let (outlets, beginnings) = self.outlets(node, wiring, &outputs);
        let ends = terminals.of(node).iter();
        let ends = ends
            .map(|&vc| Self::terminal(vc, None, wiring, (&outputs.nics, |link| outputs.nic_of_link(link))));
        let pool = match self.edges[index].buffer {
            Buffer::Shared(room) => Some(Pool::new(units_of(room), outputs.ports.len())),
            Buffer::Infinite | Buffer::PerPort(_) | Buffer::PerVc(_) => None,
        };
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
                outputs.exits.push((link, Exit::Cells { nic: outputs.nics.len() }));
                outputs.nics.push(self.nic(link, wiring));
                continue;
            }
            let vcs = wiring.vcs_of_link(link);
            // Packets know no service: one queue.
            let classes = vec![Class::default(); vcs.len()];
            let name = format!("{}.{}", self.edges[index].name, self.links[link].name);
            let plan = self.port_plan(&rules, link, (vcs, &classes), names.len(), &name);
            outputs.exits.push((link, Exit::Packets { port: outputs.ports.len(), slot: 0 }));
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
        }
    }

    /// By way of a flow: where its packets go on from `node`; and what begins there.
    fn outlets(
        &self,
        node: NodeRef,
        wiring: &Wiring<'_>,
        outputs: &Outputs,
    ) -> (Vec<Option<Outlet>>, Vec<Beginning>) {
        let mut outlets = vec![None; wiring.legs.ways() as usize];
        // Flows of a shared circuit have one beginning.
        let mut places = BTreeMap::new();
        let mut beginnings = Vec::new();
        for way in 0..wiring.legs.ways() {
            for vc in wiring.legs.of_way(way) {
                let path = wiring.legs.of(vc).path;
                let Some(hop) = path.iter().position(|&link| self.links[link].from == node) else { continue };
                let Some(exit) = outputs.exit(path[hop]) else { continue };
                let exit = match exit {
                    Exit::Packets { port, .. } => {
                        let slot = wiring.vcs_of_link(path[hop]).binary_search(&vc);
                        Exit::Packets { port, slot: slot.expect("the VC passes the link") as u32 }
                    }
                    Exit::Cells { .. } => exit,
                };
                let beginning = (hop == 0).then(|| {
                    *places.entry(vc).or_insert_with(|| {
                        beginnings.push(Beginning::new(vc));
                        beginnings.len() - 1
                    })
                });
                outlets[way as usize] = Some(Outlet { exit, vc, beginning });
            }
        }
        (outlets, beginnings)
    }
}
