//! The window: cwnd and ssthresh, and the operations by which every rule changes them. All in
//! bytes.

use super::Flight;
use crate::tcp::scaling::MAX_WINDOW;

/// The minimum of ssthresh in segments (RFC 5681 §3.1 equation (4)).
const MIN_SSTHRESH_SEGMENTS: u64 = 2;

/// The window that a rule of congestion control governs.
#[derive(Clone, Debug)]
pub struct Window {
    mss: u64,
    cwnd: u64,
    ssthresh: u64,
    /// Limit of cwnd, as in 4.3BSD: the largest window that the peer could ever advertise, 65 535
    /// bytes shifted by its scaling; the inflation of recovery may exceed it.
    max: u64,
}

impl Window {
    /// Makes a window of `segments`, at least one.
    pub(in crate::tcp) fn new(mss: u64, segments: u32, ssthresh: u64, max: u64) -> Self {
        Self { mss, cwnd: (mss * u64::from(segments.max(1))).min(max), ssthresh, max }
    }

    /// Bytes that may be in flight.
    #[inline]
    pub fn cwnd(&self) -> u64 {
        self.cwnd
    }

    /// Threshold below which a window opens fast; the largest window while unlimited.
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

    /// Number of segments of `bytes`, including a last short one.
    pub fn segments(&self, bytes: u64) -> u64 {
        bytes.div_ceil(self.mss)
    }

    /// Opens cwnd by `bytes`, up to the largest window that the peer could ever advertise. A window
    /// that recovery has [inflated](Self::inflate) beyond that stays.
    #[inline]
    pub fn open(&mut self, bytes: u64) {
        self.cwnd = self.cwnd.saturating_add(bytes).min(self.max.max(self.cwnd));
    }

    /// Sets cwnd to `bytes`, at least a segment.
    pub fn set_cwnd(&mut self, bytes: u64) {
        self.cwnd = bytes.clamp(self.mss, self.max.max(self.mss));
    }

    /// Sets ssthresh to at least two segments (RFC 5681 §3.1 equation (4)) and at most the largest
    /// window.
    pub fn set_ssthresh(&mut self, bytes: u64) {
        self.ssthresh = bytes.clamp(MIN_SSTHRESH_SEGMENTS * self.mss, MAX_WINDOW);
    }

    /// Sets ssthresh to half of the bytes that could be in flight, in whole segments (4.3BSD, for
    /// RFC 5681's `FlightSize`/2), unless a mark has [reduced](Flight::is_reduced) it.
    pub fn halve_ssthresh(&mut self, flight: &Flight) {
        if flight.is_reduced() {
            return;
        }
        self.set_ssthresh(self.cwnd.min(flight.snd_wnd) / 2 / self.mss * self.mss);
    }

    /// Sets ssthresh to half of the outstanding data, at least two segments (RFC 5681 §3.1 equation
    /// (4)), unless a mark has [reduced](Flight::is_reduced) it.
    pub fn halve_flight(&mut self, flight: &Flight) {
        if flight.is_reduced() {
            return;
        }
        self.set_ssthresh(flight.bytes_of_window() / 2);
    }

    /// Rounds ssthresh down to whole segments, at least two.
    pub fn round_ssthresh(&mut self) {
        self.set_ssthresh(self.ssthresh / self.mss * self.mss);
    }

    /// Reduces cwnd to at most `cwnd` bytes, and raises ssthresh to at least `ssthresh`, after a
    /// pause.
    pub fn restart(&mut self, cwnd: u64, ssthresh: u64) {
        self.cwnd = self.cwnd.min(cwnd);
        self.ssthresh = self.ssthresh.max(ssthresh);
    }

    /// Sets cwnd to one segment: slow start begins again.
    pub fn collapse(&mut self) {
        self.cwnd = self.mss;
    }

    /// Adds the segments that duplicate ACKs stand for, which have left the network. cwnd may
    /// exceed the largest window that the peer could ever advertise, as a partial ACK
    /// [deflates](Self::deflate_by) it by all that it covers; the sender stays within the
    /// advertised window. The limit is that of [`open`](Self::open) and [`MAX_WINDOW`] more.
    pub fn inflate(&mut self, segments: u32) {
        self.cwnd = (self.cwnd + u64::from(segments) * self.mss).min(self.max + MAX_WINDOW);
    }

    /// Sets cwnd to ssthresh.
    pub fn deflate(&mut self) {
        self.cwnd = self.ssthresh;
    }

    /// Sets cwnd to ssthresh, if that is less.
    pub fn lower_to_ssthresh(&mut self) {
        self.cwnd = self.cwnd.min(self.ssthresh);
    }

    /// Deflates at a partial ACK (RFC 6582 §3.2 step 3): `acked` bytes have left the inflated
    /// window, and the repair takes the place of a segment.
    pub fn deflate_by(&mut self, acked: u64) {
        let repair = if acked >= self.mss { self.mss } else { 0 };
        self.cwnd = (self.cwnd.saturating_sub(acked) + repair).max(self.mss);
    }

    /// Deflates at a full ACK (RFC 6582 §3.2 step 3): to ssthresh, or one segment more than is
    /// outstanding, so that no burst follows.
    pub fn deflate_to_flight(&mut self, flight: &Flight) {
        self.deflate();
        self.moderate(flight);
    }

    /// Limits cwnd to one segment more than is outstanding.
    pub fn moderate(&mut self, flight: &Flight) {
        self.cwnd = self.cwnd.min(flight.size().max(self.mss) + self.mss);
    }

    /// Sets cwnd to the outstanding data in whole segments: a repair may fill up a short one.
    pub fn hold(&mut self, flight: &Flight) {
        self.cwnd = self.segments(flight.size()) * self.mss;
    }
}

#[cfg(test)]
impl Window {
    /// Makes a window for tests.
    pub(in crate::tcp) fn of(mss: u64, cwnd: u64, ssthresh: u64, max: u64) -> Self {
        Self { mss, cwnd, ssthresh, max }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(cwnd: u64, ssthresh: u64) -> Window {
        Window::of(1000, cwnd, ssthresh, MAX_WINDOW)
    }

    /// Inflation of RFC 6582 §3.2 step 3: after the partial ACK about ssthresh is outstanding, also
    /// where the inflated window is more than the peer can advertise.
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

    /// Loss after limited transmit, RFC 5681 §3.2 step 2.
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
