//! The mean queue of RED and its relatives: an exponential average over samples, which idle time
//! lowers.

use crate::units::{Span, Time};

/// avg = (1 - w) avg + w q at each sample; an arrival that finds the line idle counts the frames
/// that the line could have sent meanwhile as samples of zero, and is no sample itself (Floyd,
/// Jacobson 1993, section 4). Idle time that one arrival has counted is not counted again by the
/// next, even if the first was dropped: the `q_time` of Lin and Morris.
#[derive(Clone, Copy, Debug)]
pub struct Average {
    weight: f64,
    frame_time: Span,
    value: f64,
    aged_until: Time,
}

impl Average {
    /// Makes an average of zero. `frame_time` is that of a typical frame on the line.
    pub fn new(weight: f64, frame_time: Span) -> Self {
        Self { weight, frame_time, value: 0.0, aged_until: Time::ZERO }
    }

    /// Present mean queue.
    #[inline]
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Takes the arrival of a frame `now` at a queue of `occupancy`, whose line is or was free at
    /// `line_free_at`.
    pub fn on_arrival(&mut self, occupancy: u64, now: Time, line_free_at: Time) {
        if occupancy == 0 && line_free_at <= now {
            self.age(line_free_at.max(self.aged_until), now);
        } else {
            self.sample(occupancy);
        }
    }

    /// Takes one sample.
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
