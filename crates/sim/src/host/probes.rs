//! What is recorded of a sending connection.

use crate::result::{Recorder, SegmentLog, Series};
use crate::tcp::{Connection, MAX_WINDOW};
use crate::units::{Span, Time};

/// Series of one sending connection.
#[derive(Debug, Default)]
pub struct Probes {
    /// Congestion window, bytes.
    pub cwnd: Option<Recorder>,
    /// Slow-start threshold, bytes.
    pub ssthresh: Option<Recorder>,
    /// Bytes sent and not acknowledged.
    pub in_flight: Option<Recorder>,
    /// Latest round-trip time, seconds.
    pub rtt: Option<Recorder>,
    /// Bytes acknowledged in order.
    pub acked: Option<Recorder>,
    /// Segment by segment, what is sent and heard.
    pub segments: Option<SegmentLog>,
}

impl Probes {
    fn with_values<'a>(
        &'a mut self,
        connection: &Connection,
    ) -> [(&'a mut Option<Recorder>, Option<f64>); 5] {
        [
            (&mut self.cwnd, Some(connection.cwnd() as f64)),
            (&mut self.ssthresh, known(connection.ssthresh())),
            (&mut self.in_flight, Some(connection.in_flight() as f64)),
            (&mut self.rtt, connection.last_rtt().map(Span::seconds_f64)),
            (&mut self.acked, Some(connection.acked() as f64)),
        ]
    }

    fn all(&mut self) -> [&mut Option<Recorder>; 5] {
        [&mut self.cwnd, &mut self.ssthresh, &mut self.in_flight, &mut self.rtt, &mut self.acked]
    }

    /// When the next grid sample is due.
    pub(super) fn next_sample(&self) -> Time {
        [&self.cwnd, &self.ssthresh, &self.in_flight, &self.rtt, &self.acked]
            .into_iter()
            .flatten()
            .map(Recorder::due)
            .min()
            .unwrap_or(Time::MAX)
    }

    /// Takes every grid sample that is due by `at`.
    pub(super) fn sample_through(&mut self, at: Time, connection: &Connection) {
        for (recorder, value) in self.with_values(connection) {
            let Some(recorder) = recorder else { continue };
            while recorder.due() <= at {
                recorder.sample(recorder.due(), value.unwrap_or(f64::NAN));
            }
        }
    }

    /// Something may have changed.
    pub(super) fn note_change(&mut self, now: Time, connection: &Connection) {
        if let Some(log) = &mut self.segments {
            // The first byte of data is number 1.
            log.on_window(now, 1 + connection.acked() + connection.cwnd());
        }
        for (recorder, value) in self.with_values(connection) {
            if let (Some(recorder), Some(value)) = (recorder, value) {
                recorder.on_change(now, value);
            }
        }
    }

    /// The finished series.
    pub(super) fn take_series(&mut self) -> Vec<Series> {
        let log = self.segments.take().into_iter().flat_map(SegmentLog::finish);
        let recorded = self.all().into_iter().filter_map(Option::take).map(Recorder::finish);
        recorded.chain(log).collect()
    }
}

/// A threshold that no window can reach is no threshold.
fn known(ssthresh: u64) -> Option<f64> {
    (ssthresh < MAX_WINDOW).then_some(ssthresh as f64)
}
