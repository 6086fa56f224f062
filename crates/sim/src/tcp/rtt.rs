//! The two estimators of the retransmission timeout: 4.3BSD in slow ticks, and RFC 6298 in
//! picoseconds.
//!
//! The tick estimator is that of Net/3 (Stevens, TCP/IP Illustrated, volume 2, chapter 25): srtt is
//! kept times 8 and rttvar times 4, both in ticks, and every step is an integer operation, so its
//! roundings are the historical ones. Back-off multiplies first and clamps afterwards; hence a
//! short timeout below the minimum need not double at once.
//!
//! Data after a SYN that timed out start with 3 s if the first timeout is shorter (RFC 6298 §5.7);
//! with ticks, as in Net/3, they start with the backed-off timeout.

mod largest;

use super::path_state::Estimate;
use crate::units::Span;
use largest::Largest;

/// Timeout of data after a SYN that timed out (RFC 6298 §5.7).
const RTO_AFTER_LOST_SYN: Span = Span::from_seconds(3);

/// Limit of the back-off: multipliers are 1, 2, 4, … 64 and then constant.
const MAX_BACKOFF_SHIFT: u32 = 6;

/// Back-offs after which the tick estimator discards its mean: a quarter of the twelve that abort
/// (Net/3).
const BACKOFFS_TO_DISTRUST: u32 = 3;

/// srtt and rttvar of 4.3BSD, in slow ticks.
#[derive(Clone, Debug)]
pub(super) struct TickEstimator {
    /// Smoothed round-trip time, ticks · 8; zero: no sample yet.
    srtt: i64,
    /// Smoothed mean deviation, ticks · 4.
    rttvar: i64,
    initial: i64,
    min: i64,
    max: i64,
}

impl TickEstimator {
    /// An estimator without samples for ticks of `period`.
    pub(super) fn new(period: Span, min_rto: Span, max_rto: Span) -> Self {
        // Net/3: 6 s before any sample, but the deviation starts at 12 s: SYNs leave at 0, 6, 30,
        // 78 s.
        let initial = ticks_covering(Span::from_seconds(6), period);
        let min = ticks_covering(min_rto, period);
        Self {
            srtt: 0,
            rttvar: 2 * initial,
            initial,
            min,
            max: ticks_covering(max_rto, period).max(min),
        }
    }

    /// Takes a round trip during which `elapsed` ticks came.
    pub(super) fn on_sample(&mut self, elapsed: i64) {
        if self.srtt == 0 {
            // Net/3 counts from 1 when a segment is timed, and takes that 1 back only from the
            // second sample on.
            let counted = elapsed + 1;
            self.srtt = counted << 3;
            self.rttvar = counted << 1;
            return;
        }
        let delta = elapsed - (self.srtt >> 3);
        self.srtt = (self.srtt + delta).max(1);
        self.rttvar = (self.rttvar + delta.abs() - (self.rttvar >> 2)).max(1);
    }

    /// The mean and its deviation, in ticks of `period`; `None` without a sample.
    pub(super) fn estimate(&self, period: Span) -> Option<Estimate> {
        let [smoothed, deviation] = [period * self.srtt / 8, period * self.rttvar / 4];
        (self.srtt > 0).then_some(Estimate { smoothed, deviation })
    }

    /// Begins with the mean and the deviation of another timer.
    pub(super) fn resume(&mut self, estimate: Estimate, period: Span) {
        let ticks = |span: Span| (span.picoseconds() / period.picoseconds()).max(1);
        self.srtt = ticks(estimate.smoothed * 8);
        self.rttvar = ticks(estimate.deviation * 4);
    }

    /// Notes the `backoffs`-th expiry of the timer in a row.
    pub(super) fn on_back_off(&mut self, backoffs: u32) {
        if backoffs > BACKOFFS_TO_DISTRUST {
            // Net/3: srtt moves into the deviation, so the timeout stays and the next sample starts
            // afresh.
            self.rttvar += self.srtt >> 3;
            self.srtt = 0;
        }
    }

    /// Timeout of the persist timer in ticks, without its limits: `tcp_setpersist` of Net/3.
    pub(super) fn persist(&self, backoffs: u32) -> i64 {
        let base = ((self.srtt >> 2) + self.rttvar) >> 1;
        base.saturating_mul(1 << backoffs.min(MAX_BACKOFF_SHIFT))
    }

    /// The timeout in ticks after `backoffs` expiries in a row.
    pub(super) fn rto(&self, backoffs: u32) -> i64 {
        if self.srtt == 0 && backoffs == 0 {
            return self.initial.clamp(self.min, self.max);
        }
        let base = (self.srtt >> 3) + self.rttvar;
        base.saturating_mul(1 << backoffs.min(MAX_BACKOFF_SHIFT)).clamp(self.min, self.max)
    }
}

