//! Reports of a run: its summary, and the check that no cell is missing.

use std::collections::BTreeMap;

use super::capacity;
use super::groups::{channels, groups};
use super::transfers;
use crate::assemble::{AnyNode, Assembled};
use crate::engine::{Link, LinkId};
use crate::pdu::{Frame, Train};
use crate::result::{
    FlowSummary, FlowTimes, HostSummary, Ledger, LinkSummary, LossSummary, OnWay, PacketId,
    PortCounters, PortSummary, PortVcSummary, Summary, VcCounters, VcSummary,
};
use crate::scenario::starts::{drawn_start, drawn_stop};
use crate::scenario::{Flow, Scenario};
use crate::units::{CELL_BITS, Span, Time};

fn empty_ledger(scenario: &Scenario, assembled: &Assembled) -> Ledger {
    Ledger::new(
        scenario.flows.len(),
        assembled.ports.len(),
        assembled.vcs.len(),
        scenario.links.len(),
    )
}

/// Counters at `at`. Of the flows `external` every packet has data.
pub(super) fn ledger_at(
    scenario: &Scenario,
    assembled: &mut Assembled,
    external: &[usize],
    at: Time,
) -> Ledger {
    let mut ledger = empty_ledger(scenario, assembled);
    assembled.network.visit(|node, io| node.report(at, &mut ledger, io));
    count_inside(assembled, external, at, &mut ledger);
    let mut begun: BTreeMap<LinkId, Vec<Train>> = BTreeMap::new();
    for (link, train) in assembled.network.nodes().iter().flat_map(AnyNode::begun) {
        begun.entry(link).or_default().push(train);
    }
    let states = assembled.network.io().links.iter().zip(&mut ledger.links).enumerate();
    for (index, (link, counters)) in states {
        let begun = begun.get(&LinkId(index as u32)).map_or(&[][..], Vec::as_slice);
        counters.sent.get_or_insert_with(|| link.sent_by(at, scenario.passage(index), begun));
    }
    ledger
}

/// Cells whose last bits have not come to the next node, as trains.
fn on_links(assembled: &Assembled) -> impl Iterator<Item = Train> {
    let network = &assembled.network;
    let begun = network.nodes().iter().flat_map(AnyNode::begun).map(|(_, train)| train);
    network.io().links.iter().flat_map(Link::trains).chain(begun)
}

/// Counts datagrams and counted segments that may still arrive, or will be lost: their last cell,
/// or their packet, is on its way at `at`. A link may have made two of one; only the receiver knows
/// whether one of these has arrived.
fn count_inside(assembled: &Assembled, external: &[usize], at: Time, ledger: &mut Ledger) {
    let (nodes, io) = (assembled.network.nodes(), assembled.network.io());
    let held = nodes.iter().flat_map(AnyNode::frames);
    let frames = io.frames.all().chain(io.lost_after(at)).chain(held);
    let is_counted = |frame: &&Frame| {
        let index = frame.direction as usize / 2;
        let flow = &ledger.flows[index];
        let has_data = frame.segment.len > 0 || external.contains(&index);
        let is_data = has_data && frame.direction.is_multiple_of(2);
        flow.datagrams.is_some() || (flow.one_way.is_some() && is_data)
    };
    let mut on_way = OnWay::new();
    for Frame { direction, sent_at, segment, .. } in frames.filter(is_counted) {
        let packet = PacketId { sent_at: *sent_at, seq: segment.seq };
        on_way.entry(*direction as usize / 2).or_default().insert(packet);
    }
    for node in nodes {
        if let AnyNode::Host(host) = node {
            host.count_inside(&on_way, ledger);
        }
    }
}

