//! The time integral of a quantity that changes in steps.

use crate::units::Time;

/// A value, and its integral up to the last change.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mean {
    since: Time,
    value: f64,
    integral: f64,
}

impl Mean {
    /// The value from `now` on.
    #[inline]
    pub fn set(&mut self, now: Time, value: f64) {
        self.integral = self.integral(now);
        self.since = now;
        self.value = value;
    }

    /// The integral up to `now`, in units of the value times seconds.
    #[inline]
    pub fn integral(&self, now: Time) -> f64 {
        self.integral + self.value * (now - self.since).seconds_f64()
    }
}
