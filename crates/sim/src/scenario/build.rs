//! From a checked scenario to a network of nodes and links.
//!
//! Two VCs per flow with a transport (2f out, 2f + 1 back), so that a VC's number says what it is; raw cell sources use
//! only the first. The processing delay of a switch becomes part of its incoming links: it is the same for every cell.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{
    Buffer, Carries, Drop, Flow, NodeRef, Observe, Pacing, Phase, Quantity, Room, Scenario, Service, Tcp, Traffic,
};
use crate::engine::{InPort, Io, Link, LinkId, Network, Node, NodeId, Stream};
use crate::host::{Application, Endpoint, FifoNic, Host, HostPlan, Line, Nic, Pacer, Probes, Processing, ShapedNic, Terminal};
use crate::result::{Ledger, Recorder, Series};
use crate::switch::{Epd, Policy, Pool, Port, PortPlan, PortRoom, Ppd, Route, Switch, Tail, Transmission};
use crate::tcp::{self, Connection, Role, TickPhases};
use crate::traffic::{CellSource, Spacing};
use crate::units::{Pace, Span, Time, CELL_BITS};

/// Every kind of node, dispatched statically.
#[derive(Debug)]
pub enum AnyNode {
    /// A host.
    Host(Box<Host>),
    /// A switch.
    Switch(Box<Switch>),
}

/// A network and the names of its parts.
#[derive(Debug)]
pub struct Built {
    /// Ready to run.
    pub network: Network<AnyNode>,
    /// `switch.link` of every port, by port index.
    pub ports: Vec<PortName>,
    /// Number of virtual circuits.
    pub vcs: usize,
}

/// What a port is called and what it counts.
#[derive(Clone, Debug)]
pub struct PortName {
    /// `switch.link`.
    pub name: String,
    /// `cell` or `packet`.
    pub unit: &'static str,
}

/// The VC that carries a flow's data.
pub const fn data_vc(flow: usize) -> u32 {
    2 * flow as u32
}

/// The VC that carries a flow's acknowledgements back.
pub const fn ack_vc(flow: usize) -> u32 {
    2 * flow as u32 + 1
}

impl Scenario {
    /// Assembles the network at time zero.
    pub fn build(&self) -> Built {
        let wiring = Wiring::new(self);
        let mut ports = Vec::new();
        let terminals = Terminals::new(self);
        let mut nodes = Vec::with_capacity(self.hosts.len() + self.switches.len());
        for host in 0..self.hosts.len() {
            nodes.push(AnyNode::Host(Box::new(self.build_host(host, &wiring, &terminals))));
        }
        for switch in 0..self.switches.len() {
            nodes.push(AnyNode::Switch(Box::new(self.build_switch(switch, &wiring, &mut ports))));
        }
        Built { network: Network::new(nodes, wiring.links(self)), ports, vcs: 2 * self.flows.len() }
    }

    fn build_host(&self, index: usize, wiring: &Wiring, terminals: &Terminals) -> Host {
        let host = &self.hosts[index];
        let node = NodeRef::Host(index);
        let outgoing = wiring.outgoing(node);
        let nic_of = |path: &[usize]| {
            outgoing.iter().position(|link| Some(link) == path.first()).expect("a path begins at its host")
        };
        let phases = self.tick_phases(index);
        let mut endpoints = Vec::new();
        let mut sources = Vec::new();
        for (flow_index, flow) in self.flows.iter().enumerate() {
            match &flow.tcp {
                Some(tcp) if flow.from == index => {
                    endpoints.push(self.sender(flow_index, tcp, nic_of(&flow.path), phases(tcp)));
                }
                Some(tcp) if flow.to == index => {
                    endpoints.push(self.receiver(flow_index, tcp, nic_of(&flow.reverse_path), phases(tcp)));
                }
                None if flow.from == index => sources.push(self.cell_source(flow_index, nic_of(&flow.path))),
                _ => {}
            }
        }
        let ends = terminals.of_host(index).map(|vc| {
            let endpoint = endpoints.iter().position(|endpoint: &Endpoint| endpoint.vc == vc ^ 1);
            Terminal::new(vc, endpoint.map(|position| position as u32))
        });
        Host::new(HostPlan {
            inputs: wiring.incoming(node).iter().map(|&link| LinkId(link as u32)).collect(),
            terminal_of_vc: Arc::clone(&terminals.place_of_vc),
            terminals: ends.collect(),
            nics: outgoing.iter().map(|&link| self.nic(link)).collect(),
            endpoints,
            sources,
            processing: Processing {
                cpu_per_segment: host.cpu_per_segment,
                ack_cost: host.ack_cost,
                sar: host.sar,
            },
        })
    }

