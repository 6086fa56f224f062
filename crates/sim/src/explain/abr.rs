//! ABR flows before a run: rates, delays in cells, buffers, and the ceiling of a TCP by factors.

use serde::Serialize;

use super::capacity::mean_rate;
use super::share::{AbrLinkFacts, Shares, links_of_switches_first};
use super::{pace_bits_per_second, propagation, tcp};
use crate::atm::abr::Abr;
use crate::result::Shaped;
use crate::scenario::resolved::{Flow, NodeRef, Scenario, Tcp};
use crate::scenario::wire::cells_of_segment;
use crate::units::{CELL_BITS, CELL_BYTES, CELL_PAYLOAD_BYTES, CellRate};

/// Facts of a flow on ABR, in the direction of its data.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct AbrFacts {
    /// Peak cell rate, at most that of the first link.
    pub pcr_cells_per_second: f64,
    /// PCR in bits of whole cells.
    pub pcr_bits_per_second: f64,
    /// Minimum cell rate.
    pub mcr_cells_per_second: f64,
    /// MCR in bits of whole cells.
    pub mcr_bits_per_second: f64,
    /// Initial cell rate: as given, but at most TBE per FRTT and PCR, and at least MCR.
    pub icr_cells_per_second: f64,
    /// ICR in bits of whole cells.
    pub icr_bits_per_second: f64,
    /// The link that limits the flow beside the others; if none does, the link that would limit it
    /// if it were greedy and alone.
    pub bottleneck: AbrBottleneck,
    /// Propagation there and back, in cells of the bottleneck's link.
    #[unit("cell")]
    pub propagation_rtt_cells: f64,
    /// Propagation from the bottleneck's switch back to the source and from the source to that
    /// switch: the age of the feedback of a switch when the rate obeys it. Absent if the bottleneck
    /// is the source's own interface.
    pub feedback_delay_seconds: Option<f64>,
    /// Feedback delay in cells of the bottleneck's link.
    #[unit("cell")]
    pub feedback_delay_cells: Option<f64>,
    /// A full window of TCP in cells; absent without a transport.
    #[unit("cell")]
    pub window_cells: Option<u64>,
    /// Buffer with which the source loses nothing, whatever its rate: one window; absent without a
    /// transport.
    #[unit("cell")]
    pub source_buffer_cells: Option<u64>,
    /// Sum of the source buffers of all flows with this bottleneck.
    #[unit("cell")]
    pub source_buffers_at_bottleneck_cells: u64,
    /// The goodput of a TCP that is alone; absent without a transport.
    pub ceiling: Option<Ceiling>,
}

/// A link that limits ABR flows.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct AbrBottleneck {
    /// The link's name.
    pub link: String,
    /// The switch whose output it is; absent for a host's.
    pub switch: Option<String>,
    /// Allocator of the rates of the sources.
    pub allocator: &'static str,
    /// The link's rate in cells per second.
    pub cells_per_second: f64,
    /// The link's rate in cells per millisecond.
    #[unit("cell/ms")]
    pub cells_per_millisecond: f64,
    /// Rate that ABR may use of the link.
    pub abr_cells_per_second: f64,
    /// ABR flows with this bottleneck.
    pub flows: usize,
}

/// Application data per second as a product of factors.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct Ceiling {
    /// The link, or `pcr` for the peak cell rate.
    pub at: String,
    /// A rate in bits of whole cells, and shares of it.
    pub factors: Vec<Factor>,
    /// Product of the factors: application data per second.
    pub bits_per_second: f64,
}

/// A factor of a [`Ceiling`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Shaped)]
pub struct Factor {
    /// Name of the factor.
    pub name: &'static str,
    /// Value of the factor.
    #[unit("differs")]
    pub value: f64,
}

/// The bottleneck of a flow that is alone in its class.
pub(super) struct Narrowest {
    /// The link's name, or `pcr`.
    pub(super) at: String,
    /// Its remaining rate, bits of whole cells.
    pub(super) rate: f64,
    /// Factors whose product is `rate`.
    factors: Vec<Factor>,
}

/// The facts of ABR flows, by flow.
pub(super) fn all(scenario: &Scenario, shares: &Shares) -> Vec<Option<AbrFacts>> {
    let parameters: Vec<Option<Abr>> =
        scenario.flows.iter().map(|flow| scenario.abr_of_flow(flow)).collect();
    let mut limited = vec![Limited::default(); scenario.links.len()];
    for (index, flow) in
        scenario.flows.iter().enumerate().filter(|(index, _)| parameters[*index].is_some())
    {
        let limited = &mut limited[bottleneck_link(scenario, shares, index)];
        limited.flows += 1;
        limited.buffers += flow.tcp.as_ref().map_or(0, tcp::window_cells);
    }
    let facts = |(index, abr): (usize, Option<Abr>)| {
        abr.map(|abr| facts(scenario, shares, &limited, index, &abr))
    };
    parameters.into_iter().enumerate().map(facts).collect()
}

/// Number and buffers of the flows that a link limits.
#[derive(Clone, Copy, Default)]
struct Limited {
    flows: usize,
    /// Buffers of their sources, cells.
    buffers: u64,
}

