//! Simulated time in integer picoseconds.
//!
//! One cell at 155.52 Mbit/s lasts 2726.337 ns: whole nanoseconds would be wrong by 1.2e-4,
//! picoseconds by less than 2e-7, a tenth of what the clocks of real lines are allowed, so the
//! [time of a cell](super::Rate::cell_time) is whole picoseconds. An `i64` holds 106 days; a
//! scenario is refused beyond 100.

use std::ops::{Add, AddAssign, Div, Mul, Sub, SubAssign};

/// An instant, in picoseconds since the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(i64);

/// The difference of two instants, in picoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(i64);

const PS_PER_SECOND: i64 = 1_000_000_000_000;

impl Time {
    /// The start of the run.
    pub const ZERO: Self = Self(0);
    /// Instant later than every instant of a run: "never".
    pub const MAX: Self = Self(i64::MAX);

    /// The instant `picoseconds` after the start.
    pub const fn from_picoseconds(picoseconds: i64) -> Self {
        Self(picoseconds)
    }

    /// Picoseconds since the start.
    pub const fn picoseconds(self) -> i64 {
        self.0
    }

    /// Instant of these seconds since the start, rounded down; zero below it, [`Time::MAX`] beyond
    /// the range.
    #[must_use]
    pub fn from_seconds_f64(seconds: f64) -> Self {
        Self((seconds.max(0.0) * PS_PER_SECOND as f64) as i64)
    }

    /// Seconds since the start, for reports and plots only.
    pub fn seconds_f64(self) -> f64 {
        self.0 as f64 / PS_PER_SECOND as f64
    }

    /// This instant moved by `span`, or [`Time::MAX`] when that lies beyond the range.
    #[must_use]
    pub const fn saturating_add(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

impl Span {
    /// Zero.
    pub const ZERO: Self = Self(0);
    /// The longest span a scenario may produce: 100 days.
    pub const LONGEST: Self = Self(100 * 24 * 3600 * PS_PER_SECOND);
    /// Span longer than every span of a run.
    pub const MAX: Self = Self(i64::MAX);

    /// A span of `picoseconds`.
    pub const fn from_picoseconds(picoseconds: i64) -> Self {
        Self(picoseconds)
    }

    /// A span of `microseconds`.
    pub const fn from_microseconds(microseconds: i64) -> Self {
        Self(microseconds * 1_000_000)
    }

    /// A span of `milliseconds`.
    pub const fn from_milliseconds(milliseconds: i64) -> Self {
        Self(milliseconds * 1_000_000_000)
    }

    /// A span of `seconds`.
    pub const fn from_seconds(seconds: i64) -> Self {
        Self(seconds * PS_PER_SECOND)
    }

    /// So many times the span, or [`Span::MAX`] when that is longer.
    #[must_use]
    pub const fn saturating_mul(self, times: i64) -> Self {
        Self(self.0.saturating_mul(times))
    }

    /// True if the span is zero.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The span in picoseconds.
    pub const fn picoseconds(self) -> i64 {
        self.0
    }

    /// The span in seconds, for reports and plots only.
    pub fn seconds_f64(self) -> f64 {
        self.0 as f64 / PS_PER_SECOND as f64
    }
}

impl Sub for Time {
    type Output = Span;
    fn sub(self, earlier: Time) -> Span {
        Span(self.0 - earlier.0)
    }
}

impl Add<Span> for Time {
    type Output = Time;
    fn add(self, span: Span) -> Time {
        Time(self.0 + span.0)
    }
}

impl AddAssign<Span> for Time {
    fn add_assign(&mut self, span: Span) {
        self.0 += span.0;
    }
}

impl Sub<Span> for Time {
    type Output = Time;
    fn sub(self, span: Span) -> Time {
        Time(self.0 - span.0)
    }
}

impl Add for Span {
    type Output = Span;
    fn add(self, other: Span) -> Span {
        Span(self.0 + other.0)
    }
}

impl AddAssign for Span {
    fn add_assign(&mut self, other: Span) {
        self.0 += other.0;
    }
}

impl Sub for Span {
    type Output = Span;
    fn sub(self, other: Span) -> Span {
        Span(self.0 - other.0)
    }
}

impl SubAssign for Span {
    fn sub_assign(&mut self, other: Span) {
        self.0 -= other.0;
    }
}

impl Mul<i64> for Span {
    type Output = Span;
    fn mul(self, times: i64) -> Span {
        Span(self.0 * times)
    }
}

impl Div<i64> for Span {
    type Output = Span;
    fn div(self, parts: i64) -> Span {
        Span(self.0 / parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_stays_never() {
        assert_eq!(Time::MAX.saturating_add(Span::from_seconds(1)), Time::MAX);
    }

    #[test]
    fn a_hundred_days_fit() {
        assert!(Time::ZERO + Span::LONGEST < Time::MAX);
        assert!((Span::LONGEST.seconds_f64() - 8_640_000.0).abs() < 1e-6);
    }
}
