//! Repairs of losses: cwnd before one, and what is restored if its losses were none (sections
//! 5.5.11 and 5.6.4.4 of the draft).

use super::long_term::LongTerm;
use super::short_term::{ShortTerm, UNLIMITED};
use super::state::State;

/// The present repair, and the latest one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Repair {
    /// `BBR.undo_state`: the state that its losses have ended.
    pub(super) ended: Option<State>,
    /// `BBR.prior_cwnd`: cwnd before a repair or `ProbeRTT`.
    pub(super) prior_cwnd: u64,
    pub(super) is_under_way: bool,
    /// Bytes delivered at the start of a repair that no timeout began.
    fast_since: Option<u64>,
    /// Bounds before it.
    bandwidth: f64,
    short: u64,
    long: u64,
}

impl Default for Repair {
    fn default() -> Self {
        Self {
            ended: None,
            prior_cwnd: 0,
            is_under_way: false,
            fast_since: None,
            bandwidth: f64::INFINITY,
            short: UNLIMITED,
            long: UNLIMITED,
        }
    }
}

impl Repair {
    /// Saves cwnd; one that a repair or `ProbeRTT` has lowered does not count.
    pub(super) fn save_cwnd(&mut self, cwnd: u64, state: State) {
        let is_lowered = self.is_under_way || state == State::ProbeRtt;
        let least = if is_lowered { self.prior_cwnd } else { 0 };
        self.prior_cwnd = cwnd.max(least);
    }

    /// Begins, unless it is under way, with the bounds of now.
    pub(super) fn begin(&mut self, cwnd: u64, state: State, short: &ShortTerm, long: &LongTerm) {
        if self.is_under_way {
            return;
        }
        self.save_cwnd(cwnd, state);
        (self.ended, self.is_under_way) = (None, true);
        (self.bandwidth, self.short, self.long) = (short.bandwidth, short.inflight, long.inflight);
    }

    /// Notes that no timeout began it.
    pub(super) fn is_fast(&mut self, delivered: u64) {
        self.fast_since = Some(delivered);
    }

    /// Notes a timeout in it.
    pub(super) fn time_out(&mut self) {
        self.fast_since = None;
    }

    /// True if it has lasted for a round without a timeout, at the ACK of data sent after so many
    /// bytes were delivered.
    pub(super) fn has_lasted(&self, prior_delivered: Option<u64>) -> bool {
        self.fast_since.zip(prior_delivered).is_some_and(|(since, prior)| since <= prior)
    }

    /// Ends it.
    pub(super) fn end(&mut self) {
        (self.is_under_way, self.fast_since) = (false, None);
    }

    /// Lifts the bounds to what they were, and returns the state that its losses have ended.
    pub(super) fn take_back(
        &mut self,
        short: &mut ShortTerm,
        long: &mut LongTerm,
    ) -> Option<State> {
        self.end();
        short.bandwidth = short.bandwidth.max(self.bandwidth);
        short.inflight = short.inflight.max(self.short);
        long.inflight = long.inflight.max(self.long);
        self.ended.take()
    }
}
