//! The frame-based GCRA, F-GCRA(T, L) (ATM Forum TM 4.1), which tells the frames that are eligible
//! for the guarantee.
//!
//! `T = 1/MCR` and `L = (MBS - 1)(1/MCR - 1/PCR) + CDVT`. The first cell of a frame, at `ta`, finds
//! `X' = X - (ta - LCT)`. If its CLP is 1 or `X' > L` the frame is not eligible, and none of its
//! cells changes X or LCT. Otherwise every cell of the frame makes `X = max(0, X') + T` and
//! `LCT = ta`: frames are judged whole.

use super::Gcra;
use crate::units::{Rate, Span, Time};

/// The test of one VC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameGcra {
    bucket: Gcra,
    is_eligible: bool,
}

impl FrameGcra {
    /// Makes a test for the minimum cell rate `mcr` in bursts of `mbs` cells at `pcr`. `mcr` must
    /// not be above `pcr`.
    pub fn new(mcr: Rate, pcr: Rate, mbs: u64, cdvt: Span) -> Self {
        Self { bucket: Gcra::with_burst(mcr, cdvt, mbs, pcr), is_eligible: false }
    }

    /// Tests the first cell of a frame. True if the frame is eligible.
    #[inline]
    pub fn on_first(&mut self, now: Time, is_low_priority: bool) -> bool {
        self.is_eligible = !is_low_priority && self.bucket.conforms(now);
        self.on_later(now);
        self.is_eligible
    }

    /// Takes any other cell of that frame.
    #[inline]
    pub fn on_later(&mut self, now: Time) {
        if self.is_eligible {
            self.bucket.take(now);
        }
    }

    /// Takes other cells of that frame, at least one, a gap apart from `first` on.
    #[inline]
    pub fn on_later_ones(&mut self, first: Time, gap: Span, count: u32) {
        if self.is_eligible {
            self.bucket.take_all(first, gap, count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MFS: u64 = 32;

    fn rate(bits_per_second: u64) -> Rate {
        Rate::from_bits_per_second(bits_per_second)
    }

    /// Verdicts on `frames` frames of [`MFS`] cells, sent without a gap at `sent`.
    fn stream(mut test: FrameGcra, sent: Rate, frames: usize) -> Vec<bool> {
        let mut at = Time::ZERO;
        let mut frame = || {
            let is_eligible = test.on_first(at, false);
            for _ in 1..MFS {
                at += sent.cell_time();
                test.on_later(at);
            }
            at += sent.cell_time();
            is_eligible
        };
        (0..frames).map(|_| frame()).collect()
    }

    #[test]
    fn every_frame_of_a_source_at_its_minimum_rate_is_eligible() {
        let test = FrameGcra::new(rate(7_000_001), rate(149_760_000), MFS, Span::ZERO);
        assert!(stream(test, rate(7_000_001), 1000).into_iter().all(|is_eligible| is_eligible));
    }

    /// With MBS of two frames. Eligible frames alone fill the bucket, so in the long run they are
    /// MCR of the 2 MCR sent.
    #[test]
    fn half_the_frames_of_a_source_at_twice_its_minimum_rate_are_eligible() {
        let test = FrameGcra::new(rate(10_000_000), rate(149_760_000), 2 * MFS, Span::ZERO);
        let eligible =
            stream(test, rate(20_000_000), 1000).into_iter().filter(|&frame| frame).count();
        // The burst tolerance of two frames comes once, on top.
        assert!((500..=503).contains(&eligible), "{eligible}");
    }

    /// After k cells at PCR the bucket holds k(1/MCR - 1/PCR) when the next one comes: at most L
    /// for k = MBS - 1, not for MBS.
    #[test]
    fn as_many_frames_as_the_burst_size_has_room_for_are_eligible_at_the_peak_rate() {
        for frames in 1..6 {
            let test =
                FrameGcra::new(rate(10_000_000), rate(149_760_000), frames * MFS, Span::ZERO);
            let eligible = stream(test, rate(149_760_000), frames as usize + 1);
            let (last, promised) = eligible.split_last().expect("at least two frames");
            assert!(
                promised.iter().all(|&is_eligible| is_eligible) && !last,
                "{frames}: {eligible:?}"
            );
        }
    }

    #[test]
    fn a_frame_with_low_priority_leaves_the_state_untouched() {
        let fresh = FrameGcra::new(rate(10_000_000), rate(149_760_000), MFS, Span::ZERO);
        let mut test = fresh;
        assert!(!test.on_first(Time::ZERO + Span::from_microseconds(5), true));
        test.on_later(Time::ZERO + Span::from_microseconds(8));
        assert_eq!(test, fresh);
    }

    proptest! {
        /// Rates times k and instants over k are the same train on another clock.
        #[test]
        fn only_the_product_of_rate_and_time_matters(
            gaps in prop::collection::vec(
                (1_i64..40_000_000, any::<bool>(), any::<bool>()), 1..200
            ),
            // Times of a cell that are whole picoseconds on both clocks.
            k in prop::sample::select(vec![1_i64, 2, 5, 8, 20, 40]),
        ) {
            let (mcr, pcr) = (1_000_000, 40_000_000);
            let cdvt = Span::from_picoseconds(k * 1_000_003);
            let mut slow = FrameGcra::new(rate(mcr), rate(pcr), 64, cdvt);
            let mut fast = FrameGcra::new(rate(mcr * k as u64), rate(pcr * k as u64), 64, cdvt / k);
            let mut at = 0;
            for (gap, is_first, is_low) in gaps {
                at += gap;
                let [then, now] = [at * k, at].map(Time::from_picoseconds);
                if is_first {
                    prop_assert_eq!(slow.on_first(then, is_low), fast.on_first(now, is_low));
                } else {
                    slow.on_later(then);
                    fast.on_later(now);
                }
            }
        }
    }
}
