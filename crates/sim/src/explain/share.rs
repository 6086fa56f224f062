//! Rates that flows may expect where ABR passes: class after class, as the ports serve them, each
//! shared max-min.
//!
//! CBR and VBR have the links to themselves, ABR has the rate that the allocators share out beside
//! them, UBR the rest. A source asks for its mean rate, a transport for all it can get. Not
//! counted: ACKs and backward RM cells, RM cells of sources that are not greedy, starts and stops
//! of flows, and windows.

use cellway_theory::rate::max_min::{Bound, Claim, Grant, max_min};
use serde::Serialize;

use super::capacity::mean_rate;
use super::pace_bits_per_second;
use crate::atm::Class;
use crate::result::Shaped;
use crate::scenario::resolved::{Excess, Flow, NodeRef, RateAllocation, Scenario};
use crate::units::CELL_BITS;

/// Rate that a flow may expect beside the others.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct ShareFacts {
    /// Class of the flow: `vbr`, which includes CBR, `abr` or `ubr`.
    pub class: &'static str,
    /// Rate of whole cells; on ABR, RM cells included.
    pub cells_per_second: f64,
    /// Rate of the bits of whole cells.
    pub bits_per_second: f64,
    /// Limit of the share.
    pub limited_by: ShareLimit,
    /// The link that limits it; absent for other limits.
    pub link: Option<String>,
}

/// Kinds of limits of a share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Shaped)]
#[serde(rename_all = "snake_case")]
pub enum ShareLimit {
    /// A link that the flows on it fill.
    Link,
    /// The mean rate of the source.
    Source,
    /// The peak cell rate of ABR, or the pacing of UBR.
    Peak,
    /// The minimum cell rate: where excess is shared in proportion to it, a VC without one gets
    /// none.
    MinimumRate,
}

impl ShareLimit {
    /// Returns the word for it.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Source => "source",
            Self::Peak => "peak",
            Self::MinimumRate => "minimum_rate",
        }
    }
}

/// Rate that ABR may use of one direction of a link that it passes.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct AbrLinkFacts {
    /// Allocator of the rates of the sources: `none` where a host sends.
    pub allocator: &'static str,
    /// U of ERICA; 1 for others.
    #[unit("1")]
    pub target_utilisation: f64,
    /// Mean rate of CBR and VBR.
    pub higher_classes_bits_per_second: f64,
    /// Rate that is left to ABR.
    pub bits_per_second: f64,
    /// Rate that is left to ABR in whole cells.
    pub cells_per_second: f64,
    /// ABR flows whose data take this direction.
    pub flows: usize,
    /// ABR VCs with cells of the user's in this direction: those flows, and the transports whose
    /// ACKs take it.
    pub vcs: usize,
    /// Maximum number of VCs that the allocator can find active, for the cells of its measuring
    /// interval; absent for one that does not measure.
    #[unit("1")]
    pub countable_vcs: Option<f64>,
    /// Maximum excess of rates over the target, as a fraction of it: δ of ERICA and ERICA+; absent
    /// for others.
    #[unit("1")]
    pub delta: Option<f64>,
}

/// The shares of all flows of a scenario with ABR.
pub(super) struct Shares {
    /// Rates for ABR by link.
    pub(super) links: Vec<Option<AbrLinkFacts>>,
    /// Shares by flow, in bits of whole cells; none on links of packets.
    grants: Vec<Option<Grant>>,
}

