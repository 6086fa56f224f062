//! Wiring: links that meet at each node, and the ends of virtual circuits.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Assembly;
use super::impairments::impairments;
use super::node::AnyNode;
use super::parts::{Joined, Part};
use super::segments::VcSegments;
use crate::engine::{InPort, Link, LinkId, NodeId};
use crate::scenario::{Flow, NodeRef, Scenario};
use crate::switch::Switch;
use crate::traffic::SourceLoad;
use crate::units::Span;

/// Links that meet at each node, and the flows and VCs that pass them. Made in one pass, since a
/// scenario may have 100 000 flows.
pub(super) struct Wiring<'s> {
    pub(super) segments: VcSegments<'s>,
    incoming: BTreeMap<NodeRef, Vec<usize>>,
    outgoing: BTreeMap<NodeRef, Vec<usize>>,
    /// Position of a link among the outgoing links of its sending node, by link.
    output_of_link: Vec<usize>,
    vcs_of_link: Vec<Vec<u32>>,
    flows_of_host: Vec<Vec<usize>>,
    passing: Vec<Vec<Passing>>,
    /// True if all sources of raw cells have the same constant rate.
    has_one_rate: bool,
}

/// A direction of a flow that is forwarded by an edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passing {
    pub(super) direction: u32,
    /// The segment behind the edge.
    pub(super) vc: u32,
    /// Index of the hop in that segment; 0 where it originates.
    pub(super) hop: usize,
}

impl<'s> Wiring<'s> {
    pub(super) fn new(scenario: &'s Scenario) -> Self {
        let mut wiring = Self {
            segments: VcSegments::new(scenario),
            incoming: BTreeMap::new(),
            outgoing: BTreeMap::new(),
            output_of_link: Vec::new(),
            vcs_of_link: vec![Vec::new(); scenario.links.len()],
            flows_of_host: vec![Vec::new(); scenario.hosts.len()],
            passing: vec![Vec::new(); scenario.edges.len()],
            has_one_rate: has_one_rate(scenario),
        };
        for (index, link) in scenario.links.iter().enumerate() {
            wiring.incoming.entry(link.to).or_default().push(index);
            let outputs = wiring.outgoing.entry(link.from).or_default();
            wiring.output_of_link.push(outputs.len());
            outputs.push(index);
        }
        for (index, flow) in scenario.flows.iter().enumerate() {
            wiring.flows_of_host[flow.source].push(index);
            wiring.flows_of_host[flow.sink].push(index);
        }
        for (vc, segment) in wiring.segments.used() {
            for &link in segment.path {
                wiring.vcs_of_link[link].push(vc);
            }
        }
        wiring.pass_edges(scenario);
        wiring
    }

    fn pass_edges(&mut self, scenario: &Scenario) {
        if scenario.edges.is_empty() {
            return;
        }
        for direction in 0..self.segments.directions() {
            for vc in self.segments.of_direction(direction) {
                for (hop, &link) in self.segments.of(vc).path.iter().enumerate() {
                    if let NodeRef::Edge(edge) = scenario.links[link].from {
                        self.passing[edge].push(Passing { direction, vc, hop });
                    }
                }
            }
        }
    }

    /// True if all sources of raw cells have the same constant rate: others make no rounds.
    pub(super) fn has_one_rate(&self) -> bool {
        self.has_one_rate
    }

    pub(super) fn incoming(&self, node: NodeRef) -> &[usize] {
        self.incoming.get(&node).map_or(&[], Vec::as_slice)
    }

    pub(super) fn outgoing(&self, node: NodeRef) -> &[usize] {
        self.outgoing.get(&node).map_or(&[], Vec::as_slice)
    }

    /// The position of a link among the outgoing links of its node; at a host, of the interface
    /// onto it.
    pub(super) fn output_of_link(&self, link: usize) -> usize {
        self.output_of_link[link]
    }

    /// The parts of a node as VCs and flows join its links, or the whole of it.
    pub(super) fn parts(&self, node: NodeRef, joined: Option<&Joined>) -> Vec<Part> {
        joined.map_or_else(|| vec![Part::whole(self, node)], |joined| joined.parts(self, node))
    }

    /// Directions that an edge forwards, in order.
    pub(super) fn passing(&self, edge: usize) -> &[Passing] {
        &self.passing[edge]
    }

    /// The VCs that pass a link, in order.
    pub(super) fn vcs_of_link(&self, link: usize) -> &[u32] {
        &self.vcs_of_link[link]
    }

    /// The flows that begin or end at a host, in order.
    pub(super) fn flows_of_host(&self, host: usize) -> &[usize] {
        &self.flows_of_host[host]
    }
}

fn has_one_rate(scenario: &Scenario) -> bool {
    let of_cells = scenario.flows.iter().filter(|flow| !flow.sends_packets());
    let mut loads = of_cells.filter_map(Flow::load);
    let is_constant = |load: &SourceLoad| !load.is_random && load.busy_part >= 1.0;
    let first = loads.next().filter(is_constant);
    first.is_some_and(|first| {
        loads.all(|load| is_constant(&load) && load.interval == first.interval)
    })
}

