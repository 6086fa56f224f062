//! Detection of losses in the log of what was sent. **Detection finds losses; it sends nothing and
//! sets no window, and it names instants, while the sender owns all timers.**
//!
//! A detection is a file here with its `mod` line, a line in each list below, and those
//! [hooks](LossDetection) that it needs.

mod hooks;
mod rack;
mod tail_probe;
mod thresholds;

use super::flight::Flight;
use super::outstanding::Delivered;
use crate::engine::delegate;
use crate::units::{Span, Time};
pub(super) use hooks::{Due, LossDetection, Situation};
use rack::Rack;
use thresholds::Thresholds;

/// Choice of a detection, by the rule of congestion control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DetectionPlan {
    /// Duplicate thresholds of RFC 6675.
    Thresholds,
    /// Send times, RFC 8985.
    Rack {
        /// True for tail loss probes.
        tail_probe: bool,
        /// `TLP.max_ack_delay`, if it is not the delay of ACKs of the timers.
        max_ack_delay: Option<Span>,
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
            DetectionPlan::Rack { tail_probe, max_ack_delay } => {
                let ack_delay = max_ack_delay.unwrap_or(ack_delay);
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
