//! Ends of an acceleration: a plateau of the delivery rate, in Startup and `ProbeBW_UP` (section
//! 5.3.1.2 of the draft), and losses in Startup (section 5.3.1.3).

use super::sample::Sample;

/// Rounds without growth that make a plateau, and the growth of a round.
const ROUNDS: u32 = 3;
const GROWTH: f64 = 1.25;
/// Separate ranges lost in a round that end Startup.
const RANGES: u32 = 6;

/// Search for a plateau.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FullPipe {
    /// `BBR.full_bw`: latest rate that was a quarter above the one before.
    baseline: f64,
    /// `BBR.full_bw_count`.
    rounds: u32,
    /// `BBR.full_bw_now`: the latest search has found a plateau.
    pub(super) is_full_now: bool,
    /// `BBR.full_bw_reached`: one was found since Startup began.
    pub(super) is_reached: bool,
}

impl FullPipe {
    /// Begins a search above `rate`.
    pub(super) fn restart(&mut self, rate: f64) {
        (self.baseline, self.rounds, self.is_full_now) = (rate, 0, false);
    }

    /// Takes an ACK.
    pub(super) fn on_ack(&mut self, sample: &Sample, is_round_start: bool) {
        let counts = is_round_start && !sample.is_limited && sample.rate > 0.0;
        if self.is_full_now || !counts {
            return;
        }
        if sample.rate >= GROWTH * self.baseline {
            self.restart(sample.rate);
            return;
        }
        self.rounds += 1;
        if self.rounds >= ROUNDS {
            (self.is_full_now, self.is_reached) = (true, true);
        }
    }
}

/// Separate ranges found lost in a round.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LostRanges {
    count: u32,
    /// Sequence number after the latest lost segment.
    end: u64,
}

impl LostRanges {
    /// Takes a lost segment.
    pub(super) fn on_lost(&mut self, start: u64, end: u64) {
        self.count += u32::from(start != self.end);
        self.end = end;
    }

    /// Ends a round; true if enough ranges were lost in it.
    pub(super) fn end_round(&mut self) -> bool {
        std::mem::take(&mut self.count) >= RANGES
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::congestion::bbr3::tests::sample;

    /// Three rounds of growth below a quarter; rounds that the application limits do not count.
    #[test]
    fn three_rounds_without_growth_make_a_plateau() {
        let mut pipe = FullPipe::default();
        let mut found = Vec::new();
        for (rate, is_limited) in
            [(1e6, false), (2e6, false), (2.4e6, false), (2e6, true), (2.5e6, false), (3e6, false)]
        {
            pipe.on_ack(&Sample { rate, is_limited, ..sample() }, true);
            found.push((pipe.baseline, pipe.rounds));
        }
        let expected = [(1e6, 0), (2e6, 0), (2e6, 1), (2e6, 1), (2.5e6, 0), (2.5e6, 1)];
        assert_eq!(found, expected);
        pipe.on_ack(&Sample { rate: 3e6, ..sample() }, false);
        assert_eq!(pipe.rounds, 1);
        (0..2).for_each(|_| pipe.on_ack(&Sample { rate: 3e6, ..sample() }, true));
        assert!(pipe.is_full_now && pipe.is_reached);
        pipe.restart(3e6);
        assert!(!pipe.is_full_now && pipe.is_reached);
    }

    #[test]
    fn six_separate_ranges_in_a_round_end_startup() {
        let mut ranges = LostRanges::default();
        (0..5).for_each(|n| ranges.on_lost(4000 * n + 1000, 4000 * n + 2000));
        ranges.on_lost(18_000, 19_000);
        assert!(!ranges.end_round());
        (5..11).for_each(|n| ranges.on_lost(4000 * n + 1000, 4000 * n + 2000));
        assert!(ranges.end_round());
    }
}
