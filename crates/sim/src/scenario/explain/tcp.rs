//! What limits a TCP flow: the path, the window, the processors, and the other flows.

use serde::Serialize;

use super::{Context, LinkFacts, ShareFacts, abr, pace_bits_per_second, propagation};
use crate::scenario::resolved::{
    AckCost, AckRule, Carries, Flow, Host, Link, NodeRef, Sar, Scenario, Service, Tcp,
};
use crate::scenario::wire::{bits_of_segment, cells_of_segment, rate_of};
use crate::units::CELL_BITS;

/// A flow with a transport.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TcpFacts {
    /// Largest TCP payload of a segment.
    pub mss_bytes: u64,
    /// Cells of the AAL5 frame of a full segment; absent for packets.
    pub cells_per_segment: Option<u64>,
    /// Cells of the AAL5 frame of a pure ACK; absent for packets.
    pub cells_per_ack: Option<u64>,
    /// TCP payload over bits on the wire of a full segment, on ABR with its part of an RM cell, at the bottleneck: the factor
    /// between the two rates below.
    pub payload_share: f64,
    /// The bottleneck's rate of cells or packets, pacing included; for ABR what is left of it.
    pub bottleneck_bits_per_second: f64,
    /// `bottleneck_bits_per_second` × `payload_share`: no window or processor can make it more.
    pub ceiling_bits_per_second: f64,
    /// The window that counts: without window scaling at most 65 535 bytes.
    pub window_bytes: u64,
    /// Whole segments in the window; 0 if it holds only one short segment.
    pub window_segments: u64,
    /// The window's data per unloaded round trip.
    pub window_limit_bits_per_second: f64,
    /// The window over the round trip of propagation alone, as rules of thumb have it; absent without propagation.
    pub window_over_propagation_bits_per_second: Option<f64>,
    /// What the sender's processor can feed, shared by the flows of the host; absent if it takes no time.
    pub sender_cpu_limit_bits_per_second: Option<f64>,
    /// What the receiver's processor can take, shared by the flows of the host; absent if it takes no time.
    pub receiver_cpu_limit_bits_per_second: Option<f64>,
    /// The ceiling if every link were shared equally with the other flows on it; where ABR passes, the flow's max-min share.
    pub fair_share_bits_per_second: f64,
    /// From a segment's first step at the sender to its ACK there, with all queues empty: propagation,
    /// serialisation, switching, segmentation and processing at both ends, ACK included. Full, if the window holds one.
    pub unloaded_rtt_seconds: f64,
    /// Application bytes under way when the ceiling is kept up over an unloaded round trip.
    pub bandwidth_delay_bytes: f64,
    /// Cells under way at the bottleneck's rate over an unloaded round trip; absent for packets.
    pub bandwidth_delay_cells: Option<f64>,
    /// The smallest of the limits.
    pub expected_bits_per_second: f64,
    /// Which of the limits that is.
    pub limited_by: Limit,
}

/// What a flow runs into first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// The narrowest link, or pacing.
    Bottleneck,
    /// The share beside the other flows.
    FairShare,
    /// The window over the round trip.
    Window,
    /// The sending host's processor.
    SenderCpu,
    /// The receiving host's processor.
    ReceiverCpu,
}

/// Flows with a transport that each host takes part in.
pub(super) fn flows_per_host(scenario: &Scenario) -> Vec<usize> {
    let mut flows = vec![0; scenario.hosts.len()];
    for flow in scenario.flows.iter().filter(|flow| flow.tcp.is_some()) {
        flows[flow.from] += 1;
        flows[flow.to] += 1;
    }
    flows
}

