//! Choices of a connection that its rule reads.

use super::{Avoidance, CongestionLaw};
use crate::tcp::readings::Readings;

/// The part of a configuration that a rule is made from.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Plan {
    pub(in crate::tcp) congestion: CongestionLaw,
    pub(in crate::tcp) avoidance: Avoidance,
    pub(in crate::tcp) fast_retransmit_guard: bool,
    /// ssthresh of the first slow start, if `HyStart++` may end it.
    pub(in crate::tcp) hystart_below: Option<u64>,
    pub(in crate::tcp) readings: Readings,
}

#[cfg(test)]
impl Default for Plan {
    fn default() -> Self {
        Self {
            congestion: CongestionLaw::Reno,
            avoidance: Avoidance::Standard,
            fast_retransmit_guard: false,
            hystart_below: None,
            readings: Readings::default(),
        }
    }
}
