//! Choices of a connection that its rule reads.

use super::law::Law;
use super::laws::AnyLaw;
use super::validation::Reduces;
use super::{Avoidance, CongestionLaw, FastRetransmitGuard};
use crate::tcp::readings::Readings;

/// The part of a configuration that a rule is made from.
#[derive(Clone, Copy)]
pub(in crate::tcp) struct Plan<'a> {
    pub(in crate::tcp) congestion: CongestionLaw,
    pub(in crate::tcp) avoidance: Avoidance,
    pub(in crate::tcp) fast_retransmit_guard: FastRetransmitGuard,
    /// ssthresh of the first slow start, if `HyStart++` may end it.
    pub(in crate::tcp) hystart_below: Option<u64>,
    /// True if segments are paced whatever the law.
    pub(in crate::tcp) pacing: bool,
    pub(in crate::tcp) readings: Readings,
    /// Constructor of a law from outside, in the place of `congestion`.
    pub(in crate::tcp) own_law: Option<&'a dyn Fn() -> Box<dyn Law>>,
}

impl Plan<'_> {
    /// Makes the law of the window.
    pub(super) fn law(&self) -> AnyLaw {
        let mut law = match self.own_law {
            Some(make) => AnyLaw::Own(make()),
            None => AnyLaw::new(self.congestion, self.avoidance),
        };
        if self.readings.reduces == Some(Reduces::Cwnd) {
            law.leave_validation();
        }
        law
    }
}

#[cfg(test)]
impl Default for Plan<'_> {
    fn default() -> Self {
        Self {
            congestion: CongestionLaw::Reno,
            avoidance: Avoidance::Standard,
            fast_retransmit_guard: FastRetransmitGuard::Never,
            hystart_below: None,
            pacing: false,
            readings: Readings::default(),
            own_law: None,
        }
    }
}
