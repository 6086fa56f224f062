//! Detection of losses in the log of what was sent. **Detection finds losses; it sends nothing and
//! sets no window, and it names instants, while the sender owns all timers.**
//!
//! A detection is a file here with its `mod` line and its line in the list below.

mod rack;
mod tail_probe;
mod thresholds;

use super::flight::Flight;
use super::outstanding::Delivered;
use crate::engine::delegate;
use crate::units::{Span, Time};
use rack::Rack;
use thresholds::Thresholds;

/// Facts about the sender that a detection may need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Situation {
    pub(super) now: Time,
    /// The smoothed round trip.
    pub(super) srtt: Option<Span>,
    /// True while losses are repaired.
    pub(super) is_recovering: bool,
    /// Expiry of the retransmission timer.
    pub(super) rto: Time,
    /// Bytes of a full segment.
    pub(super) mss: u64,
}

/// The answer to an instant that a detection has named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    /// Nothing is to be done.
    Nothing,
    /// So many bytes are lost.
    Lost(u64),
    /// A tail loss probe is to be sent.
    Probe,
}

/// A way to find losses.
pub(super) trait LossDetection {
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

/// Choice of a detection, by the rule of congestion control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DetectionPlan {
    /// Duplicate thresholds of RFC 6675.
    Thresholds,
    /// Send times, RFC 8985.
    Rack {
        /// True for tail loss probes.
        tail_probe: bool,
    },
}

/// The detection of one sender.
#[derive(Clone, Debug)]
pub(super) enum Detection {
    Thresholds(Thresholds),
    Rack(Rack),
}

impl Detection {
    /// Makes a detection; a receiver delays ACKs by at most `ack_delay`.
    pub(super) fn new(plan: DetectionPlan, ack_delay: Span) -> Self {
        match plan {
            DetectionPlan::Thresholds => Self::Thresholds(Thresholds),
            DetectionPlan::Rack { tail_probe } => {
                Self::Rack(Rack::new(tail_probe.then_some(ack_delay)))
            }
        }
    }
}

impl LossDetection for Detection {
    delegate! { [Thresholds, Rack]
        fn on_sent(&mut self, situation: &Situation, start: u64, end: u64, flight: &Flight);
        fn on_ack(&mut self, at: &Situation, delivered: &mut Delivered, flight: &mut Flight);
        fn on_reordering(&mut self);
        fn next(&self) -> Time;
        fn on_timer(&mut self, situation: &Situation, flight: &mut Flight) -> Due;
        fn on_timeout(&mut self, situation: &Situation, flight: &mut Flight);
    }
}
