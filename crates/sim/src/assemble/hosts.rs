//! Hosts: connections, raw cell sources, interfaces.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::connections::{seeded, tick_phases};
use super::{Assembly, ack_vc, data_vc, nics, own, relays, sources};
use crate::engine::Stream;
use crate::host::{
    ArrivalProbe, Arrivals, Attachment, Coupled, DatagramEnd, DatagramSink, Endpoint, External,
    ExternalEnd, Fellows, Host, HostPlan, Nic, Nics, Origin, Probe, Probes, Processing, RawSource,
    Terminations,
};
use crate::link::AnyImpairment;
use crate::pdu::FlowEnd;
use crate::result::{DelayDistribution, OneWay, SegmentLog};
use crate::scenario::starts::{start_of, times_of};
use crate::scenario::{Flow, NodeRef, Quantity, Tcp, Traffic};
use crate::tcp::congestion::{Congestion, Rule};
use crate::tcp::{Connection, Reader, Role, TickPhases};
use crate::units::Time;

/// Sending and receiving ends at a host, with the end that the segments on each VC are for.
#[derive(Default)]
struct Ends {
    endpoints: Vec<Endpoint>,
    sources: Vec<RawSource>,
    datagrams: Vec<DatagramEnd>,
    sinks: Vec<DatagramSink>,
    external: Vec<ExternalEnd>,
    endpoint_of_vc: BTreeMap<u32, u32>,
    sink_of_vc: BTreeMap<u32, u32>,
}

impl Ends {
    /// Number of the connection that a VC is for, or of its sink; sinks have the numbers after the
    /// connections.
    fn of_vc(&self, vc: u32) -> Option<u32> {
        let sink = self.sink_of_vc.get(&vc).map(|sink| self.endpoints.len() as u32 + sink);
        self.endpoint_of_vc.get(&vc).copied().or(sink)
    }
}

pub(super) fn host(assembly: &Assembly<'_>, index: usize) -> Host {
    let node = NodeRef::Host(index);
    let ends = ends(assembly, index);
    let relays = relays::relays(assembly, index, &ends.endpoints);
    let fellows = fellows(assembly, index, &ends.endpoints);
    let nics: Vec<Nic> =
        assembly.wiring.outgoing(node).iter().map(|&link| nics::nic(assembly, link)).collect();
    let nic_of_link = |link| assembly.wiring.output_of_link(link);
    let terminations = assembly.terminals.of(node, 0).iter();
    let terminations =
        terminations.map(|&vc| nics::termination(assembly, vc, ends.of_vc(vc), &nics, nic_of_link));
    let terminations = terminations.collect();
    let place_of_vc = Arc::clone(&assembly.terminals.place_of_vc);
    Host::new(HostPlan {
        attachment: Attachment {
            inputs: nics::inputs(assembly.wiring.incoming(node)),
            terminations: Terminations::new(place_of_vc, terminations),
            nics: Nics::new(nics),
        },
        coupled: Coupled::new(relays, fellows),
        endpoints: ends.endpoints.into(),
        external: External::new(ends.external),
        sources: ends.sources.into(),
        datagrams: ends.datagrams.into(),
        sinks: ends.sinks.into(),
        processing: processing(assembly, index),
    })
}

/// Ends of connections that carry one flow together, where its application is.
fn fellows(assembly: &Assembly<'_>, host: usize, endpoints: &[Endpoint]) -> Option<Fellows> {
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (place, end) in endpoints.iter().enumerate() {
        let flow = &assembly.scenario.flows[end.flow];
        if flow.source == host && matches!(flow.traffic, Traffic::Page(_)) {
            groups.entry(flow.first_connection.unwrap_or(end.flow)).or_default().push(place);
        }
    }
    Fellows::new(groups.into_values().filter(|group| group.len() > 1))
}

/// CPU and SAR times of a host, if it needs any.
fn processing(assembly: &Assembly<'_>, host: usize) -> Option<Box<Processing>> {
    let host = &assembly.scenario.hosts[host];
    let processing = Processing {
        cpu_per_segment: host.cpu_per_segment,
        jitter: Stream::new(assembly.scenario.run.seed, &format!("host {} cpu", host.name)),
        ack_cost: host.ack_cost,
        cpu_order: host.cpu_order,
        sar: host.sar,
        input_queue: host.input_queue.map(|packets| packets.0),
    };
    (!processing.is_instant()).then(|| Box::new(processing))
}

