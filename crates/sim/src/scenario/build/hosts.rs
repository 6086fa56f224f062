//! Hosts: connections, raw cell sources, interfaces.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::wiring::{Terminals, Wiring};
use super::{ack_vc, data_vc};
use crate::engine::{LinkId, Stream};
use crate::host::{Application, Endpoint, Host, HostPlan, Nic, Probes, Processing};
use crate::result::{DelayDistribution, Recorder};
use crate::scenario::{Carries, Flow, NodeRef, Observe, Phase, Quantity, Scenario, Tcp, Timers, Traffic};
use crate::tcp::{Connection, Role, TickPhases};
use crate::traffic::{CellSource, ExponentialBursts, PeriodicBursts, Spacing};
use crate::units::{CELL_BITS, Span, Time};

impl Scenario {
    pub(super) fn build_host(&self, index: usize, wiring: &Wiring<'_>, terminals: &Terminals) -> Host {
        let host = &self.hosts[index];
        let node = NodeRef::Host(index);
        let phases = self.tick_phases(index);
        let mut endpoints = Vec::new();
        let mut sources = Vec::new();
        // Which endpoint the segments on a VC are for.
        let mut endpoint_of_vc = BTreeMap::new();
        for &flow_index in wiring.flows_of_host(index) {
            let flow = &self.flows[flow_index];
            let Some(tcp) = &flow.tcp else {
                // A greedy source has no cells of its own: the ABR source that never runs out is its interface's.
                if flow.from == index && flow.traffic != Traffic::Greedy {
                    sources.push(self.cell_source(flow_index, wiring.output_of_link(flow.path[0])));
                }
                continue;
            };
            if flow.from == index {
                endpoint_of_vc.insert(wiring.legs.last(ack_vc(flow_index)), endpoints.len() as u32);
                let vc = wiring.legs.first(data_vc(flow_index));
                endpoints.push(self.sender(
                    flow_index,
                    tcp,
                    (vc, wiring.output_of_link(flow.path[0])),
                    phases(tcp),
                ));
            } else {
                endpoint_of_vc.insert(wiring.legs.last(data_vc(flow_index)), endpoints.len() as u32);
                let exit =
                    (wiring.legs.first(ack_vc(flow_index)), wiring.output_of_link(flow.reverse_path[0]));
                endpoints.push(self.receiver(flow_index, tcp, exit, phases(tcp)));
            }
        }
        let nics: Vec<Nic> = wiring.outgoing(node).iter().map(|&link| self.nic(link, wiring)).collect();
        let ends = terminals.of(node).iter();
        let ends = ends.map(|&vc| {
            let endpoint = endpoint_of_vc.get(&vc).copied();
            Self::terminal(vc, endpoint, wiring, (&nics, |link| wiring.output_of_link(link)))
        });
        Host::new(HostPlan {
            inputs: wiring.incoming(node).iter().map(|&link| LinkId(link as u32)).collect(),
            terminal_of_vc: Arc::clone(&terminals.place_of_vc),
            terminals: ends.collect(),
            nics,
            endpoints,
            sources,
            processing: Processing {
                cpu_per_segment: host.cpu_per_segment,
                jitter: Stream::new(self.run.seed, &format!("host {} cpu", host.name)),
                ack_cost: host.ack_cost,
                cpu_order: host.cpu_order,
                sar: host.sar,
            },
        })
    }

    /// The phase of a host's ticks: drawn once per host, for each pair of tick lengths its connections use.
    fn tick_phases(&self, host: usize) -> impl Fn(&Tcp) -> TickPhases {
        let stream = Stream::new(self.run.seed, &format!("host {} timers", self.hosts[host].name));
        let phase = self.run.phase;
        move |tcp| match (phase, tcp.timers) {
            (Phase::Random, Timers::Bsd(crate::tcp::BsdTimers { slow, fast, .. })) => {
                let mut stream = stream.clone();
                TickPhases { slow: stream.span_below(slow), fast: stream.span_below(fast) }
            }
            _ => TickPhases::default(),
        }
    }

    fn sender(&self, index: usize, tcp: &Tcp, (vc, nic): (u32, usize), phases: TickPhases) -> Endpoint {
        let flow = &self.flows[index];
        let application = match flow.traffic {
            // ttcp sends a number of whole buffers.
            Traffic::Ttcp { write, total: Some(total) } => {
                Application::Total(total.0.next_multiple_of(write.0))
            }
            _ => Application::Forever,
        };
        let connection = Connection::new(tcp, Role::Active, phases);
        let start = self.start_of(flow);
        let mut endpoint = Endpoint::new(index, vc, nic, connection, application, start);
        endpoint.probes = self.observe.as_ref().map(|observe| Box::new(probes(&flow.name, observe)));
        endpoint
    }

