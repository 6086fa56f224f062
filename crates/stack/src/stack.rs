//! The interface of a transport: one call a turn, with simulated time.

use std::collections::BTreeMap;
use std::net::SocketAddrV4;

use cellway_sim::tcp::Counters;
use cellway_sim::units::Time;
use thiserror::Error;

/// A transport at one end of a flow. It has no clock, timers, or threads of its own that matter:
/// everything that it does happens in a turn.
pub trait Stack {
    /// Handles one instant: the packets that have arrived, timers that are due at or before it, and
    /// what the application asks, in this order, until nothing is left to do.
    ///
    /// # Errors
    ///
    /// A reason to end the run.
    fn turn(&mut self, turn: &Turn<'_>, answer: &mut Answer) -> Result<(), StackError>;

    /// Values of its state that it reports; their order is that of [`Answer::states`].
    fn states(&self) -> Vec<State> {
        Vec::new()
    }

    /// Its name, for the result.
    fn name(&self) -> String;

    /// Counters of its connection, if it has those of the simulator's own.
    fn counters(&self) -> Option<Counters> {
        None
    }

    /// Ends the run; returns counters of its own.
    ///
    /// # Errors
    ///
    /// A reason not to trust the run.
    fn end(&mut self) -> Result<BTreeMap<String, f64>, StackError> {
        Ok(BTreeMap::new())
    }
}

/// Questions of one turn.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// Instant of simulated time.
    pub now: Time,
    /// Packets that have arrived at it, from the IP header on, in order.
    pub arrived: &'a [&'a [u8]],
    /// Calls of the application, in order.
    pub calls: &'a [Call],
}

/// A call of the application. An application writes a stream of octets, of which number `i`,
/// counted from 0, is `i mod 251`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Opens the connection: the origin of a flow connects, its destination listens. The first call
    /// of either.
    Open,
    /// Adds so many octets to the stream.
    Write(u64),
    /// Adds octets without end: the stack takes them as it has room.
    WriteForever,
    /// Ends the stream behind this number of octets, or behind those that are in the send buffer if
    /// they are more; the rest is taken back. Data of the other end still arrive.
    Close(u64),
}

/// An event that the application is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Data can flow.
    Opened,
    /// The other end has so many octets of this end's stream, all told.
    Acked(u64),
    /// So many octets of the other end's stream have arrived in order, all told, and the
    /// application has read them.
    Delivered(u64),
    /// The other end's stream has ended.
    Ended,
    /// All of this end's stream, and its end, have arrived.
    Closed,
    /// The connection was reset or given up.
    Failed,
}

/// Answer to one turn.
#[derive(Debug, Default)]
pub struct Answer {
    /// Packets to send now, from the IP header on, in order.
    pub packets: Vec<Vec<u8>>,
    /// Instant of the next turn, even if nothing arrives; `None` if no timer runs.
    pub next: Option<Time>,
    /// Events, in order.
    pub events: Vec<Event>,
    /// Values of states by their index, as far as they have changed.
    pub states: Vec<(usize, f64)>,
}

impl Answer {
    /// Empties the answer for another turn.
    pub(crate) fn clear(&mut self) {
        self.packets.clear();
        self.next = None;
        self.events.clear();
        self.states.clear();
    }
}

/// A value of a stack's state, which becomes a series of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Name in the series, such as `cwnd`.
    pub name: String,
    /// Unit of its values.
    pub unit: &'static str,
}

/// Units of states, as series have them; `1` is a plain number.
pub const UNITS: [&str; 5] = ["byte", "second", "bit/s", "packet", "1"];

/// Part of a stack in its connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It connects, from the host that the flow comes from.
    Origin,
    /// It listens, at the host that the flow leads to.
    Destination,
}

impl Role {
    /// Name of the end, as in `bulk.origin`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Origin => "origin",
            Self::Destination => "destination",
        }
    }
}

/// Facts about an end that its stack knows before the first turn.
#[derive(Clone, Debug)]
pub struct Greeting {
    /// Seed of this end: the only source of numbers that are meant to differ between runs.
    pub seed: u64,
    /// Its part in the connection.
    pub role: Role,
    /// Its own address.
    pub own: SocketAddrV4,
    /// Address of the other end.
    pub peer: SocketAddrV4,
    /// Longest IP packet that the interface takes, octets.
    pub mtu: u32,
    /// Receive buffer that the scenario gives it, octets.
    pub window: u64,
    /// Flow of the scenario.
    pub flow: String,
}

/// Fault of a stack, which ends the run.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct StackError(pub String);

impl StackError {
    /// Makes a fault with this text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}
