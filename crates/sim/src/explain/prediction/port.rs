//! Ports with the flows whose data pass them.

use crate::assemble::QueueRules;
use crate::explain::{Explanation, LinkFacts, PortFacts};
use crate::scenario::resolved::{InService, Scenario};

/// A scenario and its explanation, with the flows at each port.
pub(super) struct Ports<'a> {
    pub(super) scenario: &'a Scenario,
    pub(super) explained: &'a Explanation,
    /// Links of the ports in order, and the rules there.
    links: Vec<(usize, QueueRules)>,
    /// Flows by link: none on those of hosts.
    passing: Vec<Vec<Passage>>,
}

/// A flow at a port.
pub(super) struct Passage {
    pub(super) flow: usize,
    /// Link by which it comes.
    pub(super) before: usize,
    /// True if it passed no other port before.
    pub(super) is_first: bool,
}

/// A port of a switch or an edge.
pub(super) struct Port<'a> {
    pub(super) of: &'a Ports<'a>,
    pub(super) facts: &'a PortFacts,
    /// Link that it sends on.
    pub(super) link: usize,
    pub(super) rules: QueueRules,
    /// Flows that pass it, in their order.
    pub(super) passing: &'a [Passage],
}

impl Port<'_> {
    /// True if a proxy splits one of the flows that pass.
    pub(super) fn has_split_flows(&self) -> bool {
        self.passing.iter().any(|one| self.of.scenario.flows[one.flow].leg.is_some())
    }
}

impl<'a> Ports<'a> {
    pub(super) fn new(scenario: &'a Scenario, explained: &'a Explanation) -> Self {
        let mut passing: Vec<Vec<Passage>> = Vec::new();
        passing.resize_with(scenario.links.len(), Vec::new);
        for (flow, said) in scenario.flows.iter().enumerate() {
            for (index, hops) in said.path.windows(2).enumerate() {
                passing[hops[1]].push(Passage { flow, before: hops[0], is_first: index == 0 });
            }
        }
        let rules = |link| Some((link, QueueRules::of_output(scenario, link)?));
        let links = (0..scenario.links.len()).filter_map(rules).collect();
        Self { scenario, explained, links, passing }
    }

    /// All ports, in the order of their links.
    pub(super) fn all(&'a self) -> impl Iterator<Item = Port<'a>> {
        (0..self.links.len()).map(|index| self.port(index))
    }

    /// The port before a link; `None` for an interface.
    pub(super) fn before(&'a self, link: usize) -> Option<Port<'a>> {
        self.links.binary_search_by_key(&link, |one| one.0).ok().map(|index| self.port(index))
    }

    fn port(&'a self, index: usize) -> Port<'a> {
        let (link, rules) = self.links[index];
        Port {
            of: self,
            facts: &self.explained.ports[index],
            link,
            rules,
            passing: &self.passing[link],
        }
    }

    /// Reason why formulas of constant rates do not apply to these links; `None` if they do.
    pub(super) fn varying(&self, links: &[usize]) -> Option<String> {
        let mut links = links.iter().map(|&link| &self.scenario.links[link]);
        let varies = links.find(|link| link.capacity.is_some())?;
        Some(format!("the rate of {} varies; expected a constant one", varies.name))
    }
}

impl Port<'_> {
    /// Facts of the link that it sends on.
    pub(super) fn line(&self) -> &LinkFacts {
        &self.of.explained.links[self.link]
    }

    /// Cells or packets of the buffer of its first queue; `None` for an infinite one.
    pub(super) fn buffer(&self) -> Option<u64> {
        self.facts.queues[0].buffer.size
    }

    /// True if the cell or packet that is being sent counts as queued.
    pub(super) fn counts_in_service(&self) -> bool {
        self.rules.in_service == InService::Counted
    }
}