impl Shares {
    /// Calculates the shares. `None` if no flow is on ABR, or if flows share an ABR circuit: the
    /// circuit has a share, which its flows divide.
    pub(super) fn new(scenario: &Scenario) -> Option<Self> {
        let is_shared = |flow: &Flow| is_abr(flow) && flow.vc.is_some();
        if !scenario.flows.iter().any(is_abr) || scenario.flows.iter().any(is_shared) {
            return None;
        }
        let rates: Vec<f64> = scenario.links.iter().map(|link| mean_rate(scenario, link)).collect();
        let mut shares = Self { links: Vec::new(), grants: vec![None; scenario.flows.len()] };
        shares.share_out(scenario, Class::Vbr, &rates);
        let beside_vbr = shares.left(scenario, &rates);
        shares.links = abr_links(scenario, &rates, &beside_vbr);
        let for_abr: Vec<f64> = shares
            .links
            .iter()
            .map(|link| link.as_ref().map_or(0.0, |link| link.bits_per_second))
            .collect();
        shares.share_out(scenario, Class::Abr, &for_abr);
        let rest = shares.left(scenario, &rates);
        shares.share_out(scenario, Class::Ubr, &rest);
        Some(shares)
    }

    fn share_out(&mut self, scenario: &Scenario, class: Class, capacities: &[f64]) {
        let is_by_mcr = class == Class::Abr && shares_by_mcr(scenario);
        let of_class = |flow: &Flow| flow.service.class() == class && passes_cells(scenario, flow);
        let flows = scenario.flows.iter().enumerate().filter(|(_, flow)| of_class(flow));
        let (indices, claims): (Vec<usize>, Vec<Claim>) =
            flows.map(|(index, flow)| (index, claim(scenario, flow, is_by_mcr))).unzip();
        for (index, grant) in indices.into_iter().zip(max_min(capacities, &claims)) {
            self.grants[index] = Some(grant);
        }
    }

    /// Rate of each link that the flows with shares leave.
    fn left(&self, scenario: &Scenario, rates: &[f64]) -> Vec<f64> {
        let mut left = rates.to_vec();
        for (flow, grant) in scenario.flows.iter().zip(&self.grants) {
            for &link in scenario.cell_links(&flow.path) {
                left[link] -= grant.map_or(0.0, |grant| grant.rate);
            }
        }
        left.into_iter().map(|left| left.max(0.0)).collect()
    }

    /// The link that limits a flow.
    pub(super) fn binding_link(&self, flow: usize) -> Option<usize> {
        match self.grants[flow]?.bound {
            Bound::Link(link) => Some(link),
            Bound::Max | Bound::Min => None,
        }
    }

    /// Facts of a share; `None` on links of packets.
    pub(super) fn facts(&self, scenario: &Scenario, flow: usize) -> Option<ShareFacts> {
        let grant = self.grants[flow]?;
        let link = self.binding_link(flow).map(|link| scenario.links[link].name.clone());
        let flow = &scenario.flows[flow];
        let limited_by = match grant.bound {
            Bound::Link(_) => ShareLimit::Link,
            Bound::Min => ShareLimit::MinimumRate,
            Bound::Max if is_source_within_peak(flow) => ShareLimit::Source,
            Bound::Max => ShareLimit::Peak,
        };
        Some(ShareFacts {
            class: flow.service.class().word(),
            cells_per_second: grant.rate / CELL_BITS as f64,
            bits_per_second: grant.rate,
            limited_by,
            link,
        })
    }
}

fn is_abr(flow: &Flow) -> bool {
    flow.service.class() == Class::Abr
}

fn passes_cells(scenario: &Scenario, flow: &Flow) -> bool {
    !scenario.cell_links(&flow.path).is_empty()
}

/// Peak rate: PCR or pace, bits of whole cells.
fn peak(flow: &Flow) -> f64 {
    pace_bits_per_second(flow).unwrap_or(f64::INFINITY)
}

/// Minimum rate MCR, bits of whole cells.
fn minimum_rate(flow: &Flow) -> f64 {
    flow.service.minimum_rate().map_or(0.0, |mcr| mcr.bits_per_second() as f64)
}

/// Mean rate of a source, bits of whole cells; `None` for a transport.
fn mean_of_source(flow: &Flow) -> Option<f64> {
    flow.load().map(|load| load.busy_part * load.offered.bits_of_cells())
}

fn is_source_within_peak(flow: &Flow) -> bool {
    mean_of_source(flow).is_some_and(|mean| mean <= peak(flow))
}