    /// The phase of a host's ticks: drawn once per host, for each pair of tick lengths its connections use.
    fn tick_phases(&self, host: usize) -> impl Fn(&Tcp) -> TickPhases {
        let stream = Stream::new(self.run.seed, &format!("host {} timers", self.hosts[host].name));
        let phase = self.run.phase;
        move |tcp| match (phase, tcp.timers) {
            (Phase::Random, super::Timers::Bsd { slow, fast, .. }) => {
                let mut stream = stream.clone();
                TickPhases { slow: stream.span_below(slow), fast: stream.span_below(fast) }
            }
            _ => TickPhases::default(),
        }
    }

    fn sender(&self, index: usize, tcp: &Tcp, nic: usize, phases: TickPhases) -> Endpoint {
        let flow = &self.flows[index];
        let application = match flow.traffic {
            Traffic::Ttcp { total: Some(bytes), .. } => Application::Total(bytes.0),
            _ => Application::Forever,
        };
        let connection = Connection::new(&connection_config(tcp), Role::Active, phases);
        let start = self.start_of(flow);
        let mut endpoint = Endpoint::new(index, data_vc(index), nic, connection, application, start);
        endpoint.probes = self.observe.as_ref().map(|observe| Box::new(probes(&flow.name, observe)));
        endpoint
    }

    fn receiver(&self, index: usize, tcp: &Tcp, nic: usize, phases: TickPhases) -> Endpoint {
        let connection = Connection::new(&connection_config(tcp), Role::Passive, phases);
        // A receiver listens from the beginning.
        Endpoint::new(index, ack_vc(index), nic, connection, Application::Receiver, Time::ZERO)
    }

    fn cell_source(&self, index: usize, nic: usize) -> CellSource {
        let flow = &self.flows[index];
        let spacing = match flow.traffic {
            Traffic::Poisson { cell_rate } => Spacing::Exponential {
                mean: Pace::of_cells(cell_rate).span(),
                stream: Stream::new(self.run.seed, &format!("flow {} arrivals", flow.name)),
            },
            Traffic::Cbr { cell_rate } => Spacing::Constant(Pace::of_cells(cell_rate)),
            Traffic::Greedy | Traffic::Ttcp { .. } => {
                unreachable!("a flow without a transport sends raw cells: the scenario was checked for it")
            }
        };
        let first = match &spacing {
            Spacing::Constant(_) => self.start_of(flow),
            Spacing::Exponential { mean, stream } => self.start_of(flow) + stream.clone().exponential(*mean),
        };
        CellSource::new(data_vc(index), nic, spacing, first)
    }

    /// The flow's start and, unless phases are off, a random part of its own cell time.
    fn start_of(&self, flow: &Flow) -> Time {
        let start = Time::ZERO + flow.start;
        let cell_time = match (&flow.traffic, self.links[flow.path[0]].carries) {
            (Traffic::Cbr { cell_rate }, _) => Pace::of_cells(*cell_rate).span(),
            (_, Carries::Cells { cell_rate, .. }) => Pace::of_cells(cell_rate).span(),
            (_, Carries::Packets { line_rate, .. }) => Pace::new(CELL_BITS, line_rate).span(),
        };
        match self.run.phase {
            Phase::None => start,
            Phase::Random => {
                start + Stream::new(self.run.seed, &format!("flow {} start", flow.name)).span_below(cell_time)
            }
        }
    }

    /// The interface onto an outgoing link: a FIFO where that is exact.
    fn nic(&self, link: usize) -> Nic {
        let out = &self.links[link];
        let line = Line::new(LinkId(link as u32), self.passage(link), transmission(out.carries));
        let mut vcs: Vec<(u32, Option<Pacer>)> = Vec::new();
        for (index, flow) in self.flows.iter().enumerate() {
            if flow.path.first() == Some(&link) {
                vcs.push((data_vc(index), pacer(flow.service)));
            }
            if flow.reverse_path.first() == Some(&link) {
                vcs.push((ack_vc(index), None));
            }
        }
        let is_paced = vcs.iter().any(|(_, pacer)| pacer.is_some());
        match vcs.as_slice() {
            [(_, pacer)] => Nic::Fifo(FifoNic::new(line, *pacer)),
            _ if is_paced => Nic::Shaped(ShapedNic::new(line, vcs)),
            _ => Nic::Fifo(FifoNic::new(line, None)),
        }
    }

    /// Propagation of a link, and the processing delay of the switch it leads to.
    fn passage(&self, link: usize) -> Span {
        let link = &self.links[link];
        match link.to {
            NodeRef::Switch(switch) => link.delay + self.switches[switch].delay,
            NodeRef::Host(_) => link.delay,
        }
    }

