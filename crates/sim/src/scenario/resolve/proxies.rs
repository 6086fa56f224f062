//! Proxies: each becomes a host behind its node, and a flow that it splits two connections, one to
//! that host and a relay from there.
//!
//! The link between node and host is much faster than the lines of the network, and the queue onto
//! it has no limit, so that a proxy adds two microseconds to each crossing and discards nothing.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::language::family::{Named, member_of, split_member};
use crate::language::fault::{Fault, did_you_mean, nearest, one_of};
use crate::language::faults::{all, check};
use crate::language::pattern::fits;
use crate::scenario::resolve::expand::Nodes;
use crate::scenario::resolve::place::{KeyOf, Owner};
use crate::scenario::resolve::split::{Crossing, split};
use crate::scenario::resolved::{
    Carries, Flow, Host, Link, LinkSection, NodeRef, Proxy, ProxyHost, ProxySection, Scenario,
    ScenarioFile,
};
use crate::units::{Framing, Rate, Span, quoted};

/// Rate of the link to a proxy.
const LINE: Rate = Rate::from_bits_per_second(100_000_000_000);
/// Propagation of the link to a proxy: the engine needs some.
const DELAY: Span = Span::from_microseconds(1);

/// Checks all proxies, and splits flows at those that are enabled.
pub(super) fn resolve(
    file: &ScenarioFile,
    nodes: &Nodes,
    scenario: &mut Scenario,
) -> Result<(), Fault> {
    let flows = scenario.flows.len();
    let mut crossings: Vec<Vec<Crossing>> = vec![Vec::new(); flows];
    check(file.proxy.iter().map(|section| place(section, nodes, scenario, &mut crossings)))?;
    // At one node the first proxy in the file is the nearest to `from`.
    for all in &mut crossings {
        all.sort_by_key(|one| (one.there, one.proxy));
    }
    check((0..flows).map(|flow| check_order(scenario, flow, &crossings[flow])))?;
    (0..flows).for_each(|flow| split(scenario, flow, &crossings[flow]));
    Ok(())
}

/// Refuses proxies that the two directions of a flow do not pass in opposite orders.
fn check_order(scenario: &Scenario, flow: usize, crossings: &[Crossing]) -> Result<(), Fault> {
    let is_same =
        |pair: &&[Crossing]| pair[0].there < pair[1].there && pair[0].back <= pair[1].back;
    let Some(pair) = crossings.windows(2).find(is_same) else { return Ok(()) };
    let [first, second] = [0, 1].map(|at| &scenario.proxies[pair[at].proxy].name);
    let key = Owner::new("proxy", family_of(second)).key("at");
    let message = format!(
        "`{key}`: `flow.{}` passes `{first}` before `{second}` there and back; expected proxies \
         that its data and its acknowledgements pass in opposite orders",
        scenario.flows[flow].name
    );
    Err(key.fault(message))
}

/// The name of the section of a member.
fn family_of(name: &str) -> &str {
    split_member(name).map_or(name, |(family, _)| family)
}

/// Places the members of a section, and notes the flows that cross them.
fn place(
    section: &Named<ProxySection>,
    nodes: &Nodes,
    scenario: &mut Scenario,
    crossings: &mut [Vec<Crossing>],
) -> Result<(), Fault> {
    let site = Site { section, nodes };
    let at = site.owner().key("at").reference(&section.body.at);
    nodes.check_star(at, section.count)?;
    for (number, name) in section.numbers.clone().zip(section.members()) {
        site.check_name(&name, scenario)?;
        let node = nodes.find(at, number)?;
        if let NodeRef::Host(_) = node {
            let message = format!(
                "`{}`: {} is a host, which forwards nothing; expected a switch or an edge",
                at.key,
                quoted(at.name)
            );
            return Err(at.fault(message));
        }
        site.check_link(node, number, scenario)?;
        site.check_patterns(scenario)?;
        let is_on = section.body.enabled;
        let crossing = if is_on { site.crossing(node, scenario)? } else { Vec::new() };
        let body = ProxySection {
            name,
            at: member_of(&section.body.at, number),
            link: section.body.link.as_deref().map(|link| member_of(link, number)),
            ..section.body.clone()
        };
        let proxy = scenario.proxies.len();
        let host = is_on.then(|| add_host(&body, node, scenario));
        for (flow, [there, back]) in crossing {
            crossings[flow].push(Crossing { proxy, there, back });
        }
        scenario.proxies.push(Proxy { section: body, host });
    }
    Ok(())
}

