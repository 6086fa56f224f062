//! Applications: the writes of the sending end of a TCP connection, and their instants.
//!
//! An application is called when its flow starts, at each instant that it has named, after each
//! segment that arrives, and after each late read. It answers with the bytes that it writes now and
//! the instant of the next call that it needs in any case. The receiving end may write itself.
//!
//! From the `stop` of its flow on an application is not called any more, and its end of the
//! connection is closed: written data are still sent, and then a FIN.
//!
//! An application of ours is a file here with its parameters, its `mod` line and its line in the
//! list `traffic!`. One from outside implements [`Application`] and is given to
//! [`Builder::application`](crate::Builder::application).

use super::AnyApplication;
use super::playback::PlaybackCounters;
use super::source::Site;
use crate::units::{Span, Time};

/// The present write of an application, and the instant of its next call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Data that it writes.
    pub write: Write,
    /// The instant of the next call, even if no segment arrives; an instant that is not later than
    /// now does not count.
    pub next: Time,
}

/// Data that an application writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    /// A number of bytes, perhaps zero.
    Bytes(u64),
    /// Data without end. Until an instant that it has named it is not called again.
    Forever,
}

impl Offer {
    /// No data; the application waits for a segment.
    pub const NOTHING: Self = Self::bytes(0);

    /// `bytes`; the application waits for a segment.
    pub const fn bytes(bytes: u64) -> Self {
        Self { write: Write::Bytes(bytes), next: Time::MAX }
    }

    /// The same data, with another call at `next`.
    #[must_use]
    pub const fn and_again_at(self, next: Time) -> Self {
        Self { next, ..self }
    }
}

/// Counters of the blocks of one application; each block is a write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockCounters {
    /// Writes that have returned: their last byte is in the send buffer.
    pub written: u64,
    /// Bytes of these writes.
    pub bytes: u64,
    /// Writes that have begun, or wait for one that has, and have not returned.
    pub waiting: u64,
    /// Periods whose block was skipped.
    pub missed: u64,
}

/// Pages of one application, in the order in which they were loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageCounters {
    /// Load time of each page.
    pub loads: Vec<Span>,
    /// Objects that were requested, apart from the HTML.
    pub objects_asked: u64,
}

/// An application at one end of a TCP connection.
pub trait Application: std::fmt::Debug {
    /// Its write at `now`, when `acked` of the bytes that it has written are acknowledged.
    fn poll(&mut self, now: Time, acked: u64) -> Offer;

    /// True if all that it will ever write has been acknowledged: its transfer is finished.
    fn is_through(&self, _acked: u64) -> bool {
        false
    }

    /// Notes that so many bytes of the other end have arrived in order and are read. Called before
    /// `poll`.
    fn on_delivered(&mut self, _now: Time, _delivered: u64) {}

    /// The instant at which the request was written whose response has just arrived, if one has;
    /// returned once.
    fn take_completed(&mut self) -> Option<Time> {
        None
    }

    /// True if another connection of its flow has left it something to do: it is called at once.
    fn is_wanted(&self) -> bool {
        false
    }

    /// Bytes that count as written when its flow stops, of an offer that stood for later writes.
    /// `taken` of the bytes offered are then in the finite send buffer or before it, or without a
    /// finite buffer have been sent. `None`: all that it has offered.
    fn written_at_stop(&self, _taken: u64) -> Option<u64> {
        None
    }

    /// Counters of its blocks, if it counts them. `taken` of the bytes offered are in the finite
    /// send buffer or before it, or without a finite buffer have been sent.
    fn blocks(&self, _taken: u64) -> Option<BlockCounters> {
        None
    }

    /// Counters of its pages, if it loads pages.
    fn pages(&self) -> Option<PageCounters> {
        None
    }

    /// Counters of its playback, if it plays video.
    fn playback(&self) -> Option<PlaybackCounters> {
        None
    }
}

/// The parameters of an application in a scenario.
pub trait Writes {
    /// Type of the application.
    type Application: Application
    where
        Self: Sized;

    /// Makes the application before its flow starts.
    fn application(&self, site: &Site<'_>) -> Self::Application
    where
        Self: Sized;

    /// Time for which it writes, if that is given.
    fn lasts(&self) -> Option<Span> {
        None
    }

    /// True if the other end writes, too, and response times are counted.
    fn has_responses(&self) -> bool {
        false
    }

    /// Makes the application at the other end, if there is one.
    fn responder(&self, _site: &Site<'_>) -> Option<AnyApplication> {
        None
    }
}
