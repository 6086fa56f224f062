//! Recorded values of a sending connection.

use crate::result::{Recorders, SegmentLog, Series};
use crate::tcp::congestion::Congestion;
use crate::tcp::{Connection, MAX_WINDOW};
use crate::units::{Span, Time};

/// A value of a sending connection that exists at every instant.
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
    /// A value of the state of the law, by its number.
    Law(usize),
}

impl Probe {
    /// The value; not a number if there is none: before the first, and where undone losses make
    /// ssthresh unlimited again.
    fn value(self, connection: &Connection) -> f64 {
        // A threshold that no window can reach counts as none.
        let known = |ssthresh: u64| (ssthresh < MAX_WINDOW).then_some(ssthresh as f64);
        let value = match self {
            Self::Cwnd => Some(connection.cwnd() as f64),
            Self::Ssthresh => known(connection.ssthresh()),
            Self::InFlight => Some(connection.in_flight() as f64),
            Self::Rtt => connection.last_rtt().map(Span::seconds_f64),
            Self::Acked => Some(connection.acked() as f64),
            Self::Law(index) => connection.rule().value(index),
        };
        value.unwrap_or(f64::NAN)
    }
}

/// A value, existing at every instant, of a VC that is held back at its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShaperProbe {
    /// Rate at which its cells may be sent: ACR, cells per second, or the pacing rate, bits per
    /// second.
    Rate,
    /// Units that wait.
    Queue,
}

/// Series of one sending connection.
#[derive(Debug, Default)]
pub struct Probes {
    /// Recorders of its values.
    pub recorders: Recorders<Probe>,
    /// Log of its segments, sent and received.
    pub segments: Option<Box<SegmentLog>>,
}

impl Probes {
    /// Takes every grid sample that is due by `at`.
    pub(super) fn sample_through(&mut self, at: Time, connection: &Connection) {
        self.recorders.sample_through(at, |probe, _| probe.value(connection));
    }

    /// Notes that a value may have changed.
    #[inline]
    pub(super) fn note_change(&mut self, now: Time, connection: &Connection) {
        if let Some(log) = &mut self.segments {
            // The first byte of data is number 1.
            log.on_window(now, 1 + connection.acked() + connection.cwnd());
        }
        self.recorders.note_change(now, |probe| Some(probe.value(connection)));
    }

    /// The finished series.
    pub(super) fn take_series(&mut self) -> impl Iterator<Item = Series> {
        let log = self.segments.take().into_iter().flat_map(|log| log.finish());
        self.recorders.take_series().chain(log)
    }
}
