//! Log of the segments that a sending connection sends and receives: the lines of a time-sequence
//! diagram (as `tcptrace` of S. Ostermann draws them), as series.
//!
//! | series of flow F | one point for |
//! |---|---|
//! | `F.sent`, `F.sent_length` | a segment with data given to the interface: first byte, bytes |
//! | `F.resent`, `F.resent_length` | the same of one with data that were sent before |
//! | `F.resent_by_timeout` | of these, one that is sent again because of a timeout: first byte |
//! | `F.timeout` | an expiry of the retransmission timer: first byte not acknowledged |
//! | `F.heard`, `F.heard_window` | an acknowledgement that arrives: its number, and with the window |
//! | `F.sack_start`, `F.sack_end` | a block of selective acknowledgement |
//! | `F.cwnd_edge` | a change of the acknowledged bytes with the congestion window |
//! | `F.unrecorded` | nothing but the first event beyond the limit: how many there were |

use super::Series;
use crate::engine::{Fifo, Tally};
use crate::pdu::{Flags, Segment};
use crate::units::Time;

/// Points of one series.
#[derive(Clone, Debug, Default)]
struct Track {
    times: Vec<Time>,
    values: Vec<f64>,
}

impl Track {
    /// Adds a point; returns the number of bytes by which the series has grown.
    fn push(&mut self, at: Time, value: u64) -> usize {
        let before = self.times.capacity();
        self.times.push(at);
        self.values.push(value as f64);
        (self.times.capacity() - before) * size_of::<(Time, f64)>()
    }
}

/// Series of a log.
#[derive(Clone, Copy)]
enum Of {
    Sent,
    SentLength,
    Resent,
    ResentLength,
    ResentByTimeout,
    Timeout,
    Heard,
    HeardWindow,
    SackStart,
    SackEnd,
    CwndEdge,
}

const TRACKS: [&str; 11] = [
    "sent",
    "sent_length",
    "resent",
    "resent_length",
    "resent_by_timeout",
    "timeout",
    "heard",
    "heard_window",
    "sack_start",
    "sack_end",
    "cwnd_edge",
];

/// The log of one sending connection, in bounded memory: the first `limit` events of every kind
/// within the window.
#[derive(Clone, Debug)]
pub struct SegmentLog {
    flow: String,
    window: (Time, Time),
    limit: usize,
    tracks: [Track; TRACKS.len()],
    /// One above the last byte that was ever given to the interface.
    highest: u64,
    /// The same of the segments that the connection has made; a host that takes time gives them
    /// later.
    created: u64,
    /// True if caused by a timeout, for each segment with data sent before that is on its way to
    /// the interface.
    by_timeout: Fifo<bool>,
    timeouts: u64,
    cwnd_edge: u64,
    unrecorded: Option<(Time, u64)>,
    tally: Tally,
}

impl SegmentLog {
    /// Makes the log of the flow with this name, of events from one instant on and before the
    /// other.
    pub fn new(flow: &str, window: (Time, Time), limit: usize) -> Self {
        let tracks = std::array::from_fn(|_| Track::default());
        let flow = flow.to_owned();
        Self {
            flow,
            window,
            limit,
            tracks,
            highest: 0,
            created: 0,
            by_timeout: Fifo::default(),
            timeouts: 0,
            cwnd_edge: 0,
            unrecorded: None,
            tally: Tally::default(),
        }
    }

    /// Adds the memory of its points to `tally`.
    #[must_use]
    pub fn counted(mut self, tally: &Tally) -> Self {
        self.tally = tally.clone();
        self
    }

    /// Logs expiries of the retransmission timer, `timeouts` in all; at the last one `first` was
    /// the first byte not acknowledged.
    pub fn on_timeouts(&mut self, at: Time, timeouts: u64, first: u64) {
        if timeouts > self.timeouts {
            self.timeouts = timeouts;
            self.note(at, [(Of::Timeout, first)]);
        }
    }

    /// Logs a segment that the connection has made; a retransmission may be caused by a timeout.
    #[inline]
    pub fn on_created(&mut self, segment: Segment, by_timeout: bool) {
        if segment.len == 0 {
            return;
        }
        if segment.seq < self.created {
            self.by_timeout.push(by_timeout);
        }
        self.created = self.created.max(segment.seq + u64::from(segment.len));
    }

    /// Logs a segment that is given to the interface.
    pub fn on_sent(&mut self, at: Time, segment: Segment) {
        if segment.len == 0 {
            return;
        }
        let is_new = segment.seq >= self.highest;
        self.highest = self.highest.max(segment.seq + u64::from(segment.len));
        let [start, length] =
            if is_new { [Of::Sent, Of::SentLength] } else { [Of::Resent, Of::ResentLength] };
        self.note(at, [(start, segment.seq), (length, u64::from(segment.len))]);
        if !is_new && self.by_timeout.pop() == Some(true) {
            self.note(at, [(Of::ResentByTimeout, segment.seq)]);
        }
    }

