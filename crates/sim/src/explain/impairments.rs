//! What the lines of a path do to a full data segment, and to the ACK of it.
//!
//! A segment is intact if all its units arrive without errors: of n cells, each lost with
//! probability p, it is with (1 − p)ⁿ. Its cells are taken as back to back on each link, and what
//! the links do as independent.

use serde::Serialize;

use crate::link::{AnyImpairment, Train};
use crate::pdu::HEADER_BYTES;
use crate::scenario::resolved::{Flow, Link, Scenario};
use crate::scenario::wire::{bits_of_segment, cells_of_segment, rate_of};
use crate::units::CELL_BITS;

/// The packet by whose length packets are spoken of.
const PACKET_BYTES: u64 = 1500;

/// One impairment of a link.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ImpairmentFacts {
    /// Its key.
    pub key: &'static str,
    /// Probability that a cell, or a packet of 1500 bytes, is lost or spoilt.
    pub unit_loss: f64,
    /// Units lost in a row, in the mean, on a full line; absent where losses are independent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_burst_units: Option<f64>,
}

/// What impairments do to a flow.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SegmentLoss {
    /// Probability that a full data segment is lost or spoilt on its way.
    pub segment: f64,
    /// Probability that the ACK of one is.
    pub ack: f64,
    /// Link by link, those that do something to either.
    pub links: Vec<LinkLoss>,
}

/// What one link does to a flow.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LinkLoss {
    /// The link's name.
    pub link: String,
    /// `data`, or `acks` on the way back.
    pub of: &'static str,
    /// Probability that a full data segment, or an ACK, is lost or spoilt here.
    pub probability: f64,
}

/// Of a link, in order.
pub(super) fn of_link(scenario: &Scenario, link: &Link) -> Vec<ImpairmentFacts> {
    let unit = if link.is_of_cells() {
        Train { units: 1, ..train(scenario, link, 0) }
    } else {
        train(scenario, link, PACKET_BYTES - HEADER_BYTES)
    };
    let facts = |impairment: &AnyImpairment| ImpairmentFacts {
        key: impairment.word(),
        unit_loss: 1.0 - impairment.intact(&unit),
        mean_burst_units: impairment.mean_burst(&unit),
    };
    impairments(link).map(facts).collect()
}

/// Of a flow with a transport; `None`: no link of its path does anything.
pub(super) fn of_flow(scenario: &Scenario, flow: &Flow) -> Option<SegmentLoss> {
    let tcp = flow.tcp.as_ref()?;
    let mut links = Vec::new();
    let mut loss_on = |path: &[usize], of, payload| {
        let mut intact_so_far = 1.0;
        for link in path.iter().map(|&link| &scenario.links[link]) {
            if impairments(link).next().is_none() {
                continue;
            }
            let intact = intact(scenario, link, payload);
            intact_so_far *= intact;
            links.push(LinkLoss { link: link.name.clone(), of, probability: 1.0 - intact });
        }
        1.0 - intact_so_far
    };
    let segment = loss_on(&flow.path, "data", tcp.mss.0);
    let ack = loss_on(&flow.reverse_path, "acks", tcp.option_bytes());
    (!links.is_empty()).then_some(SegmentLoss { segment, ack, links })
}

fn impairments(link: &Link) -> impl Iterator<Item = &AnyImpairment> {
    link.impairments.iter().flat_map(|impairments| &impairments.0)
}

/// The probability that a segment with so much data passes a link.
fn intact(scenario: &Scenario, link: &Link, payload: u64) -> f64 {
    let train = train(scenario, link, payload);
    impairments(link).map(|impairment| impairment.intact(&train)).product()
}

fn train(scenario: &Scenario, link: &Link, payload: u64) -> Train {
    let is_of_cells = link.is_of_cells();
    let (units, bits) = if is_of_cells {
        (cells_of_segment(payload), CELL_BITS)
    } else {
        (1, bits_of_segment(payload, link))
    };
    let measured = [scenario.run.warm_up, scenario.run.duration];
    Train { units, bits, spacing: bits as f64 / rate_of(link) as f64, is_of_cells, measured }
}
