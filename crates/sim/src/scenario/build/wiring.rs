//! Which links meet where, and where virtual circuits end.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{ack_vc, data_vc};
use crate::engine::{InPort, Link, NodeId};
use crate::scenario::{Carries, NodeRef, Scenario};
use crate::units::{Pace, Span};

/// Which links meet at each node.
pub(super) struct Wiring {
    incoming: BTreeMap<NodeRef, Vec<usize>>,
    outgoing: BTreeMap<NodeRef, Vec<usize>>,
}

impl Wiring {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let mut wiring = Self { incoming: BTreeMap::new(), outgoing: BTreeMap::new() };
        for (index, link) in scenario.links.iter().enumerate() {
            wiring.incoming.entry(link.to).or_default().push(index);
            wiring.outgoing.entry(link.from).or_default().push(index);
        }
        wiring
    }

    pub(super) fn incoming(&self, node: NodeRef) -> &[usize] {
        self.incoming.get(&node).map_or(&[], Vec::as_slice)
    }

    pub(super) fn outgoing(&self, node: NodeRef) -> &[usize] {
        self.outgoing.get(&node).map_or(&[], Vec::as_slice)
    }

    pub(super) fn links(&self, scenario: &Scenario) -> Vec<Link> {
        let node_id = |node: NodeRef| match node {
            NodeRef::Host(index) => NodeId(index as u32),
            NodeRef::Switch(index) => NodeId((scenario.hosts.len() + index) as u32),
        };
        let links = scenario.links.iter().enumerate().map(|(index, link)| {
            let position = self.incoming(link.to).iter().position(|&other| other == index);
            let port = InPort(position.expect("every link is an input of the node it leads to") as u32);
            Link::new(scenario.passage(index) + shortest_transmission(link.carries), (node_id(link.to), port))
        });
        links.collect()
    }
}

/// Where VCs end.
pub(super) struct Terminals {
    host_of_vc: Vec<Option<usize>>,
    pub(super) place_of_vc: Arc<[u32]>,
}

impl Terminals {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let mut host_of_vc = vec![None; 2 * scenario.flows.len()];
        let mut place_of_vc = vec![0; host_of_vc.len()];
        let mut taken = vec![0; scenario.hosts.len()];
        for (index, flow) in scenario.flows.iter().enumerate() {
            let back = flow.tcp.is_some().then_some((ack_vc(index), flow.from));
            for (vc, host) in [Some((data_vc(index), flow.to)), back].into_iter().flatten() {
                host_of_vc[vc as usize] = Some(host);
                place_of_vc[vc as usize] = taken[host];
                taken[host] += 1;
            }
        }
        Self { host_of_vc, place_of_vc: place_of_vc.into() }
    }

    /// In the order of their places.
    pub(super) fn of_host(&self, host: usize) -> impl Iterator<Item = u32> {
        let vcs = self.host_of_vc.iter().enumerate();
        vcs.filter(move |(_, at)| **at == Some(host)).map(|(vc, _)| vc as u32)
    }
}

/// No unit takes the line for less time than this.
fn shortest_transmission(carries: Carries) -> Span {
    const SMALLEST_IP_PACKET_BYTES: u64 = 20;
    match carries {
        Carries::Cells { cell_rate, .. } => Pace::of_cells(cell_rate).span(),
        Carries::Packets { line_rate, overhead } => {
            line_rate.span_of_bits(8 * (SMALLEST_IP_PACKET_BYTES + overhead.0))
        }
    }
}
