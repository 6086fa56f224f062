//! The clocks of a measurement: the only place that reads any.

use std::fs;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use cellway_sim::units::{Span, Time};

/// Beginning of the names of the clock sources of User-Mode Linux with time travel
/// (`arch/um/kernel/time.c`).
const TIME_TRAVEL: &str = "time-travel-clock";

/// A monotonic clock that is at time zero of a run when it is started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    zero: Instant,
    is_virtual: bool,
}

impl Clock {
    /// Starts a run now.
    #[expect(clippy::disallowed_methods, reason = "a driver in real time")]
    pub(crate) fn start() -> Self {
        let is_virtual = source().starts_with(TIME_TRAVEL);
        Self { zero: Instant::now(), is_virtual }
    }

    /// True if time moves only while every thread of the machine waits, so that computing takes
    /// none: in User-Mode Linux with time travel.
    pub(crate) fn is_virtual(&self) -> bool {
        self.is_virtual
    }

    /// Starts a run whose time is taken for virtual.
    #[cfg(test)]
    pub(crate) fn start_virtual() -> Self {
        Self { is_virtual: true, ..Self::start() }
    }

    /// Time since the start of the run.
    pub(crate) fn now(&self) -> Time {
        let elapsed = self.zero.elapsed();
        Time::from_picoseconds(i64::try_from(elapsed.as_nanos() * 1000).unwrap_or(i64::MAX))
    }
}

/// Name of the kernel's clock source, or why it is not known.
pub(crate) fn source() -> String {
    let file = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    fs::read_to_string(file).map_or_else(|error| error.to_string(), |name| name.trim().to_owned())
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
