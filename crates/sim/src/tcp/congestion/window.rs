//! cwnd and ssthresh, and the few ways in which every rule moves them. Bytes throughout.

use crate::tcp::config::{Avoidance, Config, LARGEST_WINDOW, MAX_UNSCALED_WINDOW, scaling_shift};
use crate::tcp::flight::Flight;

/// RFC 7323 §2.3: the largest window that can be advertised, 16 bits shifted by 14. As ssthresh: none.
const MAX_WINDOW: u64 = LARGEST_WINDOW;

/// RFC 5681 §3.1 equation (4): ssthresh is never below two segments.
const MIN_SSTHRESH_SEGMENTS: u64 = 2;

#[derive(Clone, Debug)]
pub(in crate::tcp) struct Window {
    mss: u64,
    cwnd: u64,
    ssthresh: u64,
    /// 4.3BSD: cwnd stays within what the peer could ever advertise, 65 535 bytes shifted by its scaling.
    largest: u64,
    avoidance: Avoidance,
    /// 4.3BSD is linear only above ssthresh.
    linear_only_above: bool,
}

impl Window {
    pub(in crate::tcp) fn new(config: &Config) -> Self {
        let mss = config.mss.0;
        let shift = if config.window_scaling { scaling_shift(config.window.0) } else { 0 };
        let largest = MAX_UNSCALED_WINDOW << shift;
        Self {
            mss,
            cwnd: (mss * u64::from(config.initial_window.max(1))).min(largest),
            largest,
            ssthresh: config.initial_ssthresh.map_or(MAX_WINDOW, |bytes| bytes.0),
            avoidance: config.avoidance,
            linear_only_above: config.recovery.is_of_bsd(),
        }
    }

    pub(in crate::tcp) fn cwnd(&self) -> u64 {
        self.cwnd
    }

    pub(super) fn mss(&self) -> u64 {
        self.mss
    }

    /// Whole segments in cwnd.
    pub(super) fn whole_segments(&self) -> u64 {
        self.cwnd / self.mss
    }

    /// Segments that `bytes` fill, the last one perhaps in part.
    pub(super) fn segments(&self, bytes: u64) -> u64 {
        bytes.div_ceil(self.mss)
    }

    pub(in crate::tcp) fn ssthresh(&self) -> u64 {
        self.ssthresh
    }

    /// One ACK of new data: slow start below ssthresh, avoidance above it. At ssthresh RFC 5681 §3.1 allows both: 4.3BSD is
    /// in slow start there, Jacobson 1988 and the rules of RFCs in avoidance.
    pub(super) fn grow(&mut self) {
        let is_linear =
            if self.linear_only_above { self.cwnd > self.ssthresh } else { self.cwnd >= self.ssthresh };
        let increment = if is_linear { self.avoidance_increment() } else { self.mss };
        self.cwnd = (self.cwnd + increment).min(self.largest);
    }

    /// ssthresh becomes half of what could be in flight, in whole segments (4.3BSD, for RFC 5681's FlightSize/2).
    pub(super) fn halve_ssthresh(&mut self, flight: &Flight) {
        let segments = self.cwnd.min(flight.snd_wnd) / 2 / self.mss;
        self.ssthresh = segments.max(MIN_SSTHRESH_SEGMENTS) * self.mss;
    }

    /// ssthresh becomes half of what is outstanding, two segments at least (RFC 5681 §3.1 equation (4)); what limited
    /// transmit has sent is left out (ibid. §3.2 step 2).
    pub(super) fn halve_flight(&mut self, flight: &Flight) {
        let outstanding = flight.size() - flight.limited;
        self.ssthresh = (outstanding / 2).max(MIN_SSTHRESH_SEGMENTS * self.mss);
    }

    /// RFC 5681 §3.1: half of what is outstanding, and one segment; the threshold stays when the same segment times out
    /// again. Departure: it stays, too, in a recovery that has halved it already, as in Linux.
    pub(super) fn time_out(&mut self, flight: &Flight, is_recovering: bool) {
        if !is_recovering && !flight.has_timed_out() {
            self.halve_flight(flight);
        }
        self.collapse();
    }

    /// One segment: slow start begins again.
    pub(in crate::tcp) fn collapse(&mut self) {
        self.cwnd = self.mss;
    }

    pub(super) fn inflate(&mut self, segments: u32) {
        self.cwnd = (self.cwnd + u64::from(segments) * self.mss).min(self.largest);
    }

    pub(super) fn deflate(&mut self) {
        self.cwnd = self.ssthresh;
    }

    /// RFC 6582 §3.2 step 3, partial ACK: `acked` bytes have left the inflated window, and the repair takes the place of a
    /// segment.
    pub(super) fn deflate_by(&mut self, acked: u64) {
        let repair = if acked >= self.mss { self.mss } else { 0 };
        self.cwnd = (self.cwnd.saturating_sub(acked) + repair).max(self.mss);
    }

