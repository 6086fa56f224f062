//! Limits of a TCP flow: the path, the window, the processors, and the other flows.

use serde::Serialize;

use super::{
    Context, LinkFacts, LongPathFacts, ShareFacts, abr, capacity::mean_rate, long_path,
    pace_bits_per_second, propagation, round_trip,
};
use crate::assemble::QueueRules;
use crate::result::Shaped;
use crate::scenario::resolved::{
    AckCost, AckFilter, AckRule, Flow, Host, Link, Scenario, Service, Tcp,
};
use crate::scenario::wire::{bits_of_segment, cells_of_segment};
use crate::traffic::Offered;
use crate::units::CELL_BITS;

/// Facts of a flow with a transport.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct TcpFacts {
    /// Largest TCP payload of a segment.
    pub mss_bytes: u64,
    /// Cells of the AAL5 frame of a full segment, where it is cells; absent on a path of
    /// packets only.
    pub cells_per_segment: Option<u64>,
    /// Cells of the AAL5 frame of a pure ACK, where it is cells; absent on a path of packets only.
    pub cells_per_ack: Option<u64>,
    /// TCP payload over bits on the wire of a full segment, on ABR with its fraction of an RM cell,
    /// at the bottleneck: the factor between the two rates below.
    #[unit("1")]
    pub payload_share: f64,
    /// The bottleneck's rate of cells or packets, pacing included; for ABR the rest of it.
    pub bottleneck_bits_per_second: f64,
    /// `bottleneck_bits_per_second` × `payload_share`: neither window nor processor can raise it.
    pub ceiling_bits_per_second: f64,
    /// The receive buffer: the window of the receiver without other limits.
    pub receive_buffer_bytes: u64,
    /// The effective window: at most the send buffer, and without window scaling 65 535 bytes.
    pub window_bytes: u64,
    /// Whole segments in the window; 0 if only one short segment fits.
    pub window_segments: u64,
    /// The window's data per unloaded round trip, in whole segments if it has room for one; short
    /// ones may add the rest.
    pub window_limit_bits_per_second: f64,
    /// The window over the round trip of propagation alone, as rules of thumb have it; absent
    /// without propagation.
    pub window_over_propagation_bits_per_second: Option<f64>,
    /// Limit of the sender's processor, shared by the flows of the host; absent if it takes no
    /// time.
    pub sender_cpu_limit_bits_per_second: Option<f64>,
    /// Limit of the receiver's processor, shared by the flows of the host; absent if it takes
    /// no time.
    pub receiver_cpu_limit_bits_per_second: Option<f64>,
    /// The rate at which the ACKs of the flow, with those of others, fill their way back, none lost
    /// and no data beside them; where ACKs are lost, those that arrive acknowledge more.
    pub ack_path_limit_bits_per_second: f64,
    /// The ceiling if every link and paced circuit were shared equally with the other flows on it;
    /// where ABR passes, the flow's max-min share.
    pub fair_share_bits_per_second: f64,
    /// Time from a segment's first step at the sender to its ACK there, with all queues empty:
    /// propagation, serialisation, switching, segmentation and processing at both ends, ACK
    /// included. Calculated for a full segment, if the window has one.
    pub unloaded_rtt_seconds: f64,
    /// Application bytes in flight when the ceiling is kept up over an unloaded round trip.
    pub bandwidth_delay_bytes: f64,
    /// Cells in flight at the bottleneck's rate over an unloaded round trip; absent where that
    /// passes packets.
    #[unit("cell")]
    pub bandwidth_delay_cells: Option<f64>,
    /// The smallest of the limits. If a window has an odd number of segments, the last waits for a
    /// delayed ACK, and this is the mean rate that remains.
    pub expected_bits_per_second: f64,
    /// The limit that is smallest.
    pub limited_by: Limit,
    /// Law of the window's growth and reduction: the word of the language.
    pub congestion: &'static str,
    /// Rule by which losses are found and repaired: the word of the language.
    pub recovery: &'static str,
    /// Shortest retransmission timeout at an unloaded round trip.
    pub timeout_seconds: f64,
    /// Window, slow start and loss of a long path.
    pub long_path: LongPathFacts,
}

