//! cwnd and ssthresh, and the few ways in which every rule moves them. Bytes throughout.

use super::Flight;
use crate::tcp::config::{Config, MAX_UNSCALED_WINDOW, MAX_WINDOW, scaling_shift};

/// RFC 5681 §3.1 equation (4): ssthresh is never below two segments.
const MIN_SSTHRESH_SEGMENTS: u64 = 2;

/// What a rule of congestion control governs.
#[derive(Clone, Debug)]
pub struct Window {
    mss: u64,
    cwnd: u64,
    ssthresh: u64,
    /// 4.3BSD: cwnd stays within what the peer could ever advertise, 65 535 bytes shifted by its
    /// scaling, but for what recovery inflates.
    max: u64,
}

impl Window {
    pub(in crate::tcp) fn new(config: &Config) -> Self {
        let mss = config.full_segment();
        let shift = if config.window_scaling { scaling_shift(config.window.0) } else { 0 };
        let max = MAX_UNSCALED_WINDOW << shift;
        Self {
            mss,
            cwnd: (mss * u64::from(config.initial_window.max(1))).min(max),
            max,
            ssthresh: config.initial_ssthresh.map_or(MAX_WINDOW, |bytes| bytes.0),
        }
    }

    /// Bytes that may be in flight.
    #[inline]
    pub fn cwnd(&self) -> u64 {
        self.cwnd
    }

    /// Below it a window opens fast; the largest window there is, while unlimited.
    #[inline]
    pub fn ssthresh(&self) -> u64 {
        self.ssthresh
    }

    /// Bytes of a full segment.
    #[inline]
    pub fn mss(&self) -> u64 {
        self.mss
    }

    /// Whole segments in cwnd.
    pub fn whole_segments(&self) -> u64 {
        self.cwnd / self.mss
    }

    /// Segments that `bytes` fill, the last one perhaps in part.
    pub fn segments(&self, bytes: u64) -> u64 {
        bytes.div_ceil(self.mss)
    }

    /// cwnd grows by `bytes`, as far as the peer could ever advertise. A window that recovery has
    /// [inflated](Self::inflate) beyond that stays.
    #[inline]
    pub fn open(&mut self, bytes: u64) {
        self.cwnd = self.cwnd.saturating_add(bytes).min(self.max.max(self.cwnd));
    }

    /// cwnd becomes `bytes`, a segment at least.
    pub fn set_cwnd(&mut self, bytes: u64) {
        self.cwnd = bytes.clamp(self.mss, self.max.max(self.mss));
    }

    /// RFC 5681 §3.1 equation (4): two segments at least. At most the largest window there is.
    pub fn set_ssthresh(&mut self, bytes: u64) {
        self.ssthresh = bytes.clamp(MIN_SSTHRESH_SEGMENTS * self.mss, MAX_WINDOW);
    }

    /// ssthresh becomes half of what could be in flight, in whole segments (4.3BSD, for RFC 5681's
    /// `FlightSize`/2), unless a mark has [reduced](Flight::is_reduced) it.
    pub fn halve_ssthresh(&mut self, flight: &Flight) {
        if flight.is_reduced() {
            return;
        }
        self.set_ssthresh(self.cwnd.min(flight.snd_wnd) / 2 / self.mss * self.mss);
    }

    /// ssthresh becomes half of what is outstanding, two segments at least (RFC 5681 §3.1 equation
    /// (4)), unless a mark has [reduced](Flight::is_reduced) it.
    pub fn halve_flight(&mut self, flight: &Flight) {
        if flight.is_reduced() {
            return;
        }
        self.set_ssthresh(flight.bytes_of_window() / 2);
    }

    /// After a pause: no more than `bytes`.
    pub fn restart(&mut self, bytes: u64) {
        self.cwnd = self.cwnd.min(bytes);
    }

    /// One segment: slow start begins again.
    pub fn collapse(&mut self) {
        self.cwnd = self.mss;
    }