    fn build_switch(&self, index: usize, wiring: &Wiring, names: &mut Vec<PortName>) -> Switch {
        let node = NodeRef::Switch(index);
        let outgoing = wiring.outgoing(node);
        let mut routes = vec![Route::default(); 2 * self.flows.len()];
        let mut vcs_of_port: Vec<Vec<u32>> = vec![Vec::new(); outgoing.len()];
        for (flow_index, flow) in self.flows.iter().enumerate() {
            for (vc, path) in [(data_vc(flow_index), &flow.path), (ack_vc(flow_index), &flow.reverse_path)] {
                let Some(port) = outgoing.iter().position(|link| path.contains(link)) else { continue };
                let slot = vcs_of_port[port].len() as u32;
                routes[vc as usize] = Route { port: port as u32, slot };
                vcs_of_port[port].push(vc);
            }
        }
        let mut ports = Vec::with_capacity(outgoing.len());
        for (&link, vcs) in outgoing.iter().zip(vcs_of_port) {
            ports.push(Port::new(self.port_plan(index, link, vcs, names)));
        }
        let pool = match self.switches[index].buffer {
            Buffer::Shared(room) => Some(Pool { room: units_of(room), occupancy: 0 }),
            Buffer::Infinite | Buffer::PerPort(_) | Buffer::PerVc(_) => None,
        };
        let inputs = wiring.incoming(node).iter().map(|&link| LinkId(link as u32)).collect();
        Switch::new(inputs, routes, ports, pool)
    }

    fn port_plan(&self, switch: usize, link: usize, vcs: Vec<u32>, names: &mut Vec<PortName>) -> PortPlan {
        let owner = &self.switches[switch];
        let unit = match self.links[link].carries {
            Carries::Cells { .. } => "cell",
            Carries::Packets { .. } => "packet",
        };
        let name = format!("{}.{}", owner.name, self.links[link].name);
        let recorder = self.observe.as_ref().filter(|observe| observe.series.contains(&Quantity::Queue)).map(
            |observe| Recorder::new(format!("{name}.queue"), unit, observe.sampling, observe.limit),
        );
        let index = names.len();
        names.push(PortName { name, unit });
        PortPlan {
            index,
            link: LinkId(link as u32),
            propagation: self.passage(link),
            transmission: transmission(self.links[link].carries),
            room: match owner.buffer {
                Buffer::Infinite => PortRoom::Infinite,
                Buffer::PerPort(room) => PortRoom::PerPort(units_of(room)),
                Buffer::PerVc(room) => PortRoom::PerVc(units_of(room)),
                Buffer::Shared(_) => PortRoom::Shared,
            },
            in_service: owner.in_service,
            policy: match owner.drop {
                Drop::Tail => Policy::Tail(Tail),
                Drop::Ppd => Policy::Ppd(Ppd::new(vcs.len())),
                Drop::Epd { threshold } => Policy::Epd(Epd::new(threshold.0, vcs.len())),
            },
            vcs,
            recorder,
        }
    }
}

/// Which links meet at each node.
struct Wiring {
    incoming: BTreeMap<NodeRef, Vec<usize>>,
    outgoing: BTreeMap<NodeRef, Vec<usize>>,
}

impl Wiring {
    fn new(scenario: &Scenario) -> Self {
        let mut wiring = Self { incoming: BTreeMap::new(), outgoing: BTreeMap::new() };
        for (index, link) in scenario.links.iter().enumerate() {
            wiring.incoming.entry(link.to).or_default().push(index);
            wiring.outgoing.entry(link.from).or_default().push(index);
        }
        wiring
    }

    fn incoming(&self, node: NodeRef) -> &[usize] {
        self.incoming.get(&node).map_or(&[], Vec::as_slice)
    }

    fn outgoing(&self, node: NodeRef) -> &[usize] {
        self.outgoing.get(&node).map_or(&[], Vec::as_slice)
    }

    fn links(&self, scenario: &Scenario) -> Vec<Link> {
        let node_id = |node: NodeRef| match node {
            NodeRef::Host(index) => NodeId(index as u32),
            NodeRef::Switch(index) => NodeId((scenario.hosts.len() + index) as u32),
        };
        let links = scenario.links.iter().enumerate().map(|(index, link)| {
            let position = self.incoming(link.to).iter().position(|&other| other == index);
            let port = InPort(position.expect("every link is an input of the node it leads to") as u32);
            Link::new(scenario.passage(index) + shortest_transmission(link.carries), (node_id(link.to), port))
        });
        links.collect()
    }
}

/// Where VCs end.
struct Terminals {
    host_of_vc: Vec<Option<usize>>,
    place_of_vc: Arc<[u32]>,
}

