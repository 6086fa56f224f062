//! One run, from a scenario to its outcome.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::assemble::{AnyNode, Assembled, OwnRules, assemble};
use crate::engine::{Link, MOST_BYTES, Stand};
use crate::pdu::Cell;
use crate::result::{
    FlowSummary, FlowTimes, Ledger, LinkSummary, PortCounters, PortSummary, PortVcSummary, Series,
    Summary, VcSummary,
};
use crate::scenario::Scenario;
use crate::units::{CELL_BITS, Span, Time};

/// Everything a finished run gives.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Counters and averages.
    pub summary: Summary,
    /// Time series, in the order of the scenario's hosts and switches.
    pub series: Vec<Series>,
}

/// How far a run is; told at every barrier, and now and then on the way there.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Simulated time.
    pub at: Time,
    /// The run's end.
    pub duration: Span,
}

/// The answer to [`Progress`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Continue {
    /// Go on.
    Yes,
    /// Give up.
    No,
}

/// Why a run did not finish.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RunError {
    /// The caller said [`Continue::No`].
    #[error("cancelled at {0} of simulated time")]
    Cancelled(String),
    /// More cells on their way than memory should be spent on.
    #[error(
        "cells on links and in queues need more than {MOST_BYTES} bytes before {0}: lower rates, \
         delays or windows"
    )]
    OutOfMemory(String),
    /// A rule from outside is for a name that nothing has.
    #[error("{0}")]
    UnknownName(String),
}

/// Runs a scenario to its end. `tell` is called at every barrier, at least once a second of
/// simulated time, and may cancel.
pub fn run(
    scenario: &Scenario,
    tell: &mut dyn FnMut(Progress) -> Continue,
) -> Result<Outcome, RunError> {
    run_with(scenario, &OwnRules::default(), tell)
}

pub(crate) fn run_with(
    scenario: &Scenario,
    own: &OwnRules<'_>,
    tell: &mut dyn FnMut(Progress) -> Continue,
) -> Result<Outcome, RunError> {
    let mut assembled = assemble(scenario, own);
    let ports: Vec<&str> = assembled.ports.iter().map(|port| port.name.as_str()).collect();
    if let Some(message) = own.unused(scenario, &ports) {
        return Err(RunError::UnknownName(message));
    }
    let end = Time::ZERO + scenario.run.duration;
    let warm_up = Time::ZERO + scenario.run.warm_up;
    let mut before = empty_ledger(scenario, &assembled);
    let mut barrier = Time::ZERO;
    loop {
        match assembled.network.run_until(barrier) {
            Stand::AtBarrier => {}
            Stand::OutOfMemory => return Err(RunError::OutOfMemory(seconds(barrier))),
            Stand::OnTheWay(at) => {
                hear(tell, at, scenario)?;
                continue;
            }
        }
        if barrier == warm_up {
            before = ledger_at(scenario, &mut assembled, barrier);
            assembled.network.settle(|node, _| node.begin_measurement(barrier));
        }
        if barrier == end {
            break;
        }
        hear(tell, barrier, scenario)?;
        barrier = next_barrier(barrier, warm_up, end);
    }
    let after = ledger_at(scenario, &mut assembled, end);
    let summary = summarise(scenario, &assembled, &before, &after);
    let series = assembled.network.nodes_mut().iter_mut().flat_map(AnyNode::take_series).collect();
    Ok(Outcome { summary, series })
}

/// Says how far the run is, and whether it is to go on.
fn hear(
    tell: &mut dyn FnMut(Progress) -> Continue,
    at: Time,
    scenario: &Scenario,
) -> Result<(), RunError> {
    match tell(Progress { at, duration: scenario.run.duration }) {
        Continue::Yes => Ok(()),
        Continue::No => Err(RunError::Cancelled(seconds(at))),
    }
}

/// The next instant at which every node stands: a two-hundredth of the run or a second further,
/// whichever is sooner, the end of the warm-up, or the end. None of them changes a result.
fn next_barrier(after: Time, warm_up: Time, end: Time) -> Time {
    const LONGEST_STRIDE: Span = Span::from_seconds(1);
    let stride = ((end - Time::ZERO) / 200).min(LONGEST_STRIDE).max(Span::from_picoseconds(1));
    let next = after.saturating_add(stride).min(end);
    if after < warm_up { next.min(warm_up) } else { next }
}

fn seconds(at: Time) -> String {
    format!("{} s", at.seconds_f64())
}

fn empty_ledger(scenario: &Scenario, assembled: &Assembled) -> Ledger {
    Ledger::new(
        scenario.flows.len(),
        assembled.ports.len(),
        assembled.vcs.len(),
        scenario.links.len(),
    )
}

fn ledger_at(scenario: &Scenario, assembled: &mut Assembled, at: Time) -> Ledger {
    let mut ledger = empty_ledger(scenario, assembled);
    assembled.network.settle(|node, io| node.settle(at, &mut ledger, io));
    ledger
}

fn summarise(
    scenario: &Scenario,
    assembled: &Assembled,
    before: &Ledger,
    after: &Ledger,
) -> Summary {
    let measured = scenario.run.duration - scenario.run.warm_up;
    let flows = scenario.flows.iter().enumerate().map(|(index, flow)| {
        let cells =
            |ledger: &Ledger| ledger.vcs[2 * index].delivered - ledger.vcs[2 * index].rm_delivered;
        let raw_bits =
            if flow.tcp.is_none() { CELL_BITS * (cells(after) - cells(before)) } else { 0 };
        let times = FlowTimes {
            start: scenario.drawn_start(flow),
            stop: scenario.drawn_stop(flow),
            measured: (Time::ZERO + scenario.run.warm_up, Time::ZERO + scenario.run.duration),
        };
        let summary =
            FlowSummary::between(&before.flows[index], &after.flows[index], raw_bits, times);
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
    let sent: Vec<u64> =
        states.map(|(index, link)| link.sent_by(end, scenario.passage(index))).collect();
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
                    LinkSummary::new(sent, &after.links[index]),
                )
            })
            .collect(),
    }
}

/// By name: the VCs whose cells are told apart at a port.
fn port_vcs(
    assembled: &Assembled,
    (before, after): (&PortCounters, &PortCounters),
    measured: Span,
) -> BTreeMap<String, PortVcSummary> {
    let told = after.vcs.iter().enumerate().filter_map(|(index, (vc, to))| {
        let from = before.vcs.get(index).map(|(_, counters)| *counters).unwrap_or_default();
        let mcr = assembled.minimum_rates[*vc as usize];
        Some((
            assembled.vcs[*vc as usize].clone()?,
            PortVcSummary::between(&from, to, mcr, measured),
        ))
    });
    told.collect()
}

/// The second direction of a duplex link shares the first one's name in the file.
fn link_name(scenario: &Scenario, index: usize, name: &str) -> String {
    let is_second = index > 0 && scenario.links[index - 1].name == name;
    if is_second { format!("{name} back") } else { name.to_owned() }
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
        let (counters, on_links) = (&after.vcs[vc], on_links[vc]);
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
