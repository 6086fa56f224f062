//! Reno's law: cwnd grows by a segment per window in avoidance, and congestion halves the flight
//! (Jacobson 1988; RFC 5681 §3.1).
//!
//! Parameter: `avoidance`, the increment per ACK. An ACK counts once, however much it acknowledges.

use super::law::{Congested, InRecovery, Law};
use super::{Ack, Window};
use crate::language::part::prelude::*;

variants! {
    /// Growth per ACK in congestion avoidance.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Avoidance {
        /// MSS·MSS/cwnd per ACK.
        Standard = "standard",
        /// 4.3BSD Reno's further MSS/8 per ACK.
        BsdExtra = "bsd_extra",
    }
}

/// Additive increase, multiplicative decrease.
#[derive(Clone, Copy, Debug)]
pub(super) struct Additive {
    avoidance: Avoidance,
}

impl Additive {
    pub(super) fn new(avoidance: Avoidance) -> Self {
        Self { avoidance }
    }

    fn increment(self, window: &Window) -> u64 {
        let mss = window.mss();
        // RFC 5681 §3.1: SMSS·SMSS/cwnd, and 1 byte where that rounds to 0.
        let standard = (mss * mss / window.cwnd()).max(1);
        match self.avoidance {
            Avoidance::Standard => standard,
            Avoidance::BsdExtra => standard + mss / 8,
        }
    }
}

impl Law for Additive {
    #[inline]
    fn avoid(&mut self, ack: &mut Ack<'_>) {
        ack.window.open(self.increment(ack.window));
    }

    fn left_of(&self, bytes: u64) -> u64 {
        bytes / 2
    }

    fn on_congestion(&mut self, congested: &mut Congested<'_>) -> InRecovery {
        congested.window.halve_flight(congested.flight);
        InRecovery::Rule
    }
}