pub(super) fn facts(context: &Context<'_>, index: usize, tcp: &Tcp, share: Option<&ShareFacts>) -> TcpFacts {
    let Context { scenario, ref cpu_users, .. } = *context;
    let flow = &scenario.flows[index];
    let mss = tcp.mss.0;
    let narrowest = narrowest(context, index, tcp);
    let ceiling = narrowest.rate * narrowest.payload_share;
    let (window, segments, data) = window(tcp);
    let rtt = unloaded_rtt(scenario, flow, data.min(mss));
    let propagation_rtt = propagation(scenario, &flow.path) + propagation(scenario, &flow.reverse_path);
    let cells = is_cells(scenario, flow);
    let share = match share {
        Some(share) => share.bits_per_second * narrowest.payload_share,
        None => fair_share(scenario, flow, mss, context.links),
    };
    let share = share.min(ceiling);
    let acks = acks_per_segment(tcp);
    let cpu = |limit: Option<f64>, host: usize| limit.map(|limit| limit / cpu_users[host] as f64);
    let sender = cpu(sender_limit(&scenario.hosts[flow.from], mss, acks), flow.from);
    let receiver = cpu(receiver_limit(&scenario.hosts[flow.to], mss, acks), flow.to);
    let window_limit = 8.0 * data as f64 / rtt;
    let (expected, limited_by) = smallest([
        (Some(ceiling), Limit::Bottleneck),
        (Some(share), Limit::FairShare),
        (Some(window_limit), Limit::Window),
        (sender, Limit::SenderCpu),
        (receiver, Limit::ReceiverCpu),
    ]);
    TcpFacts {
        mss_bytes: mss,
        cells_per_segment: cells.then(|| cells_of_segment(mss)),
        cells_per_ack: cells.then(|| cells_of_segment(0)),
        payload_share: narrowest.payload_share,
        bottleneck_bits_per_second: narrowest.rate,
        ceiling_bits_per_second: ceiling,
        window_bytes: window,
        window_segments: segments,
        window_limit_bits_per_second: window_limit,
        window_over_propagation_bits_per_second: (propagation_rtt > 0.0)
            .then(|| 8.0 * window as f64 / propagation_rtt),
        sender_cpu_limit_bits_per_second: sender,
        receiver_cpu_limit_bits_per_second: receiver,
        fair_share_bits_per_second: share,
        unloaded_rtt_seconds: rtt,
        bandwidth_delay_bytes: ceiling * rtt / 8.0,
        bandwidth_delay_cells: cells.then(|| narrowest.rate * rtt / CELL_BITS as f64),
        expected_bits_per_second: expected,
        limited_by,
    }
}

/// The first of the smallest: a limit that only equals an earlier one does not bind.
fn smallest<const N: usize>(limits: [(Option<f64>, Limit); N]) -> (f64, Limit) {
    let known = limits.into_iter().filter_map(|(rate, limit)| rate.map(|rate| (rate, limit)));
    known.reduce(|least, next| if next.0 < least.0 { next } else { least }).expect("the bottleneck limits")
}

fn is_cells(scenario: &Scenario, flow: &Flow) -> bool {
    matches!(scenario.links[flow.path[0]].carries, Carries::Cells { .. })
}

struct Narrowest {
    rate: f64,
    payload_share: f64,
}

/// Where the least application data passes; packet links may differ in overhead, so the rate alone does not tell.
fn narrowest(context: &Context<'_>, index: usize, tcp: &Tcp) -> Narrowest {
    let Context { scenario, shares, .. } = *context;
    let (flow, mss) = (&scenario.flows[index], tcp.mss.0);
    if let (Service::Abr(abr), Some(shares)) = (flow.service, shares) {
        let rate = abr::narrowest(scenario, shares, index).rate;
        return Narrowest { rate, payload_share: abr::payload_share(tcp, abr.nrm) };
    }
    let at_link = |&link: &usize| {
        let link = &scenario.links[link];
        Narrowest { rate: rate_of(link) as f64, payload_share: payload_share(mss, link) }
    };
    let share_at_source = payload_share(mss, &scenario.links[flow.path[0]]);
    let pace = pace_bits_per_second(flow).map(|rate| Narrowest { rate, payload_share: share_at_source });
    let places = flow.path.iter().map(at_link).chain(pace);
    let goodput = |place: &Narrowest| place.rate * place.payload_share;
    places
        .reduce(|least, next| if goodput(&next) < goodput(&least) { next } else { least })
        .expect("a path has links")
}

fn payload_share(mss: u64, link: &Link) -> f64 {
    8.0 * mss as f64 / bits_of_segment(mss, link) as f64
}

fn fair_share(scenario: &Scenario, flow: &Flow, mss: u64, links: &[LinkFacts]) -> f64 {
    let shares = flow.path.iter().filter_map(|&link| {
        let share = links[link].fair_share_bits_per_second?;
        Some(share * payload_share(mss, &scenario.links[link]))
    });
    shares.fold(f64::INFINITY, f64::min)
}

/// Bytes of the window, whole segments in it, and the bytes of data that it lets out per round trip.
fn window(tcp: &Tcp) -> (u64, u64, u64) {
    let window = if tcp.window_scaling { tcp.window.0 } else { tcp.window.0.min(65_535) };
    let segments = window / tcp.mss.0;
    let data = if segments > 0 { segments * tcp.mss.0 } else { window };
    (window, segments, data)
}

