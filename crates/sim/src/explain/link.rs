//! Facts of links: their rates, delays and shares.

use serde::Serialize;

use super::capacity::{self, CapacityFacts, mean_rate};
use super::impairments::{self, ImpairmentFacts};
use super::share::{AbrLinkFacts, Shares};
use crate::result::Shaped;
use crate::scenario::resolved::{Link, Scenario};
use crate::scenario::wire::mean_on;

/// Facts of one direction of a link.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct LinkFacts {
    /// The link's name; both directions of a duplex link share it.
    pub name: String,
    /// Sending node.
    pub from: String,
    /// Receiving node.
    pub to: String,
    /// Unit that it carries: `cells` or `packets`.
    pub carries: &'static str,
    /// Rate of all bits on the wire.
    pub line_bits_per_second: f64,
    /// Rate of the bits of whole cells; absent for packets.
    pub cell_bits_per_second: Option<f64>,
    /// Rate of the bits of the payload of cells; absent for packets.
    pub payload_bits_per_second: Option<f64>,
    /// Rate of whole cells; absent for packets.
    pub cells_per_second: Option<f64>,
    /// Shortest one-way propagation delay.
    pub delay_seconds: f64,
    /// Longest one-way propagation delay; absent where it does not vary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_delay_seconds: Option<f64>,
    /// Variation of its rate; absent where it does not vary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capacity: Option<CapacityFacts>,
    /// Impairments of its units besides delay, in order; absent without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub impairments: Vec<ImpairmentFacts>,
    /// Flows whose data take this direction.
    pub flows: usize,
    /// Flows whose ACKs take this direction.
    pub ack_flows: usize,
    /// Load of sources of raw cells and of datagrams: bits of whole cells, or of the line.
    pub raw_offered_bits_per_second: f64,
    /// Rate that they leave, divided by the flows with a transport; where ABR passes, the rate that
    /// ABR may use, divided by its flows. Absent if there are none.
    pub fair_share_bits_per_second: Option<f64>,
    /// Rate that ABR may use; absent if no ABR flow passes.
    pub abr: Option<AbrLinkFacts>,
}

pub(super) fn all(scenario: &Scenario, shares: Option<&Shares>) -> Vec<LinkFacts> {
    let mut facts: Vec<LinkFacts> =
        scenario.links.iter().map(|link| alone(scenario, link)).collect();
    let mut transports = vec![0_usize; facts.len()];
    for flow in &scenario.flows {
        let load = flow.load();
        for &link in &flow.path {
            facts[link].flows += 1;
            match &load {
                Some(load) => {
                    let mean = mean_on(load, &scenario.links[link]);
                    facts[link].raw_offered_bits_per_second += mean;
                }
                None => transports[link] += 1,
            }
        }
        for &link in &flow.reverse_path {
            facts[link].ack_flows += 1;
        }
    }
    for ((facts, link), count) in facts.iter_mut().zip(&scenario.links).zip(transports) {
        let left = (mean_rate(scenario, link) - facts.raw_offered_bits_per_second).max(0.0);
        facts.fair_share_bits_per_second = (count > 0).then(|| left / count as f64);
    }
    if let Some(shares) = shares {
        for (facts, abr) in facts.iter_mut().zip(&shares.links) {
            let Some(abr) = abr else { continue };
            facts.fair_share_bits_per_second = Some(abr.bits_per_second / abr.flows as f64);
            facts.abr = Some(abr.clone());
        }
    }
    facts
}

fn alone(scenario: &Scenario, link: &Link) -> LinkFacts {
    let cell_rate = link.carries.cell_rate();
    LinkFacts {
        name: link.name.clone(),
        from: scenario.name_of(link.from).to_owned(),
        to: scenario.name_of(link.to).to_owned(),
        carries: if link.is_of_cells() { "cells" } else { "packets" },
        line_bits_per_second: link.carries.line_rate().bits_per_second() as f64,
        cell_bits_per_second: cell_rate.map(|rate| rate.bits_per_second() as f64),
        payload_bits_per_second: cell_rate.map(crate::units::Rate::payload_of_cells_f64),
        cells_per_second: cell_rate.map(crate::units::Rate::cells_per_second_f64),
        delay_seconds: link.delay.min().seconds_f64(),
        max_delay_seconds: (link.delay.min() < link.delay.max())
            .then(|| link.delay.max().seconds_f64()),
        capacity: capacity::of_link(scenario, link),
        impairments: impairments::of_link(scenario, link),
        flows: 0,
        ack_flows: 0,
        raw_offered_bits_per_second: 0.0,
        fair_share_bits_per_second: None,
        abr: None,
    }
}
