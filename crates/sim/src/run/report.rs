//! What a run reports: its summary, and that no cell is missing.

use std::collections::{BTreeMap, BTreeSet};

use crate::assemble::{AnyNode, Assembled};
use crate::engine::Link;
use crate::pdu::{Cell, Frame};
use crate::result::{
    FlowSummary, FlowTimes, Ledger, LinkSummary, PortCounters, PortSummary, PortVcSummary, Summary,
    VcSummary,
};
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

pub(super) fn ledger_at(scenario: &Scenario, assembled: &mut Assembled, at: Time) -> Ledger {
    let mut ledger = empty_ledger(scenario, assembled);
    assembled.network.visit(|node, io| node.report(at, &mut ledger, io));
    let on_their_way = assembled.network.frames().all();
    let held = assembled.network.nodes().iter().flat_map(AnyNode::frames);
    count_inside(on_their_way.chain(held), &mut ledger);
    ledger
}

/// Datagrams that may still arrive: their last cell, or their packet, is on its way. A link may
/// have made two of one.
fn count_inside<'f>(frames: impl Iterator<Item = &'f Frame>, ledger: &mut Ledger) {
    let flow_of = |frame: &Frame| frame.direction as usize / 2;
    let of_datagrams = |frame: &&Frame| ledger.flows[flow_of(frame)].datagrams.is_some();
    let found = frames.filter(of_datagrams).map(|frame| (flow_of(frame), frame.segment.seq));
    let found: BTreeSet<(usize, u64)> = found.collect();
    for (flow, _) in found {
        if let Some(datagrams) = &mut ledger.flows[flow].datagrams {
            datagrams.inside += 1;
        }
    }
}

pub(super) fn summarise(
    scenario: &Scenario,
    assembled: &Assembled,
    before: &Ledger,
    after: &Ledger,
) -> Summary {
    let measured = scenario.run.duration - scenario.run.warm_up;
    let flows = scenario.flows.iter().enumerate().map(|(index, flow)| {
        let bits = |ledger| source_bits(flow, index, ledger);
        let times = FlowTimes {
            start: scenario.drawn_start(flow),
            stop: scenario.drawn_stop(flow),
            has_transport: flow.tcp.is_some(),
            measured: (Time::ZERO + scenario.run.warm_up, Time::ZERO + scenario.run.duration),
        };
        let summary = FlowSummary::between(
            &before.flows[index],
            &after.flows[index],
            bits(after) - bits(before),
            times,
        );
        (flow.name.clone(), summary)
    });
    let ports = assembled.ports.iter().zip(before.ports.iter().zip(&after.ports)).map(
        |(port, (from, to))| {
            let vcs = port_vcs(assembled, (from, to), measured);
            (
                port.name.clone(),
                PortSummary { vcs, ..PortSummary::between(port.unit, from, to, measured) },
            )
        },
    );
    let end = Time::ZERO + scenario.run.duration;
    let states = assembled.network.links().iter().enumerate();
    let sent = states.map(|(index, link)| {
        let counted = after.links[index].sent;
        counted.unwrap_or_else(|| link.sent_by(end, scenario.passage(index)))
    });
    let sent: Vec<u64> = sent.collect();
    Summary {
        scenario: scenario.name.clone(),
        version: env!("CARGO_PKG_VERSION"),
        seed: scenario.run.seed,
        duration_s: scenario.run.duration.seconds_f64(),
        warm_up_s: scenario.run.warm_up.seconds_f64(),
        measured_s: measured.seconds_f64(),
        flows: flows.collect(),
        ports: ports.collect(),
        vcs: vc_summaries(scenario, assembled, before, after),
        cell_hops: sent.iter().sum(),
        links: (scenario.links.iter().zip(&sent).enumerate())
            .map(|(index, (link, &sent))| {
                (
                    link_name(scenario, index, &link.name),
                    LinkSummary::new(sent, &before.links[index], &after.links[index]),
                )
            })
            .collect(),
    }
}

/// What was delivered of a flow without a connection: whole cells, or the payload of datagrams.
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

/// By name: the VCs whose cells are counted separately at a port.
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

/// The second direction of a duplex link shares the first one's name in the file.
fn link_name(scenario: &Scenario, index: usize, name: &str) -> String {
    if scenario.is_second_direction(index) { format!("{name} back") } else { name.to_owned() }
}

/// Every cell of every VC accounted for; a cell that is not is a bug of ours.
fn vc_summaries(
    scenario: &Scenario,
    assembled: &Assembled,
    before: &Ledger,
    after: &Ledger,
) -> BTreeMap<String, VcSummary> {
    let measured = scenario.run.duration - scenario.run.warm_up;
    let mut on_links = vec![0_u64; assembled.vcs.len()];
    for cell in assembled.network.links().iter().flat_map(Link::cells) {
        on_links[cell.head.vc() as usize] += 1;
    }
    check_riders(assembled);
    let mut summaries = BTreeMap::new();
    for (vc, name) in assembled.vcs.iter().enumerate() {
        let Some(name) = name else { continue };
        let counters = &after.vcs[vc];
        let on_links = on_links[vc] - counters.copies_to_come;
        assert!(
            counters.is_conserved(on_links),
            "cells of `{name}` are not conserved: {counters:?}, {on_links} on links"
        );
        summaries
            .insert(name.clone(), VcSummary::new(counters, on_links, &before.vcs[vc], measured));
    }
    summaries
}

/// Every cell that carries something owns it: one rider each, on links and in queues together.
fn check_riders(assembled: &Assembled) {
    let (mut frames, mut rm_cells) = (0, 0);
    let network = &assembled.network;
    let held: Vec<Cell> = network.nodes().iter().flat_map(AnyNode::held).collect();
    for cell in network.links().iter().flat_map(Link::cells).chain(&held) {
        frames += usize::from(cell.head.is_end_of_frame());
        rm_cells += usize::from(cell.head.is_rm());
    }
    assert_eq!(frames, network.frames().count(), "a last cell and its frame live and die together");
    assert_eq!(
        rm_cells,
        network.rm_cells().count(),
        "an RM cell and its content live and die together"
    );
}