fn facts(
    scenario: &Scenario,
    shares: &Shares,
    limited: &[Limited],
    index: usize,
    abr: &Abr,
) -> AbrFacts {
    let flow = &scenario.flows[index];
    let link = bottleneck_link(scenario, shares, index);
    let bottleneck = bottleneck(scenario, abr_link(shares, link), link, limited[link].flows);
    let in_cells = |seconds: f64| seconds * bottleneck.cells_per_second;
    let round_trip = propagation(scenario, &flow.path) + propagation(scenario, &flow.reverse_path);
    let feedback = feedback_delay(scenario, flow, scenario.links[link].from);
    let window = flow.tcp.as_ref().map(tcp::window_cells);
    AbrFacts {
        pcr_cells_per_second: abr.pcr.0,
        pcr_bits_per_second: bits(abr.pcr),
        mcr_cells_per_second: abr.mcr.0,
        mcr_bits_per_second: bits(abr.mcr),
        icr_cells_per_second: abr.icr.0,
        icr_bits_per_second: bits(abr.icr),
        propagation_rtt_cells: in_cells(round_trip),
        feedback_delay_seconds: feedback,
        feedback_delay_cells: feedback.map(in_cells),
        window_cells: window,
        source_buffer_cells: window,
        source_buffers_at_bottleneck_cells: limited[link].buffers,
        ceiling: flow
            .tcp
            .as_ref()
            .map(|tcp| ceiling(narrowest(scenario, shares, index), tcp, abr.nrm)),
        bottleneck,
    }
}

fn bits(rate: CellRate) -> f64 {
    rate.0 * CELL_BITS as f64
}

fn abr_link(shares: &Shares, link: usize) -> &AbrLinkFacts {
    shares.links[link].as_ref().expect("an ABR flow passes it")
}

fn bottleneck(scenario: &Scenario, abr: &AbrLinkFacts, link: usize, flows: usize) -> AbrBottleneck {
    let owner = scenario.links[link].from;
    let cells_per_second = mean_rate(scenario, &scenario.links[link]) / CELL_BITS as f64;
    AbrBottleneck {
        link: scenario.links[link].name.clone(),
        switch: matches!(owner, NodeRef::Switch(_)).then(|| scenario.name_of(owner).to_owned()),
        allocator: abr.allocator,
        cells_per_second,
        cells_per_millisecond: cells_per_second / 1e3,
        abr_cells_per_second: abr.cells_per_second,
        flows,
    }
}

/// The link that limits the flow beside the others, or would if it were alone.
fn bottleneck_link(scenario: &Scenario, shares: &Shares, flow: usize) -> usize {
    shares.binding_link(flow).unwrap_or_else(|| lowest_link(scenario, shares, flow))
}

/// The link that leaves ABR the lowest rate. Of several such links, the one that limits the flow
/// beside the others, or else the first of a switch.
fn lowest_link(scenario: &Scenario, shares: &Shares, flow: usize) -> usize {
    let rate = |link: &usize| abr_link(shares, *link).bits_per_second;
    let binding = shares.binding_link(flow).into_iter();
    let candidates = binding.chain(links_of_switches_first(scenario, &scenario.flows[flow]));
    candidates
        .reduce(|lowest, next| if rate(&next) < rate(&lowest) { next } else { lowest })
        .expect("a path has links")
}

/// The bottleneck of a flow alone in its class: the link that leaves ABR the lowest rate, or the
/// peak cell rate.
pub(super) fn narrowest(scenario: &Scenario, shares: &Shares, flow: usize) -> Narrowest {
    let link = lowest_link(scenario, shares, flow);
    let left = abr_link(shares, link);
    match pace_bits_per_second(&scenario.flows[flow]) {
        Some(pcr) if pcr < left.bits_per_second => Narrowest {
            at: "pcr".to_owned(),
            rate: pcr,
            factors: vec![Factor { name: "peak_cell_rate_bits_per_second", value: pcr }],
        },
        _ => {
            let rate = mean_rate(scenario, &scenario.links[link]);
            let target = rate * left.target_utilisation;
            let factors = [
                ("link_cell_bits_per_second", rate),
                ("target_utilisation", left.target_utilisation),
                ("left_by_higher_classes", left.bits_per_second / target),
            ];
            Narrowest {
                at: scenario.links[link].name.clone(),
                rate: left.bits_per_second,
                factors: factors.map(|(name, value)| Factor { name, value }).into(),
            }
        }
    }
}

/// Shares of TCP payload in the bits of whole cells: of a cell, of the frame's cells, and of all
/// but one of every Nrm cells.
fn payload_factors(tcp: &Tcp, nrm: u32) -> [Factor; 3] {
    let in_cells = (CELL_PAYLOAD_BYTES * cells_of_segment(tcp.mss.0, tcp.ip)) as f64;
    let nrm = f64::from(nrm);
    [
        ("payload_of_cell", CELL_PAYLOAD_BYTES as f64 / CELL_BYTES as f64),
        ("data_of_frame", tcp.full_segment() as f64 / in_cells),
        ("without_rm_cells", (nrm - 1.0) / nrm),
    ]
    .map(|(name, value)| Factor { name, value })
}

/// The share of TCP payload in the cells of an ABR flow that sends data only.
pub(super) fn payload_share(tcp: &Tcp, nrm: u32) -> f64 {
    payload_factors(tcp, nrm).iter().map(|factor| factor.value).product()
}

fn ceiling(narrowest: Narrowest, tcp: &Tcp, nrm: u32) -> Ceiling {
    let mut factors = narrowest.factors;
    factors.extend(payload_factors(tcp, nrm));
    Ceiling { at: narrowest.at, factors, bits_per_second: narrowest.rate * payload_share(tcp, nrm) }
}

/// Delay back to the source from the switch `owner`, and from the source to it; `None` for the
/// source itself.
fn feedback_delay(scenario: &Scenario, flow: &Flow, owner: NodeRef) -> Option<f64> {
    let place = |path: &[usize]| path.iter().position(|&link| scenario.links[link].from == owner);
    let there = place(&flow.path).filter(|&hops| hops > 0)?;
    let back = place(&flow.reverse_path)?;
    Some(
        propagation(scenario, &flow.reverse_path[back..])
            + propagation(scenario, &flow.path[..there]),
    )
}
