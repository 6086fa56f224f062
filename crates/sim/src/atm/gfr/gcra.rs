//! The generic cell rate algorithm GCRA(T, tau) (ITU-T I.371 annex A) as a continuous-state leaky
//! bucket.
//!
//! At the arrival of a cell at `ta` the bucket holds `X' = X - (ta - LCT)`. The cell conforms if
//! `X' <= tau`; then `X = max(0, X') + T` and the last conformance time `LCT = ta`. A cell that
//! does not conform changes nothing.
//!
//! T is the [time of a cell](Rate::cell_time) as lines and pacers use it, so a source at the rate
//! of its contract conforms. Contents are picoseconds: a bucket leaks one in each.

use crate::units::{Rate, Span, Time};

/// One leaky bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gcra {
    /// T.
    increment: i128,
    limit: i128,
    /// X.
    content: i128,
    /// LCT.
    last: Time,
}

impl Gcra {
    /// Makes a bucket: T is the time between cells of `rate`, tau is `tolerance`.
    pub fn new(rate: Rate, tolerance: Span) -> Self {
        Self::with_burst(rate, tolerance, 1, rate)
    }

    /// Makes a bucket as [`new`](Self::new) does, with an additional tolerance of
    /// `(burst - 1)(1/rate - 1/peak)`: `burst` cells may come at `peak`.
    pub fn with_burst(rate: Rate, tolerance: Span, burst: u64, peak: Rate) -> Self {
        let [increment, at_peak] =
            [rate, peak].map(|rate| i128::from(rate.cell_time().picoseconds()));
        let surplus = i128::from(burst - 1) * (increment - at_peak);
        let limit = surplus + i128::from(tolerance.picoseconds());
        Self { increment, limit, content: 0, last: Time::ZERO }
    }

    /// True if a cell that arrives at `now` conforms.
    #[inline]
    pub fn conforms(&self, now: Time) -> bool {
        self.content_at(now) <= self.limit
    }

    /// Adds the cell that arrives at `now`, whether it conforms or not.
    #[inline]
    pub fn take(&mut self, now: Time) {
        self.content = self.content_at(now).max(0) + self.increment;
        self.last = now;
    }

    /// Tests the cell that arrives at `now` and adds it if it conforms. True if it does.
    #[inline]
    pub fn on_cell(&mut self, now: Time) -> bool {
        let conforms = self.conforms(now);
        if conforms {
            self.take(now);
        }
        conforms
    }

    /// True if cells so far apart all conform if the first one does: the bucket does not fill.
    #[inline]
    pub fn drains_within(&self, gap: Span) -> bool {
        i128::from(gap.picoseconds()) >= self.increment
    }

    /// Adds cells, at least one, that arrive a gap apart from `first` on.
    ///
    /// X' grows from one to the next by T less the gap. If that is negative, it shrinks down to
    /// zero.
    #[inline]
    pub fn take_all(&mut self, first: Time, gap: Span, count: u32) {
        let others = i64::from(count - 1);
        let growth = i128::from(others) * (self.increment - i128::from(gap.picoseconds()));
        let content = self.content_at(first).max(0) + growth;
        self.content = content.max(0) + self.increment;
        self.last = first + gap * others;
    }

    /// X'.
    #[inline]
    fn content_at(&self, now: Time) -> i128 {
        self.content - i128::from((now - self.last).picoseconds())
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

    /// The other form of I.371 annex A: a theoretical arrival time TAT; a cell conforms if
    /// `ta >= TAT - tau`.
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

    proptest! {
        /// Cells at one gap at once or one by one leave the same bucket, and where it does not fill
        /// within the gap, all conform if the first does.
        #[test]
        fn a_train_is_its_cells(
            before in prop::collection::vec(0_i64..40, 0..6),
            after in 0_i64..40,
            gap in 0_i64..25,
            count in 1_u32..9,
        ) {
            let mut one = Gcra::new(RATE, Span::from_microseconds(3));
            let mut at = Time::ZERO;
            for us in before {
                at += Span::from_microseconds(us);
                one.take(at);
            }
            let (first, gap) = (at + Span::from_microseconds(after), Span::from_microseconds(gap));
            let (mut all, fits) = (one, one.conforms(first));
            all.take_all(first, gap, count);
            let is_known = fits && one.drains_within(gap);
            for number in 0..count {
                let at = first + gap * i64::from(number);
                prop_assert!(!is_known || one.conforms(at));
                one.take(at);
            }
            prop_assert_eq!(one, all);
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

    /// I.371: back to back at a link of cell time delta, `floor(1 + tau/(T - delta))` cells
    /// conform; here 1 + 32/(10 - 2) = 5.
    #[test]
    fn the_longest_burst_at_the_rate_of_the_link() {
        let arrivals: Vec<i64> = (0..8).map(|cell| 2 * cell).collect();
        assert_eq!(verdicts(32, &arrivals).iter().filter(|conforms| **conforms).count(), 5);
        assert_eq!(verdicts(32, &arrivals)[..6], [true, true, true, true, true, false]);
        assert_eq!(verdicts(31, &arrivals)[..5], [true, true, true, true, false]);
    }

    /// Picoseconds of a cell are rounded up at OC-3c and down at OC-12c.
    #[test]
    fn a_stream_at_its_rate_needs_no_tolerance() {
        for rate in [149_760_000, 599_040_000].map(Rate::from_bits_per_second) {
            let mut gcra = Gcra::new(rate, Span::ZERO);
            assert!((0..1000).all(|cell| gcra.on_cell(Time::ZERO + rate.cell_time() * cell)));
            assert!(
                !gcra.on_cell(Time::ZERO + rate.cell_time() * 1000 - Span::from_picoseconds(1))
            );
        }
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
