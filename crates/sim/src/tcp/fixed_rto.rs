//! A fixed retransmission timeout, as papers assume it: a constant, or a multiple of the round trip
//! (Shakkottai et al. 2001, footnote 3: "we modified TCP code so that the RTO was fixed at two
//! times the RTT").
//!
//! There is no minimum and no variance, and expiries do not double it. The paper does not say
//! whether its round trip is that of the path or the measured one, so both are available; the
//! measured one is SRTT of RFC 6298 §2.3, with alpha = 1/8. A stock kernel can be set to neither.

use super::clocks::{FixedRto, FixedTimers};
use super::path_state::Estimate;
use crate::units::Span;

/// The timeout, and the mean round trip of which it may be a multiple.
#[derive(Clone, Debug)]
pub(super) struct FixedEstimator {
    timers: FixedTimers,
    srtt: Option<Span>,
}

impl FixedEstimator {
    /// Makes an estimator without samples.
    pub(super) const fn new(timers: FixedTimers) -> Self {
        Self { timers, srtt: None }
    }

    /// The mean round trip so far, without a deviation.
    pub(super) fn estimate(&self) -> Option<Estimate> {
        self.srtt.map(|smoothed| Estimate { smoothed, deviation: Span::ZERO })
    }

    /// Takes a measured round trip.
    pub(super) fn on_sample(&mut self, rtt: Span) {
        self.srtt = Some(self.srtt.map_or(rtt, |srtt| srtt + (rtt - srtt) / 8));
    }

    /// The timeout after any number of expiries.
    pub(super) fn rto(&self) -> Span {
        match (self.timers.rto, self.srtt) {
            (FixedRto::RoundTrips(trips), Some(srtt)) => {
                let rto = srtt.picoseconds().saturating_mul(trips as i64);
                Span::from_picoseconds(rto.min(Span::LONGEST.picoseconds()))
            }
            _ => self.timers.first_rto(),
        }
    }
}
