//! State of the path of a connection, which it has from another or leaves to it.

use super::Connection;
use crate::tcp::congestion::Congestion;
use crate::tcp::path_state::PathState;

impl<R: Congestion> Connection<R> {
    /// The present state of its path.
    pub fn path_state(&self) -> PathState {
        self.sender.path_state()
    }

    /// Begins with this state of the path. Must be called before data are sent.
    pub fn resume(&mut self, state: &PathState) {
        self.sender.resume(state);
    }

    /// Reduces cwnd to at most so many bytes, and at least a segment.
    pub fn limit_cwnd(&mut self, bytes: u64) {
        self.sender.limit_cwnd(bytes);
    }
}