/// The lowest limit of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Shaped)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// The slowest link, or pacing.
    Bottleneck,
    /// The share beside the other flows.
    FairShare,
    /// The window over the round trip.
    Window,
    /// The sending host's processor.
    SenderCpu,
    /// The receiving host's processor.
    ReceiverCpu,
    /// The slowest link on the way back of its ACKs.
    AckPath,
    /// The mean rate at which a source writes, or the receiving application reads.
    Application,
}

/// Numbers of flows with a transport at each host and in each shared circuit.
pub(super) struct Users {
    of_host: Vec<usize>,
    /// Flows by shared circuit and direction.
    of_vc: Vec<[usize; 2]>,
}

impl Users {
    pub(super) fn of(scenario: &Scenario) -> Self {
        let mut users = Self {
            of_host: vec![0; scenario.hosts.len()],
            of_vc: vec![[0; 2]; scenario.vcs.len()],
        };
        for flow in scenario.flows.iter().filter(|flow| flow.tcp.is_some()) {
            users.of_host[flow.source] += 1;
            users.of_host[flow.sink] += 1;
            if let Some(vc) = flow.vc {
                users.of_vc[vc][direction_in(scenario, flow, vc)] += 1;
            }
        }
        users
    }
}

/// Direction of a flow's data in its shared circuit: 0 if it is written so, else 1.
fn direction_in(scenario: &Scenario, flow: &Flow, vc: usize) -> usize {
    usize::from(scenario.cell_links(&flow.path).first() != scenario.vcs[vc].path.first())
}

pub(super) fn facts(
    context: &Context<'_>,
    index: usize,
    tcp: &Tcp,
    share: Option<&ShareFacts>,
) -> TcpFacts {
    let Context { scenario, links, ref users, .. } = *context;
    let flow = &scenario.flows[index];
    let (mss, options) = (tcp.full_segment(), tcp.option_bytes());
    let narrowest = narrowest(context, index, tcp);
    let ceiling = narrowest.rate * narrowest.payload_share;
    let (window, segments, data) = window(tcp);
    let rtt = round_trip::unloaded(scenario, flow, data.min(mss), options);
    let propagation_rtt =
        propagation(scenario, &flow.path) + propagation(scenario, &flow.reverse_path);
    let cells = !scenario.cell_links(&flow.path).is_empty();
    let share = match share {
        Some(share) => share.bits_per_second * narrowest.payload_share,
        None => fair_share(scenario, flow, tcp, links, users),
    };
    let share = share.min(ceiling);
    let acks = acks_per_segment(tcp);
    let cpu =
        |limit: Option<f64>, host: usize| limit.map(|limit| limit / users.of_host[host] as f64);
    let sender = cpu(sender_limit(&scenario.hosts[flow.source], mss, acks), flow.source);
    let receiver = cpu(receiver_limit(&scenario.hosts[flow.sink], mss, acks), flow.sink);
    let window_limit = 8.0 * data as f64 / rtt;
    let ack_path = ack_path_limit(context, flow, tcp);
    let (expected, limited_by) = smallest([
        (Some(ceiling), Limit::Bottleneck),
        (Some(share), Limit::FairShare),
        (Some(window_limit * answered(tcp, segments, rtt)), Limit::Window),
        (sender, Limit::SenderCpu),
        (receiver, Limit::ReceiverCpu),
        (Some(ack_path), Limit::AckPath),
        (written(flow), Limit::Application),
        (tcp.reader.bits_per_second(), Limit::Application),
    ]);
    TcpFacts {
        mss_bytes: mss,
        cells_per_segment: cells.then(|| cells_of_segment(tcp.mss.0, tcp.ip)),
        cells_per_ack: cells.then(|| cells_of_segment(options, tcp.ip)),
        payload_share: narrowest.payload_share,
        bottleneck_bits_per_second: narrowest.rate,
        ceiling_bits_per_second: ceiling,
        receive_buffer_bytes: tcp.window.0,
        window_bytes: window,
        window_segments: segments,
        window_limit_bits_per_second: window_limit,
        window_over_propagation_bits_per_second: (propagation_rtt > 0.0)
            .then(|| 8.0 * window as f64 / propagation_rtt),
        sender_cpu_limit_bits_per_second: sender,
        receiver_cpu_limit_bits_per_second: receiver,
        ack_path_limit_bits_per_second: ack_path,
        fair_share_bits_per_second: share,
        unloaded_rtt_seconds: rtt,
        bandwidth_delay_bytes: ceiling * rtt / 8.0,
        bandwidth_delay_cells: narrowest.is_cells.then(|| narrowest.rate * rtt / CELL_BITS as f64),
        expected_bits_per_second: expected,
        limited_by,
        congestion: tcp.congestion.word(),
        recovery: tcp.recovery.word(),
        timeout_seconds: long_path::timeout(tcp.timers, rtt),
        long_path: long_path::facts(tcp, rtt, ceiling, expected),
    }
}