/// Terminations of VCs.
pub(super) struct Terminals {
    /// VCs that end at a host, or at a part of an edge with this number, in the order of their
    /// places.
    vcs_of_node: BTreeMap<(NodeRef, usize), Vec<u32>>,
    /// Place of a VC among those that end at the same host or part, by VC.
    pub(super) place_of_vc: Arc<[u32]>,
}

impl Terminals {
    /// Makes the ends of all VCs; `edges` are the parts of each edge.
    pub(super) fn new(scenario: &Scenario, segments: &VcSegments<'_>, edges: &[Vec<Part>]) -> Self {
        let mut part_of_input = vec![0; scenario.links.len()];
        for (number, part) in edges.iter().flat_map(|parts| parts.iter().enumerate()) {
            part.inputs.iter().for_each(|&link| part_of_input[link] = number);
        }
        let mut vcs_of_node: BTreeMap<(NodeRef, usize), Vec<u32>> = BTreeMap::new();
        let mut place_of_vc = vec![0; segments.count()];
        for (vc, segment) in segments.used() {
            let last = segment.path[segment.path.len() - 1];
            let place = (scenario.links[last].to, part_of_input[last]);
            let vcs = vcs_of_node.entry(place).or_default();
            place_of_vc[vc as usize] = vcs.len() as u32;
            vcs.push(vc);
        }
        Self { vcs_of_node, place_of_vc: place_of_vc.into() }
    }

    /// VCs that end at a host or at a part of an edge. A host is one part, with the number 0.
    pub(super) fn of(&self, node: NodeRef, part: usize) -> &[u32] {
        self.vcs_of_node.get(&(node, part)).map_or(&[], Vec::as_slice)
    }
}

/// Nodes at both ends of each link, once they are made.
pub(super) struct Ends {
    /// The sending node of each link.
    pub(super) senders: Vec<NodeId>,
    /// The receiving node of each link, and its input.
    pub(super) receivers: Vec<(NodeId, InPort)>,
}

impl Ends {
    /// Ends of so many links, all at the first node.
    pub(super) fn new(links: usize) -> Self {
        Self { senders: vec![NodeId(0); links], receivers: vec![(NodeId(0), InPort(0)); links] }
    }

    /// Sets the ends that are at a node.
    pub(super) fn set(&mut self, node: usize, part: &Part) {
        let node = NodeId(node as u32);
        for &link in &part.outputs {
            self.senders[link] = node;
        }
        for (input, &link) in part.inputs.iter().enumerate() {
            self.receivers[link] = (node, InPort(input as u32));
        }
    }
}

/// All links, empty.
pub(super) fn links(assembly: &Assembly<'_>, nodes: &[AnyNode], ends: &Ends) -> Vec<Link> {
    let mut is_sent_trains = vec![false; assembly.scenario.links.len()];
    for LinkId(link) in nodes.iter().flat_map(AnyNode::sends_trains_onto) {
        is_sent_trains[link as usize] = true;
    }
    // Once for each node: a switch asks all its ports.
    let orders: Vec<_> = nodes.iter().map(AnyNode::train_order).collect();
    let links = assembly.scenario.links.iter().enumerate().map(|(index, link)| {
        let passage = assembly.scenario.passage(index) + assembly.transmission(index).shortest();
        let is_passed = !assembly.wiring.vcs_of_link(index).is_empty();
        let lookahead = if is_passed { passage } else { Span::MAX };
        let keeps_order = link.delay.excess().is_none()
            && impairments(assembly, index).iter().all(|one| one.keeps_time());
        let to = ends.receivers[index];
        let order = orders[to.0.0 as usize]
            .filter(|_| is_sent_trains[index] && has_trains(assembly, index));
        let empty = Link::new(lookahead, to).in_order(keeps_order);
        match order {
            Some(order) => empty.with_trains(order),
            None => empty,
        }
    });
    links.collect()
}

/// True if cells that pass a link travel in trains. These are frames, and cells of a constant
/// rate if all sources have the same rate, so that several may make rounds. A run without
/// memory ends before any does.
fn has_trains(assembly: &Assembly<'_>, link: usize) -> bool {
    let mut segments =
        assembly.wiring.vcs_of_link(link).iter().map(|&vc| assembly.wiring.segments.of(vc));
    !(assembly.memory.is_exceeded() || assembly.own.is_cell_by_cell)
        && segments.any(|segment| segment.has_frames() || assembly.wiring.has_one_rate)
}

/// Makes switches merge trains if some links to them carry trains. Where one VC alone passes an
/// output, no cell comes to it before one that was sent earlier: a link with trains keeps their
/// order, whatever is before it, and cells of other links are forwarded as they come.
pub(super) fn expect_trains(
    assembly: &Assembly<'_>,
    switch: &mut Switch,
    part: &Part,
    links: &[Link],
) {
    if part.inputs.iter().any(|&link| links[link].carries_trains()) {
        let are_of_one = |&link: &usize| assembly.wiring.vcs_of_link(link).len() == 1;
        switch.expect_trains(part.outputs.iter().map(are_of_one));
    }
}
