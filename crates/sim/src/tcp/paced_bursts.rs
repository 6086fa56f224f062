//! Paced bursts of Linux: the pacer lets a burst of segments go at once, as a device with
//! segmentation offload takes them.
//!
//! A burst has the bytes of 1/1024 s at the pacing rate: two segments at least, or one below 1.2
//! Mbit/s; 64 KiB at most. The next one leaves when its bytes, without headers, have passed at the
//! rate. A burst that leaves later than it might shortens the wait for the next by that time, and
//! by half at most. The first ten segments of a connection are not paced.
//!
//! Source: Linux 6.18, pacing inside TCP (`SK_PACING_NEEDED`, no queueing discipline `fq`);
//! `Documentation/networking/ip-sysctl.rst`. Departures: the part of a burst that depends on the
//! round trip (`tcp_tso_rtt_log`) is below a segment from 8 ms on, and left out; segments do not
//! wait for larger bursts where cwnd allows a part of one.

use crate::units::{Rate, Span, Time};

/// Largest burst, bytes.
const LARGEST: u64 = 65_536;
/// Rate below which a burst is one segment, bit/s.
const SLOW: u64 = 1_200_000;
/// Part of a second whose bytes are a burst.
const PART_OF_SECOND: u64 = 1024;
/// Segments of a connection that are not paced.
const FREE: u64 = 10;

/// State of a sender that paces bursts.
#[derive(Clone, Copy, Debug)]
pub(super) struct PacedBursts {
    mss: u64,
    /// The instant at which the next burst may leave.
    release: Time,
    /// True while a segment waits for it.
    waits: bool,
    /// Segments sent.
    sent: u64,
    /// Instant of the latest burst, and segments that may still leave with it.
    began: Time,
    left: u64,
    /// Bytes of it, the instant from which they count, and the time by which it was late.
    bytes: u64,
    base: Time,
    late: Span,
}

impl PacedBursts {
    pub(super) fn new(mss: u64) -> Self {
        Self {
            mss,
            release: Time::ZERO,
            waits: false,
            sent: 0,
            began: Time::ZERO,
            left: 0,
            bytes: 0,
            base: Time::ZERO,
            late: Span::ZERO,
        }
    }

    /// The instant at which the next burst may leave.
    pub(super) fn release(&self) -> Time {
        self.release
    }

    /// The instant for which a segment waits; [`Time::MAX`] for none.
    pub(super) fn next(&self) -> Time {
        if self.waits { self.release } else { Time::MAX }
    }

    /// True if a segment must wait at `now`.
    pub(super) fn holds_back(&mut self, now: Time) -> bool {
        let continues = self.left > 0 && now == self.began;
        self.waits = !continues && now < self.release;
        self.waits
    }

    /// Ends the wait for an instant that has come.
    pub(super) fn wake(&mut self, now: Time) {
        self.waits &= now < self.release;
    }

    pub(super) fn on_sent(&mut self, now: Time, bytes: u64, rate: Rate) {
        self.waits = false;
        self.sent += 1;
        if self.left == 0 || now != self.began {
            self.base = self.release.max(now);
            self.late = self.base - self.release;
            (self.began, self.left, self.bytes) = (now, burst_of(rate, self.mss), 0);
        }
        self.left -= 1;
        self.bytes += bytes;
        self.release = self.base;
        if self.sent >= FREE {
            let wait = rate.span_of_bits(8 * self.bytes);
            self.release = self.base.saturating_add(wait - self.late.min(wait / 2));
        }
    }
}

/// Segments of a burst.
pub(super) fn burst_of(rate: Rate, mss: u64) -> u64 {
    let bits = rate.bits_per_second();
    let least = if bits < SLOW { 1 } else { 2 };
    ((bits / 8 / PART_OF_SECOND).min(LARGEST) / mss).max(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: Rate = Rate::from_bits_per_second(8_000_000);

    fn at(us: i64) -> Time {
        Time::ZERO + Span::from_microseconds(us)
    }

    /// Instants at which segments of 1000 bytes leave, which take a millisecond each, after ten
    /// that are not paced.
    fn departures(mut may_leave: impl FnMut(i64) -> bool, count: usize) -> Vec<i64> {
        let mut bursts = PacedBursts::new(1000);
        for _ in 0..10 {
            assert!(!bursts.holds_back(at(0)));
            bursts.on_sent(at(0), 1000, RATE);
        }
        let mut left = Vec::new();
        let mut us = 0;
        while left.len() < count {
            if may_leave(us) && !bursts.holds_back(at(us)) {
                bursts.on_sent(at(us), 1000, RATE);
                left.push(us);
            } else {
                us += 100;
            }
        }
        left
    }

    #[test]
    fn segments_leave_two_by_two() {
        let left = departures(|_| true, 6);
        assert_eq!(left, [2000, 2000, 4000, 4000, 6000, 6000]);
    }

    /// 3 ms late, the next burst comes after 1 ms; 0.6 ms late, after 1.4 ms.
    #[test]
    fn a_late_burst_shortens_the_next_wait_by_half_at_most() {
        assert_eq!(departures(|us| us >= 5000, 4), [5000, 5000, 6000, 6000]);
        assert_eq!(departures(|us| us >= 2600, 4), [2600, 2600, 4000, 4000]);
    }

    #[test]
    fn a_burst_is_a_millisecond_of_the_rate() {
        let burst = |bits| burst_of(Rate::from_bits_per_second(bits), 1000);
        assert_eq!(burst(1_199_999), 1);
        assert_eq!(burst(1_200_000), 2);
        assert_eq!(burst(100_000_000), 12);
        assert_eq!(burst(10_000_000_000), 65);
    }
}