fn claim(scenario: &Scenario, flow: &Flow, is_by_mcr: bool) -> Claim {
    let mean = mean_of_source(flow).unwrap_or(f64::INFINITY);
    let min = minimum_rate(flow);
    Claim {
        links: links_of_switches_first(scenario, flow),
        min,
        max: mean.min(peak(flow)),
        weight: if is_by_mcr { min } else { 1.0 },
    }
}

/// Links of a path, those of switches first: where several limit a flow at once, the link of a
/// switch is named rather than the source's own interface.
pub(super) fn links_of_switches_first(scenario: &Scenario, flow: &Flow) -> Vec<usize> {
    let is_of_switch = |link: &usize| matches!(scenario.links[*link].from, NodeRef::Switch(_));
    let cells = scenario.cell_links(&flow.path).iter();
    let (mut links, own): (Vec<usize>, Vec<usize>) = cells.copied().partition(is_of_switch);
    links.extend(own);
    links
}

/// True if the rate above the minimum rates is shared in proportion to them: some flow has a
/// minimum rate, there is an allocator that shares, and all such allocators do so. If allocators
/// differ, equal parts are expected.
fn shares_by_mcr(scenario: &Scenario) -> bool {
    let has_any = scenario.flows.iter().any(|flow| minimum_rate(flow) > 0.0);
    let rules = scenario.switches.iter().filter_map(|switch| switch.rate_allocator.measures());
    let mut rules = rules.map(|(_, fairness)| fairness.excess).peekable();
    has_any && rules.peek().is_some() && rules.all(|rule| rule == Excess::ByMcr)
}

/// Rates that ABR may use beside higher classes, which leave `left` of `rates`, by link.
fn abr_links(scenario: &Scenario, rates: &[f64], left: &[f64]) -> Vec<Option<AbrLinkFacts>> {
    let mut flows = vec![0_usize; rates.len()];
    let mut answers = vec![0_usize; rates.len()];
    let mut promised = vec![0.0; rates.len()];
    for flow in scenario.flows.iter().filter(|flow| is_abr(flow)) {
        for &link in scenario.cell_links(&flow.path) {
            flows[link] += 1;
            promised[link] += minimum_rate(flow);
        }
        for &link in scenario.cell_links(&flow.reverse_path).iter().filter(|_| flow.tcp.is_some()) {
            answers[link] += 1;
        }
    }
    let facts = |link: usize| {
        let allocation = allocation(scenario, link);
        // Minimum rates are kept above the target too, as long as they fit.
        let guaranteed = f64::min(promised[link], left[link]);
        let higher = rates[link] - left[link];
        let for_abr = allocation.target(rates[link], higher).max(guaranteed);
        AbrLinkFacts {
            allocator: allocation.word(),
            target_utilisation: allocation.target_utilisation(),
            higher_classes_bits_per_second: higher,
            bits_per_second: for_abr,
            cells_per_second: for_abr / CELL_BITS as f64,
            flows: flows[link],
            vcs: flows[link] + answers[link],
            countable_vcs: countable_vcs(&allocation, rates[link]),
            delta: allocation.measures().map(|(_, fairness)| fairness.delta),
        }
    };
    (0..rates.len()).map(|link| (flows[link] > 0).then(|| facts(link))).collect()
}

fn allocation(scenario: &Scenario, link: usize) -> RateAllocation {
    match scenario.links[link].from {
        NodeRef::Switch(switch) => scenario.switches[switch].rate_allocator,
        NodeRef::Host(_) | NodeRef::Edge(_) => RateAllocation::None,
    }
}

/// Maximum number of VCs that an allocator counts. An interval has `interval_cells`, or the cells
/// that the line sends in its time; with An a VC counts An^k k intervals later.
fn countable_vcs(allocation: &RateAllocation, rate: f64) -> Option<f64> {
    let (measurement, _) = allocation.measures()?;
    let sent = measurement.interval.seconds_f64() * rate / CELL_BITS as f64;
    Some(
        sent.min(measurement.interval_cells as f64)
            / (1.0 - measurement.activity_decay.unwrap_or(0.0)),
    )
}
