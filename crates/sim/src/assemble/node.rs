//! Every kind of node behind one type.

use crate::edge::Edge;
use crate::engine::{InPort, Io, LinkId, Node, TrainOrder};
use crate::host::Host;
use crate::pdu::{Cell, Frame, Train};
use crate::result::{Ledger, Series};
use crate::switch::Switch;
use crate::units::Time;

/// Place of a series among all of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Listed {
    /// A series of a host.
    Host,
    /// A series of the port of a switch with this index.
    Port(usize),
    /// A series of an edge: of its port with this index, or of an interface after the ports.
    Edge(usize),
}

/// Every kind of node, dispatched statically.
#[derive(Debug)]
pub(crate) enum AnyNode {
    /// A host.
    Host(Box<Host>),
    /// A switch.
    Switch(Box<Switch>),
    /// An edge.
    Edge(Box<Edge>),
}

impl AnyNode {
    /// Reports the counters at the instant `at`.
    pub(crate) fn report(&mut self, at: Time, ledger: &mut Ledger, io: &mut Io) {
        match self {
            Self::Host(host) => host.report(at, ledger, io),
            Self::Switch(switch) => switch.report(at, ledger, io),
            Self::Edge(edge) => edge.report(at, ledger, io),
        }
    }

    /// The links that it may send trains onto.
    pub(super) fn sends_trains_onto(&self) -> Vec<LinkId> {
        match self {
            Self::Host(host) => host.sends_trains_onto().collect(),
            Self::Switch(switch) => switch.sends_trains_onto().collect(),
            Self::Edge(edge) => edge.sends_trains_onto().collect(),
        }
    }

    /// Order in which the node takes trains; `None` if it takes none.
    pub(super) fn train_order(&self) -> Option<TrainOrder> {
        match self {
            Self::Host(_) | Self::Edge(_) => Some(TrainOrder::Last),
            Self::Switch(switch) => switch.takes_trains().then_some(TrainOrder::First),
        }
    }

    /// Trains that the node has taken from links while some of their cells are still on their way.
    pub(crate) fn begun(&self) -> Vec<(LinkId, Train)> {
        match self {
            Self::Host(_) | Self::Edge(_) => Vec::new(),
            Self::Switch(switch) => switch.begun().collect(),
        }
    }

    /// Cells that wait in queues and are neither on a link nor still in a frame.
    pub(crate) fn held(&self) -> Vec<Cell> {
        match self {
            Self::Host(_) => Vec::new(),
            Self::Switch(switch) => switch.held().collect(),
            Self::Edge(edge) => edge.held().collect(),
        }
    }

    /// Frames whose last cell waits at an interface, as a part of them.
    pub(crate) fn frames(&self) -> Vec<&Frame> {
        match self {
            Self::Host(host) => host.frames().collect(),
            Self::Switch(_) => Vec::new(),
            Self::Edge(edge) => edge.frames().collect(),
        }
    }

    /// Begins the measurement at the end of the warm-up.
    pub(crate) fn begin_measurement(&mut self, at: Time) {
        match self {
            Self::Host(host) => host.begin_measurement(),
            Self::Switch(switch) => switch.begin_measurement(at),
            Self::Edge(edge) => edge.begin_measurement(at),
        }
    }

    /// Takes the recorded series, each with its place: those of hosts come first, then those of
    /// switches and of edges by port; equal places in the order of nodes.
    pub(crate) fn take_series(&mut self) -> Vec<(Listed, Series)> {
        let at = |place| move |one| (place, one);
        match self {
            Self::Host(host) => host.take_series().into_iter().map(at(Listed::Host)).collect(),
            Self::Switch(switch) => {
                let series = switch.take_series().into_iter();
                series.map(|(port, one)| (Listed::Port(port), one)).collect()
            }
            Self::Edge(edge) => {
                let series = edge.take_series().into_iter();
                series.map(|(port, one)| (Listed::Edge(port), one)).collect()
            }
        }
    }
}

impl Node for AnyNode {
    fn next_event(&self) -> Time {
        match self {
            Self::Host(host) => host.next_event(),
            Self::Switch(switch) => switch.next_event(),
            Self::Edge(edge) => edge.next_event(),
        }
    }

    fn next_end(&self) -> Time {
        match self {
            Self::Host(host) => host.next_end(),
            Self::Switch(switch) => switch.next_end(),
            Self::Edge(edge) => edge.next_end(),
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

    #[inline]
    fn advance(&mut self, until: Time, io: &mut Io) -> Time {
        match self {
            Self::Host(host) => host.advance(until, io),
            Self::Switch(switch) => switch.advance(until, io),
            Self::Edge(edge) => edge.advance(until, io),
        }
    }
}
