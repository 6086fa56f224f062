//! Packets of one flow at the host that receives them: counters and series.
//!
//! Nothing changes between two packets, so a packet takes the grid samples before it, and the end
//! of the run the others.

use crate::pdu::{Frame, Segment};
use crate::result::{Ledger, OnWay, OneWay, OneWaySummary, Recorders, Series};
use crate::tcp::Ranges;
use crate::units::{Span, Time};

/// A recorded value of arriving packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrivalProbe {
    /// Bytes of data that have arrived, each once.
    Bytes,
    /// The largest one-way delay since the last sample, seconds; on change that of each packet.
    Delay,
    /// A percentile of these delays, in seconds; it exists on a grid only.
    Percentile(u8),
}

/// Counters and series of one flow.
#[derive(Debug, Default)]
pub struct Arrivals {
    /// Delays and counts of the measurement, if they are asked for.
    pub one_way: Option<OneWay>,
    recorders: Recorders<ArrivalProbe>,
    /// Instant of the next grid sample; [`Time::MAX`] if every change is recorded.
    due: Time,
    end: Time,
    bytes: u64,
    /// Sequence number after the last byte before the first gap.
    next: u64,
    beyond: Ranges,
    /// Delays since the last sample; only the largest, where no percentile is recorded.
    delays: Vec<Span>,
    keeps_all: bool,
}

impl Arrivals {
    /// Makes what is asked for of a run that ends at `end`; `None` if that is nothing.
    pub fn new(
        one_way: Option<OneWay>,
        recorders: Recorders<ArrivalProbe>,
        end: Time,
    ) -> Option<Box<Self>> {
        let is_percentile = |probe| matches!(probe, ArrivalProbe::Percentile(_));
        let keeps_all = recorders.0.iter().any(|(probe, _)| is_percentile(*probe));
        let is_any = one_way.is_some() || !recorders.0.is_empty();
        let due = recorders.next_sample();
        // The first byte of data is number 1.
        let arrivals = Self { one_way, recorders, due, end, next: 1, keeps_all, ..Self::default() };
        is_any.then(|| Box::new(arrivals))
    }

    /// Notes a whole frame with data of a connection.
    pub(super) fn on_segment(&mut self, frame: &Frame, at: Time) {
        let Segment { seq, len, .. } = frame.segment;
        let is_recorded = !self.recorders.0.is_empty();
        let new = if is_recorded { self.add(seq, seq + u64::from(len)) } else { 0 };
        self.on_packet(frame, new, at);
    }

    /// Notes data from `start` to `end`; returns how many of these bytes had not arrived.
    fn add(&mut self, start: u64, end: u64) -> u64 {
        let start = start.max(self.next);
        if start >= end {
            return 0;
        }
        if start == self.next && self.beyond.is_empty() {
            self.next = end;
            return end - start;
        }
        let new = self.beyond.insert(start, end);
        self.next = self.beyond.advance(self.next);
        new
    }

    /// Notes a whole packet that has `new` bytes of data that had not arrived.
    pub(super) fn on_packet(&mut self, frame: &Frame, new: u64, at: Time) {
        if let Some(one_way) = &mut self.one_way {
            one_way.on_packet(frame.sent_at, frame.segment.seq, at);
        }
        if self.recorders.0.is_empty() {
            return;
        }
        if self.due <= at {
            self.sample_through(at);
        }
        self.bytes += new;
        let delay = at - frame.sent_at;
        match self.delays.first_mut().filter(|_| !self.keeps_all) {
            Some(largest) => *largest = delay.max(*largest),
            None => self.delays.push(delay),
        }
        if self.due == Time::MAX {
            self.note_change(delay, at);
        }
    }

    /// Records a packet of this delay in the series of every change.
    fn note_change(&mut self, delay: Span, at: Time) {
        let bytes = self.bytes as f64;
        self.recorders.note_change(at, |probe| match probe {
            ArrivalProbe::Bytes => Some(bytes),
            ArrivalProbe::Delay => Some(delay.seconds_f64()),
            ArrivalProbe::Percentile(_) => None,
        });
    }

