//! The series of one connection, VC or port.

use super::{Recorder, Series};
use crate::units::Time;

/// Recorders of the values of one connection, VC or port, each with the value that it records.
#[derive(Debug)]
pub struct Recorders<P>(pub Vec<(P, Recorder)>);

impl<P> Default for Recorders<P> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<P: Copy> Recorders<P> {
    /// Instant at which the next grid sample is due.
    pub fn next_sample(&self) -> Time {
        self.0.iter().map(|(_, recorder)| recorder.due()).min().unwrap_or(Time::MAX)
    }

    /// Takes every grid sample that is due by `at`.
    pub fn sample_through(&mut self, at: Time, mut value: impl FnMut(P, Time) -> f64) {
        for (probe, recorder) in &mut self.0 {
            while recorder.due() <= at {
                recorder.sample(recorder.due(), value(*probe, recorder.due()));
            }
        }
    }

    /// Notes a possible change; `None` where there is no value yet.
    #[inline]
    pub fn note_change(&mut self, now: Time, mut value: impl FnMut(P) -> Option<f64>) {
        for (probe, recorder) in &mut self.0 {
            if let Some(value) = value(*probe) {
                recorder.on_change(now, value);
            }
        }
    }

    /// The finished series.
    pub fn take_series(&mut self) -> impl Iterator<Item = Series> {
        self.0.drain(..).map(|(_, recorder)| recorder.finish())
    }
}
