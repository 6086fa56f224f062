//! The generic cell rate algorithm GCRA(T, tau) (ITU-T I.371 annex A) as a continuous-state leaky bucket.
//!
//! At the arrival of a cell at `ta` the bucket holds `X' = X - (ta - LCT)`. The cell conforms if `X' <= tau`; then
//! `X = max(0, X') + T` and the last conformance time `LCT = ta`. A cell that does not conform changes nothing.
//!
//! Exact: contents count bits times picoseconds per second, in which `T = 1/rate` is `424 · 10^12` for every rate, and a limit
//! may be rounded down to them because only whole contents are compared with it.

use crate::units::{CELL_BITS, Rate, Span, Time};

/// A cell in the units of a bucket's content.
const INCREMENT: i128 = CELL_BITS as i128 * 1_000_000_000_000;

/// One leaky bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gcra {
    /// Content that leaks in a picosecond.
    leak: i128,
    limit: i128,
    /// X.
    content: i128,
    /// LCT.
    last: Time,
}

impl Gcra {
    /// T the time between cells of `rate`, and `tolerance` tau.
    pub fn new(rate: Rate, tolerance: Span) -> Self {
        Self::with_burst(rate, tolerance, 1, rate)
    }

    /// As [`new`](Self::new), with the tolerance `(burst - 1)(1/rate - 1/peak)` on top: so many cells may come at `peak`.
    pub fn with_burst(rate: Rate, tolerance: Span, burst: u64, peak: Rate) -> Self {
        let [leak, peak] = [rate, peak].map(|rate| i128::from(rate.bits_per_second()));
        let surplus = i128::from(burst - 1) * INCREMENT * (peak - leak) / peak;
        let limit = surplus + i128::from(tolerance.picoseconds()) * leak;
        Self { leak, limit, content: 0, last: Time::ZERO }
    }

    /// Whether a cell that arrives at `now` conforms.
    #[inline]
    pub fn conforms(&self, now: Time) -> bool {
        self.content_at(now) <= self.limit
    }

    /// The bucket takes the cell that arrives at `now`, whether it conforms or not.
    #[inline]
    pub fn take(&mut self, now: Time) {
        self.content = self.content_at(now).max(0) + INCREMENT;
        self.last = now;
    }

    /// A cell arrives at `now`: whether it conforms.
    #[inline]
    pub fn on_cell(&mut self, now: Time) -> bool {
        let conforms = self.conforms(now);
        if conforms {
            self.take(now);
        }
        conforms
    }

    /// X'.
    #[inline]
    fn content_at(&self, now: Time) -> i128 {
        self.content - i128::from((now - self.last).picoseconds()) * self.leak
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// T = 10 us.
    const RATE: Rate = Rate::from_bits_per_second(42_400_000);

    fn verdicts(tolerance_us: i64, arrivals_us: &[i64]) -> Vec<bool> {
        let mut gcra = Gcra::new(RATE, Span::from_microseconds(tolerance_us));
        let at = |us: &i64| Time::ZERO + Span::from_microseconds(*us);
        arrivals_us.iter().map(|us| gcra.on_cell(at(us))).collect()
    }

    /// The other form of I.371 annex A: a theoretical arrival time TAT; a cell conforms if `ta >= TAT - tau`.
    #[derive(Default)]
    struct VirtualScheduling {
        tat: Option<i64>,
    }

    impl VirtualScheduling {
        fn on_cell(&mut self, ta: i64, increment: i64, tau: i64) -> bool {
            let tat = self.tat.unwrap_or(ta);
            let conforms = ta >= tat - tau;
            if conforms {
                self.tat = Some(tat.max(ta) + increment);
            }
            conforms
        }
    }

    /// By hand, T = 10, tau = 3: X' at each arrival is 0, 2, 5 (too much), 3, -1, 9 (too much).
    #[test]
    fn a_train_worked_by_hand() {
        assert_eq!(verdicts(3, &[0, 8, 15, 17, 31, 32]), [true, true, false, true, true, false]);
    }

    /// With tau = 0 no cell may be early at all; a late one does not earn its successor any time.
    #[test]
    fn without_tolerance_late_is_fine_and_early_is_not() {
        assert_eq!(verdicts(0, &[0, 10, 25, 34, 35]), [true, true, true, false, true]);
    }

    /// I.371: back to back at a link of cell time delta, `floor(1 + tau/(T - delta))` cells conform; here 1 + 32/(10 - 2) = 5.
    #[test]
    fn the_longest_burst_at_the_rate_of_the_link() {
        let arrivals: Vec<i64> = (0..8).map(|cell| 2 * cell).collect();
        assert_eq!(verdicts(32, &arrivals).iter().filter(|conforms| **conforms).count(), 5);
        assert_eq!(verdicts(32, &arrivals)[..6], [true, true, true, true, true, false]);
        assert_eq!(verdicts(31, &arrivals)[..5], [true, true, true, true, false]);
    }

    /// 424 bits at 149.76 Mbit/s are 2 831 196.58 ps: cells as the link sends them, rounded down, are early by less
    /// than one; a million of them do not add up.
    #[test]
    fn a_stream_at_its_rate_needs_a_picosecond_of_tolerance_and_no_more() {
        let rate = Rate::from_bits_per_second(149_760_000);
        let mut pace = crate::units::Pace::of_cells(rate);
        let [mut strict, mut lenient] = [0, 1].map(|ps| Gcra::new(rate, Span::from_picoseconds(ps)));
        let (mut at, mut refused) = (Time::ZERO, 0);
        for _ in 0..1_000_000 {
            assert!(lenient.on_cell(at));
            refused += u64::from(!strict.on_cell(at));
            at = pace.next_after(at);
        }
        assert!(refused > 0, "rounded instants are early for a bucket that is exact");
    }

    proptest! {
        #[test]
        fn a_leaky_bucket_and_virtual_scheduling_agree(
            gaps in prop::collection::vec(0_i64..30_000_000, 1..200),
            tau in 0_i64..60_000_000,
        ) {
            let mut bucket = Gcra::new(RATE, Span::from_picoseconds(tau));
            let mut schedule = VirtualScheduling::default();
            let mut at = 0;
            for gap in gaps {
                at += gap;
                let conforms = schedule.on_cell(at, 10_000_000, tau);
                prop_assert_eq!(bucket.on_cell(Time::from_picoseconds(at)), conforms, "at {}", at);
            }
        }
    }
}
