//! Warnings about flows that are equal in everything and start together: they fill a buffer
//! together, lose together and wait for their timers together, in every run, whatever the seed.
//! Their throughput then depends more on that instant than on the path.
//!
//! Equal are flows of one traffic, transport and service between hosts of one kind over links of
//! one kind, with the same nodes behind them, that pass a common port with a limited buffer.
//! Something random separates them where a start or a CPU time is drawn, where their senders, or
//! receivers that delay ACKs, are hosts with tick phases of their own (`bsd` timers, unless phases
//! are off), where a policy on the path discards at random, or where a source of random arrivals
//! shares a link. Starts within one cell time of each other (`run.phase`) do not count: they decide
//! which flow is first, and separate none from the others.

use std::collections::BTreeMap;

use crate::link::Delay;
use crate::scenario::resolved::{
    AckRule, Buffer, Carries, Drop, Flow, Host, NodeRef, Phase, Scenario, Timers,
};
use crate::units::Span;

/// A line for each group of such flows, in the order of their first. Those of `driven` have
/// stacks of their own, and equal no others.
pub(super) fn warnings(scenario: &Scenario, driven: &[String]) -> Vec<String> {
    let random = links_of_random_arrivals(scenario);
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, flow) in scenario.flows.iter().enumerate() {
        if !driven.contains(&flow.name) && has_no_randomness(scenario, flow, &random) {
            groups.entry(likeness(scenario, flow)).or_default().push(index);
        }
    }
    let mut found: Vec<Vec<usize>> =
        groups.into_values().filter(|group| meets(scenario, group)).collect();
    found.sort_unstable();
    found.iter().map(|group| warning(scenario, group)).collect()
}

fn warning(scenario: &Scenario, group: &[usize]) -> String {
    let (first, last) = (&scenario.flows[group[0]], &scenario.flows[group[group.len() - 1]]);
    let names = if group.len() == 2 {
        format!("flows {} and {}", first.name, last.name)
    } else {
        format!("{} flows, {} to {},", group.len(), first.name, last.name)
    };
    let family = first.name.split_once('[').map_or(first.name.as_str(), |(family, _)| family);
    let start = first.start.min();
    let from = if start.is_zero() { "0 s".to_owned() } else { start.to_string() };
    let to = start + round_trip(scenario, first);
    format!(
        "{names} are the same, start together and have nothing random between them: they may lose \
         and wait together, with every seed; spread their starts by a round trip or more, for \
         instance `flow.{family}.start = {{ uniform \
         = [\"{from}\", \"{to}\"] }}`"
    )
}

/// Propagation there and back, in whole milliseconds and at least one.
fn round_trip(scenario: &Scenario, flow: &Flow) -> Span {
    let links = flow.path.iter().chain(&flow.reverse_path);
    let sum = links.fold(Span::ZERO, |sum, &link| sum + scenario.links[link].delay.max());
    let milliseconds = (sum.picoseconds() as u64).div_ceil(1_000_000_000);
    Span::from_milliseconds(milliseconds.max(1) as i64)
}

/// True if nothing random acts on the flow.
fn has_no_randomness(scenario: &Scenario, flow: &Flow, random: &[bool]) -> bool {
    let hosts = [flow.source, flow.sink].map(|host| &scenario.hosts[host]);
    let mut links = flow.path.iter().chain(&flow.reverse_path);
    flow.tcp.is_some()
        && !is_random(flow)
        && flow.start.is_fixed()
        && hosts.iter().all(|host| host.cpu_per_segment.is_fixed())
        && !links.any(|&link| random[link] || has_randomness(scenario, link))
}

/// True if the flow sends or writes at random instants, or random sizes.
fn is_random(flow: &Flow) -> bool {
    let load = flow.traffic.source(flow.ip);
    load.is_some_and(|load| load.is_random || load.offered.has_random_sizes())
}

/// True for links on which a source with random arrivals sends.
fn links_of_random_arrivals(scenario: &Scenario) -> Vec<bool> {
    let mut random = vec![false; scenario.links.len()];
    let sends_at_random = |flow: &&Flow| flow.tcp.is_none() && is_random(flow);
    for flow in scenario.flows.iter().filter(sends_at_random) {
        flow.path.iter().for_each(|&link| random[link] = true);
    }
    random
}

/// True if a policy before a link discards at random, or the link has random losses or rates.
fn has_randomness(scenario: &Scenario, link: usize) -> bool {
    let mut impairments =
        scenario.links[link].impairments.iter().flat_map(|impairments| &impairments.0);
    impairments.any(|impairment| impairment.is_random())
        || scenario.links[link].capacity.as_ref().is_some_and(|capacity| capacity.is_random())
        || drop_at(scenario, link).is_some_and(|drop| drop.facts().is_random)
}

fn drop_at(scenario: &Scenario, link: usize) -> Option<Drop> {
    match scenario.links[link].from {
        NodeRef::Host(_) => None,
        NodeRef::Switch(switch) => Some(scenario.switches[switch].drop),
        NodeRef::Edge(edge) => Some(scenario.edges[edge].drop),
    }
}

/// Common properties of equal flows as text, without names.
fn likeness(scenario: &Scenario, flow: &Flow) -> String {
    let hosts = [flow.source, flow.sink]
        .map(|host| Host { name: String::new(), ..scenario.hosts[host].clone() });
    let direction = |path: &[usize]| -> Vec<(Carries, &Delay, Option<NodeRef>)> {
        let links = path.iter().map(|&link| &scenario.links[link]);
        links.map(|link| (link.carries, &link.delay, forwarder(link.to))).collect()
    };
    let directions = [direction(&flow.path), direction(&flow.reverse_path)];
    let phases = tick_phases(scenario, flow);
    format!(
        "{hosts:?} {directions:?} {phases:?} {:?} {:?} {:?} {:?}",
        flow.start, flow.traffic, flow.service, flow.tcp
    )
}

/// Hosts whose random tick phases act on a flow. Phases are drawn once for a host, so flows of one
/// host have the same.
fn tick_phases(scenario: &Scenario, flow: &Flow) -> [Option<usize>; 2] {
    let Some(tcp) = flow.tcp.as_ref().filter(|_| scenario.run.phase == Phase::Random) else {
        return [None; 2];
    };
    let has_ticks = matches!(tcp.timers, Timers::Bsd(_));
    [(has_ticks, flow.source), (has_ticks && tcp.ack == AckRule::Delayed, flow.sink)]
        .map(|(counts, host)| counts.then_some(host))
}

/// The node, unless it is a host: every flow may have its own.
const fn forwarder(node: NodeRef) -> Option<NodeRef> {
    match node {
        NodeRef::Host(_) => None,
        NodeRef::Switch(_) | NodeRef::Edge(_) => Some(node),
    }
}

/// True if several flows pass a common port that may lose their cells.
fn meets(scenario: &Scenario, group: &[usize]) -> bool {
    let [first, others @ ..] = group else { return false };
    let is_common = |link: &&usize| {
        !others.is_empty() && others.iter().all(|&flow| scenario.flows[flow].path.contains(link))
    };
    scenario.flows[*first].path.iter().filter(is_common).any(|&link| has_limit(scenario, link))
}

fn has_limit(scenario: &Scenario, link: usize) -> bool {
    let buffer = match scenario.links[link].from {
        NodeRef::Host(_) => return false,
        NodeRef::Switch(switch) => scenario.switches[switch].buffer,
        NodeRef::Edge(edge) => scenario.edges[edge].buffer,
    };
    buffer != Buffer::Infinite
}