/// Cells of a full window of whole segments, or of the short one that it holds.
pub(super) fn window_cells(tcp: &Tcp) -> u64 {
    let (window, segments, _) = window(tcp);
    if segments > 0 { segments * cells_of_segment(tcp.mss.0) } else { cells_of_segment(window) }
}

fn acks_per_segment(tcp: &Tcp) -> f64 {
    match tcp.ack {
        AckRule::EverySegment => 1.0,
        AckRule::Delayed => 0.5,
    }
}

/// A data segment costs the sender its creation and its share of an ACK's reception.
fn sender_limit(host: &Host, mss: u64, acks: f64) -> Option<f64> {
    limit(mss, host.cpu_per_segment.seconds_f64() * (1.0 + acks))
}

/// A data segment costs the receiver its reception and its share of an ACK, if that is charged.
fn receiver_limit(host: &Host, mss: u64, acks: f64) -> Option<f64> {
    let charged = match host.ack_cost {
        AckCost::Charged => acks,
        AckCost::Included => 0.0,
    };
    limit(mss, host.cpu_per_segment.seconds_f64() * (1.0 + charged))
}

fn limit(mss: u64, seconds: f64) -> Option<f64> {
    (seconds > 0.0).then(|| 8.0 * mss as f64 / seconds)
}

fn unloaded_rtt(scenario: &Scenario, flow: &Flow, segment: u64) -> f64 {
    let (sender, receiver) = (&scenario.hosts[flow.from], &scenario.hosts[flow.to]);
    let answering = match receiver.ack_cost {
        AckCost::Charged => receiver.cpu_per_segment.seconds_f64(),
        AckCost::Included => 0.0,
    };
    let cpu = 2.0 * sender.cpu_per_segment.seconds_f64() + receiver.cpu_per_segment.seconds_f64() + answering;
    let pace = pace_bits_per_second(flow);
    let data = one_way(scenario, &flow.path, segment, pace);
    // ABR holds both directions to its peak, pacing only the data.
    let back = pace.filter(|_| matches!(flow.service, Service::Abr(_)));
    let ack = one_way(scenario, &flow.reverse_path, 0, back);
    let sar = if is_cells(scenario, flow) {
        [segment, 0].map(|payload| sar_time(sender, payload) + sar_time(receiver, payload)).iter().sum()
    } else {
        0.0
    };
    cpu + data + ack + sar
}

/// Propagation, switching and serialisation of a segment with `payload` bytes of data.
fn one_way(scenario: &Scenario, path: &[usize], payload: u64, pace: Option<f64>) -> f64 {
    let switching = path.iter().map(|&link| match scenario.links[link].to {
        NodeRef::Switch(switch) => scenario.switches[switch].delay.seconds_f64(),
        NodeRef::Host(_) => 0.0,
    });
    propagation(scenario, path) + switching.sum::<f64>() + serialisation(scenario, path, payload, pace)
}

/// Cells flow through: the frame takes its time at the narrowest place only, and one cell time at each other hop.
/// Packets are stored and forwarded: they take their time at every hop.
fn serialisation(scenario: &Scenario, path: &[usize], payload: u64, pace: Option<f64>) -> f64 {
    let links = path.iter().map(|&link| &scenario.links[link]);
    let whole = |link| bits_of_segment(payload, link) as f64 / rate_of(link) as f64;
    if matches!(scenario.links[path[0]].carries, Carries::Packets { .. }) {
        return links.map(whole).sum();
    }
    let cell_time = |rate: f64| CELL_BITS as f64 / rate;
    let cell_times: Vec<f64> = links.map(|link| cell_time(rate_of(link) as f64)).collect();
    let at_links: f64 = cell_times.iter().sum();
    let slowest = cell_times.into_iter().chain(pace.map(cell_time)).fold(0.0, f64::max);
    // Every hop adds one cell time; the cells after the first follow at the spacing of the slowest place.
    at_links + (cells_of_segment(payload) - 1) as f64 * slowest
}

fn sar_time(host: &Host, payload: u64) -> f64 {
    match host.sar {
        Sar::PerCell(span) => span.seconds_f64() * cells_of_segment(payload) as f64,
        Sar::PerFrame(span) => span.seconds_f64(),
    }
}
