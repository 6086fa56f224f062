//! What the receiver has reported beyond `snd_una`, and what that says about the rest: RFC 6675 §4.
//!
//! Losses are a prefix: whoever has enough reported above itself to count as lost, so has everyone below. Hence one
//! sequence number tells lost from under way, it lies at one of the three highest ranges, and no question here walks
//! through a window; only bytes between two points take as long as there are ranges between them.

use super::congestion::DUP_ACK_THRESHOLD;
use super::ranges::{Range, Ranges};
use super::segment::Segment;

/// A stretch that was sent and is not reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hole {
    pub(super) start: u64,
    pub(super) end: u64,
}

/// Sequence ranges that the receiver is known to hold beyond a gap.
#[derive(Clone, Debug, Default)]
pub(super) struct Scoreboard {
    sacked: Ranges,
}

impl Scoreboard {
    /// Notes what an ACK reports between `snd_una` and `snd_max`; how many bytes of it are news.
    pub(super) fn update(&mut self, segment: &Segment, snd_una: u64, snd_max: u64) -> u64 {
        let mut news = 0;
        for (start, end) in segment.sacked() {
            let start = start.max(snd_una.max(segment.ack));
            let end = end.min(snd_max);
            if start < end {
                news += self.sacked.insert(start, end);
            }
        }
        news
    }

    /// All before `snd_una` is acknowledged.
    pub(super) fn advance(&mut self, snd_una: u64) {
        self.sacked.advance(snd_una);
    }

    /// RFC 2018 §8: after a timeout nothing is believed to be at the receiver any more.
    pub(super) fn clear(&mut self) {
        self.sacked.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.sacked.is_empty()
    }

    /// The end of the highest range; 0: there is none.
    pub(super) fn highest(&self) -> u64 {
        self.sacked.iter().next_back().map_or(0, |range| range.end)
    }

    /// `IsLost` of RFC 6675 holds for what is not reported below here: `DupThresh` separate ranges follow, or more than
    /// `DupThresh` - 1 segments' bytes.
    pub(super) fn lost_before(&self, mss: u64) -> u64 {
        let mut bytes = 0;
        for (above, range) in (1..).zip(self.sacked.iter().rev()) {
            bytes += range.len();
            if above == DUP_ACK_THRESHOLD || bytes > u64::from(DUP_ACK_THRESHOLD - 1) * mss {
                return range.start;
            }
        }
        0
    }

    /// The first hole at or after `seq` and below the highest range, from `seq` on if that lies in it.
    pub(super) fn hole_from(&self, seq: u64) -> Option<Hole> {
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
    pub(super) fn last_hole(&self, snd_una: u64, snd_max: u64) -> Option<Hole> {
        let mut end = snd_max;
        for range in self.sacked.iter().rev() {
            if range.end < end {
                return Some(Hole { start: range.end, end });
            }
            end = range.start;
        }
        (snd_una < end).then_some(Hole { start: snd_una, end })
    }

    /// `seq`, or the end of the range that holds it.
    pub(super) fn skip(&self, seq: u64) -> u64 {
        let range = self.sacked.after(seq).next().filter(|range| range.start <= seq);
        range.map_or(seq, |range| range.end)
    }

    /// How far it is from `seq`, which is in no range, to the next one; endless behind the highest.
    pub(super) fn gap(&self, seq: u64) -> u64 {
        self.sacked.after(seq).next().map_or(u64::MAX, |range| range.start - seq)
    }

    /// Bytes reported between two sequence numbers.
    pub(super) fn bytes_between(&self, from: u64, to: u64) -> u64 {
        let overlap = |range: &Range| range.end.min(to) - range.start.max(from);
        self.sacked.after(from).take_while(|range| range.start < to).map(overlap).sum()
    }

    /// `SetPipe` of RFC 6675: bytes in the network, as far as anyone can tell. What is not reported counts once if it is
    /// not lost, and once more if it lies before `high_rxt`, where all holes have been sent again.
    pub(super) fn pipe(&self, snd_una: u64, snd_max: u64, high_rxt: u64, mss: u64) -> u64 {
        let missing = |from: u64, to: u64| to - from - self.bytes_between(from, to);
        missing(self.lost_before(mss).max(snd_una), snd_max) + missing(snd_una, high_rxt.max(snd_una))
    }
}