    /// Logs a segment that has arrived.
    pub fn on_received(&mut self, at: Time, segment: &Segment) {
        if !segment.flags.contains(Flags::ACK) {
            return;
        }
        let edge = segment.ack + u64::from(segment.window);
        self.note(at, [(Of::Heard, segment.ack), (Of::HeardWindow, edge)]);
        for (start, end) in segment.sacked() {
            self.note(at, [(Of::SackStart, start), (Of::SackEnd, end)]);
        }
    }

    /// Logs acknowledged bytes and congestion window, after anything that may have changed them.
    pub fn on_window(&mut self, at: Time, edge: u64) {
        if edge != self.cwnd_edge {
            self.cwnd_edge = edge;
            self.note(at, [(Of::CwndEdge, edge)]);
        }
    }

    fn note<const N: usize>(&mut self, at: Time, points: [(Of, u64); N]) {
        if !(self.window.0 <= at && at < self.window.1) {
            return;
        }
        for (of, value) in points {
            let track = &mut self.tracks[of as usize];
            if track.times.len() < self.limit {
                let bytes = track.push(at, value);
                if bytes > 0 {
                    self.tally.add(bytes);
                }
            } else {
                self.unrecorded.get_or_insert((at, 0)).1 += 1;
            }
        }
    }

    /// The series with points, and the series of timeouts even without points: it shows that there
    /// were none.
    pub fn finish(self) -> Vec<Series> {
        let Self { flow, tracks, unrecorded, .. } = self;
        let series = |name: &str, unit, Track { times, values }: Track| Series {
            name: format!("{flow}.{name}"),
            unit,
            times,
            values,
            means: None,
            thinned: 0,
        };
        let named = TRACKS.into_iter().zip(tracks);
        let named = named.filter(|(name, track)| *name == "timeout" || !track.times.is_empty());
        let mut all: Vec<Series> = named.map(|(name, track)| series(name, "byte", track)).collect();
        if let Some((at, count)) = unrecorded {
            let track = Track { times: vec![at], values: vec![count as f64] };
            all.push(series("unrecorded", "point", track));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(picoseconds: i64) -> Time {
        Time::from_picoseconds(picoseconds)
    }

    fn data(seq: u64) -> Segment {
        Segment { seq, len: 100, ..Segment::default() }
    }

    fn values<'s>(all: &'s [Series], name: &str) -> &'s [f64] {
        let found = all.iter().find(|series| series.name == format!("bulk.{name}"));
        &found.expect("it is recorded").values
    }

    #[test]
    fn what_was_sent_before_is_sent_again() {
        let mut log = SegmentLog::new("bulk", (at(0), at(100)), 16);
        for (instant, seq) in [(1, 0), (2, 100), (3, 0), (4, 200)] {
            log.on_sent(at(instant), data(seq));
        }
        let found = log.finish();
        assert_eq!(values(&found, "sent"), [0.0, 100.0, 200.0]);
        assert_eq!(values(&found, "resent"), [0.0]);
        assert_eq!(values(&found, "resent_length"), [100.0]);
    }

    /// Segments sent before the window began still count as sent.
    #[test]
    fn the_window_hides_points_and_forgets_nothing() {
        let mut log = SegmentLog::new("bulk", (at(10), at(20)), 16);
        for (instant, seq) in [(1, 0), (12, 0), (15, 100), (20, 200)] {
            log.on_sent(at(instant), data(seq));
        }
        let found = log.finish();
        assert_eq!(values(&found, "resent"), [0.0]);
        assert_eq!(values(&found, "sent"), [100.0]);
    }

    #[test]
    fn beyond_the_limit_events_are_counted() {
        let mut log = SegmentLog::new("bulk", (at(0), at(100)), 2);
        for (instant, edge) in [(1, 10), (2, 10), (3, 20), (4, 30), (5, 40)] {
            log.on_window(at(instant), edge);
        }
        let found = log.finish();
        assert_eq!(values(&found, "cwnd_edge"), [10.0, 20.0]);
        assert_eq!(values(&found, "unrecorded"), [2.0]);
        assert_eq!(found.last().map(|series| series.times[0]), Some(at(4)));
    }

    #[test]
    fn an_acknowledgement_has_its_blocks_and_its_window() {
        use crate::pdu::SackOption;
        let mut log = SegmentLog::new("bulk", (at(0), at(100)), 16);
        let sack = SackOption::new(100, [(300, 400), (200, 250)].into_iter());
        let flags = Flags::ACK;
        log.on_received(at(5), &Segment { ack: 100, window: 1000, sack, flags, ..data(0) });
        let found = log.finish();
        assert_eq!(values(&found, "heard_window"), [1100.0]);
        assert_eq!(values(&found, "sack_start"), [300.0, 200.0]);
        assert_eq!(values(&found, "sack_end"), [400.0, 250.0]);
    }
}