/// Makes the summary, without the flows `external`.
pub(super) fn summarise(
    scenario: &Scenario,
    assembled: &Assembled,
    external: &[usize],
    (before, after): (&Ledger, &Ledger),
) -> Summary {
    let measured = scenario.run.duration - scenario.run.warm_up;
    let simulated =
        scenario.flows.iter().enumerate().filter(|(index, _)| !external.contains(index));
    let summary = |index| flow_summary(scenario, assembled, index, (before, after));
    let (mut flows, mut connections) = (BTreeMap::new(), BTreeMap::new());
    for (index, flow) in simulated {
        let into = if flow.is_from_proxy() { &mut connections } else { &mut flows };
        into.insert(flow.name.clone(), summary(index));
    }
    let ports = assembled.ports.iter().zip(before.ports.iter().zip(&after.ports)).map(
        |(port, (from, to))| {
            let vcs = port_vcs(assembled, (from, to), measured);
            (
                port.name.clone(),
                PortSummary { vcs, ..PortSummary::between(port.unit, from, to, measured) },
            )
        },
    );
    let sent: Vec<u64> = after.links.iter().map(|link| link.sent.unwrap_or(0)).collect();
    let names: Vec<String> =
        (0..scenario.links.len()).map(|link| scenario.name_of_link(link)).collect();
    let ports = ports.collect();
    Summary {
        scenario: scenario.name.clone(),
        version: env!("CARGO_PKG_VERSION"),
        seed: scenario.run.seed,
        duration_s: scenario.run.duration.seconds_f64(),
        warm_up_s: scenario.run.warm_up.seconds_f64(),
        measured_s: measured.seconds_f64(),
        groups: groups(scenario, &flows, &names),
        channels: channels(scenario, (&flows, &connections), &ports, (before, after), &names),
        hosts: host_summaries(scenario, (before, after)),
        flows,
        connections,
        ports,
        vcs: vc_summaries(scenario, assembled, before, after),
        cell_hops: sent.iter().sum(),
        links: (names.into_iter().zip(&sent).enumerate())
            .map(|(index, (name, &sent))| {
                let summary = LinkSummary::new(sent, &before.links[index], &after.links[index]);
                let capacity = capacity::summary(scenario, index);
                (name, LinkSummary { capacity, ..summary })
            })
            .collect(),
    }
}

/// Summary of one flow, or of a connection that begins at a proxy.
fn flow_summary(
    scenario: &Scenario,
    assembled: &Assembled,
    index: usize,
    (before, after): (&Ledger, &Ledger),
) -> FlowSummary {
    let flow = &scenario.flows[index];
    let bits = |ledger| source_bits(flow, index, ledger);
    let times = FlowTimes {
        start: drawn_start(scenario, flow),
        stop: drawn_stop(scenario, flow),
        has_transport: flow.tcp.is_some(),
        measured: (Time::ZERO + scenario.run.warm_up, Time::ZERO + scenario.run.duration),
    };
    let source_bits = bits(after) - bits(before);
    let summary = if flow.leg.is_some() {
        let counters = |ledger| transfers::end_to_end(scenario, index, ledger);
        FlowSummary::between(&counters(before), &counters(after), source_bits, times)
    } else {
        FlowSummary::between(&before.flows[index], &after.flows[index], source_bits, times)
    };
    let of_cells = cell_loss(scenario, index, (before, after), assembled);
    let transfer = transfers::summary(scenario, index, after);
    FlowSummary { loss: summary.loss.or(of_cells), transfer, ..summary }
}

/// Summaries of the hosts with an input queue, by name.
fn host_summaries(
    scenario: &Scenario,
    (before, after): (&Ledger, &Ledger),
) -> BTreeMap<String, HostSummary> {
    let limited = scenario.hosts.iter().enumerate().filter(|(_, host)| host.input_queue.is_some());
    let drops = |ledger: &Ledger, host: usize| {
        let of_flows = scenario.flows.iter().zip(&ledger.flows).map(|(flow, counters)| {
            let [at_source, at_sink] = counters.input_drops;
            let is_end = |end: usize| u64::from(end == host);
            is_end(flow.source) * at_source + is_end(flow.sink) * at_sink
        });
        of_flows.sum::<u64>()
    };
    let summary = |index| HostSummary { input_drops: drops(after, index) - drops(before, index) };
    limited.map(|(index, host)| (host.name.clone(), summary(index))).collect()
}

