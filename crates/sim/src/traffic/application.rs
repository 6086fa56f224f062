//! The axis of applications: what the sending end of a TCP connection writes, and when.
//!
//! An application is asked when its flow starts, at each instant that it has named, after each
//! segment that arrives, and after each late read. It answers with the bytes that it writes now and
//! the instant at which it writes next without being asked. The receiving end may write itself.
//!
//! From the `stop` of its flow on an application is not asked any more, and its end of the
//! connection is closed: what it has written is still sent, and then a FIN.
//!
//! An application of ours is a file here with its parameters, its `mod` line and its line in the
//! list `traffic!`. One of somebody else's implements [`Application`] and is given to
//! [`Builder::application`](crate::Builder::application).

use super::request_response::Responder;
use super::source::Site;
use crate::units::{Span, Time};

/// What an application does now, and when it is to be asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// What it writes.
    pub write: Write,
    /// When it is asked next, even if no segment arrives; what is not later than now is no instant.
    pub next: Time,
}

/// What an application writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    /// So many bytes, perhaps none.
    Bytes(u64),
    /// It always has more to send. Until an instant that it has named it is not asked again.
    Forever,
}

impl Offer {
    /// It writes nothing and waits for a segment.
    pub const NOTHING: Self = Self::bytes(0);

    /// It writes `bytes` and waits for a segment.
    pub const fn bytes(bytes: u64) -> Self {
        Self { write: Write::Bytes(bytes), next: Time::MAX }
    }

    /// The same, but it is asked again at `next`.
    #[must_use]
    pub const fn and_again_at(self, next: Time) -> Self {
        Self { next, ..self }
    }
}

/// Blocks of one application, each a write, and what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockCounters {
    /// Writes that have returned: their last byte is in the send buffer.
    pub written: u64,
    /// Bytes of these.
    pub bytes: u64,
    /// Writes that have begun, or wait for one that has, and have not returned.
    pub waiting: u64,
    /// Periods whose block was skipped.
    pub missed: u64,
}

/// What writes at an end of a TCP connection.
pub trait Application: std::fmt::Debug {
    /// What it does at `now`, when `acked` of the bytes that it has written are acknowledged.
    fn poll(&mut self, now: Time, acked: u64) -> Offer;

    /// Whether all that it will ever write has been acknowledged: its transfer is finished.
    fn is_through(&self, _acked: u64) -> bool {
        false
    }

    /// So many bytes of the other end's have arrived in order and are read. It is told before it is
    /// asked.
    fn on_delivered(&mut self, _now: Time, _delivered: u64) {}

    /// When the request was written whose response has just arrived, if one has; told once.
    fn take_completed(&mut self) -> Option<Time> {
        None
    }

    /// Its flow stops when `taken` of the bytes that it has offered are in its finite send buffer
    /// or before it, or without one have been sent: how many it has written then, of an offer that
    /// stood for later writes. `None`: all that it has offered.
    fn written_at_stop(&self, _taken: u64) -> Option<u64> {
        None
    }

    /// What became of its blocks, if it counts them, when `taken` of the bytes that it has offered
    /// are in its finite send buffer or before it, or without one have been sent.
    fn blocks(&self, _taken: u64) -> Option<BlockCounters> {
        None
    }
}

/// What a scenario says of an application.
pub trait Writes {
    /// What writes so.
    type Application: Application;

    /// Before its flow starts.
    fn application(&self, site: &Site<'_>) -> Self::Application;

    /// How long it writes, if it says so.
    fn lasts(&self) -> Option<Span> {
        None
    }

    /// What writes at the other end, if anything does.
    fn responder(&self, _site: &Site<'_>) -> Option<Responder> {
        None
    }
}
