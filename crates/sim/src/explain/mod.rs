//! Numbers that follow from a scenario before anything runs: overheads, ceilings, round trips,
//! shares.
//!
//! Everything is in SI units with the unit in the field's name. Rates are means over long times
//! without loss; queues are left to the simulator.

mod abr;
mod alike;
mod beside_grants;
mod capacity;
mod impairments;
mod input_queues;
mod link;
mod long_path;
mod old_defaults;
mod overflow;
mod oversights;
mod port;
pub mod prediction;
mod rate_allocation;
mod relay;
mod round_trip;
mod shaper;
mod share;
mod synchronised;
mod tcp;
mod unchanging;
mod ungranted;
mod unmarked;

use serde::Serialize;

use crate::result::Shaped;
use crate::scenario::resolved::{Flow, Pacing, Scenario, Service};
use crate::scenario::wire::peak_on;
use crate::traffic::Offered;
use crate::units::CELL_BITS;
pub use abr::{AbrBottleneck, AbrFacts, Ceiling, Factor};
pub use alike::AlikeFlows;
use capacity::mean_rate;
pub use capacity::{CapacityFacts, PartOfTime};
pub use impairments::{ImpairmentFacts, LinkLoss, SegmentLoss};
pub use link::LinkFacts;
pub use long_path::{HalvingLossFacts, LongPathFacts, SlowStartFacts};
pub use overflow::WindowsFacts;
pub use port::{BufferFacts, PortFacts, QueueFacts};
pub use relay::RelayFacts;
use share::Shares;
pub use share::{AbrLinkFacts, ShareFacts, ShareLimit};
pub use tcp::{Limit, TcpFacts};

/// Explanation of a scenario without a run.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct Explanation {
    /// The scenario's name.
    pub scenario: String,
    /// End of the run.
    pub duration_seconds: f64,
    /// True if a run may record time series.
    pub observes: bool,
    /// Every direction of every link, in file order.
    pub links: Vec<LinkFacts>,
    /// Every output port of a switch, and of an edge for packets, in the order of the links.
    pub ports: Vec<PortFacts>,
    /// Every flow, in file order.
    pub flows: Vec<FlowFacts>,
    /// The same flows by name, in groups of alike ones.
    pub alike: Vec<AlikeFlows>,
    /// Warnings to a reader of the results, one line each.
    pub warnings: Vec<String>,
}

impl Explanation {
    /// Keeps the first of consecutive flows that differ in names alone, without its name, and
    /// returns the names of each such group. Otherwise the facts of 100 000 flows take 173 MB of
    /// JSON.
    pub fn take_names(&mut self) -> Vec<Vec<String>> {
        let mut names: Vec<Vec<String>> = Vec::new();
        let mut kept: Vec<FlowFacts> = Vec::new();
        for mut facts in std::mem::take(&mut self.flows) {
            let name = std::mem::take(&mut facts.name);
            if let Some(equal) = names.last_mut().filter(|_| kept.last() == Some(&facts)) {
                equal.push(name);
            } else {
                names.push(vec![name]);
                kept.push(facts);
            }
        }
        self.flows = kept;
        names
    }
}

/// Facts of one flow.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct FlowFacts {
    /// The flow's name.
    pub name: String,
    /// Nodes from the sender to the receiver.
    pub path: Vec<String>,
    /// Links from the sender to the receiver.
    pub hops: Vec<Hop>,
    /// The link or pace that limits the rate of cells or packets if the flow is alone.
    pub bottleneck: Bottleneck,
    /// Propagation from the sender to the receiver.
    pub propagation_seconds: f64,
    /// Propagation there and back; absent for raw cells without ABR, which nothing answers.
    pub propagation_rtt_seconds: Option<f64>,
    /// Propagation there and back with the longest delays; absent where no delay varies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_propagation_rtt_seconds: Option<f64>,
    /// Effect of the path's impairments on its segments; absent without transport, or without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss: Option<SegmentLoss>,
    /// Rate that the flow may expect beside the others; absent in scenarios without ABR.
    pub share: Option<ShareFacts>,
    /// Facts of a flow on ABR.
    pub abr: Option<AbrFacts>,
    /// Facts of a flow with a transport.
    pub tcp: Option<TcpFacts>,
    /// Facts of a flow of raw cells.
    pub raw: Option<RawFacts>,
    /// Facts of a relay; absent for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relay: Option<RelayFacts>,
    /// Facts of a flow of datagrams; absent for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub datagrams: Option<DatagramFacts>,
}

/// A link of a path.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct Hop {
    /// The link's name.
    pub link: String,
    /// Rate of all bits on the wire.
    pub line_bits_per_second: f64,
    /// Rate of the bits of whole cells; absent for packets.
    pub cell_bits_per_second: Option<f64>,
    /// Rate of the bits of the payload of cells; absent for packets.
    pub payload_bits_per_second: Option<f64>,
}

