//! Growth of Reno and its relatives: slow start below ssthresh, a segment per window above it
//! (Jacobson 1988; RFC 5681 §3.1).
//!
//! At ssthresh itself RFC 5681 allows both: 4.3BSD is in slow start there, Jacobson 1988 and the
//! rules of RFCs in avoidance. Parameter: `avoidance`, the increment per ACK.

use super::Window;
use crate::language::part::prelude::*;
use crate::tcp::config::Config;

variants! {
    /// Growth per ACK in congestion avoidance.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Avoidance {
        /// MSS·MSS/cwnd per ACK.
        Standard = "standard",
        /// 4.3BSD Reno's further MSS/8 per ACK.
        BsdExtra = "bsd_extra",
    }
}

/// One ACK at a time, however much it acknowledges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Growth {
    avoidance: Avoidance,
    /// Whether cwnd = ssthresh is slow start.
    includes_ssthresh: bool,
}

impl Growth {
    /// Avoidance from ssthresh on.
    pub(super) fn new(config: &Config) -> Self {
        Self { avoidance: config.avoidance, includes_ssthresh: false }
    }

    /// Avoidance only above ssthresh (Net/3; Stevens, volume 2, section 29.4).
    pub(super) fn of_bsd(config: &Config) -> Self {
        Self { includes_ssthresh: true, ..Self::new(config) }
    }

    /// One ACK of new data.
    pub(super) fn grow(self, window: &mut Window) {
        let (cwnd, ssthresh) = (window.cwnd(), window.ssthresh());
        let is_slow_start = if self.includes_ssthresh { cwnd <= ssthresh } else { cwnd < ssthresh };
        window.open(if is_slow_start { window.mss() } else { self.increment(window) });
    }

    fn increment(self, window: &Window) -> u64 {
        let mss = window.mss();
        // RFC 5681 §3.1: SMSS·SMSS/cwnd, and 1 byte where that rounds to 0.
        let standard = (mss * mss / window.cwnd()).max(1);
        match self.avoidance {
            Avoidance::Standard => standard,
            Avoidance::BsdExtra => standard + mss / 8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::config::MAX_WINDOW;

    const STANDARD: Growth = Growth { avoidance: Avoidance::Standard, includes_ssthresh: false };

    fn grown(growth: Growth, cwnd: u64, ssthresh: u64) -> u64 {
        let mut window = Window::of(1000, cwnd, ssthresh, MAX_WINDOW);
        growth.grow(&mut window);
        window.cwnd()
    }

    #[test]
    fn slow_start_below_ssthresh_and_avoidance_from_there() {
        assert_eq!(grown(STANDARD, 3999, 4000), 4999);
        assert_eq!(grown(STANDARD, 4000, 4000), 4250);
        let bsd_extra = Growth { avoidance: Avoidance::BsdExtra, ..STANDARD };
        assert_eq!(grown(bsd_extra, 4000, 4000), 4375);
    }

    /// Net/3 (Stevens, volume 2, section 29.4): `if (cw > tp->snd_ssthresh)`.
    #[test]
    fn bsd_is_in_slow_start_at_ssthresh_itself() {
        let bsd = Growth { includes_ssthresh: true, ..STANDARD };
        assert_eq!([3999, 4000, 4001].map(|cwnd| grown(bsd, cwnd, 4000)), [4999, 5000, 4250]);
    }

    #[test]
    fn avoidance_never_stalls_and_the_largest_window_bounds_it() {
        assert_eq!(grown(STANDARD, 2_000_000, 0), 2_000_001);
        assert_eq!(grown(STANDARD, MAX_WINDOW - 1, MAX_WINDOW), MAX_WINDOW);
    }

    /// Without losses cwnd once grew to a hundred times the window that limits it.
    #[test]
    fn cwnd_stays_within_what_the_peer_can_advertise() {
        let mut window = Window::of(1000, 65_000, MAX_WINDOW, 65_535 << 1);
        for _ in 0..100 {
            STANDARD.grow(&mut window);
        }
        assert_eq!(window.cwnd(), 131_070);
    }
}