fn ends(assembly: &Assembly<'_>, host: usize) -> Ends {
    let phases = tick_phases(assembly.scenario, host);
    let flows = assembly.wiring.flows_of_host(host);
    // Exact: an end is large, and a vector that grows has room for several.
    let connections = flows.iter().filter(|&&index| assembly.scenario.flows[index].tcp.is_some());
    let endpoints = Vec::with_capacity(connections.count());
    let mut ends = Ends { endpoints, ..Ends::default() };
    for &index in flows {
        let flow = &assembly.scenario.flows[index];
        let is_sender = flow.source == host;
        if assembly.is_external(index) {
            ends.external.extend(external_end(assembly, index, is_sender));
            continue;
        }
        if flow.traffic.datagram().is_some() {
            if is_sender {
                ends.datagrams.push(sources::datagram_end(assembly, index));
            } else {
                let vc = assembly.wiring.segments.last(data_vc(index));
                ends.sink_of_vc.insert(vc, ends.sinks.len() as u32);
                let sink = DatagramSink::new(index, arrivals(assembly, flow, false));
                ends.sinks.push(sink.late_after(flow.deadline.or(flow.traffic.deadline())));
            }
            continue;
        }
        let Some(tcp) = flow.tcp_at(is_sender) else {
            // A greedy source has no cells of its own: its interface has an ABR source that
            // never runs out.
            if is_sender && flow.traffic != Traffic::Greedy {
                ends.sources.push(sources::raw_source(assembly, index));
            }
            continue;
        };
        let incoming = if is_sender { ack_vc(index) } else { data_vc(index) };
        ends.endpoint_of_vc
            .insert(assembly.wiring.segments.last(incoming), ends.endpoints.len() as u32);
        ends.endpoints.push(if is_sender {
            sender(assembly, index, tcp, phases(tcp))
        } else {
            receiver(assembly, index, tcp, phases(tcp))
        });
    }
    ends
}

/// The interface and VC by which an external end sends; `None` if it cannot send.
fn external_end(assembly: &Assembly<'_>, index: usize, is_origin: bool) -> Option<ExternalEnd> {
    let flow = &assembly.scenario.flows[index];
    let (end, vc, path) = if is_origin {
        (FlowEnd::Origin(index), data_vc(index), &flow.path)
    } else {
        (FlowEnd::Destination(index), ack_vc(index), &flow.reverse_path)
    };
    let nic = assembly.wiring.output_of_link(*path.first()?);
    let origin = Origin::new(assembly.wiring.segments.first(vc));
    let copies = may_be_copied(assembly, flow);
    let arrivals = if is_origin { None } else { arrivals(assembly, flow, copies) };
    Some(ExternalEnd { end, nic, origin, handed: 0, arrivals })
}

/// The rule of one end.
fn rule(assembly: &Assembly<'_>, flow: &Flow, tcp: &Tcp, end: &str) -> Rule {
    seeded(assembly.scenario, flow, own::congestion(assembly, flow, tcp), end)
}

fn sender(assembly: &Assembly<'_>, index: usize, tcp: &Tcp, phases: TickPhases) -> Endpoint {
    let flow = &assembly.scenario.flows[index];
    let vc = assembly.wiring.segments.first(data_vc(index));
    let nic = assembly.wiring.output_of_link(flow.path[0]);
    let connection =
        Connection::with_rule(tcp, rule(assembly, flow, tcp, "sender"), Role::Active, phases);
    let (start, stop) = times_of(assembly.scenario, flow);
    let is_further = flow.first_connection.is_some();
    let starts_by_itself = start < stop && !is_further && !relays::opens_on_data(assembly, flow);
    let starts_at = if starts_by_itself { start } else { Time::MAX };
    let application = Some(sources::application(assembly, index));
    let mut endpoint = Endpoint::new(index, vc, nic, connection, application, starts_at);
    endpoint.stop = stop;
    endpoint.ip = flow.ip;
    match flow.relay.as_deref() {
        Some(relay) if relay.answers => endpoint.connection.read_late(),
        _ => endpoint.reader = Reader::new(&tcp.reader, start).map(Box::new),
    }
    if flow.traffic.has_responses() {
        let times = DelayDistribution::new(assembly.counting());
        endpoint.response_times = Some(Box::new(times));
    }
    if assembly.scenario.observe.is_some() {
        let probes = probes(assembly, flow, endpoint.connection.rule());
        endpoint.probes = Some(Box::new(probes));
    }
    endpoint
}

