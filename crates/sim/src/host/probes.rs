//! What is recorded of a sending connection.

use crate::result::{Recorder, SegmentLog, Series};
use crate::tcp::{Connection, MAX_WINDOW};
use crate::units::{Span, Time};

/// What a sending connection has a value of at every instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// Congestion window, bytes.
    Cwnd,
    /// Slow-start threshold, bytes.
    Ssthresh,
    /// Bytes sent and not acknowledged.
    InFlight,
    /// Latest round-trip time, seconds.
    Rtt,
    /// Bytes acknowledged in order.
    Acked,
}

impl Probe {
    /// `None`: there is none yet.
    fn value(self, connection: &Connection) -> Option<f64> {
        match self {
            Self::Cwnd => Some(connection.cwnd() as f64),
            Self::Ssthresh => known(connection.ssthresh()),
            Self::InFlight => Some(connection.in_flight() as f64),
            Self::Rtt => connection.last_rtt().map(Span::seconds_f64),
            Self::Acked => Some(connection.acked() as f64),
        }
    }
}

/// Series of one sending connection.
#[derive(Debug)]
pub struct Probes {
    /// Of which values.
    pub recorders: Vec<(Probe, Recorder)>,
    /// Segment by segment, what is sent and heard.
    pub segments: Option<SegmentLog>,
}

impl Probes {
    /// When the next grid sample is due.
    pub(super) fn next_sample(&self) -> Time {
        self.recorders.iter().map(|(_, recorder)| recorder.due()).min().unwrap_or(Time::MAX)
    }

    /// Takes every grid sample that is due by `at`.
    pub(super) fn sample_through(&mut self, at: Time, connection: &Connection) {
        for (probe, recorder) in &mut self.recorders {
            while recorder.due() <= at {
                let value = probe.value(connection).unwrap_or(f64::NAN);
                recorder.sample(recorder.due(), value);
            }
        }
    }

    /// Something may have changed.
    pub(super) fn note_change(&mut self, now: Time, connection: &Connection) {
        if let Some(log) = &mut self.segments {
            // The first byte of data is number 1.
            log.on_window(now, 1 + connection.acked() + connection.cwnd());
        }
        for (probe, recorder) in &mut self.recorders {
            if let Some(value) = probe.value(connection) {
                recorder.on_change(now, value);
            }
        }
    }

    /// The finished series.
    pub(super) fn take_series(&mut self) -> Vec<Series> {
        let log = self.segments.take().into_iter().flat_map(SegmentLog::finish);
        let recorded = self.recorders.drain(..).map(|(_, recorder)| recorder.finish());
        recorded.chain(log).collect()
    }
}

/// A threshold that no window can reach is no threshold.
fn known(ssthresh: u64) -> Option<f64> {
    (ssthresh < MAX_WINDOW).then_some(ssthresh as f64)
}
