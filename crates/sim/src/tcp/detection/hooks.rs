//! The interface of a detection of losses.

use crate::tcp::flight::Flight;
use crate::tcp::outstanding::Delivered;
use crate::units::{Span, Time};

/// Facts about the sender that a detection may need.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Situation {
    pub(in crate::tcp) now: Time,
    /// The smoothed round trip.
    pub(in crate::tcp) srtt: Option<Span>,
    /// True while losses are repaired.
    pub(in crate::tcp) is_recovering: bool,
    /// Expiry of the retransmission timer.
    pub(in crate::tcp) rto: Time,
    /// Bytes of a full segment.
    pub(in crate::tcp) mss: u64,
}

/// The answer to an instant that a detection has named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tcp) enum Due {
    /// Nothing is to be done.
    Nothing,
    /// So many bytes are lost.
    Lost(u64),
    /// A tail loss probe is to be sent.
    Probe,
}

/// A way to find losses.
pub(in crate::tcp) trait LossDetection {
    /// Notes that the bytes from `start` to `end` are sent.
    fn on_sent(&mut self, _situation: &Situation, _start: u64, _end: u64, _flight: &Flight) {}

    /// Takes an ACK, and marks segments that are lost.
    fn on_ack(&mut self, situation: &Situation, delivered: &mut Delivered, flight: &mut Flight);

    /// Notes that segments which it had found lost were overtaken.
    fn on_reordering(&mut self) {}

    /// The next instant at which it is called; [`Time::MAX`] for none.
    fn next(&self) -> Time {
        Time::MAX
    }

    /// Takes that instant, and marks segments that are lost.
    fn on_timer(&mut self, _situation: &Situation, _flight: &mut Flight) -> Due {
        Due::Nothing
    }

    /// Marks segments that are lost when the retransmission timer has expired.
    fn on_timeout(&mut self, situation: &Situation, flight: &mut Flight);
}
