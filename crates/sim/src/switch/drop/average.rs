//! The mean queue of RED and its relatives: an exponential average over samples, which idle time
//! lowers.

use crate::units::{Span, Time};

/// avg = (1 - w) avg + w q at each sample; an arrival that finds the line idle counts the frames it
/// could have sent meanwhile as samples of zero, and is none itself (Floyd, Jacobson 1993, section
/// 4). What one arrival has counted the next does not count again, also if the first was dropped:
/// the `q_time` of Lin and Morris.
#[derive(Clone, Copy, Debug)]
pub struct Average {
    weight: f64,
    frame_time: Span,
    value: f64,
    aged_until: Time,
}

impl Average {
    /// Zero. `frame_time` is that of a typical frame on the line.
    pub fn new(weight: f64, frame_time: Span) -> Self {
        Self { weight, frame_time, value: 0.0, aged_until: Time::ZERO }
    }

    /// What it is.
    #[inline]
    pub fn value(&self) -> f64 {
        self.value
    }

    /// A frame arrives `now` at a queue of `occupancy`, whose line is or was free at
    /// `line_free_at`.
    pub fn on_arrival(&mut self, occupancy: u64, now: Time, line_free_at: Time) {
        if occupancy == 0 && line_free_at <= now {
            self.age(line_free_at.max(self.aged_until), now);
        } else {
            self.sample(occupancy);
        }
    }

    /// One sample.
    #[inline]
    pub fn sample(&mut self, occupancy: u64) {
        self.value += self.weight * (occupancy as f64 - self.value);
    }

    fn age(&mut self, since: Time, now: Time) {
        let frames = (now - since).seconds_f64() / self.frame_time.seconds_f64();
        self.value *= libm::pow(1.0 - self.weight, frames);
        self.aged_until = now;
    }
}
