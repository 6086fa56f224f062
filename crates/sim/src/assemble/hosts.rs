//! Hosts: connections, raw cell sources, interfaces.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Assembly, ack_vc, data_vc};
use crate::engine::Stream;
use crate::host::{
    Attachment, DatagramEnd, DatagramSink, Endpoint, External, ExternalEnd, Host, HostPlan, Nic,
    Nics, Origin, Probe, Probes, Processing, RawSource, Terminations,
};
use crate::link::AnyImpairment;
use crate::pdu::FlowEnd;
use crate::result::{DelayDistribution, OneWay, Progress, Recorders, SegmentLog};
use crate::scenario::{Flow, NodeRef, Phase, Quantity, Tcp, Timers, Traffic};
use crate::tcp::{BsdTimers, Connection, Reader, Role, TickPhases};
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

impl Assembly<'_> {
    pub(super) fn host(&self, index: usize) -> Host {
        let host = &self.scenario.hosts[index];
        let node = NodeRef::Host(index);
        let ends = self.ends(index);
        let relays = self.relays(index, &ends.endpoints);
        let nics: Vec<Nic> =
            self.wiring.outgoing(node).iter().map(|&link| self.nic(link)).collect();
        let nic_of_link = |link| self.wiring.output_of_link(link);
        let terminations = self.terminals.of(node).iter();
        let terminations =
            terminations.map(|&vc| self.termination(vc, ends.of_vc(vc), &nics, nic_of_link));
        let terminations = terminations.collect();
        Host::new(HostPlan {
            attachment: Attachment {
                inputs: self.inputs(node),
                terminations: Terminations::new(
                    Arc::clone(&self.terminals.place_of_vc),
                    terminations,
                ),
                nics: Nics::new(nics),
            },
            relays,
            endpoints: ends.endpoints,
            external: External::new(ends.external),
            sources: ends.sources,
            datagrams: ends.datagrams,
            sinks: ends.sinks,
            processing: Processing {
                cpu_per_segment: host.cpu_per_segment,
                jitter: Stream::new(self.scenario.run.seed, &format!("host {} cpu", host.name)),
                ack_cost: host.ack_cost,
                cpu_order: host.cpu_order,
                sar: host.sar,
            },
        })
    }

    fn ends(&self, host: usize) -> Ends {
        let phases = self.tick_phases(host);
        let mut ends = Ends::default();
        for &index in self.wiring.flows_of_host(host) {
            let flow = &self.scenario.flows[index];
            let is_sender = flow.source == host;
            if self.is_external(index) {
                ends.external.extend(self.external_end(index, is_sender));
                continue;
            }
            if flow.traffic.datagram().is_some() {
                if is_sender {
                    ends.datagrams.push(self.datagram_end(index));
                } else {
                    let vc = self.wiring.segments.last(data_vc(index));
                    ends.sink_of_vc.insert(vc, ends.sinks.len() as u32);
                    ends.sinks.push(DatagramSink::new(index, self.one_way_of(flow, false)));
                }
                continue;
            }
            let Some(tcp) = &flow.tcp else {
                // A greedy source has no cells of its own: its interface has an ABR source that
                // never runs out.
                if is_sender && flow.traffic != Traffic::Greedy {
                    ends.sources.push(self.raw_source(index));
                }
                continue;
            };
            let incoming = if is_sender { ack_vc(index) } else { data_vc(index) };
            ends.endpoint_of_vc
                .insert(self.wiring.segments.last(incoming), ends.endpoints.len() as u32);
            ends.endpoints.push(if is_sender {
                self.sender(index, tcp, phases(tcp))
            } else {
                self.receiver(index, tcp, phases(tcp))
            });
        }
        ends
    }

    /// The interface and VC by which an external end sends; `None` if it cannot send.
    fn external_end(&self, index: usize, is_origin: bool) -> Option<ExternalEnd> {
        let flow = &self.scenario.flows[index];
        let (end, vc, path) = if is_origin {
            (FlowEnd::Origin(index), data_vc(index), &flow.path)
        } else {
            (FlowEnd::Destination(index), ack_vc(index), &flow.reverse_path)
        };
        let nic = self.wiring.output_of_link(*path.first()?);
        Some(ExternalEnd { end, nic, origin: Origin::new(self.wiring.segments.first(vc)) })
    }

    /// The phase of a host's ticks: drawn once per host for each pair of tick lengths that its
    /// connections use.
    fn tick_phases(&self, host: usize) -> impl Fn(&Tcp) -> TickPhases {
        let stream = Stream::new(
            self.scenario.run.seed,
            &format!("host {} timers", self.scenario.hosts[host].name),
        );
        let phase = self.scenario.run.phase;
        move |tcp| match (phase, tcp.timers) {
            (Phase::Random, Timers::Bsd(BsdTimers { slow, fast, .. })) => {
                let mut stream = stream.clone();
                TickPhases { slow: stream.span_below(slow), fast: stream.span_below(fast) }
            }
            _ => TickPhases::default(),
        }
    }

    fn sender(&self, index: usize, tcp: &Tcp, phases: TickPhases) -> Endpoint {
        let flow = &self.scenario.flows[index];
        let vc = self.wiring.segments.first(data_vc(index));
        let nic = self.wiring.output_of_link(flow.path[0]);
        let connection =
            Connection::with_rule(tcp, self.congestion(flow, tcp), Role::Active, phases);
        let (start, stop) = (self.scenario.start_of(flow), self.scenario.stop_of(flow));
        let starts_by_itself = start < stop && !self.opens_on_data(flow);
        let starts_at = if starts_by_itself { start } else { Time::MAX };
        let mut endpoint =
            Endpoint::new(index, vc, nic, connection, Some(self.application(index)), starts_at);
        endpoint.stop = stop;
        endpoint.reader = Reader::new(&tcp.reader, start).map(Box::new);
        if flow.traffic.has_responses() {
            let times = DelayDistribution::new(self.counting());
            endpoint.response_times = Some(Box::new(times));
        }
        if self.scenario.observe.is_some() {
            endpoint.probes = self.probes(&flow.name);
        }
        endpoint
    }

    fn receiver(&self, index: usize, tcp: &Tcp, phases: TickPhases) -> Endpoint {
        let flow = &self.scenario.flows[index];
        let vc = self.wiring.segments.first(ack_vc(index));
        let nic = self.wiring.output_of_link(flow.reverse_path[0]);
        let connection =
            Connection::with_rule(tcp, self.congestion(flow, tcp), Role::Passive, phases);
        // A receiver listens from the start.
        let mut endpoint = Endpoint::new(index, vc, nic, connection, None, Time::ZERO);
        endpoint.reader = Reader::new(&tcp.reader, self.scenario.start_of(flow)).map(Box::new);
        endpoint.one_way = self.one_way_of(flow, self.may_be_copied(flow));
        if self.is_relayed(index) {
            endpoint.connection.read_late();
        }
        let observe = self.scenario.observe.as_ref();
        let is_timed = observe.is_some_and(|observe| observe.times_transfer(&flow.name));
        endpoint.progress = is_timed.then(Progress::default);
        endpoint.application = self.responder(flow);
        endpoint
    }

    /// Counters of arriving packets, if they are asked for; `copies` if they must recognise copies.
    fn one_way_of(&self, flow: &Flow, copies: bool) -> Option<Box<OneWay>> {
        let observe = self.scenario.observe.as_ref()?;
        let counts = observe.distributions.has_flow(&flow.name);
        counts.then(|| Box::new(OneWay::new(self.counting(), copies)))
    }

    /// True if a link on the path of its data may copy a packet.
    fn may_be_copied(&self, flow: &Flow) -> bool {
        let mut links = flow.path.iter().map(|&link| &self.scenario.links[link]);
        let copies = |one: &AnyImpairment| matches!(one, AnyImpairment::Duplicate(_));
        links.any(|link| link.impairments.as_ref().is_some_and(|all| all.0.iter().any(copies)))
    }

    fn segment_log(&self, flow: &str) -> Option<SegmentLog> {
        let observe = self.scenario.observe.as_ref()?;
        let segments = observe.segments.as_ref().filter(|segments| segments.has_flow(flow))?;
        let window = segments.window(self.scenario.run.duration);
        let log = SegmentLog::new(flow, window, observe.limit);
        Some(log.counted(self.memory.recorded()))
    }

    fn probes(&self, flow: &str) -> Probes {
        let probes = [
            (Probe::Cwnd, Quantity::Cwnd, "cwnd", "byte"),
            (Probe::Ssthresh, Quantity::Ssthresh, "ssthresh", "byte"),
            (Probe::InFlight, Quantity::InFlight, "in_flight", "byte"),
            (Probe::Rtt, Quantity::Rtt, "rtt", "second"),
            (Probe::Acked, Quantity::Acked, "acked", "byte"),
        ];
        let recorders = probes.into_iter().filter_map(|(probe, quantity, name, unit)| {
            Some((probe, self.recorder(quantity, &format!("{flow}.{name}"), unit)?))
        });
        let segments = self.segment_log(flow).map(Box::new);
        Probes { recorders: Recorders(recorders.collect()), segments }
    }
}
