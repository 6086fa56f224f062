//! Groups of flows in the summary of a run: by protocol, by family, and on each link.

use std::collections::BTreeMap;

use super::capacity;
use crate::language::family::split_member;
use crate::result::{ChannelSummary, FlowSummary, GroupSummary, Groups, Ledger, PortSummary};
use crate::scenario::resolved::Carries;
use crate::scenario::wire::{bits_of_segment, rate_of};
use crate::scenario::{CongestionLaw, Flow, Link, Scenario, Tcp};
use crate::traffic::Offered;
use crate::units::CELL_BITS;

/// Segments that a line carries in a measurement whose efficiency needs no limit.
const LONG: f64 = 100.0;

/// A flow and its goodput.
#[derive(Clone, Copy)]
struct Member<'a> {
    flow: &'a Flow,
    goodput: f64,
}

/// Flows of the summary with their goodputs; flows made outside are not in it.
fn members<'a>(
    scenario: &'a Scenario,
    flows: &BTreeMap<String, FlowSummary>,
) -> impl Iterator<Item = Member<'a>> {
    scenario.flows.iter().filter_map(|flow| {
        let goodput = flows.get(&flow.name)?.measured_bits_per_second;
        Some(Member { flow, goodput })
    })
}

/// Further connections of flows that proxies split, each with the goodput of its flow.
fn behind_proxies<'a>(
    scenario: &'a Scenario,
    members: &'a [Member<'a>],
) -> impl Iterator<Item = Member<'a>> {
    let goodputs: BTreeMap<&str, f64> =
        members.iter().map(|member| (member.flow.name.as_str(), member.goodput)).collect();
    let legs = scenario.flows.iter().filter(|flow| flow.is_from_proxy());
    legs.filter_map(move |flow| {
        let of = &scenario.flows[flow.leg.as_ref()?.of];
        Some(Member { flow, goodput: *goodputs.get(of.name.as_str())? })
    })
}

/// Groups of the flows of a run; `names` has the names of links.
pub(super) fn groups(
    scenario: &Scenario,
    flows: &BTreeMap<String, FlowSummary>,
    names: &[String],
) -> Groups {
    let mut by_protocol: BTreeMap<String, Vec<Member<'_>>> = BTreeMap::new();
    let mut by_family: BTreeMap<String, Vec<Member<'_>>> = BTreeMap::new();
    for member in members(scenario, flows) {
        by_protocol.entry(protocol(member.flow)).or_default().push(member);
        by_family.entry(family(&member.flow.name).to_owned()).or_default().push(member);
    }
    let with_tcp: Vec<Member<'_>> =
        members(scenario, flows).filter(|member| member.flow.tcp.is_some()).collect();
    let each = |named: BTreeMap<String, Vec<Member<'_>>>| {
        named.into_iter().map(|(name, members)| (name, group(scenario, &members, names))).collect()
    };
    Groups {
        tcp: (!with_tcp.is_empty()).then(|| group(scenario, &with_tcp, names)),
        protocols: each(by_protocol),
        families: each(by_family),
    }
}

