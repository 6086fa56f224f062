//! Bounds before a repair, for losses that were none (section 5.5.11 of the draft).

use super::long_term::LongTerm;
use super::short_term::{ShortTerm, UNLIMITED};
use super::state::State;

/// Bounds when a repair began, and the state that its losses have ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Saved {
    /// `BBR.undo_state`.
    pub(super) state: Option<State>,
    bandwidth: f64,
    short: u64,
    long: u64,
}

impl Default for Saved {
    fn default() -> Self {
        Self { state: None, bandwidth: f64::INFINITY, short: UNLIMITED, long: UNLIMITED }
    }
}

impl Saved {
    /// Takes the bounds of now.
    pub(super) fn new(short: &ShortTerm, long: &LongTerm) -> Self {
        let (bandwidth, long) = (short.bandwidth, long.inflight);
        Self { state: None, bandwidth, short: short.inflight, long }
    }

    /// Lifts the bounds to what they were.
    pub(super) fn restore(&self, short: &mut ShortTerm, long: &mut LongTerm) {
        short.bandwidth = short.bandwidth.max(self.bandwidth);
        short.inflight = short.inflight.max(self.short);
        long.inflight = long.inflight.max(self.long);
    }
}