/// Loss of a flow of raw cells in a VC of its own, if it is asked for.
fn cell_loss(
    scenario: &Scenario,
    index: usize,
    (before, after): (&Ledger, &Ledger),
    assembled: &Assembled,
) -> Option<LossSummary> {
    let (flow, observe) = (&scenario.flows[index], scenario.observe.as_ref()?);
    let is_raw = !flow.sends_packets() && flow.vc.is_none();
    if !is_raw || !observe.distributions.has_flow(flow.observed_as()) {
        return None;
    }
    let (earlier, later) = (&before.vcs[2 * index], &after.vcs[2 * index]);
    let of_flow = on_links(assembled).filter(|train| train.first.head.vc() as usize == 2 * index);
    let on_links = of_flow.map(|train| u64::from(train.count)).sum::<u64>();
    let lost = |vc: &VcCounters| vc.drops.total() + vc.lost_on_links;
    let counts = [
        later.sent - earlier.sent,
        later.delivered - earlier.delivered,
        lost(later) - lost(earlier),
        later.queued + on_links,
    ];
    Some(LossSummary::new("cell", counts))
}

/// Bits delivered of a flow without a connection: whole cells, or the payload of datagrams.
fn source_bits(flow: &Flow, index: usize, ledger: &Ledger) -> u64 {
    if flow.tcp.is_some() {
        return 0;
    }
    if flow.traffic.datagram().is_some() {
        return 8 * ledger.flows[index].delivered_bytes;
    }
    let vc = &ledger.vcs[2 * index];
    CELL_BITS * (vc.delivered - vc.rm_delivered)
}

/// Summaries of the VCs whose cells are counted separately at a port, by name.
fn port_vcs(
    assembled: &Assembled,
    (before, after): (&PortCounters, &PortCounters),
    measured: Span,
) -> BTreeMap<String, PortVcSummary> {
    let counted = after.vcs.iter().enumerate().filter_map(|(index, (vc, to))| {
        let from = before.vcs.get(index).map(|(_, counters)| *counters).unwrap_or_default();
        let mcr = assembled.minimum_rates[*vc as usize];
        Some((
            assembled.vcs[*vc as usize].clone()?,
            PortVcSummary::between(&from, to, mcr, measured),
        ))
    });
    counted.collect()
}

/// Summaries of all VCs. Panics if a cell is not accounted for, which would be a bug of ours.
fn vc_summaries(
    scenario: &Scenario,
    assembled: &Assembled,
    before: &Ledger,
    after: &Ledger,
) -> BTreeMap<String, VcSummary> {
    let measured = scenario.run.duration - scenario.run.warm_up;
    let mut on_links_of = vec![0_u64; assembled.vcs.len()];
    for train in on_links(assembled) {
        on_links_of[train.first.head.vc() as usize] += u64::from(train.count);
    }
    check_in_transit(assembled);
    transfers::check_relays(scenario, after, &assembled.network.io().shared_streams);
    let mut summaries = BTreeMap::new();
    for (vc, name) in assembled.vcs.iter().enumerate() {
        let Some(name) = name else { continue };
        let counters = &after.vcs[vc];
        let on_links = on_links_of[vc] - counters.copies_to_come;
        assert!(
            counters.is_conserved(on_links),
            "cells of `{name}` are not conserved: {counters:?}, {on_links} on links"
        );
        summaries
            .insert(name.clone(), VcSummary::new(counters, on_links, &before.vcs[vc], measured));
    }
    summaries
}

/// Checks that every cell that carries a frame or RM cell owns it: one each, on links and in queues
/// together.
fn check_in_transit(assembled: &Assembled) {
    let (nodes, io) = (assembled.network.nodes(), assembled.network.io());
    let held = nodes.iter().flat_map(AnyNode::held).map(Train::alone);
    let (mut frames, mut rm_cells) = (0, 0);
    for train in on_links(assembled).chain(held) {
        frames += usize::from(train.end().is_some());
        rm_cells += usize::from(train.first.head.is_rm());
    }
    assert_eq!(frames, io.frames.count(), "a last cell and its frame live and die together");
    assert_eq!(rm_cells, io.rm_cells.count(), "an RM cell and its content live and die together");
}
