//! Events of a rule of congestion control: one value per event, so that a fact which a new rule
//! needs is added here and no other rule changes.

use super::{Delivered, Flight, Loss, Window};
use crate::units::{Span, Time};

/// An acknowledgement: of new data, or a duplicate.
#[derive(Debug)]
pub struct Ack<'a> {
    /// The instant of its arrival.
    pub now: Time,
    /// The round trip that it completes. One segment is timed at a time, and none that was sent
    /// twice (Karn and Partridge 1987).
    pub rtt: Option<Span>,
    /// The round trip of the last segment that it is the first to acknowledge, unless that was sent
    /// twice, if the law [asks for it](super::LawNeeds::round_trips) or `hystart` does.
    pub latest_rtt: Option<Span>,
    /// The smoothed round trip after it (RFC 6298 §2), exact whatever the timers see.
    pub srtt: Option<Span>,
    /// Bytes that its number is the first to acknowledge; zero for a duplicate.
    pub acked: u64,
    /// Bytes that its blocks are the first to report beyond its number.
    pub sacked: u64,
    /// Bytes written and not sent that the receiver's window has room for.
    pub unsent: u64,
    /// Facts of the log, if the rule has one.
    pub report: Option<&'a Delivered>,
    /// The receiver has seen a congestion mark (RFC 3168 §6.1.2).
    pub ecn_echo: bool,
    /// Bytes of those it delivers that were marked, as far as the echo tells: under the classic one
    /// all, until the receiver has seen CWR.
    pub marked: u64,
    /// Grant of routers that its congestion header returns, if it has one: bytes by which the
    /// window may change (XCP), or bit/s of data, zero for none (RCP). Infinite where no router has
    /// lowered it.
    pub grant: Option<f32>,
    /// The flight after it.
    pub flight: &'a Flight,
    /// The window of the rule.
    pub window: &'a mut Window,
}

/// A segment that detection counts as lost.
#[derive(Clone, Copy, Debug)]
pub struct Lost<'a> {
    /// The instant at which that is found.
    pub now: Time,
    /// The segment.
    pub loss: &'a Loss,
    /// Bytes delivered so far.
    pub delivered: u64,
    /// The window, not yet reduced.
    pub window: &'a Window,
}

/// An expiry of the retransmission timer.
#[derive(Debug)]
pub struct Timeout<'a> {
    /// The instant of the expiry.
    pub now: Time,
    /// The flight at the expiry.
    pub flight: &'a Flight,
    /// The window of the rule.
    pub window: &'a mut Window,
}

/// The instant that a rule has asked for, or at which a timer has found losses.
#[derive(Debug)]
pub struct WakeUp<'a> {
    /// The instant itself.
    pub now: Time,
    /// Bytes found lost.
    pub lost: u64,
    /// The flight.
    pub flight: &'a Flight,
    /// The window of the rule.
    pub window: &'a mut Window,
}

/// A segment that is sent.
#[derive(Clone, Copy, Debug)]
pub struct Transmission<'a> {
    /// The instant at which it is sent.
    pub now: Time,
    /// Its first sequence number.
    pub start: u64,
    /// The sequence number after it.
    pub end: u64,
    /// The flight before it.
    pub flight: &'a Flight,
}

#[cfg(test)]
impl<'a> Ack<'a> {
    /// Makes an ACK for tests: nothing is timed, reported or marked.
    pub(super) fn of_test(
        now: Time,
        acked: u64,
        flight: &'a Flight,
        window: &'a mut Window,
    ) -> Self {
        Self {
            now,
            rtt: None,
            latest_rtt: None,
            srtt: None,
            acked,
            sacked: 0,
            unsent: 0,
            report: None,
            ecn_echo: false,
            marked: 0,
            grant: None,
            flight,
            window,
        }
    }
}
