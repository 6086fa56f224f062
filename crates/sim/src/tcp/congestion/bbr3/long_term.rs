//! Long-term bound of the volume in flight: `BBR.inflight_longterm`, set where a probe lost too
//! much, and raised by later probes, in each round by twice as many segments as in the one before
//! (sections 5.3.3.6 and 5.5.10.2 of the draft).

use super::sample::Sample;
use super::short_term::UNLIMITED;
use crate::tcp::congestion::Loss;

/// Tolerated part of the flight that is lost: `BBR.LossThresh`.
const LOSS_THRESHOLD: f64 = 0.02;
/// Part of the bound that is left to others: `BBR.Headroom`.
const HEADROOM: f64 = 0.15;
const MAX_DOUBLINGS: u32 = 30;

/// The bound and its growth.
#[derive(Clone, Copy, Debug)]
pub(super) struct LongTerm {
    /// `BBR.inflight_longterm`.
    pub(super) inflight: u64,
    /// `BBR.bw_probe_up_acked`.
    acked: u64,
    /// `BBR.probe_up_acked_per_inc`.
    acked_per_segment: u64,
    /// `BBR.bw_probe_up_rounds`.
    rounds: u32,
}

impl Default for LongTerm {
    fn default() -> Self {
        Self { inflight: UNLIMITED, acked: 0, acked_per_segment: UNLIMITED, rounds: 0 }
    }
}

impl LongTerm {
    /// The bound without its headroom.
    pub(super) fn with_headroom(&self, mss: u64, least: u64) -> u64 {
        if self.inflight == UNLIMITED {
            return UNLIMITED;
        }
        let headroom = ((HEADROOM * self.inflight as f64) as u64).max(mss);
        self.inflight.saturating_sub(headroom).max(least)
    }

    /// Ends the growth.
    pub(super) fn hold(&mut self) {
        self.acked_per_segment = UNLIMITED;
    }

    /// Prepares the growth of the next probe.
    pub(super) fn prepare(&mut self) {
        (self.acked, self.rounds) = (0, 0);
    }

    /// Doubles the growth: `RaiseInflightLongtermSlope`.
    pub(super) fn steepen(&mut self, cwnd: u64, mss: u64) {
        self.acked_per_segment = (cwnd >> self.rounds).max(mss);
        self.rounds = (self.rounds + 1).min(MAX_DOUBLINGS);
    }

    /// Raises the bound to a flight that arrived, if losses were few.
    pub(super) fn raise_to(&mut self, sent_in_flight: u64) {
        self.inflight = self.inflight.max(sent_in_flight);
    }

    /// Raises the bound in `ProbeBW_UP` for an ACK, if it limits the flight.
    pub(super) fn probe(&mut self, sample: &Sample, is_round_start: bool) {
        if !sample.is_cwnd_limited || sample.cwnd < self.inflight {
            return;
        }
        self.acked += sample.bytes;
        self.inflight += self.acked / self.acked_per_segment * sample.mss;
        self.acked %= self.acked_per_segment;
        if is_round_start {
            self.steepen(sample.cwnd, sample.mss);
        }
    }
}

/// True if so many bytes of a flight are too many to lose: `IsInflightTooHigh`.
pub(super) fn is_too_high(lost: u64, sent_in_flight: u64) -> bool {
    lost as f64 > LOSS_THRESHOLD * sent_in_flight as f64
}

/// Volume in flight at which the losses crossed the threshold: `InflightAtLoss`.
pub(super) fn inflight_at(loss: &Loss) -> u64 {
    let size = loss.end - loss.start;
    let before = loss.sent_in_flight.saturating_sub(size) as f64;
    let lost_before = (loss.lost - size) as f64;
    let part = (LOSS_THRESHOLD * before - lost_before) / (1.0 - LOSS_THRESHOLD);
    (before + part.max(0.0)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::congestion::bbr3::tests::sample;

    /// Growth of 1, 2, 4 segments in successive rounds, spread over each.
    #[test]
    fn the_bound_grows_by_doubling_steps_while_it_limits_the_flight() {
        let mut long = LongTerm { inflight: 40_000, ..LongTerm::default() };
        long.steepen(40_000, 1000);
        let mut grown = Vec::new();
        for _ in 0..3 {
            let before = long.inflight;
            for ack in 1..=20 {
                let cwnd = long.inflight;
                let acked = Sample { is_cwnd_limited: true, cwnd, bytes: cwnd / 20, ..sample() };
                long.probe(&acked, ack == 20);
            }
            grown.push((long.inflight - before) / 1000);
        }
        assert_eq!(grown, [1, 2, 4]);
        let before = long.inflight;
        long.probe(&Sample { cwnd: before, bytes: 90_000, ..sample() }, true);
        assert_eq!(long.inflight, before);
    }

    #[test]
    fn headroom_is_fifteen_percent_and_a_segment_at_least() {
        let with =
            |inflight| LongTerm { inflight, ..LongTerm::default() }.with_headroom(1000, 4000);
        assert_eq!([40_000, 6000, 4500].map(with), [34_000, 5000, 4000]);
        assert_eq!(with(UNLIMITED), UNLIMITED);
    }

    /// Two per cent of the flight, and the part of the segment that crosses them: of 60 segments in
    /// flight before, with one of them lost, 1.2 − 1 of the next one may be lost.
    #[test]
    fn the_bound_is_where_losses_crossed_two_per_cent() {
        assert!(!is_too_high(1000, 50_000) && is_too_high(1001, 50_000));
        let loss = Loss {
            start: 0,
            end: 1000,
            sent_in_flight: 61_000,
            lost: 2000,
            prior_delivered: 0,
            is_app_limited: false,
        };
        let expected = 60_000.0 + (0.02 * 60_000.0 - 1000.0) / 0.98;
        assert_eq!(inflight_at(&loss), expected as u64);
        assert_eq!(inflight_at(&Loss { lost: 9000, ..loss }), 60_000);
    }
}
