//! Aggregation of ACKs: bytes acknowledged beyond what the bandwidth lets one expect, the maximum
//! of ten rounds, or of one in Startup (section 5.5.9 of the draft).

use super::sample::Sample;
use crate::tcp::congestion::filters::WindowedMax;
use crate::units::Time;

const ROUNDS: u64 = 10;

/// Estimate of `BBR.extra_acked`.
#[derive(Clone, Debug, Default)]
pub(super) struct Aggregation {
    since: Time,
    /// Bytes acknowledged since then.
    acked: u64,
    filter: WindowedMax,
}

impl Aggregation {
    /// Begins an interval.
    pub(super) fn restart(&mut self, now: Time) {
        self.since = now;
    }

    /// Takes an ACK in a round.
    pub(super) fn on_ack(&mut self, sample: &Sample, bandwidth: f64, round: u64, is_filled: bool) {
        let mut expected = bandwidth * (sample.now - self.since).seconds_f64() / 8.0;
        if self.acked as f64 <= expected {
            (self.since, self.acked, expected) = (sample.now, 0, 0.0);
        }
        self.acked += sample.bytes;
        let extra = (self.acked as f64 - expected).min(sample.cwnd as f64);
        self.filter.update(round, extra, if is_filled { ROUNDS } else { 1 });
    }

    /// `BBR.extra_acked`.
    pub(super) fn extra(&self) -> u64 {
        self.filter.max() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::congestion::bbr3::tests::sample;
    use crate::units::Span;

    /// At 8 Mbit/s 10 ms bring 10 000 bytes: the surplus of a burst counts for ten rounds.
    #[test]
    fn a_burst_of_acks_counts_beyond_the_rate() {
        let mut aggregation = Aggregation::default();
        let at = |ms, bytes| {
            let now = Time::ZERO + Span::from_milliseconds(ms);
            Sample { now, bytes, cwnd: 100_000, ..sample() }
        };
        aggregation.on_ack(&at(10, 2000), 8e6, 1, true);
        assert_eq!(aggregation.extra(), 2000);
        aggregation.on_ack(&at(11, 9000), 8e6, 1, true);
        assert_eq!(aggregation.extra(), 10_000);
        aggregation.on_ack(&at(40, 1000), 8e6, 10, true);
        assert_eq!(aggregation.extra(), 10_000);
        aggregation.on_ack(&at(50, 1000), 8e6, 11, true);
        assert_eq!(aggregation.extra(), 1000);
    }
}
