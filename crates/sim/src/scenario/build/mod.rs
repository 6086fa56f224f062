//! From a checked scenario to a network of nodes and links.
//!
//! Two VCs per flow with a transport (2f out, 2f + 1 back), so that a VC's number says what it is; raw cell sources use
//! only the first. The processing delay of a switch becomes part of its incoming links: it is the same for every cell.

mod hosts;
mod rate_control;
mod switches;
mod wiring;

use super::{Carries, NodeRef, Scenario};
use crate::engine::{Cell, CellHead, InPort, Io, Network, Node};
use crate::host::Host;
use crate::result::{Ledger, Series};
use crate::switch::{Switch, Transmission};
use crate::units::{Pace, Span, Time};
use wiring::{Terminals, Wiring};

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
const fn data_vc(flow: usize) -> u32 {
    2 * flow as u32
}

/// The VC that carries a flow's acknowledgements back.
const fn ack_vc(flow: usize) -> u32 {
    2 * flow as u32 + 1
}

impl Scenario {
    /// Assembles the network at time zero.
    pub fn build(&self) -> Built {
        assert!(
            2 * self.flows.len() <= CellHead::MAX_VCS,
            "the scenario was checked for its number of flows"
        );
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

    /// Propagation of a link, and the processing delay of the switch it leads to.
    pub(crate) fn passage(&self, link: usize) -> Span {
        let link = &self.links[link];
        match link.to {
            NodeRef::Switch(switch) => link.delay + self.switches[switch].delay,
            NodeRef::Host(_) => link.delay,
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

impl AnyNode {
    /// Reports the counters as they stand at `at`.
    pub fn settle(&mut self, at: Time, ledger: &mut Ledger, io: &mut Io<'_>) {
        match self {
            Self::Host(host) => host.settle(at, ledger),
            Self::Switch(switch) => switch.settle(at, ledger, io),
        }
    }

    /// Cells that wait in queues and are neither on a link nor still in a frame.
    pub fn held(&self) -> Vec<Cell> {
        match self {
            Self::Host(_) => Vec::new(),
            Self::Switch(switch) => switch.held().collect(),
        }
    }

    /// The warm-up is over.
    pub fn begin_measurement(&mut self, at: Time) {
        match self {
            Self::Host(host) => host.begin_measurement(),
            Self::Switch(switch) => switch.begin_measurement(at),
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