    /// RFC 6582 §3.2 step 3, full ACK: ssthresh, or one segment more than is outstanding, so that no burst follows.
    pub(super) fn deflate_to_flight(&mut self, flight: &Flight) {
        self.deflate();
        self.moderate(flight);
    }

    /// At most one segment more than is outstanding.
    pub(super) fn moderate(&mut self, flight: &Flight) {
        self.cwnd = self.cwnd.min(flight.size().max(self.mss) + self.mss);
    }

    /// What is outstanding and no more, in whole segments: a repair may fill up a short one.
    pub(super) fn hold(&mut self, flight: &Flight) {
        self.cwnd = self.segments(flight.size()) * self.mss;
    }

    fn avoidance_increment(&self) -> u64 {
        // RFC 5681 §3.1: SMSS·SMSS/cwnd, and 1 byte where that rounds to 0.
        let standard = (self.mss * self.mss / self.cwnd).max(1);
        match self.avoidance {
            Avoidance::Standard => standard,
            Avoidance::BsdExtra => standard + self.mss / 8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(cwnd: u64, ssthresh: u64, avoidance: Avoidance) -> Window {
        Window { mss: 1000, cwnd, ssthresh, largest: MAX_WINDOW, avoidance, linear_only_above: false }
    }

    fn grown(mut window: Window) -> u64 {
        window.grow();
        window.cwnd
    }

    /// Without losses cwnd once grew to a hundred times the window that limits it.
    #[test]
    fn cwnd_stays_within_what_the_peer_can_advertise() {
        let mut window = Window { largest: 65_535 << 1, ..window(65_000, MAX_WINDOW, Avoidance::Standard) };
        for _ in 0..100 {
            window.grow();
        }
        assert_eq!(window.cwnd, 131_070);
    }

    #[test]
    fn slow_start_below_ssthresh_and_avoidance_from_there() {
        assert_eq!(grown(window(3999, 4000, Avoidance::Standard)), 4999);
        assert_eq!(grown(window(4000, 4000, Avoidance::Standard)), 4250);
        assert_eq!(grown(window(4000, 4000, Avoidance::BsdExtra)), 4375);
    }

    /// Net/3 (Stevens, volume 2, section 29.4): `if (cw > tp->snd_ssthresh)`.
    #[test]
    fn bsd_is_in_slow_start_at_ssthresh_itself() {
        let bsd = |cwnd| Window { linear_only_above: true, ..window(cwnd, 4000, Avoidance::Standard) };
        assert_eq!([3999, 4000, 4001].map(|cwnd| grown(bsd(cwnd))), [4999, 5000, 4250]);
    }

    #[test]
    fn avoidance_never_stalls_and_the_largest_window_bounds_it() {
        assert_eq!(grown(window(2_000_000, 0, Avoidance::Standard)), 2_000_001);
        assert_eq!(grown(window(MAX_WINDOW - 1, MAX_WINDOW, Avoidance::Standard)), MAX_WINDOW);
    }

    /// RFC 5681 §3.1; a window inflated by duplicates once stood for what was outstanding, and every expiry halved it.
    #[test]
    fn a_timeout_halves_the_flight_once_per_segment_and_recovery() {
        let timed_out = |flight: &Flight, is_recovering| {
            let mut window = window(90_000, 50_000, Avoidance::Standard);
            window.time_out(flight, is_recovering);
            (window.cwnd, window.ssthresh)
        };
        let mut flight = Flight { snd_una: 1000, snd_max: 31_000, snd_wnd: 90_000, ..Flight::default() };
        assert_eq!(timed_out(&flight, false), (1000, 15_000));
        assert_eq!(timed_out(&flight, true), (1000, 50_000));
        flight.timed_out = Some(1000);
        assert_eq!(timed_out(&flight, false), (1000, 50_000));
        flight.snd_una = 3000;
        assert_eq!(timed_out(&flight, false), (1000, 14_000));
    }

    /// RFC 5681 §3.2 step 2.
    #[test]
    fn what_limited_transmit_sent_is_not_halved() {
        let mut window = window(10_000, MAX_WINDOW, Avoidance::Standard);
        window.halve_flight(&Flight { snd_max: 12_000, limited: 2000, ..Flight::default() });
        assert_eq!(window.ssthresh, 5000);
    }

    #[test]
    fn half_of_what_may_be_in_flight_in_whole_segments_and_two_at_least() {
        let halved = |cwnd, snd_wnd| {
            let mut window = window(cwnd, MAX_WINDOW, Avoidance::Standard);
            window.halve_ssthresh(&Flight { snd_wnd, ..Flight::default() });
            window.ssthresh
        };
        assert_eq!(halved(9_999, 32_000), 4000);
        assert_eq!(halved(90_000, 32_000), 16_000);
        assert_eq!(halved(3_000, 32_000), 2000);
    }
}
