//! Ranges that the receiver has reported beyond `snd_una`, and the losses that follow from them:
//! RFC 6675 §4.
//!
//! Losses are a prefix: if a byte has enough reported above it to count as lost, so has every hole
//! below it. Hence one sequence number divides lost from in flight. It lies at one of the three
//! highest ranges, and no method here walks through a window; only the bytes between two points
//! take time in proportion to the ranges between them.

use crate::pdu::Segment;
use crate::tcp::ranges::{Range, Ranges};

/// Number of duplicate ACKs that are taken as a loss (RFC 5681 §3.2). RFC 6675 calls it
/// `DupThresh`.
pub const DUP_ACK_THRESHOLD: u32 = 3;

/// A stretch that was sent and has not been reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hole {
    /// Its first sequence number.
    pub start: u64,
    /// The sequence number after it.
    pub end: u64,
}

/// Sequence ranges that the receiver is known to hold beyond a gap.
#[derive(Clone, Debug, Default)]
pub struct Scoreboard {
    sacked: Ranges,
}

impl Scoreboard {
    /// Inserts the blocks of an ACK between `snd_una` and `snd_max`; returns the number of their
    /// bytes that are new.
    pub(in crate::tcp) fn update(&mut self, segment: &Segment, snd_una: u64, snd_max: u64) -> u64 {
        let mut new = 0;
        for (start, end) in segment.sacked() {
            let start = start.max(snd_una.max(segment.ack));
            let end = end.min(snd_max);
            if start < end {
                new += self.sacked.insert(start, end);
            }
        }
        new
    }

    /// Removes ranges before `snd_una`, which are acknowledged.
    pub(in crate::tcp) fn advance(&mut self, snd_una: u64) {
        self.sacked.advance(snd_una);
    }

    /// Removes all ranges: after a timeout the receiver may have discarded them (RFC 2018 §8).
    pub(in crate::tcp) fn clear(&mut self) {
        self.sacked.clear();
    }

    /// True if no range is reported.
    pub fn is_empty(&self) -> bool {
        self.sacked.is_empty()
    }

    /// The end of the highest range; 0 if there is none.
    pub fn highest(&self) -> u64 {
        self.sacked.iter().next_back().map_or(0, |range| range.end)
    }

    /// The limit of losses: `IsLost` of RFC 6675 holds for every unreported byte below it.
    /// `DupThresh` separate ranges follow it, or more than `DupThresh` - 1 segments' bytes.
    pub fn lost_before(&self, mss: u64) -> u64 {
        let mut bytes = 0;
        for (above, range) in (1..).zip(self.sacked.iter().rev()) {
            bytes += range.len();
            if above == DUP_ACK_THRESHOLD || bytes > u64::from(DUP_ACK_THRESHOLD - 1) * mss {
                return range.start;
            }
        }
        0
    }

    /// The first hole at or after `seq` and below the highest range; it begins at `seq` if that
    /// lies in it.
    pub fn hole_from(&self, seq: u64) -> Option<Hole> {
        let mut start = seq;
        for range in self.sacked.after(seq) {
            if start < range.start {
                return Some(Hole { start, end: range.start });
            }
            start = range.end;
        }
        None
    }

    /// The highest stretch below `snd_max` that is not reported.
    pub fn last_hole(&self, snd_una: u64, snd_max: u64) -> Option<Hole> {
        let mut end = snd_max;
        for range in self.sacked.iter().rev() {
            if range.end < end {
                return Some(Hole { start: range.end, end });
            }
            end = range.start;
        }
        (snd_una < end).then_some(Hole { start: snd_una, end })
    }

    /// The end of the range that contains `seq`; `seq` itself if there is none.
    pub(in crate::tcp) fn skip(&self, seq: u64) -> u64 {
        let range = self.sacked.after(seq).next().filter(|range| range.start <= seq);
        range.map_or(seq, |range| range.end)
    }

    /// Distance from `seq`, which is in no range, to the next range; unlimited above the highest
    /// one.
    pub(in crate::tcp) fn gap(&self, seq: u64) -> u64 {
        self.sacked.after(seq).next().map_or(u64::MAX, |range| range.start - seq)
    }

    /// Parts from `start` to `end` that are not reported, in order.
    pub(in crate::tcp) fn holes_within(&self, start: u64, end: u64) -> impl Iterator<Item = Hole> {
        let edges = self.sacked.after(start).take_while(move |range| range.start < end);
        let edges = edges.map(|range| (range.start, range.end)).chain([(end, end)]);
        let mut at = start;
        edges.filter_map(move |(next, after)| {
            let hole = Hole { start: at, end: next };
            at = after;
            (hole.start < hole.end).then_some(hole)
        })
    }

    /// Bytes reported between two sequence numbers.
    pub fn bytes_between(&self, from: u64, to: u64) -> u64 {
        let overlap = |range: &Range| range.end.min(to) - range.start.max(from);
        self.sacked.after(from).take_while(|range| range.start < to).map(overlap).sum()
    }