/// The smallest number of ticks that last at least `span`, and at least one.
pub(super) fn ticks_covering(span: Span, period: Span) -> i64 {
    let period = period.picoseconds();
    (span.picoseconds() / period + i64::from(span.picoseconds() % period > 0)).max(1)
}

/// srtt and rttvar of RFC 6298.
#[derive(Clone, Debug)]
pub(super) struct FineEstimator {
    srtt: Option<Span>,
    rttvar: Span,
    granularity: Span,
    initial: Span,
    min: Span,
    max: Span,
    /// Deviations of the latest round trip, if RTTVAR is the largest of them.
    largest: Largest,
}

impl FineEstimator {
    /// Makes an estimator without samples.
    pub(super) fn new(granularity: Span, initial: Span, min: Span, max: Span) -> Self {
        let (srtt, rttvar, largest) = (None, Span::ZERO, Largest::default());
        Self { srtt, rttvar, granularity, initial, min, max: max.max(min), largest }
    }

    /// Notes that the connection is established after a SYN that timed out; true if the timeout
    /// begins anew.
    pub(super) fn restarts_after_lost_syn(&mut self) -> bool {
        let is_short = self.initial < RTO_AFTER_LOST_SYN;
        self.initial = self.initial.max(RTO_AFTER_LOST_SYN);
        is_short
    }

    /// SRTT and RTTVAR; `None` without a sample.
    pub(super) fn estimate(&self) -> Option<Estimate> {
        let deviation = self.rttvar;
        self.srtt.map(|smoothed| Estimate { smoothed, deviation })
    }

    /// Begins with SRTT and RTTVAR of another timer.
    pub(super) fn resume(&mut self, estimate: Estimate) {
        (self.srtt, self.rttvar) = (Some(estimate.smoothed), estimate.deviation);
        self.largest.begin(self.rttvar);
    }

    /// Takes a measured round trip.
    pub(super) fn on_sample(&mut self, rtt: Span) {
        self.on_one_of(1, rtt);
    }

    /// Takes one of so many samples of a round trip: together they count as much as one (RFC 7323
    /// appendix G, alpha/n and beta/n).
    pub(super) fn on_one_of(&mut self, samples: i64, rtt: Span) {
        let Some(srtt) = self.srtt else {
            // RFC 6298 §2.2: SRTT <- R, RTTVAR <- R/2.
            self.srtt = Some(rtt);
            self.rttvar = rtt / 2;
            self.largest.begin(self.rttvar);
            return;
        };
        // RFC 6298 §2.3: RTTVAR first, with the old SRTT; beta = 1/4, alpha = 1/8.
        let deviation = if rtt > srtt { rtt - srtt } else { srtt - rtt };
        self.rttvar += (deviation - self.rttvar) / (4 * samples);
        self.srtt = Some(srtt + (rtt - srtt) / (8 * samples));
    }

    /// Takes one of all samples, each in full, with RTTVAR as the largest deviation; the data from
    /// `una` to `max` are in flight.
    pub(super) fn on_each(&mut self, rtt: Span, una: u64, max: u64) {
        let Some(srtt) = self.srtt else {
            self.on_one_of(1, rtt);
            return;
        };
        self.rttvar = self.largest.after(rtt - srtt, self.rttvar, una, max);
        self.srtt = Some(srtt + (rtt - srtt) / 8);
    }