/// The lowest rate of a path.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct Bottleneck {
    /// The link's name, `pace` for the pacing of the source of its cells, or `pcr` for its peak
    /// cell rate.
    pub at: String,
    /// Rate of the bottleneck: of whole cells, for packets of the line, for ABR the rest.
    pub bits_per_second: f64,
}

/// Facts of a source of raw cells.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct RawFacts {
    /// Offered rate of the source, in bits of whole cells.
    pub offered_bits_per_second: f64,
    /// Offered rate of whole cells.
    pub offered_cells_per_second: f64,
    /// Offered rate over the rate of the bottleneck.
    #[unit("1")]
    pub load: f64,
}

/// Facts of a source of datagrams.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct DatagramFacts {
    /// Mean UDP payload.
    pub payload_bytes: f64,
    /// Mean cells of a datagram where it is an AAL5 frame; absent if it never is.
    #[unit("cell")]
    pub cells: Option<f64>,
    /// Datagrams per second on average.
    #[unit("datagram/s")]
    pub per_second: f64,
    /// Offered rate of the source, in bits of payload.
    pub offered_bits_per_second: f64,
    /// Load of the link on which it takes the largest part of the rate.
    #[unit("1")]
    pub load: f64,
    /// Load of that link while a source with bursts is in one.
    #[unit("1")]
    pub peak_load: f64,
}

/// Calculates the facts of a scenario.
pub fn explain(scenario: &Scenario) -> Explanation {
    let (links, flows) = links_and_flows(scenario);
    Explanation {
        scenario: scenario.name.clone(),
        duration_seconds: scenario.run.duration.seconds_f64(),
        observes: scenario.observe.is_some(),
        ports: port::all(scenario, &overflow::all(scenario, &links, &flows)),
        alike: alike::all(scenario, &flows),
        warnings: warnings(scenario, &links, &[]),
        links,
        flows,
    }
}

/// Calculates `alike` and `warnings` of an explanation alone: the text of a run needs no more.
/// Stacks of their own have the flows named by `driven`.
pub fn alike_and_warnings(
    scenario: &Scenario,
    driven: &[String],
) -> (Vec<AlikeFlows>, Vec<String>) {
    let (links, flows) = links_and_flows(scenario);
    (alike::all(scenario, &flows), warnings(scenario, &links, driven))
}

fn links_and_flows(scenario: &Scenario) -> (Vec<LinkFacts>, Vec<FlowFacts>) {
    let shares = Shares::new(scenario);
    let links = link::all(scenario, shares.as_ref());
    let context = Context {
        scenario,
        links: &links,
        shares: shares.as_ref(),
        users: tcp::Users::of(scenario),
    };
    let mut abr = context.shares.map_or_else(Vec::new, |shares| abr::all(scenario, shares));
    abr.resize(scenario.flows.len(), None);
    let flows =
        abr.into_iter().enumerate().map(|(index, abr)| flow_facts(&context, index, abr)).collect();
    (links, flows)
}

fn warnings(scenario: &Scenario, links: &[LinkFacts], driven: &[String]) -> Vec<String> {
    let mut warnings = oversights::warnings(scenario);
    warnings.extend(input_queues::warnings(scenario));
    warnings.extend(rate_allocation::warnings(links));
    warnings.extend(synchronised::warnings(scenario, driven));
    warnings.extend(unchanging::warnings(scenario));
    warnings.extend(ungranted::warnings(scenario));
    warnings.extend(beside_grants::warnings(scenario));
    warnings.extend(unmarked::warnings(scenario));
    warnings.extend(relay::warnings(scenario));
    warnings.extend(shaper::warnings(scenario));
    warnings.extend(old_defaults::warning(scenario));
    alike::folded(warnings)
}

/// Facts of the whole scenario that those of a flow need.
struct Context<'a> {
    scenario: &'a Scenario,
    links: &'a [LinkFacts],
    /// Shares of flows in scenarios with ABR.
    shares: Option<&'a Shares>,
    users: tcp::Users,
}

fn flow_facts(context: &Context<'_>, index: usize, abr: Option<AbrFacts>) -> FlowFacts {
    let Context { scenario, shares, .. } = *context;
    let flow = &scenario.flows[index];
    let bottleneck = bottleneck(context, index);
    let there = propagation(scenario, &flow.path);
    let back = propagation(scenario, &flow.reverse_path);
    let most = longest_propagation(scenario, flow);
    let share = shares.and_then(|shares| shares.facts(scenario, index));
    FlowFacts {
        name: flow.name.clone(),
        path: path_names(scenario, flow),
        hops: flow.path.iter().map(|&link| hop(scenario, link)).collect(),
        propagation_seconds: there,
        propagation_rtt_seconds: flow.is_two_way().then_some(there + back),
        max_propagation_rtt_seconds: most.filter(|_| flow.is_two_way()),
        loss: impairments::of_flow(scenario, flow),
        tcp: flow.tcp.as_ref().map(|tcp| tcp::facts(context, index, tcp, share.as_ref())),
        raw: raw_facts(flow, &bottleneck),
        relay: relay::facts(scenario, flow),
        datagrams: datagram_facts(scenario, flow),
        bottleneck,
        share,
        abr,
    }
}