/// The mean rate at which a source writes.
fn written(flow: &Flow) -> Option<f64> {
    let load = flow.traffic.source(flow.ip)?;
    match load.offered {
        Offered::Writes { rate, .. } => Some(load.busy_part * rate.bits_per_second() as f64),
        Offered::Cells(_) | Offered::Datagrams { .. } => None,
    }
}

/// The first of the smallest limits: a limit that only equals an earlier one does not bind.
fn smallest<const N: usize>(limits: [(Option<f64>, Limit); N]) -> (f64, Limit) {
    let known = limits.into_iter().filter_map(|(rate, limit)| rate.map(|rate| (rate, limit)));
    known
        .reduce(|lowest, next| if next.0 < lowest.0 { next } else { lowest })
        .expect("the bottleneck limits")
}

struct Narrowest {
    rate: f64,
    payload_share: f64,
    is_cells: bool,
}

/// The link with the lowest goodput; links of packets may differ in overhead, so their rates do not
/// decide.
fn narrowest(context: &Context<'_>, index: usize, tcp: &Tcp) -> Narrowest {
    let Context { scenario, shares, .. } = *context;
    let flow = &scenario.flows[index];
    if let (Service::Abr(abr), Some(shares)) = (flow.service, shares) {
        let rate = abr::narrowest(scenario, shares, index).rate;
        return Narrowest { rate, payload_share: abr::payload_share(tcp, abr.nrm), is_cells: true };
    }
    let at_link = |&link: &usize| {
        let link = &scenario.links[link];
        let is_cells = link.is_of_cells();
        Narrowest {
            rate: mean_rate(scenario, link),
            payload_share: payload_share(tcp, link),
            is_cells,
        }
    };
    // A pace counts cells, so it has the payload share of the link on which they leave.
    let first_of_cells = scenario.cell_links(&flow.path).first();
    let pace = pace_bits_per_second(flow).zip(first_of_cells);
    let pace = pace.map(|(rate, link)| Narrowest { rate, ..at_link(link) });
    let places = flow.path.iter().map(at_link).chain(pace);
    let goodput = |place: &Narrowest| place.rate * place.payload_share;
    places
        .reduce(|lowest, next| if goodput(&next) < goodput(&lowest) { next } else { lowest })
        .expect("a path has links")
}

pub(super) fn payload_share(tcp: &Tcp, link: &Link) -> f64 {
    8.0 * tcp.full_segment() as f64 / bits_of_segment(tcp.mss.0, tcp.ip, link) as f64
}