    fn receiver(&self, index: usize, tcp: &Tcp, (vc, nic): (u32, usize), phases: TickPhases) -> Endpoint {
        let connection = Connection::new(tcp, Role::Passive, phases);
        // A receiver listens from the beginning.
        let mut endpoint = Endpoint::new(index, vc, nic, connection, Application::Receiver, Time::ZERO);
        let observe = self.observe.as_ref();
        endpoint.delays = observe
            .filter(|observe| observe.distributions.has_flow(&self.flows[index].name))
            .map(|_| Box::new(DelayDistribution::new(self.measurement())));
        endpoint
    }

    fn cell_source(&self, index: usize, nic: usize) -> CellSource {
        let flow = &self.flows[index];
        let start = self.start_of(flow);
        let stop = self.stop_of(flow);
        let (spacing, first) = match flow.traffic {
            Traffic::Poisson { cell_rate } => {
                let mut stream = Stream::new(self.run.seed, &format!("flow {} arrivals", flow.name));
                let mean_seconds = 1.0 / cell_rate.cells_per_second_f64();
                let first = start + stream.exponential(mean_seconds);
                (Spacing::Exponential { mean_seconds, stream }, first)
            }
            Traffic::Cbr { cell_rate } => (Spacing::Constant(cell_rate.cell_time()), start),
            Traffic::OnOff { cell_rate, period, duty_cycle } => {
                let bursts = PeriodicBursts::new(cell_rate.cell_time(), period, duty_cycle, start);
                (Spacing::PeriodicBursts(bursts), start)
            }
            Traffic::ExponentialOnOff { cell_rate, on, off } => {
                let stream = Stream::new(self.run.seed, &format!("flow {} bursts", flow.name));
                let mean_seconds = [on.seconds_f64(), off.seconds_f64()];
                let bursts = ExponentialBursts::new(cell_rate.cell_time(), mean_seconds, start, stream);
                (Spacing::ExponentialBursts(bursts), start)
            }
            Traffic::Greedy | Traffic::Ttcp { .. } => {
                unreachable!("a flow without a transport sends raw cells: the scenario was checked for it")
            }
        };
        CellSource::new(data_vc(index), nic, spacing, first, stop)
    }

    /// When the flow's traffic begins in this run; one draw of a stream of its own. What is at or
    /// after the end of the run never begins.
    pub(crate) fn drawn_start(&self, flow: &Flow) -> Span {
        flow.start.draw(&mut Stream::new(self.run.seed, &format!("flow {} drawn start", flow.name)))
    }

    /// When its raw cells end, likewise.
    pub(crate) fn drawn_stop(&self, flow: &Flow) -> Option<Span> {
        let stream = || Stream::new(self.run.seed, &format!("flow {} drawn stop", flow.name));
        flow.stop.map(|stop| stop.draw(&mut stream()))
    }

    pub(super) fn stop_of(&self, flow: &Flow) -> Time {
        self.drawn_stop(flow).map_or(Time::MAX, |stop| Time::ZERO + stop)
    }

    /// The flow's start and, unless phases are off, a random part of its own cell time.
    pub(super) fn start_of(&self, flow: &Flow) -> Time {
        let start = self.drawn_start(flow).min(self.run.duration);
        let phase = match self.run.phase {
            Phase::None => Span::ZERO,
            Phase::Random => {
                let mut stream = Stream::new(self.run.seed, &format!("flow {} start", flow.name));
                stream.span_below(self.cell_time_of(flow))
            }
        };
        Time::ZERO + start + phase.min(self.run.duration - start)
    }

    /// From one cell to the next: of a source that has a rate, at its rate; of an ABR source that
    /// always has a cell, at the initial rate that it begins with; else at the rate of its link.
    fn cell_time_of(&self, flow: &Flow) -> Span {
        match (&flow.traffic, self.links[flow.path[0]].carries) {
            (Traffic::Cbr { cell_rate } | Traffic::OnOff { cell_rate, .. }, _) => cell_rate.cell_time(),
            (Traffic::Greedy, Carries::Cells { cell_rate, .. }) if flow.tcp.is_none() => {
                let initial = self.abr_of_flow(flow).map(|abr| abr.icr.spacing());
                initial.unwrap_or(cell_rate.cell_time())
            }
            (_, Carries::Cells { cell_rate, .. }) => cell_rate.cell_time(),
            (_, Carries::Packets { line_rate, .. }) => line_rate.span_of_bits(CELL_BITS),
        }
    }
}

fn probes(flow: &str, observe: &Observe) -> Probes {
    let recorder = |quantity, name: &str, unit| {
        observe
            .series
            .contains(&quantity)
            .then(|| Recorder::new(format!("{flow}.{name}"), unit, observe.sampling, observe.limit))
    };
    Probes {
        cwnd: recorder(Quantity::Cwnd, "cwnd", "byte"),
        ssthresh: recorder(Quantity::Ssthresh, "ssthresh", "byte"),
        in_flight: recorder(Quantity::InFlight, "in_flight", "byte"),
        rtt: recorder(Quantity::Rtt, "rtt", "second"),
        acked: recorder(Quantity::Acked, "acked", "byte"),
    }
}