fn group(scenario: &Scenario, members: &[Member<'_>], names: &[String]) -> GroupSummary {
    let goodputs: Vec<f64> = members.iter().map(|member| member.goodput).collect();
    let mut most: Option<(usize, f64)> = None;
    let all = members.iter().copied().chain(behind_proxies(scenario, members));
    for (link, found) in used(scenario, all) {
        if found.is_of_payload && most.is_none_or(|(_, efficiency)| found.efficiency > efficiency) {
            most = Some((link, found.efficiency));
        }
    }
    let found = GroupSummary::of(&goodputs);
    GroupSummary {
        fairness: found.fairness.filter(|_| are_alike(scenario, members)),
        efficiency: most.map(|(_, efficiency)| efficiency),
        bottleneck: most.map(|(link, _)| names[link].clone()),
        ..found
    }
}

/// True if all flows could have equal shares: their traffic is the same, and so is the slowest line
/// on each path.
fn are_alike(scenario: &Scenario, members: &[Member<'_>]) -> bool {
    let slowest = |flow: &Flow| {
        let further = scenario.further_connections(flow).flat_map(|one| &one.path);
        let rates = flow.path.iter().chain(further).map(|&link| &scenario.links[link]);
        rates.map(|link| (rate_of(link), link.is_of_cells())).min()
    };
    let mut pairs = members.iter().zip(members.iter().skip(1));
    pairs.all(|(one, next)| {
        one.flow.traffic == next.flow.traffic && slowest(one.flow) == slowest(next.flow)
    })
}

/// Use of the links with data of flows, by name, with ` back` for the second direction.
pub(super) fn channels(
    scenario: &Scenario,
    (flows, connections): (&BTreeMap<String, FlowSummary>, &BTreeMap<String, FlowSummary>),
    ports: &BTreeMap<String, PortSummary>,
    (before, after): (&Ledger, &Ledger),
    names: &[String],
) -> BTreeMap<String, ChannelSummary> {
    let all = members(scenario, flows).chain(members(scenario, connections));
    let found = used(scenario, all).into_iter().map(|(link, used)| {
        let sent = after.links[link].sent.zip(before.links[link].sent);
        let sent = sent.map_or(0, |(later, earlier)| later - earlier);
        let channel = ChannelSummary {
            flows: used.flows,
            utilisation: utilisation(scenario, link, sent, ports),
            goodput_bits_per_second: used.goodput,
            efficiency: used.efficiency,
        };
        (names[link].clone(), channel)
    });
    found.collect()
}

/// Fraction of the time in which a link is busy. Cells take equal times; the time of packets is
/// counted by their port.
fn utilisation(
    scenario: &Scenario,
    index: usize,
    sent: u64,
    ports: &BTreeMap<String, PortSummary>,
) -> Option<f64> {
    let link = &scenario.links[index];
    match link.carries {
        Carries::Cells { cell_rate, .. } => {
            let measured = scenario.run.duration - scenario.run.warm_up;
            let bits = (CELL_BITS * sent) as f64;
            let rate = capacity::mean(scenario, index);
            let rate = rate.unwrap_or(cell_rate.bits_per_second() as f64);
            // A cell counts when its last bit is sent: the first one may have begun before. A line
            // with a varying rate may have had a rate of zero all the time.
            let busy = if rate > 0.0 { bits / rate / measured.seconds_f64() } else { 0.0 };
            Some(busy.min(1.0))
        }
        Carries::Packets { .. } => {
            let port = format!("{}.{}", scenario.name_of(link.from), link.name);
            ports.get(&port).map(|port| port.utilisation)
        }
    }
}

/// Use of a link by members.
#[derive(Clone, Copy, Default)]
struct Used {
    flows: usize,
    goodput: f64,
    efficiency: f64,
    is_of_payload: bool,
    /// True if the line carries few segments in the measurement.
    is_short: bool,
}

/// Use of links by members, in file order.
fn used<'a>(
    scenario: &Scenario,
    members: impl Iterator<Item = Member<'a>>,
) -> BTreeMap<usize, Used> {
    let mut links: BTreeMap<usize, Used> = BTreeMap::new();
    // Means of rates that vary, each found once.
    let mut varying: BTreeMap<usize, f64> = BTreeMap::new();
    let measured = (scenario.run.duration - scenario.run.warm_up).seconds_f64();
    for Member { flow, goodput } in members {
        for &link in &flow.path {
            let used = links.entry(link).or_default();
            used.flows += 1;
            let rate = rate_on(scenario, link, &mut varying);
            if let Some(most) = highest_goodput(flow, &scenario.links[link], rate) {
                used.goodput += goodput;
                // A line with a varying rate may have had a rate of zero all the time.
                used.efficiency += if most > 0.0 { goodput / most } else { 0.0 };
                used.is_of_payload = true;
                used.is_short |= most * measured < LONG * payload_bits(flow);
            }
        }
    }
    // A short measurement may acknowledge much more than a line carries in it: bytes that came
    // before it.
    for used in links.values_mut().filter(|used| used.is_short) {
        used.efficiency = used.efficiency.min(1.0);
    }
    links
}

/// Payload of a full segment or a datagram, bits; 0 for raw cells.
fn payload_bits(flow: &Flow) -> f64 {
    let of_datagram = || match flow.load()?.offered {
        Offered::Datagrams { payload_bytes, .. } => Some(payload_bytes),
        _ => None,
    };
    let of_segment = flow.tcp.as_ref().map(|tcp| tcp.full_segment() as f64);
    8.0 * of_segment.or_else(of_datagram).unwrap_or(0.0)
}

/// Rate of a line; the mean over the measurement if it varies.
fn rate_on(scenario: &Scenario, link: usize, varying: &mut BTreeMap<usize, f64>) -> f64 {
    let constant = rate_of(&scenario.links[link]) as f64;
    if scenario.links[link].capacity.is_none() {
        return constant;
    }
    let mean = || capacity::mean(scenario, link).unwrap_or(constant);
    *varying.entry(link).or_insert_with(mean)
}

/// Highest rate at which a line carries the payload of a flow's segments or datagrams, bits per
/// second; `None` for raw cells.
fn highest_goodput(flow: &Flow, link: &Link, rate: f64) -> Option<f64> {
    if let Some(tcp) = &flow.tcp {
        let bits = bits_of_segment(tcp.mss.0, tcp.ip, link);
        return Some(8.0 * tcp.full_segment() as f64 / bits as f64 * rate);
    }
    let Offered::Datagrams { per_second, payload_bytes, .. } = flow.load()?.offered else {
        return None;
    };
    let on_line = crate::scenario::wire::peak_on(&flow.load()?, link);
    Some(8.0 * payload_bytes * per_second / on_line * rate)
}

/// The name of a flow's TCP by its rule and law, both words of the language.
fn protocol(flow: &Flow) -> String {
    match &flow.tcp {
        Some(tcp) => tcp_name(tcp),
        None if flow.traffic.datagram().is_some() => "udp".to_owned(),
        None => "cells".to_owned(),
    }
}

fn tcp_name(tcp: &Tcp) -> String {
    let recovery = tcp.recovery.word();
    if tcp.congestion == CongestionLaw::Reno {
        return recovery.to_owned();
    }
    format!("{} {recovery}", tcp.congestion.word())
}

pub(super) fn family(name: &str) -> &str {
    split_member(name).map_or(name, |(base, _)| base)
}