impl Terminals {
    fn new(scenario: &Scenario) -> Self {
        let mut host_of_vc = vec![None; 2 * scenario.flows.len()];
        let mut place_of_vc = vec![0; host_of_vc.len()];
        let mut taken = vec![0; scenario.hosts.len()];
        for (index, flow) in scenario.flows.iter().enumerate() {
            let back = flow.tcp.is_some().then_some((ack_vc(index), flow.from));
            for (vc, host) in [Some((data_vc(index), flow.to)), back].into_iter().flatten() {
                host_of_vc[vc as usize] = Some(host);
                place_of_vc[vc as usize] = taken[host];
                taken[host] += 1;
            }
        }
        Self { host_of_vc, place_of_vc: place_of_vc.into() }
    }

    /// In the order of their places.
    fn of_host(&self, host: usize) -> impl Iterator<Item = u32> {
        let vcs = self.host_of_vc.iter().enumerate();
        vcs.filter(move |(_, at)| **at == Some(host)).map(|(vc, _)| vc as u32)
    }
}

/// No unit takes the line for less time than this.
fn shortest_transmission(carries: Carries) -> Span {
    const SMALLEST_IP_PACKET_BYTES: u64 = 20;
    match carries {
        Carries::Cells { cell_rate, .. } => Pace::of_cells(cell_rate).span(),
        Carries::Packets { line_rate, overhead } => {
            line_rate.span_of_bits(8 * (SMALLEST_IP_PACKET_BYTES + overhead.0))
        }
    }
}

fn transmission(carries: Carries) -> Transmission {
    match carries {
        Carries::Cells { cell_rate, .. } => Transmission::Cells(Pace::of_cells(cell_rate)),
        Carries::Packets { line_rate, overhead } => {
            Transmission::Packets { line_rate, overhead_bytes: overhead.0 }
        }
    }
}

fn pacer(service: Service) -> Option<Pacer> {
    let Service::Ubr { pace } = service;
    pace.map(|pacing| match pacing {
        Pacing::OfCell(rate) => Pacer::new(Pace::of_cells(rate)),
        Pacing::OfPayload(rate) => Pacer::new(Pace::of_payload(rate)),
    })
}

fn units_of(room: Room) -> u64 {
    match room {
        Room::Cells(cells) => cells.0,
        Room::Packets(packets) => packets.0,
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

fn connection_config(tcp: &Tcp) -> tcp::Config {
    tcp::Config {
        mss: tcp.mss,
        window: tcp.window,
        recovery: match tcp.recovery {
            super::Recovery::Vanilla => tcp::Recovery::Vanilla,
            super::Recovery::Tahoe => tcp::Recovery::Tahoe,
            super::Recovery::Reno => tcp::Recovery::Reno,
        },
        timers: match tcp.timers {
            super::Timers::Bsd { slow, fast, min_rto, max_rto } => {
                tcp::Timers::Bsd { slow, fast, min_rto, max_rto }
            }
            super::Timers::Fine { granularity, initial_rto, min_rto, max_rto, ack_delay } => {
                tcp::Timers::Fine { granularity, initial_rto, min_rto, max_rto, ack_delay }
            }
        },
        ack: match tcp.ack {
            super::AckRule::EverySegment => tcp::AckRule::EverySegment,
            super::AckRule::Delayed => tcp::AckRule::Delayed,
        },
        handshake: tcp.handshake,
        initial_window: tcp.initial_window,
        initial_ssthresh: tcp.initial_ssthresh,
        avoidance: match tcp.avoidance {
            super::Avoidance::Standard => tcp::Avoidance::Standard,
            super::Avoidance::BsdExtra => tcp::Avoidance::BsdExtra,
        },
        window_scaling: tcp.window_scaling,
    }
}

impl AnyNode {
    /// Reports the counters as they stand at `at`.
    pub fn settle(&mut self, at: Time, ledger: &mut Ledger) {
        match self {
            Self::Host(host) => host.settle(at, ledger),
            Self::Switch(switch) => switch.settle(at, ledger),
        }
    }

    /// The warm-up is over.
    pub fn begin_measurement(&mut self, at: Time) {
        if let Self::Switch(switch) = self {
            switch.begin_measurement(at);
        }
    }

    /// The recorded series.
    pub fn take_series(&mut self) -> Vec<Series> {
        match self {
            Self::Host(host) => host.take_series(),
            Self::Switch(switch) => switch.take_series(),
        }
    }
}

impl Node for AnyNode {
    #[inline]
    fn next_event(&self) -> Time {
        match self {
            Self::Host(host) => host.next_event(),
            Self::Switch(switch) => switch.next_event(),
        }
    }

    #[inline]
    fn on_head(&mut self, port: InPort, at: Time) {
        match self {
            Self::Host(host) => host.on_head(port, at),
            Self::Switch(switch) => switch.on_head(port, at),
        }
    }

    fn advance(&mut self, until: Time, io: &mut Io<'_>) {
        match self {
            Self::Host(host) => host.advance(until, io),
            Self::Switch(switch) => switch.advance(until, io),
        }
    }
}