    /// Bytes in the network: `SetPipe` of RFC 6675. An unreported byte counts once if it is not
    /// lost, and once more if it lies before `high_rxt`, where all holes have been sent again.
    pub fn pipe(&self, snd_una: u64, snd_max: u64, high_rxt: u64, mss: u64) -> u64 {
        let missing = |from: u64, to: u64| to - from - self.bytes_between(from, to);
        missing(self.lost_before(mss).max(snd_una), snd_max)
            + missing(snd_una, high_rxt.max(snd_una))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdu::SackOption;

    const MSS: u64 = 1000;

    /// Scoreboard of ten segments of 1000 bytes; segment 0 begins at sequence number 0.
    fn board(reported: &[u64]) -> Scoreboard {
        let mut board = Scoreboard::default();
        for &n in reported {
            assert_eq!(board.update(&report(n), 0, 10 * MSS), MSS);
        }
        board
    }

    fn report(n: u64) -> Segment {
        let block = (n * MSS, (n + 1) * MSS);
        Segment { sack: SackOption::new(0, std::iter::once(block)), ..Segment::default() }
    }

    fn hole(from: u64, to: u64) -> Hole {
        Hole { start: from * MSS, end: to * MSS }
    }

    #[test]
    fn only_what_is_new_and_outstanding_counts() {
        let mut board = board(&[3, 5]);
        assert_eq!(board.update(&report(3), 0, 10 * MSS), 0);
        let blocks = [(2500, 6500), (9500, 12_000)];
        let segment =
            Segment { sack: SackOption::new(0, blocks.into_iter()), ..Segment::default() };
        // 500 bytes of segment 2, all of 4, 500 of 6; and 500 of 9, beyond which nothing was sent.
        assert_eq!(board.update(&segment, 0, 10 * MSS), 500 + 1000 + 500 + 500);
        assert_eq!(board.highest(), 10_000);
        board.clear();
        assert_eq!(board.update(&segment, 6000, 10 * MSS), 500 + 500);
    }

    /// Losses by RFC 6675 §4, `IsLost`: `DupThresh` separate ranges above, or more than two
    /// segments' bytes.
    #[test]
    fn three_ranges_or_more_than_two_segments_make_a_loss() {
        assert_eq!(board(&[]).lost_before(MSS), 0);
        assert_eq!(board(&[3, 5]).lost_before(MSS), 0);
        assert_eq!(board(&[3, 4]).lost_before(MSS), 0);
        assert_eq!(board(&[3, 4, 5]).lost_before(MSS), 3000);
        // One range of two segments and one of one: above 2 are three segments, above 4 only two.
        assert_eq!(board(&[3, 5, 6]).lost_before(MSS), 3000);
        assert_eq!(board(&[1, 3, 5, 7]).lost_before(MSS), 3000);
        let mut short = board(&[]);
        for start in [1500, 3500, 5500] {
            let block = std::iter::once((start, start + 10));
            short.update(
                &Segment { sack: SackOption::new(0, block), ..Segment::default() },
                0,
                10 * MSS,
            );
        }
        assert_eq!(short.lost_before(MSS), 1500);
    }

    /// Pipe by RFC 6675 §4, `SetPipe`: 0 and 2 are lost, 4, 6, 8 and 9 are not, and retransmitted
    /// bytes count again.
    #[test]
    fn the_pipe_holds_what_is_neither_reported_nor_lost_and_what_was_resent() {
        let board = board(&[1, 3, 5, 7]);
        assert_eq!(board.lost_before(MSS), 3000);
        assert_eq!(board.pipe(0, 10 * MSS, 0, MSS), 4000);
        assert_eq!(board.pipe(0, 10 * MSS, MSS, MSS), 5000);
        assert_eq!(board.pipe(0, 10 * MSS, 3 * MSS, MSS), 6000);
        // Not lost and sent again under rule 3: both copies are in the network.
        assert_eq!(board.pipe(0, 10 * MSS, 5 * MSS, MSS), 7000);
        assert_eq!(Scoreboard::default().pipe(0, 10 * MSS, 0, MSS), 10_000);
    }

    #[test]
    fn holes_lie_below_reports() {
        let board = board(&[1, 2, 5, 7]);
        let from = |n| board.hole_from(n * MSS);
        assert_eq!(
            [0, 1, 3, 5, 6].map(from),
            [(0, 1), (3, 5), (3, 5), (6, 7), (6, 7)].map(|(a, b)| Some(hole(a, b)))
        );
        assert_eq!(board.hole_from(3500), Some(Hole { start: 3500, end: 5000 }));
        assert_eq!(from(7), None);
        assert_eq!(board.last_hole(0, 10 * MSS), Some(hole(8, 10)));
        assert_eq!(board.last_hole(0, 8 * MSS), Some(hole(6, 7)));
        assert_eq!(Scoreboard::default().last_hole(4 * MSS, 9 * MSS), Some(hole(4, 9)));
        assert_eq!(Scoreboard::default().last_hole(9 * MSS, 9 * MSS), None);
    }

    #[test]
    fn going_back_passes_over_reports() {
        let board = board(&[1, 2, 5]);
        assert_eq!([0, 1000, 2999, 3000].map(|seq| board.skip(seq)), [0, 3000, 3000, 3000]);
        assert_eq!([0, 3000, 6000].map(|seq| board.gap(seq)), [1000, 2000, u64::MAX]);
        assert_eq!(board.bytes_between(0, 10 * MSS), 3000);
        assert_eq!(board.bytes_between(1500, 5500), 2000);
    }
}
