//! Two rates in turn, each for an exponential time: the continuous-time chain of two states.
//!
//! Let the mean sojourns be a and b. The part of the time at the first rate is a/(a + b), and the
//! path begins so. Sojourns are rounded to the picosecond and never none.

use super::Process;
use crate::engine::Stream;
use crate::units::{Rate, Span};

const SHORTEST: Span = Span::from_picoseconds(1);

/// Two rates in turn.
#[derive(Clone, Debug)]
pub struct TwoState {
    rates: [Rate; 2],
    mean_sojourns: [Span; 2],
    /// The state of the next piece.
    next: usize,
    stream: Stream,
}

impl TwoState {
    /// Each rate with its mean sojourn; the stream is this path's own.
    pub fn new(rates: [Rate; 2], mean_sojourns: [Span; 2], mut stream: Stream) -> Self {
        let [first, second] = mean_sojourns.map(Span::seconds_f64);
        let begins_second = stream.unit() >= first / (first + second);
        Self { rates, mean_sojourns, next: usize::from(begins_second), stream }
    }
}

impl Process for TwoState {
    fn next(&mut self) -> (Rate, Span) {
        let state = self.next;
        self.next = 1 - state;
        let mean = self.mean_sojourns[state].seconds_f64();
        (self.rates[state], self.stream.exponential(mean).max(SHORTEST))
    }
}
