//! Impairments on a path, and their effect on a full data segment and its ACK.
//!
//! A segment is intact if all its units arrive without errors: with n cells, each lost with
//! probability p, the probability is (1 − p)ⁿ. Its cells are assumed back to back on each link, and
//! the impairments of the links independent.

use serde::Serialize;

use crate::link::{AnyImpairment, Train};
use crate::pdu::IpVersion;
use crate::result::Shaped;
use crate::scenario::resolved::{Flow, Link, Scenario};
use crate::scenario::wire::{bits_of_segment, cells_of_segment, rate_of};
use crate::units::CELL_BITS;

/// Length of the packet for which the loss of packets is given.
const PACKET_BYTES: u64 = 1500;

/// Facts of one impairment of a link.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct ImpairmentFacts {
    /// Key of the impairment.
    pub key: &'static str,
    /// Probability that a cell, or a packet of 1500 bytes, is lost or spoilt.
    #[unit("1")]
    pub unit_loss: f64,
    /// Units lost in a row, in the mean, on a full line; absent where losses are independent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[unit("cell")]
    pub mean_burst_units: Option<f64>,
}

/// Effect of impairments on a flow.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct SegmentLoss {
    /// Probability that a full data segment is lost or spoilt on its way.
    #[unit("1")]
    pub segment: f64,
    /// Probability that the ACK of a segment is lost or spoilt on its way.
    #[unit("1")]
    pub ack: f64,
    /// Links with an effect on either, in order.
    pub links: Vec<LinkLoss>,
}

/// Effect of one link on a flow.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct LinkLoss {
    /// The link's name.
    pub link: String,
    /// `data`, or `acks` on the way back.
    pub of: &'static str,
    /// Probability that a full data segment, or an ACK, is lost or spoilt here.
    #[unit("1")]
    pub probability: f64,
}

/// Facts of the impairments of a link, in order.
pub(super) fn of_link(scenario: &Scenario, link: &Link) -> Vec<ImpairmentFacts> {
    let unit = if link.is_of_cells() {
        Train { units: 1, ..train(scenario, link, 0, IpVersion::V4) }
    } else {
        let ip = IpVersion::V4;
        train(scenario, link, PACKET_BYTES - ip.tcp_headers(), ip)
    };
    let facts = |impairment: &AnyImpairment| ImpairmentFacts {
        key: impairment.word(),
        unit_loss: 1.0 - impairment.intact(&unit),
        mean_burst_units: impairment.mean_burst(&unit),
    };
    impairments(link).map(facts).collect()
}

/// Losses of a flow with a transport; `None` if no link of its path loses anything.
pub(super) fn of_flow(scenario: &Scenario, flow: &Flow) -> Option<SegmentLoss> {
    let tcp = flow.tcp.as_ref()?;
    let mut links = Vec::new();
    let mut loss_on = |path: &[usize], of, payload| {
        let mut intact_so_far = 1.0;
        for link in path.iter().map(|&link| &scenario.links[link]) {
            if impairments(link).next().is_none() {
                continue;
            }
            let intact = intact(scenario, link, payload, flow.ip);
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

/// Probability that a segment with `payload` bytes of data passes a link intact.
fn intact(scenario: &Scenario, link: &Link, payload: u64, ip: IpVersion) -> f64 {
    let train = train(scenario, link, payload, ip);
    impairments(link).map(|impairment| impairment.intact(&train)).product()
}

fn train(scenario: &Scenario, link: &Link, payload: u64, ip: IpVersion) -> Train {
    let is_of_cells = link.is_of_cells();
    let (units, bits) = if is_of_cells {
        (cells_of_segment(payload, ip), CELL_BITS)
    } else {
        (1, bits_of_segment(payload, ip, link))
    };
    let measured = [scenario.run.warm_up, scenario.run.duration];
    Train { units, bits, spacing: bits as f64 / rate_of(link) as f64, is_of_cells, measured }
}
