//! From a checked scenario to a network of nodes and links.
//!
//! What travels where under which VC number, `legs` says. The processing delay of a switch or an edge becomes part of its
//! incoming links: it is the same for every cell.

mod buffer_management;
mod edges;
mod hosts;
mod legs;
mod nics;
mod passing;
mod police;
mod rate_control;
mod scheduler;
mod switches;
mod wiring;

use super::{Carries, Scenario};
use crate::edge::Edge;
use crate::engine::{Cell, InPort, Io, Network, Node};
use crate::host::Host;
use crate::result::{Ledger, Series, Window};
use crate::switch::{Switch, Transmission};
use crate::units::{Span, Time};
pub(in crate::scenario) use passing::PassingVc;
use wiring::{Terminals, Wiring};

/// Every kind of node, dispatched statically.
#[derive(Debug)]
pub enum AnyNode {
    /// A host.
    Host(Box<Host>),
    /// A switch.
    Switch(Box<Switch>),
    /// An edge.
    Edge(Box<Edge>),
}

/// A network and the names of its parts.
#[derive(Debug)]
pub struct Built {
    /// Ready to run.
    pub network: Network<AnyNode>,
    /// `switch.link` of every port, by port index; those of edges come last.
    pub ports: Vec<PortName>,
    /// What the books of every virtual circuit are called, by number; `None`: nothing travels under it.
    pub vcs: Vec<Option<String>>,
    /// Minimum cell rate of every guaranteed virtual circuit, by number, cells per second.
    pub minimum_rates: Vec<Option<f64>>,
}

/// What a port is called and what it counts.
#[derive(Clone, Debug)]
pub struct PortName {
    /// `switch.link` or `edge.link`.
    pub name: String,
    /// `cell` or `packet`.
    pub unit: &'static str,
}

/// The way of a flow's data, and the VC that carries all of them if it is the only one.
const fn data_vc(flow: usize) -> u32 {
    2 * flow as u32
}

/// The way back of a flow's acknowledgements, likewise.
const fn ack_vc(flow: usize) -> u32 {
    2 * flow as u32 + 1
}

impl Scenario {
    /// Assembles the network at time zero.
    pub fn build(&self) -> Built {
        let wiring = Wiring::new(self);
        let mut ports = Vec::new();
        let terminals = Terminals::new(self, &wiring.legs);
        let mut nodes = Vec::with_capacity(self.hosts.len() + self.switches.len() + self.edges.len());
        for host in 0..self.hosts.len() {
            nodes.push(AnyNode::Host(Box::new(self.build_host(host, &wiring, &terminals))));
        }
        for switch in 0..self.switches.len() {
            nodes.push(AnyNode::Switch(Box::new(self.build_switch(switch, &wiring, &mut ports))));
        }
        for edge in 0..self.edges.len() {
            nodes.push(AnyNode::Edge(Box::new(self.build_edge(edge, &wiring, &terminals, &mut ports))));
        }
        Built {
            network: Network::new(nodes, wiring.links(self)),
            ports,
            vcs: wiring.legs.names(),
            minimum_rates: wiring.legs.minimum_rates(),
        }
    }

    /// The time in which distributions are counted.
    fn measurement(&self) -> Window {
        Window { from: Time::ZERO + self.run.warm_up, until: Time::ZERO + self.run.duration }
    }

    /// Propagation of a link, and the processing delay of the node it leads to.
    pub(crate) fn passage(&self, link: usize) -> Span {
        let link = &self.links[link];
        link.delay + self.processing_of(link.to)
    }
}

fn transmission(carries: Carries) -> Transmission {
    match carries {
        Carries::Cells { cell_rate, .. } => Transmission::Cells(cell_rate.cell_time()),
        Carries::Packets { line_rate, overhead } => {
            Transmission::Packets { line_rate, overhead_bytes: overhead.0 }
        }
    }
}

impl AnyNode {
    /// Reports the counters as they stand at `at`.
    pub fn settle(&mut self, at: Time, ledger: &mut Ledger, io: &mut Io<'_>) {
        match self {
            Self::Host(host) => host.settle(at, ledger),
            Self::Switch(switch) => switch.settle(at, ledger, io),
            Self::Edge(edge) => edge.settle(at, ledger, io),
        }
    }

    /// Cells that wait in queues and are neither on a link nor still in a frame.
    pub fn held(&self) -> Vec<Cell> {
        match self {
            Self::Host(_) | Self::Edge(_) => Vec::new(),
            Self::Switch(switch) => switch.held().collect(),
        }
    }

    /// The warm-up is over.
    pub fn begin_measurement(&mut self, at: Time) {
        match self {
            Self::Host(host) => host.begin_measurement(),
            Self::Switch(switch) => switch.begin_measurement(at),
            Self::Edge(edge) => edge.begin_measurement(at),
        }
    }

    /// The recorded series.
    pub fn take_series(&mut self) -> Vec<Series> {
        match self {
            Self::Host(host) => host.take_series(),
            Self::Switch(switch) => switch.take_series(),
            Self::Edge(edge) => edge.take_series(),
        }
    }
}

impl Node for AnyNode {
    #[inline]
    fn next_event(&self) -> Time {
        match self {
            Self::Host(host) => host.next_event(),
            Self::Switch(switch) => switch.next_event(),
            Self::Edge(edge) => edge.next_event(),
        }
    }

    #[inline]
    fn on_head(&mut self, port: InPort, at: Time) {
        match self {
            Self::Host(host) => host.on_head(port, at),
            Self::Switch(switch) => switch.on_head(port, at),
            Self::Edge(edge) => edge.on_head(port, at),
        }
    }

    fn advance(&mut self, until: Time, io: &mut Io<'_>) {
        match self {
            Self::Host(host) => host.advance(until, io),
            Self::Switch(switch) => switch.advance(until, io),
            Self::Edge(edge) => edge.advance(until, io),
        }
    }
}
