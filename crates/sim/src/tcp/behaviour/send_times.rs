//! Send times of segments, for rules that ask for a round trip with every ACK.

use std::collections::VecDeque;

use super::hooks::{Arrival, Behaviour, Findings};
use crate::tcp::piece::Piece;
use crate::units::{Span, Time};

/// Send times of the segments in flight, in the order of the sequence numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct SendTimes {
    sent: VecDeque<Sent>,
}

#[derive(Clone, Copy, Debug)]
struct Sent {
    /// The sequence number after the segment.
    end: u64,
    /// The instant; `None` if the segment was sent more than once, so that its ACK does not tell
    /// which copy arrived (Karn and Partridge 1987).
    at: Option<Time>,
}

impl SendTimes {
    /// Notes that the bytes from `start` to `end` are sent.
    fn note(&mut self, now: Time, start: u64, end: u64) {
        let snd_max = self.sent.back().map_or(start, |last| last.end);
        if start < snd_max {
            let first = self.sent.partition_point(|sent| sent.end <= start);
            let last = self.sent.partition_point(|sent| sent.end < end);
            self.sent.range_mut(first..=last.min(self.sent.len() - 1)).for_each(|s| s.at = None);
        }
        if end > snd_max {
            self.sent.push_back(Sent { end, at: (start >= snd_max).then_some(now) });
        }
    }

    /// Removes the segments before `ack`, which are acknowledged; returns the round trip of the
    /// last one.
    fn acknowledge(&mut self, now: Time, ack: u64) -> Option<Span> {
        let count = self.sent.partition_point(|sent| sent.end <= ack);
        let latest = self.sent.drain(..count).next_back()?;
        Some(now - latest.at?)
    }
}

impl Behaviour for SendTimes {
    fn on_ack(&mut self, arrival: &Arrival<'_>, findings: &mut Findings) {
        if arrival.is_new {
            findings.latest_rtt = self.acknowledge(arrival.now, arrival.snd_una);
        }
    }

    fn on_sent(&mut self, now: Time, piece: Piece) {
        self.note(now, piece.seq, piece.end());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(milliseconds: i64) -> Time {
        Time::from_picoseconds(milliseconds * 1_000_000_000)
    }

    #[test]
    fn the_latest_segment_that_an_ack_covers_is_timed() {
        let mut times = SendTimes::default();
        for (sent, start) in [(0, 1), (10, 1001), (20, 2001), (30, 3001)] {
            times.note(at(sent), start, start + 1000);
        }
        assert_eq!(times.acknowledge(at(100), 1001), Some(Span::from_milliseconds(100)));
        assert_eq!(times.acknowledge(at(115), 3001), Some(Span::from_milliseconds(95)));
        assert_eq!(times.acknowledge(at(116), 3001), None);
        assert_eq!(times.acknowledge(at(125), 4001), Some(Span::from_milliseconds(95)));
    }

    #[test]
    fn what_is_sent_twice_is_not_timed() {
        let mut times = SendTimes::default();
        for start in [1, 1001, 2001, 3001] {
            times.note(at(0), start, start + 1000);
        }
        times.note(at(50), 1001, 2001);
        assert_eq!(times.acknowledge(at(100), 1001), Some(Span::from_milliseconds(100)));
        assert_eq!(times.acknowledge(at(110), 2001), None);
        assert_eq!(times.acknowledge(at(120), 3001), Some(Span::from_milliseconds(120)));
        // Going back, a segment may be filled up.
        times.note(at(200), 3001, 4501);
        assert_eq!(times.acknowledge(at(300), 4001), None);
        assert_eq!(times.acknowledge(at(300), 4501), None);
        times.note(at(310), 4501, 5501);
        assert_eq!(times.acknowledge(at(320), 5501), Some(Span::from_milliseconds(10)));
    }
}