    /// Segments that duplicate ACKs stand for have left the network. cwnd may pass what the peer
    /// could ever advertise, as a partial ACK [deflates](Self::deflate_by) it by all that it
    /// covers; what is sent stays within the advertised window. The limit is that of
    /// [`open`](Self::open) and [`MAX_WINDOW`] more.
    pub fn inflate(&mut self, segments: u32) {
        self.cwnd = (self.cwnd + u64::from(segments) * self.mss).min(self.max + MAX_WINDOW);
    }

    /// cwnd becomes ssthresh.
    pub fn deflate(&mut self) {
        self.cwnd = self.ssthresh;
    }

    /// cwnd becomes ssthresh, if that is less.
    pub fn lower_to_ssthresh(&mut self) {
        self.cwnd = self.cwnd.min(self.ssthresh);
    }

    /// RFC 6582 §3.2 step 3, partial ACK: `acked` bytes have left the inflated window, and the
    /// repair takes the place of a segment.
    pub fn deflate_by(&mut self, acked: u64) {
        let repair = if acked >= self.mss { self.mss } else { 0 };
        self.cwnd = (self.cwnd.saturating_sub(acked) + repair).max(self.mss);
    }

    /// RFC 6582 §3.2 step 3, full ACK: ssthresh, or one segment more than is outstanding, so that
    /// no burst follows.
    pub fn deflate_to_flight(&mut self, flight: &Flight) {
        self.deflate();
        self.moderate(flight);
    }

    /// At most one segment more than is outstanding.
    pub fn moderate(&mut self, flight: &Flight) {
        self.cwnd = self.cwnd.min(flight.size().max(self.mss) + self.mss);
    }

    /// What is outstanding and no more, in whole segments: a repair may fill up a short one.
    pub fn hold(&mut self, flight: &Flight) {
        self.cwnd = self.segments(flight.size()) * self.mss;
    }
}

#[cfg(test)]
impl Window {
    /// Of a test.
    pub(super) fn of(mss: u64, cwnd: u64, ssthresh: u64, max: u64) -> Self {
        Self { mss, cwnd, ssthresh, max }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(cwnd: u64, ssthresh: u64) -> Window {
        Window::of(1000, cwnd, ssthresh, MAX_WINDOW)
    }

    /// RFC 6582 §3.2 step 3: after the partial ACK about ssthresh is outstanding, also where the
    /// inflated window is more than the peer can advertise.
    #[test]
    fn what_recovery_inflates_may_pass_the_largest_window() {
        let mut window = Window::of(1000, 32_000, 32_000, 65_535);
        window.inflate(60);
        window.deflate_by(58_000);
        assert_eq!(window.cwnd, 32_000 + 60_000 - 58_000 + 1000);
        window.inflate(60);
        window.open(1000);
        assert_eq!(window.cwnd, 95_000);
    }

    #[test]
    fn what_a_rule_of_somebody_else_adds_saturates() {
        let mut window = Window::of(1000, 32_000, 32_000, 65_535);
        window.open(u64::MAX);
        assert_eq!(window.cwnd, 65_535);
        (0..3).for_each(|_| window.inflate(u32::MAX));
        window.open(u64::MAX);
        assert_eq!(window.cwnd, 65_535 + MAX_WINDOW);
        window.set_ssthresh(u64::MAX);
        window.deflate();
        assert_eq!(window.cwnd, MAX_WINDOW);
        window.set_cwnd(u64::MAX);
        assert_eq!(window.cwnd, 65_535);
    }

    /// RFC 5681 §3.2 step 2.
    #[test]
    fn what_limited_transmit_sent_is_not_halved() {
        let mut window = window(10_000, MAX_WINDOW);
        window.halve_flight(&Flight { snd_max: 12_000, limited: 2000, ..Flight::default() });
        assert_eq!(window.ssthresh, 5000);
    }

    #[test]
    fn half_of_what_may_be_in_flight_in_whole_segments_and_two_at_least() {
        let halved = |cwnd, snd_wnd| {
            let mut window = window(cwnd, MAX_WINDOW);
            window.halve_ssthresh(&Flight { snd_wnd, ..Flight::default() });
            window.ssthresh
        };
        assert_eq!(halved(9_999, 32_000), 4000);
        assert_eq!(halved(90_000, 32_000), 16_000);
        assert_eq!(halved(3_000, 32_000), 2000);
    }
}