    /// Summary of the delays and counts, if they are asked for.
    pub(super) fn summary(&self) -> Option<Box<OneWaySummary>> {
        self.one_way.as_ref().map(|one_way| Box::new(one_way.summary()))
    }

    /// Counts the packets of a flow in transit that have not arrived, if they are counted.
    pub(super) fn count_inside(&self, flow: usize, on_way: &OnWay, ledger: &mut Ledger) {
        if let (Some(one_way), Some(packets)) = (&self.one_way, on_way.get(&flow)) {
            let inside = packets.iter().filter(|packet| !one_way.has_arrived(**packet));
            ledger.flows[flow].inside_segments = inside.count() as u64;
        }
    }

    /// Takes every grid sample that is due by `at`, of the packets before it.
    fn sample_through(&mut self, at: Time) {
        let Self { recorders, delays, bytes, .. } = self;
        while recorders.next_sample() <= at {
            let due = recorders.next_sample();
            delays.sort_unstable();
            let rank = |percent: usize| (delays.len() * percent).div_ceil(100).max(1) - 1;
            let at_rank =
                |percent| delays.get(rank(percent)).map_or(f64::NAN, |it| it.seconds_f64());
            recorders.sample_through(due, |probe, _| match probe {
                ArrivalProbe::Bytes => *bytes as f64,
                ArrivalProbe::Delay => at_rank(100),
                ArrivalProbe::Percentile(percent) => at_rank(percent.into()),
            });
            delays.clear();
        }
        self.due = recorders.next_sample();
    }

    /// The finished series.
    pub(super) fn take_series(&mut self) -> impl Iterator<Item = Series> {
        self.sample_through(self.end);
        self.recorders.take_series()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::{Recorder, Sampling};

    fn at(milliseconds: i64) -> Time {
        Time::ZERO + Span::from_milliseconds(milliseconds)
    }

    /// Values of `probe` every 100 ms of segments of 100 bytes: instants of sending and arrival,
    /// milliseconds, and the first byte.
    fn recorded(probe: ArrivalProbe, packets: &[(i64, i64, u64)]) -> Vec<f64> {
        let grid = Sampling::Every(Span::from_milliseconds(100));
        let recorder = Recorder::new("f.x".into(), "second", grid, 16);
        let mut arrivals = Arrivals::new(None, Recorders(vec![(probe, recorder)]), at(200));
        let arrivals = arrivals.as_mut().expect("it records");
        for &(sent, arrived, seq) in packets {
            let segment = Segment { seq, len: 100, ..Segment::default() };
            let sent_at = at(sent);
            let frame = Frame { direction: 0, number: 0, cells: 1, bytes: 140, sent_at, segment };
            arrivals.on_segment(&frame, at(arrived));
        }
        arrivals.take_series().next().expect("one series").values
    }

    /// Delays of 10, 14, 8, 8 and 20 ms before 100 ms, one of 12 ms at that instant.
    const PACKETS: [(i64, i64, u64); 6] =
        [(0, 10, 1), (20, 34, 201), (40, 48, 101), (60, 68, 201), (70, 90, 301), (88, 100, 401)];

    #[test]
    fn percentiles_are_delays_by_rank() {
        let found = |probe| recorded(probe, &PACKETS)[1..].to_vec();
        assert_eq!(found(ArrivalProbe::Percentile(50)), [0.010, 0.012]);
        assert_eq!(found(ArrivalProbe::Percentile(95)), [0.020, 0.012]);
        assert_eq!(found(ArrivalProbe::Delay), [0.020, 0.012]);
    }

    /// The fourth segment is the second again, which filled the gap behind the first.
    #[test]
    fn bytes_count_once_in_any_order() {
        assert_eq!(recorded(ArrivalProbe::Bytes, &PACKETS[..2]), [0.0, 200.0, 200.0]);
        assert_eq!(recorded(ArrivalProbe::Bytes, &PACKETS), [0.0, 400.0, 500.0]);
    }
}
