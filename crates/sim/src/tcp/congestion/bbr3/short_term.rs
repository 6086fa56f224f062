//! Short-term model: bounds of rate and volume that follow from losses outside probes, until the
//! next probe begins (section 5.5.10.3 of the draft).

use super::BETA;
use super::sample::Sample;

/// No bound of a volume.
pub(super) const UNLIMITED: u64 = u64::MAX;

/// Bounds, and the deliveries of the latest round that they follow.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShortTerm {
    /// `BBR.bw_shortterm`, bit/s; infinite for no bound.
    pub(super) bandwidth: f64,
    /// `BBR.inflight_shortterm`.
    pub(super) inflight: u64,
    /// `BBR.bw_latest`.
    latest_rate: f64,
    /// `BBR.inflight_latest`.
    pub(super) latest_delivered: u64,
    /// `BBR.loss_round_delivered`.
    round_ends: u64,
    /// `BBR.loss_round_start`: the present ACK ends a round.
    pub(super) is_round_start: bool,
    /// `BBR.is_loss_in_round`.
    pub(super) is_loss_in_round: bool,
}

impl Default for ShortTerm {
    fn default() -> Self {
        Self {
            bandwidth: f64::INFINITY,
            inflight: UNLIMITED,
            latest_rate: 0.0,
            latest_delivered: 0,
            round_ends: 0,
            is_round_start: false,
            is_loss_in_round: false,
        }
    }
}

impl ShortTerm {
    /// Lifts the bounds.
    pub(super) fn lift(&mut self) {
        (self.bandwidth, self.inflight) = (f64::INFINITY, UNLIMITED);
    }

    /// Forgets signals of congestion: `ResetCongestionSignals`.
    pub(super) fn forget_signals(&mut self) {
        (self.is_loss_in_round, self.latest_rate, self.latest_delivered) = (false, 0.0, 0);
    }

    /// Notes a loss, after `total` bytes are delivered.
    pub(super) fn on_loss(&mut self, total: u64) {
        if !self.is_loss_in_round {
            self.round_ends = total;
        }
        self.is_loss_in_round = true;
    }

    /// Takes the delivery of an ACK, first of all.
    pub(super) fn on_ack(&mut self, sample: &Sample) {
        self.latest_rate = self.latest_rate.max(sample.rate);
        self.latest_delivered = self.latest_delivered.max(sample.delivered);
        self.is_round_start = sample.prior_delivered.is_some_and(|prior| prior >= self.round_ends);
        if self.is_round_start {
            self.round_ends = sample.total;
        }
    }

    /// Lowers the bounds to the delivery of a round with losses, to no less than beta of each.
    pub(super) fn adapt(&mut self, max_bandwidth: f64, cwnd: u64) {
        let bandwidth = if self.bandwidth.is_finite() { self.bandwidth } else { max_bandwidth };
        let inflight = if self.inflight == UNLIMITED { cwnd } else { self.inflight };
        self.bandwidth = self.latest_rate.max(BETA * bandwidth);
        self.inflight = self.latest_delivered.max((BETA * inflight as f64) as u64);
    }

    /// Begins to measure the next round, last of all.
    pub(super) fn advance(&mut self, sample: &Sample) {
        if self.is_round_start {
            (self.latest_rate, self.latest_delivered) = (sample.rate, sample.delivered);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::congestion::bbr3::tests::sample;

    /// Bounds follow what is delivered, and keep 0.7 of themselves in a round.
    #[test]
    fn a_round_with_losses_lowers_both_bounds_to_its_delivery() {
        let mut short = ShortTerm::default();
        short.on_loss(0);
        short.on_ack(&Sample { rate: 9e6, delivered: 45_000, prior_delivered: None, ..sample() });
        assert!(!short.is_round_start);
        let end = Sample { rate: 8e6, delivered: 40_000, prior_delivered: Some(0), ..sample() };
        short.on_ack(&end);
        assert!(short.is_round_start);
        short.adapt(10e6, 100_000);
        assert_eq!((short.bandwidth, short.inflight), (9e6, 70_000));
        short.advance(&end);
        short.adapt(10e6, 100_000);
        assert_eq!((short.bandwidth, short.inflight), (8e6, 49_000));
        short.forget_signals();
        short.adapt(10e6, 100_000);
        assert_eq!((short.bandwidth, short.inflight), (0.7 * 8e6, 34_300));
        short.lift();
        assert_eq!((short.bandwidth, short.inflight), (f64::INFINITY, UNLIMITED));
    }
}