/// Adds the host of a proxy, and its link in both directions.
fn add_host(proxy: &ProxySection, node: NodeRef, scenario: &mut Scenario) -> ProxyHost {
    let host = ProxyHost { index: scenario.hosts.len(), link: scenario.links.len() };
    let are_cells = matches!(node, NodeRef::Switch(_))
        && scenario.links.iter().any(|link| link.from == node && link.is_of_cells());
    let carries = if are_cells {
        Carries::Cells { line_rate: LINE, cell_rate: LINE }
    } else {
        Carries::Packets { line_rate: LINE, framing: Framing::default() }
    };
    let name = proxy.name.clone();
    let link = LinkSection::between(&proxy.at, &name, carries, DELAY);
    let section = Arc::new(LinkSection { name: name.clone(), ..link });
    scenario.hosts.push(Host { name, ..Host::default() });
    let itself = NodeRef::Host(host.index);
    let ends = [(node, itself), (itself, node)];
    let links = ends.map(|(from, to)| Link { section: section.clone(), from, to });
    scenario.links.extend(links);
    host
}

/// A section of proxies.
struct Site<'s> {
    section: &'s Named<ProxySection>,
    nodes: &'s Nodes,
}

impl<'s> Site<'s> {
    fn owner(&self) -> Owner<'s> {
        Owner::new("proxy", &self.section.name)
    }

    fn key(&self, key: &'static str) -> KeyOf<'s> {
        self.owner().key(key)
    }

    /// Refuses a name that a node or a link has, whose place in the results it would take.
    fn check_name(&self, name: &str, scenario: &Scenario) -> Result<(), Fault> {
        let is_link = scenario.links.iter().any(|link| link.name == name);
        let kind = if self.nodes.has(name) {
            "node"
        } else if is_link {
            "link"
        } else {
            return Ok(());
        };
        let message = format!(
            "there are a {kind} and a proxy {}; expected a proxy to have a name of its own",
            quoted(name)
        );
        Err(self.owner().fault(message))
    }

    /// Checks that the link with a TCP of its own is at the node, and that both keys are there.
    fn check_link(&self, node: NodeRef, number: u64, scenario: &Scenario) -> Result<(), Fault> {
        let ProxySection { link, link_tcp, .. } = &self.section.body;
        let (Some(link), Some(_)) = (link, link_tcp) else {
            let (has, lacks) = match (link, link_tcp) {
                (Some(_), None) => ("link", "link_tcp"),
                (None, Some(_)) => ("link_tcp", "link"),
                _ => return Ok(()),
            };
            let key = self.key(has);
            let message = format!("`{key}` stands alone; expected `{lacks}` beside it");
            return Err(key.fault(message));
        };
        let name = member_of(link, number);
        let ends = |one: &&Link| one.from == node || one.to == node;
        let mut at_node: Vec<&str> =
            scenario.links.iter().filter(ends).map(|link| link.name.as_str()).collect();
        at_node.dedup();
        if at_node.contains(&name.as_str()) {
            return Ok(());
        }
        let key = self.key("link");
        let message = format!(
            "`{key}`: {} is no link of `{}`; expected {}",
            quoted(link),
            scenario.name_of(node),
            one_of(&at_node)
        );
        Err(key.fault(message).with_hint(nearest(link, &at_node).map(did_you_mean)))
    }

    /// Flows that are split at `node`, with the positions on their two paths of the links that lead
    /// to it.
    fn crossing(
        &self,
        node: NodeRef,
        scenario: &Scenario,
    ) -> Result<Vec<(usize, [usize; 2])>, Fault> {
        let relayed = relayed(scenario);
        let whole = |flow: &'_ Flow| flow.first_connection.map(|first| &scenario.flows[first].name);
        let is_meant =
            |flow: &Flow| self.is_named(whole(flow).unwrap_or(&flow.name)) && flow.tcp.is_some();
        let meant = scenario.flows.iter().enumerate().filter(|(_, flow)| is_meant(flow));
        let crossing = meant.filter_map(|(index, flow)| {
            let there = crossed(&flow.path, node, scenario)?;
            let back = self.check_flow(index, node, scenario, &relayed);
            Some(back.map(|back| (index, [there, back])))
        });
        let crossing = all(crossing)?;
        if !crossing.is_empty() {
            return Ok(crossing);
        }
        let at = self.section.body.at.as_str();
        let message = format!(
            "`{}`: no TCP connection that it may split crosses `{at}`; expected a node on the path \
             of one",
            self.key("at")
        );
        Err(self.key("at").fault(message))
    }

    fn is_named(&self, flow: &str) -> bool {
        let patterns = &self.section.body.flows;
        patterns.is_empty() || patterns.iter().any(|pattern| fits(pattern, flow))
    }

    fn check_patterns(&self, scenario: &Scenario) -> Result<(), Fault> {
        let key = self.key("flows");
        let with_tcp = scenario.flows.iter().filter(|flow| flow.tcp.is_some() && flow.is_in_file());
        let names: Vec<&str> = with_tcp.map(|flow| flow.name.as_str()).collect();
        check(self.section.body.flows.iter().enumerate().map(|(at, pattern)| {
            if names.iter().any(|name| fits(pattern, name)) {
                return Ok(());
            }
            let message = format!(
                "`{key}`: {} stands for no flow with `tcp`; expected {}, or a pattern with `*`",
                quoted(pattern),
                one_of(&names)
            );
            let fault = Fault::at_key(key.path().element(at), message);
            let family = format!("{pattern}[*]");
            let is_family = names.iter().any(|name| fits(&family, name));
            let meant = is_family.then_some(family.as_str()).or_else(|| nearest(pattern, &names));
            Err(fault.with_hint(meant.map(did_you_mean)))
        }))
    }

    /// Checks that a flow may be split; returns the place on its way back.
    fn check_flow(
        &self,
        index: usize,
        node: NodeRef,
        scenario: &Scenario,
        relayed: &BTreeSet<usize>,
    ) -> Result<usize, Fault> {
        let flow = &scenario.flows[index];
        let Some(back) = crossed(&flow.reverse_path, node, scenario) else {
            let reason = "does not return through that node, and a proxy sees both directions";
            return Err(self.unsplit(flow, reason));
        };
        if flow.vc.is_some() {
            let reason = "travels in a circuit that flows share, which ends at edges";
            return Err(self.unsplit(flow, reason));
        }
        if flow.pace.is_some() {
            return Err(self.unsplit(flow, "has `pacing`, which follows the whole path"));
        }
        if flow.relay.is_some() || relayed.contains(&index) {
            return Err(self.unsplit(flow, "is relayed already"));
        }
        Ok(back)
    }

    fn unsplit(&self, flow: &Flow, reason: &str) -> Fault {
        let key = if self.section.body.flows.is_empty() { "at" } else { "flows" };
        let message = format!(
            "`{}`: `flow.{}` {reason}; expected `flows` without it",
            self.key(key),
            flow.name
        );
        self.key(key).fault(message)
    }
}

/// Flows that relays read.
fn relayed(scenario: &Scenario) -> BTreeSet<usize> {
    let relays = scenario.flows.iter().filter_map(|flow| flow.relay.as_deref());
    relays.flat_map(|relay| relay.of.iter().copied().chain(relay.over)).collect()
}

/// Position on a path of the link that leads to `node`, if the path goes on from there.
fn crossed(path: &[usize], node: NodeRef, scenario: &Scenario) -> Option<usize> {
    let inner = &path[..path.len().max(1) - 1];
    inner.iter().position(|&link| scenario.links[link].to == node)
}

/// Name of the connection of a flow that begins at a proxy.
pub(super) fn name_of_leg(flow: &str, proxy: &str) -> String {
    match split_member(flow) {
        Some((family, number)) => format!("{family} behind {proxy}[{number}]"),
        None => format!("{flow} behind {proxy}"),
    }
}
