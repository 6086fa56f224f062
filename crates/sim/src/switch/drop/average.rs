//! The mean queue of RED and its relatives: an exponential average over samples, which idle time lowers.

use super::QueueState;
use crate::units::{Span, Time};

/// avg = (1 - w) avg + w q at each sample; a sample that finds the line idle counts the frames it could have sent as
/// samples of zero (Floyd, Jacobson 1993, section 4).
#[derive(Clone, Copy, Debug)]
pub struct Average {
    weight: f64,
    frame_time: Span,
    value: f64,
}

impl Average {
    /// Zero. `frame_time` is that of a typical frame on the line.
    pub fn new(weight: f64, frame_time: Span) -> Self {
        Self { weight, frame_time, value: 0.0 }
    }

    /// What it is.
    #[inline]
    pub fn value(&self) -> f64 {
        self.value
    }

    /// A frame arrives at the queue.
    pub fn on_arrival(&mut self, queue: &QueueState<'_>) {
        if queue.occupancy == 0 && queue.line_free_at < queue.now {
            self.age(queue.line_free_at, queue.now);
        }
        self.sample(queue.occupancy);
    }

    /// One sample.
    #[inline]
    pub fn sample(&mut self, occupancy: u64) {
        self.value += self.weight * (occupancy as f64 - self.value);
    }

    fn age(&mut self, since: Time, now: Time) {
        let frames = (now - since).seconds_f64() / self.frame_time.seconds_f64();
        self.value *= libm::pow(1.0 - self.weight, frames);
    }
}
