//! State of the path that a sender has from another, or leaves to it.

use super::Sender;
use crate::tcp::congestion::Congestion;
use crate::tcp::path_state::PathState;

impl<R: Congestion> Sender<R> {
    pub(in crate::tcp) fn path_state(&self) -> PathState {
        let (cwnd, ssthresh) = (self.window.cwnd(), self.window.ssthresh());
        PathState { cwnd, ssthresh, round_trip: self.timer.estimate() }
    }

    pub(in crate::tcp) fn resume(&mut self, state: &PathState) {
        self.window.set_cwnd(state.cwnd);
        self.window.set_ssthresh(state.ssthresh);
        if let Some(round_trip) = state.round_trip {
            self.srtt = Some(round_trip.smoothed);
            self.timer.resume(round_trip);
        }
    }

    pub(in crate::tcp) fn limit_cwnd(&mut self, bytes: u64) {
        self.window.restart(bytes.max(self.mss), 0);
    }
}
