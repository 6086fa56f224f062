//! Parts of a path on which a flow is cells, and parts on which it is packets.

use std::ops::Range;

use super::resolved::{Flow, Link, NodeRef, Scenario};
use crate::units::Span;

/// The flow whose application wrote the bytes that arrive on a flow: another one if that flow
/// relays it alone.
pub(crate) fn origin(flows: &[Flow], mut flow: usize) -> usize {
    // Relays in a circle have no origin.
    for _ in 0..flows.len() {
        match flows[flow].relay.as_deref() {
            Some(relay) if relay.of.len() == 1 => flow = relay.of[0],
            _ => return flow,
        }
    }
    flow
}

impl Link {
    pub(crate) fn is_of_cells(&self) -> bool {
        self.carries.is_of_cells()
    }
}

impl Scenario {
    /// The hops of a path that carry cells. A path has at most one range of them: the scenario was
    /// checked for it.
    pub(crate) fn cell_hops(&self, path: &[usize]) -> Range<usize> {
        let is_of_cells = |link: &usize| self.links[*link].is_of_cells();
        let start = path.iter().position(is_of_cells).unwrap_or(path.len());
        start..start + path[start..].iter().take_while(|link| is_of_cells(link)).count()
    }

    /// The links of a path that carry cells.
    pub(crate) fn cell_links<'p>(&self, path: &'p [usize]) -> &'p [usize] {
        &path[self.cell_hops(path)]
    }

    /// The name of a node.
    pub(crate) fn name_of(&self, node: NodeRef) -> &str {
        match node {
            NodeRef::Host(index) => &self.hosts[index].name,
            NodeRef::Switch(index) => &self.switches[index].name,
            NodeRef::Edge(index) => &self.edges[index].name,
        }
    }

    /// The name of a direction of a link. The second one of a duplex link shares the name of the
    /// first in the file; here it gets ` back`.
    pub fn name_of_link(&self, link: usize) -> String {
        let name = &self.links[link].name;
        if self.is_second_direction(link) { format!("{name} back") } else { name.clone() }
    }

    /// True for the second direction of a duplex link, which shares the name of the first.
    pub(crate) fn is_second_direction(&self, link: usize) -> bool {
        link > 0 && self.links[link - 1].name == self.links[link].name
    }

    /// Connections of a flow behind the proxies that split it, the last one first.
    pub(crate) fn further_connections(&self, flow: &Flow) -> impl Iterator<Item = &Flow> {
        let of = flow.leg.as_deref().map(|leg| leg.of);
        let last = flow.leg.as_deref().map_or(0, |leg| leg.last + 1);
        let is_one =
            move |one: &&Flow| one.is_from_proxy() && one.leg.as_deref().map(|leg| leg.of) == of;
        self.flows[..last].iter().rev().take_while(is_one)
    }

    /// True for the link from a node to a proxy there.
    pub(crate) fn leads_to_proxy(&self, link: usize) -> bool {
        self.proxies.iter().any(|proxy| proxy.host.is_some_and(|host| host.link == link))
    }

    /// Sum of the shortest propagation delay of a link and the processing delay of its receiving
    /// node.
    pub(crate) fn passage(&self, link: usize) -> Span {
        let link = &self.links[link];
        link.delay.min() + self.processing_of(link.to)
    }

    /// Processing delay of a node for the cells and packets that it forwards.
    pub(crate) fn processing_of(&self, node: NodeRef) -> Span {
        match node {
            NodeRef::Host(_) => Span::ZERO,
            NodeRef::Switch(index) => self.switches[index].delay,
            NodeRef::Edge(index) => self.edges[index].delay,
        }
    }
}
