//! The clocks of a measurement: the only place that reads any.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use cellway_sim::units::{Span, Time};

/// A monotonic clock that is at time zero of a run when it is started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    zero: Instant,
}

impl Clock {
    /// Starts a run now.
    #[expect(clippy::disallowed_methods, reason = "a driver in real time")]
    pub(crate) fn start() -> Self {
        Self { zero: Instant::now() }
    }

    /// Time since the start of the run.
    pub(crate) fn now(&self) -> Time {
        let elapsed = self.zero.elapsed();
        Time::from_picoseconds(i64::try_from(elapsed.as_nanos() * 1000).unwrap_or(i64::MAX))
    }
}

/// Span as a duration of the system, in whole nanoseconds.
pub(crate) fn duration_of(span: Span) -> Duration {
    Duration::from_nanos((span.picoseconds() / 1000).max(0) as u64)
}

/// Date, in seconds since 1970.
#[expect(clippy::disallowed_methods, reason = "the record of a measurement has its date")]
pub(crate) fn date() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}