fn fair_share(
    scenario: &Scenario,
    flow: &Flow,
    tcp: &Tcp,
    links: &[LinkFacts],
    users: &Users,
) -> f64 {
    let shares = flow.path.iter().filter_map(|&link| {
        let share = links[link].fair_share_bits_per_second?;
        Some(share * payload_share(tcp, &scenario.links[link]))
    });
    let in_circuit = flow.vc.and_then(|vc| {
        let pace =
            pace_bits_per_second(flow)? / users.of_vc[vc][direction_in(scenario, flow, vc)] as f64;
        Some(pace * payload_share(tcp, &scenario.links[*scenario.cell_links(&flow.path).first()?]))
    });
    shares.chain(in_circuit).fold(f64::INFINITY, f64::min)
}

/// Goodput at which the flow's ACKs fill a link back, which all flows with ACKs on it share
/// equally. An ACK filter lets none wait long.
fn ack_path_limit(context: &Context<'_>, flow: &Flow, tcp: &Tcp) -> f64 {
    let Context { scenario, links, .. } = *context;
    let acknowledged = 8.0 * tcp.full_segment() as f64 / acks_per_segment(tcp);
    let at_link = |&link: &usize| {
        let bits = bits_of_segment(tcp.option_bytes(), tcp.ip, &scenario.links[link]) as f64;
        let share = mean_rate(scenario, &scenario.links[link]) / links[link].ack_flows as f64;
        share / bits * acknowledged
    };
    let has_no_filter = |link: &&usize| {
        let rules = QueueRules::of_output(scenario, **link);
        rules.is_none_or(|rules| rules.ack_filter == AckFilter::None)
    };
    flow.reverse_path.iter().filter(has_no_filter).map(at_link).fold(f64::INFINITY, f64::min)
}

/// Bytes of the window, whole segments in it, and the bytes of data that it lets out per round
/// trip.
pub(super) fn window(tcp: &Tcp) -> (u64, u64, u64) {
    let window = tcp.send_buffer.map_or(u64::MAX, |bytes| bytes.0).min(tcp.largest_advertised());
    let segments = window / tcp.full_segment();
    let data = if segments > 0 { segments * tcp.full_segment() } else { window };
    (window, segments, data)
}

/// Fraction of a window that does not wait for a delayed ACK. An ACK is for two segments: the last
/// of an odd number waits for the first of the next round trip, or for the timer.
fn answered(tcp: &Tcp, segments: u64, rtt: f64) -> f64 {
    if tcp.ack == AckRule::EverySegment || segments.is_multiple_of(2) || segments == 1 {
        return 1.0;
    }
    let waits = (long_path::mean_ack_delay(tcp.timers) / rtt).min(1.0);
    1.0 - waits / segments as f64
}

/// Cells of a full window of whole segments, or of its only short one.
pub(super) fn window_cells(tcp: &Tcp) -> u64 {
    let (window, segments, _) = window(tcp);
    if segments > 0 {
        segments * cells_of_segment(tcp.mss.0, tcp.ip)
    } else {
        cells_of_segment(window, tcp.ip)
    }
}

pub(super) fn acks_per_segment(tcp: &Tcp) -> f64 {
    match tcp.ack {
        AckRule::EverySegment => 1.0,
        AckRule::Delayed | AckRule::Quick(_) => 0.5,
    }
}

/// Limit of the sender's processor: a segment costs its creation and its share of an ACK's
/// reception.
fn sender_limit(host: &Host, mss: u64, acks: f64) -> Option<f64> {
    limit(mss, host.cpu_per_segment.mean_seconds() * (1.0 + acks))
}

/// Limit of the receiver's processor: a segment costs its reception and its share of a charged ACK.
pub(super) fn receiver_limit(host: &Host, mss: u64, acks: f64) -> Option<f64> {
    let charged = match host.ack_cost {
        AckCost::Charged => acks,
        AckCost::Included => 0.0,
    };
    limit(mss, host.cpu_per_segment.mean_seconds() * (1.0 + charged))
}

fn limit(mss: u64, seconds: f64) -> Option<f64> {
    (seconds > 0.0).then(|| 8.0 * mss as f64 / seconds)
}