    /// The timeout after `backoffs` expiries in a row.
    pub(super) fn rto(&self, backoffs: u32) -> Span {
        let base = match self.srtt {
            // RFC 6298 §2.3: SRTT + max(G, K·RTTVAR), K = 4.
            Some(srtt) => {
                let variation = self.rttvar.picoseconds().saturating_mul(4);
                srtt.picoseconds().saturating_add(variation.max(self.granularity.picoseconds()))
            }
            None => self.initial.picoseconds(),
        };
        let base = base.clamp(self.min.picoseconds(), self.max.picoseconds());
        Span::from_picoseconds(base.saturating_mul(1 << backoffs.min(MAX_BACKOFF_SHIFT)))
            .min(self.max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bsd() -> TickEstimator {
        TickEstimator::new(
            Span::from_milliseconds(500),
            Span::from_seconds(1),
            Span::from_seconds(64),
        )
    }

    #[test]
    fn without_samples_ticks_back_off_from_6_to_24_to_48_seconds() {
        let estimator = bsd();
        let ticks: Vec<i64> = (0..5).map(|backoffs| estimator.rto(backoffs)).collect();
        assert_eq!(ticks, [12, 48, 96, 128, 128]);
    }

    #[test]
    fn tick_arithmetic_by_hand() {
        let mut estimator = bsd();
        // r = 3: srtt = 24, rttvar = 6, RTO = 3 + 6.
        estimator.on_sample(2);
        assert_eq!((estimator.srtt, estimator.rttvar, estimator.rto(0)), (24, 6, 9));
        // r = 5: delta = 4 - 3 = 1; srtt = 25; rttvar = 6 + 1 - 1 = 6; RTO = 3 + 6.
        estimator.on_sample(4);
        assert_eq!((estimator.srtt, estimator.rttvar, estimator.rto(0)), (25, 6, 9));
        // r = 1: delta = 0 - 3 = -3; srtt = 22; rttvar = 6 + 3 - 1 = 8; RTO = 2 + 8.
        estimator.on_sample(0);
        assert_eq!((estimator.srtt, estimator.rttvar, estimator.rto(0)), (22, 8, 10));
    }

    #[test]
    fn round_trips_far_below_a_tick_end_at_the_minimum() {
        let mut estimator = bsd();
        estimator.on_sample(0);
        // r = 1: srtt = 8, rttvar = 2, RTO = 1 + 2 ticks.
        assert_eq!(estimator.rto(0), 3);
        for _ in 0..20 {
            estimator.on_sample(0);
        }
        // srtt has sunk to 7 (0 whole ticks) and rttvar to 3, where its quarter is 0: RTO = 0 + 3.
        assert_eq!((estimator.srtt, estimator.rttvar), (7, 3));
        assert_eq!([0, 1, 2].map(|backoffs| estimator.rto(backoffs)), [3, 6, 12]);
    }

    #[test]
    fn the_fourth_back_off_keeps_the_timeout_but_forgets_the_mean() {
        let mut estimator = bsd();
        estimator.on_sample(2);
        let before = estimator.rto(3);
        estimator.on_back_off(3);
        assert_eq!(estimator.srtt, 24);
        estimator.on_back_off(4);
        assert_eq!((estimator.srtt, estimator.rto(3)), (0, before));
        estimator.on_sample(0);
        assert_eq!((estimator.srtt, estimator.rttvar), (8, 2));
    }

    /// Samples of RFC 7323 appendix G: with 1/16 and 1/32 two of them move the means by as much as
    /// one with 1/8 and 1/4, except that the second already sees the change by the first.
    #[test]
    fn samples_of_one_round_trip_share_its_weight() {
        let ms = Span::from_milliseconds;
        let mut estimator = FineEstimator::new(ms(1), ms(3000), ms(10), ms(60_000));
        estimator.on_one_of(2, ms(80));
        assert_eq!((estimator.srtt, estimator.rttvar), (Some(ms(80)), ms(40)));
        // RTTVAR = 40 + (32 - 40)/8 = 39; SRTT = 80 + 32/16 = 82.
        estimator.on_one_of(2, ms(112));
        assert_eq!((estimator.srtt, estimator.rttvar), (Some(ms(82)), ms(39)));
        // RTTVAR = 39 + (30 - 39)/8 = 37.875; SRTT = 82 + 30/16 = 83.875.
        estimator.on_one_of(2, ms(112));
        let microseconds = Span::from_microseconds;
        assert_eq!(
            (estimator.srtt, estimator.rttvar),
            (Some(microseconds(83_875)), microseconds(37_875))
        );
    }

    #[test]
    fn fine_arithmetic_by_hand() {
        let ms = Span::from_milliseconds;
        let mut estimator = FineEstimator::new(ms(1), ms(3000), ms(10), ms(60_000));
        assert_eq!(estimator.rto(0), ms(3000));
        // SRTT = 80, RTTVAR = 40: RTO = 80 + 160.
        estimator.on_sample(ms(80));
        assert_eq!(estimator.rto(0), ms(240));
        // RTTVAR = 40 + (40 - 40)/4 = 40; SRTT = 80 + 40/8 = 85: RTO = 85 + 160.
        estimator.on_sample(ms(120));
        assert_eq!(estimator.rto(0), ms(245));
        // RTTVAR = 40 + (5 - 40)/4 = 31.25; SRTT = 85 - 5/8 = 84.375: RTO = 84.375 + 125.
        estimator.on_sample(ms(80));
        assert_eq!(estimator.rto(0), Span::from_microseconds(209_375));
        assert_eq!(estimator.rto(2), Span::from_microseconds(837_500));
        assert_eq!(estimator.rto(12), Span::from_microseconds(13_400_000));
    }

    /// SRTT + 4·RTTVAR of a first sample is three times it: beyond the range of time for 40 days.
    #[test]
    fn a_round_trip_of_weeks_ends_at_the_maximum() {
        let day = Span::from_seconds(86_400);
        let mut estimator = FineEstimator::new(day, day, day, day * 90);
        estimator.on_sample(day * 40);
        assert_eq!(estimator.rto(0), day * 90);
    }

    #[test]
    fn a_steady_round_trip_leaves_the_granularity() {
        let ms = Span::from_milliseconds;
        let mut estimator = FineEstimator::new(ms(100), ms(1000), ms(10), ms(60_000));
        for _ in 0..60 {
            estimator.on_sample(ms(50));
        }
        assert_eq!(estimator.rto(0), ms(150));
    }
}
