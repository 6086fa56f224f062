//! The round trip of a segment and its ACK with all queues empty: propagation, switching,
//! serialisation, processors, segmentation and reassembly.

use super::{capacity::mean_rate, pace_bits_per_second, propagation};
use crate::atm::aal5;
use crate::scenario::resolved::{AckCost, Flow, Host, Link, Sar, Scenario, Service};
use crate::units::CELL_BITS;

/// Time from a segment with `data` bytes to its ACK, with all queues empty.
pub(super) fn unloaded(scenario: &Scenario, flow: &Flow, data: u64, options: u64) -> f64 {
    let ack = options + flow.ip.tcp_headers();
    let segment = data + ack;
    let (sender, receiver) = (&scenario.hosts[flow.source], &scenario.hosts[flow.sink]);
    let answering = match receiver.ack_cost {
        AckCost::Charged => receiver.cpu_per_segment.mean_seconds(),
        AckCost::Included => 0.0,
    };
    let cpu = 2.0 * sender.cpu_per_segment.mean_seconds()
        + receiver.cpu_per_segment.mean_seconds()
        + answering;
    let pace = pace_bits_per_second(flow);
    let data = one_way(scenario, &flow.path, segment, pace);
    // The pace of a flow is for its data; those of a shared circuit and ABR's peak are for both
    // directions.
    let both_ways = flow.vc.is_some() || matches!(flow.service, Service::Abr(_));
    let ack_way = one_way(scenario, &flow.reverse_path, ack, pace.filter(|_| both_ways));
    let sar =
        [(&flow.path, sender, receiver, segment), (&flow.reverse_path, receiver, sender, ack)];
    let sar: f64 = sar
        .map(|(path, from, to, bytes)| sar_of_way(scenario, path, (from, to), bytes))
        .iter()
        .sum();
    cpu + data + ack_way + sar
}

/// Propagation, switching and serialisation of an IP packet.
fn one_way(scenario: &Scenario, path: &[usize], bytes: u64, pace: Option<f64>) -> f64 {
    let switching =
        path.iter().map(|&link| scenario.processing_of(scenario.links[link].to).seconds_f64());
    propagation(scenario, path)
        + switching.sum::<f64>()
        + serialisation(scenario, path, bytes, pace)
}

/// Serialisation along a path. A frame of cells takes its time at the narrowest place only, and one
/// cell time at each other hop. Packets are stored and forwarded: they take their time at every
/// hop.
fn serialisation(scenario: &Scenario, path: &[usize], bytes: u64, pace: Option<f64>) -> f64 {
    let links = path.iter().map(|&link| &scenario.links[link]);
    let whole = |link: &Link| link.carries.bits_of(bytes) as f64 / mean_rate(scenario, link);
    let packets: f64 = links.filter(|link| !link.is_of_cells()).map(whole).sum();
    let cell_time = |rate: f64| CELL_BITS as f64 / rate;
    let links =
        scenario.cell_links(path).iter().map(|&link| mean_rate(scenario, &scenario.links[link]));
    let cell_times: Vec<f64> = links.map(cell_time).collect();
    if cell_times.is_empty() {
        return packets;
    }
    let at_links: f64 = cell_times.iter().sum();
    let slowest = cell_times.into_iter().chain(pace.map(cell_time)).fold(0.0, f64::max);
    // Every hop adds one cell time; the cells after the first follow at the spacing of the slowest
    // place.
    packets + at_links + (aal5::cells_of(bytes) - 1) as f64 * slowest
}

/// Segmentation and reassembly time; a host does it only if its own link carries cells.
fn sar_of_way(scenario: &Scenario, path: &[usize], (from, to): (&Host, &Host), bytes: u64) -> f64 {
    let ends = [(path.first(), from), (path.last(), to)];
    let at_cells = ends
        .into_iter()
        .filter(|(link, _)| link.is_some_and(|&link| scenario.links[link].is_of_cells()));
    at_cells.map(|(_, host)| sar_time(host, bytes)).sum()
}

fn sar_time(host: &Host, bytes: u64) -> f64 {
    match host.sar {
        Sar::PerCell(span) => span.seconds_f64() * aal5::cells_of(bytes) as f64,
        Sar::PerFrame(span) => span.seconds_f64(),
    }
}