fn receiver(assembly: &Assembly<'_>, index: usize, tcp: &Tcp, phases: TickPhases) -> Endpoint {
    let flow = &assembly.scenario.flows[index];
    let vc = assembly.wiring.segments.first(ack_vc(index));
    let nic = assembly.wiring.output_of_link(flow.reverse_path[0]);
    let connection =
        Connection::with_rule(tcp, rule(assembly, flow, tcp, "receiver"), Role::Passive, phases);
    // A receiver listens from the start.
    let mut endpoint = Endpoint::new(index, vc, nic, connection, None, Time::ZERO);
    endpoint.ip = flow.ip;
    endpoint.reader = Reader::new(&tcp.reader, start_of(assembly.scenario, flow)).map(Box::new);
    endpoint.arrivals = arrivals(assembly, flow, may_be_copied(assembly, flow));
    if relays::is_relayed(assembly, index) {
        endpoint.connection.read_late();
    }
    let observe = assembly.scenario.observe.as_ref();
    let is_timed = observe.is_some_and(|observe| observe.times_transfer(&flow.name));
    let ends_split = flow.leg.as_ref().is_some_and(|leg| leg.last == index);
    endpoint.progress = (is_timed || ends_split).then(Box::default);
    endpoint.application = sources::responder(assembly, index);
    endpoint
}

/// Counters and series of arriving packets, if there are any; `copies` if they must recognise
/// copies.
fn arrivals(assembly: &Assembly<'_>, flow: &Flow, copies: bool) -> Option<Box<Arrivals>> {
    let observe = assembly.scenario.observe.as_ref()?;
    let counts = observe.distributions.has_flow(flow.observed_as());
    let one_way = counts.then(|| OneWay::new(assembly.counting(), copies));
    let mut recorders =
        assembly.recorders(&flow.arrives_as(), [(ArrivalProbe::Bytes, Quantity::Arrived, "byte")]);
    let name = format!("{}.{}", flow.name, Quantity::OneWayDelay.word());
    let delay = assembly.recorder(Quantity::OneWayDelay, &name, "second");
    recorders.0.extend(delay.map(|recorder| (ArrivalProbe::Delay, recorder.of_peaks())));
    for percent in [50, 95] {
        let name = format!("{name}.p{percent}");
        let recorder = assembly.recorder(Quantity::OneWayPercentiles, &name, "second");
        let probe = ArrivalProbe::Percentile(percent);
        recorders.0.extend(recorder.map(|recorder| (probe, recorder)));
    }
    Arrivals::new(one_way, recorders, Time::ZERO + assembly.scenario.run.duration)
}

/// True if a link on the path of its data may copy a packet.
fn may_be_copied(assembly: &Assembly<'_>, flow: &Flow) -> bool {
    let mut links = flow.path.iter().map(|&link| &assembly.scenario.links[link]);
    let copies = |one: &AnyImpairment| matches!(one, AnyImpairment::Duplicate(_));
    links.any(|link| link.impairments.as_ref().is_some_and(|all| all.0.iter().any(copies)))
}

fn segment_log(assembly: &Assembly<'_>, flow: &Flow) -> Option<SegmentLog> {
    let observe = assembly.scenario.observe.as_ref()?;
    let segments =
        observe.segments.as_ref().filter(|segments| segments.has_flow(flow.observed_as()))?;
    let window = segments.window(assembly.scenario.run.duration);
    let log = SegmentLog::new(&flow.name, window, observe.limit);
    Some(log.counted(assembly.memory.recorded()))
}

fn probes(assembly: &Assembly<'_>, flow: &Flow, rule: &Rule) -> Probes {
    let probes = [
        (Probe::Cwnd, Quantity::Cwnd, "byte"),
        (Probe::Ssthresh, Quantity::Ssthresh, "byte"),
        (Probe::InFlight, Quantity::InFlight, "byte"),
        (Probe::Rtt, Quantity::Rtt, "second"),
        (Probe::Acked, Quantity::Acked, "byte"),
    ];
    let segments = segment_log(assembly, flow).map(Box::new);
    let flow = &flow.name;
    let mut recorders = assembly.recorders(flow, probes);
    for (index, value) in rule.values().iter().enumerate() {
        let name = format!("{flow}.{}.{}", Quantity::Law.word(), value.name);
        let recorder = assembly.recorder(Quantity::Law, &name, value.unit);
        recorders.0.extend(recorder.map(|recorder| (Probe::Law(index), recorder)));
    }
    Probes { recorders, segments }
}
