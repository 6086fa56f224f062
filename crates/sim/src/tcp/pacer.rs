//! The pacer: it lets segments leave at the rate that the law gives, or by `pacing` at twice the
//! window per round trip in slow start, and 1.2 times the window per round trip above half of
//! ssthresh (the factors of Linux, `tcp_pacing_ss_ratio` and `tcp_pacing_ca_ratio`).
//!
//! A segment takes the time of its bytes, without headers, at the rate; the next one leaves when
//! that has passed. Time in which nothing is sent is not made up for. Before the first round trip
//! nothing is paced, unless the law gives a rate.

use super::congestion::Window;
use crate::units::{Rate, Span, Time};

/// State of a sender that paces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pacer {
    /// The instant at which the next segment may leave.
    release: Time,
    /// True while a segment waits for it.
    waits: bool,
}

impl Default for Pacer {
    fn default() -> Self {
        Self { release: Time::ZERO, waits: false }
    }
}

impl Pacer {
    /// The instant for which a segment waits; [`Time::MAX`] for none.
    pub(super) fn next(&self) -> Time {
        if self.waits { self.release } else { Time::MAX }
    }

    /// True if a segment must wait at `now`.
    pub(super) fn holds_back(&mut self, now: Time) -> bool {
        self.waits = now < self.release;
        self.waits
    }

    /// Ends the wait for an instant that has come.
    pub(super) fn wake(&mut self, now: Time) {
        self.waits &= now < self.release;
    }

    pub(super) fn on_sent(&mut self, now: Time, bytes: u64, rate: Rate) {
        self.waits = false;
        self.release = self.release.max(now).saturating_add(rate.span_of_bits(8 * bytes));
    }
}

/// Rate without a law that gives one.
pub(super) fn usual_rate(window: &Window, srtt: Option<Span>) -> Option<Rate> {
    let seconds = srtt.filter(|srtt| *srtt > Span::ZERO)?.seconds_f64();
    let factor = if window.cwnd() < window.ssthresh() / 2 { 2.0 } else { 1.2 };
    let bits = factor * 8.0 * window.cwnd() as f64 / seconds;
    Some(Rate::from_bits_per_second((bits as u64).max(1)))
}