fn path_names(scenario: &Scenario, flow: &Flow) -> Vec<String> {
    let first = std::iter::once(flow.from.as_str());
    let others = flow.path.iter().map(|&link| scenario.name_of(scenario.links[link].to));
    first.chain(others).map(str::to_owned).collect()
}

fn hop(scenario: &Scenario, link: usize) -> Hop {
    let link = &scenario.links[link];
    let cell_rate = link.carries.cell_rate();
    Hop {
        link: link.name.clone(),
        line_bits_per_second: link.carries.line_rate().bits_per_second() as f64,
        cell_bits_per_second: cell_rate.map(|rate| rate.bits_per_second() as f64),
        payload_bits_per_second: cell_rate.map(crate::units::Rate::payload_of_cells_f64),
    }
}

fn bottleneck(context: &Context<'_>, index: usize) -> Bottleneck {
    let Context { scenario, shares, .. } = *context;
    let flow = &scenario.flows[index];
    if let (Service::Abr(_), Some(shares)) = (flow.service, shares) {
        let narrowest = abr::narrowest(scenario, shares, index);
        return Bottleneck { at: narrowest.at, bits_per_second: narrowest.rate };
    }
    let hops = flow.path.iter().map(|&link| &scenario.links[link]);
    let hops = hops.map(|link| (link, mean_rate(scenario, link)));
    let (narrowest, rate) =
        hops.min_by(|(_, one), (_, other)| one.total_cmp(other)).expect("a path has a link");
    let link = Bottleneck { at: narrowest.name.clone(), bits_per_second: rate };
    match pace_bits_per_second(flow) {
        Some(pace) if pace < link.bits_per_second => {
            Bottleneck { at: "pace".to_owned(), bits_per_second: pace }
        }
        _ => link,
    }
}

/// Pacing of the source of the flow's cells, or its peak cell rate if one is given, in bits of
/// whole cells.
fn pace_bits_per_second(flow: &Flow) -> Option<f64> {
    match flow.service {
        Service::Ubr(ubr) => ubr.pace.map(Pacing::bits_of_cells),
        Service::Abr(abr) => abr.pcr.map(|pcr| pcr.bits_per_second() as f64),
        Service::Gfr(_) | Service::Vbr | Service::Cbr => None,
    }
}

/// Longest propagation there and back, if a delay varies.
fn longest_propagation(scenario: &Scenario, flow: &Flow) -> Option<f64> {
    let links = || flow.path.iter().chain(&flow.reverse_path).map(|&link| &scenario.links[link]);
    let varies = links().any(|link| link.delay.min() < link.delay.max());
    varies.then(|| links().map(|link| link.delay.max().seconds_f64()).sum())
}

/// Shortest propagation along a path.
fn propagation(scenario: &Scenario, path: &[usize]) -> f64 {
    path.iter().map(|&link| scenario.links[link].delay.min().seconds_f64()).sum()
}

/// Links that data of the flow pass: also those back, if the other end writes.
fn data_links(flow: &Flow) -> impl Iterator<Item = &usize> {
    let back: &[usize] = if flow.traffic.has_responses() { &flow.reverse_path } else { &[] };
    flow.path.iter().chain(back)
}

fn raw_facts(flow: &Flow, bottleneck: &Bottleneck) -> Option<RawFacts> {
    let load = flow.load()?;
    let Offered::Cells(peak) = load.offered else { return None };
    let offered = load.busy_part * peak.bits_per_second() as f64;
    Some(RawFacts {
        offered_bits_per_second: offered,
        offered_cells_per_second: offered / CELL_BITS as f64,
        load: offered / bottleneck.bits_per_second,
    })
}

fn datagram_facts(scenario: &Scenario, flow: &Flow) -> Option<DatagramFacts> {
    let load = flow.load()?;
    let Offered::Datagrams { per_second, payload_bytes, cells, .. } = load.offered else {
        return None;
    };
    let links = flow.path.iter().map(|&link| &scenario.links[link]);
    let peak_load = links.map(|link| peak_on(&load, link) / mean_rate(scenario, link));
    let peak_load = peak_load.fold(0.0, f64::max);
    let per_second = load.busy_part * per_second;
    Some(DatagramFacts {
        payload_bytes,
        cells: (!scenario.cell_links(&flow.path).is_empty()).then_some(cells),
        per_second,
        offered_bits_per_second: 8.0 * payload_bytes * per_second,
        load: load.busy_part * peak_load,
        peak_load,
    })
}
