//! Laws of the window: its growth in avoidance, and its reduction at congestion. The
//! [rule](super::Congestion) detects and repairs losses; the rules of RFCs work under every law.
//!
//! A law is a file here, its `mod` line and its line in the list `laws!` of `laws.rs`, among those
//! without parameters or with them. A law from outside implements [`Law`] and is given to
//! [`Builder::law`](crate::Builder::law); `examples/own_law.rs` has one.

use super::{Ack, Flight, Lost, Timeout, Transmission, Window};
use crate::engine::Stream;
use crate::units::{Rate, Span};

/// Facts and services that a law asks for, before the connection opens.
#[expect(clippy::struct_excessive_bools, reason = "each is asked for alone")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LawNeeds {
    /// [`Ack::latest_rtt`] with every ACK of new data.
    pub round_trips: bool,
    /// [`Ack::report`]: bytes delivered and lost, samples of the delivery rate. Only the rules
    /// `rack` and `thresholds` keep the log that it comes from.
    pub samples: bool,
    /// [`Law::on_lost`] with every segment found lost, under a rule that keeps the log.
    pub losses: bool,
    /// Segments leave at the rate of [`Law::pace`].
    pub pacing: bool,
    /// Segments leave in bursts at that rate, as in Linux.
    pub bursts: bool,
    /// A random stream, by [`Law::seed`].
    pub random: bool,
}

/// The part that opens the window for an ACK of new data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// Slow start below ssthresh, and [`Law::avoid`] above it.
    Standard,
    /// The law, which has set the window, or leaves it.
    Done,
}

/// The part that sets cwnd while losses are repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InRecovery {
    /// The rule, which leads cwnd to the ssthresh that the law has set.
    Rule,
    /// The law, at every ACK.
    Law,
}

/// Cause of a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A loss that ACKs have shown.
    Loss,
    /// The echo of a congestion mark.
    Mark,
    /// An expiry of the retransmission timer.
    Timeout,
}

/// Congestion: at most once in a window of data.
#[derive(Debug)]
pub struct Congested<'a> {
    /// Its cause.
    pub cause: Cause,
    /// Bytes of the window that is to be reduced: those in flight, without limited transmit, or
    /// cwnd.
    pub bytes: u64,
    /// The flight.
    pub flight: &'a Flight,
    /// The window of the law.
    pub window: &'a mut Window,
}

/// A value of a law's state, recorded as the series `FLOW.law.NAME`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LawValue {
    /// Last part of the name.
    pub name: &'static str,
    /// Unit that plots show, such as `bit/s`, `B`, `s`; `1` for a ratio or a number of a state.
    pub unit: &'static str,
}

/// A law of the window: its growth and its reduction. Losses are found and repaired without it.
pub trait Law: std::fmt::Debug {
    /// Facts and services that it asks for.
    fn needs(&self) -> LawNeeds {
        LawNeeds::default()
    }

    /// Takes its random stream.
    fn seed(&mut self, _random: Stream) {}

    /// Leaves it to the rule to let the window open only where cwnd limits the flight.
    fn leave_validation(&mut self) {}

    /// Takes an ACK outside recovery; under a rule with a log also one that only reports.
    #[inline]
    fn on_ack(&mut self, _ack: &mut Ack<'_>) -> Opening {
        Opening::Standard
    }

    /// Takes an ACK while losses are repaired, under a rule with a log.
    fn on_ack_in_recovery(&mut self, _ack: &mut Ack<'_>) {}

    /// Takes a segment found lost, if it [asks for it](LawNeeds::losses): before the ACK that shows
    /// the loss, before the congestion or timeout that follows from it.
    fn on_lost(&mut self, _lost: &Lost<'_>) {}

    /// Opens the window for an ACK of new data in congestion avoidance.
    fn avoid(&mut self, _ack: &mut Ack<'_>) {}

    /// ssthresh after congestion with this number of bytes in flight. The sender calls it only for
    /// a timeout in a recovery; [`on_congestion`](Self::on_congestion) decides otherwise.
    fn left_of(&self, bytes: u64) -> u64;

    /// Sets ssthresh at congestion; the answer says who sets cwnd until the losses are repaired.
    fn on_congestion(&mut self, congested: &mut Congested<'_>) -> InRecovery;

    /// Takes an expiry of the retransmission timer, after ssthresh is set; the answer says who sets
    /// cwnd.
    fn on_timeout(&mut self, _timeout: &mut Timeout<'_>) -> InRecovery {
        InRecovery::Rule
    }

    /// Notes that all losses are repaired of which it set the window itself, or that a timeout has
    /// found.
    fn on_recovered(&mut self, _window: &mut Window) {}

    /// Takes back the latest reduction: the loss was none. cwnd and ssthresh are those before it.
    fn undo(&mut self) {}

    /// Notes that a segment is sent.
    #[inline]
    fn on_sent(&mut self, _sent: &Transmission<'_>) {}

    /// Rate at which segments leave, without headers; `None` for no pacing.
    fn pace(&self, _window: &Window, _srtt: Option<Span>) -> Option<Rate> {
        None
    }

    /// Values of its state that are recorded.
    fn values(&self) -> &'static [LawValue] {
        &[]
    }

    /// Value of `values()[index]`; `None` if there is none yet.
    fn value(&self, _index: usize) -> Option<f64> {
        None
    }
}
