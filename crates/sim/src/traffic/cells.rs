//! Raw cells: at a constant rate, at the instants of a Poisson process, or in bursts at a constant rate.

use crate::engine::Stream;
use crate::units::{Pace, Span, Time};

/// The time from one cell to the next.
#[derive(Clone, Debug)]
pub enum Spacing {
    /// Constant, to the picosecond and its remainder.
    Constant(Pace),
    /// Exponential with this mean; bursts are possible, and wait at the interface.
    Exponential {
        /// Mean time between cells, seconds: rounded to picoseconds the rate would be wrong.
        mean_seconds: f64,
        /// The source's own stream.
        stream: Stream,
    },
    /// Bursts of one length that begin periodically (Kalyanaraman et al., ATM Forum 96-1294, section 3: duty cycle and
    /// period).
    Periodic {
        /// Within a burst.
        pace: Pace,
        /// Length of a burst: duty cycle times period.
        on: Span,
        /// From the beginning of one burst to that of the next.
        period: Span,
        /// When the present burst began.
        began: Time,
    },
    /// Bursts and gaps of exponential length. A burst has its first cell at its beginning, however short it is.
    ExponentialBursts {
        /// Within a burst.
        pace: Pace,
        /// Mean length of a burst and of a gap, seconds.
        mean_seconds: [f64; 2],
        /// When the present burst ends.
        ends: Time,
        /// The source's own stream.
        stream: Stream,
    },
}

impl Spacing {
    /// When the cell after the one at `now` is due.
    #[inline]
    fn next_after(&mut self, now: Time) -> Time {
        match self {
            Self::Constant(pace) => pace.next_after(now),
            Self::Exponential { mean_seconds, stream } => now + stream.exponential(*mean_seconds),
            Self::Periodic { pace, on, period, began } => {
                let next = pace.next_after(now);
                if next < *began + *on {
                    return next;
                }
                pace.restart();
                *began += *period;
                *began
            }
            Self::ExponentialBursts { pace, mean_seconds: [on, off], ends, stream } => {
                let next = pace.next_after(now);
                if next < *ends {
                    return next;
                }
                pace.restart();
                // A burst of one cell may end before that cell does.
                let begins = (*ends + stream.exponential(*off)).max(next);
                *ends = begins + stream.exponential(*on);
                begins
            }
        }
    }
}

/// A source of raw cells on one VC.
#[derive(Clone, Debug)]
pub struct CellSource {
    vc: u32,
    nic: usize,
    spacing: Spacing,
    next: Time,
    stop: Time,
    sent: u64,
}

impl CellSource {
    /// A source on `vc`, through interface `nic`, whose first cell is due at `first` and which is silent from `stop` on.
    pub fn new(vc: u32, nic: usize, spacing: Spacing, first: Time, stop: Time) -> Self {
        let next = if first < stop { first } else { Time::MAX };
        Self { vc, nic, spacing, next, stop, sent: 0 }
    }

    /// Its virtual circuit.
    pub fn vc(&self) -> u32 {
        self.vc
    }

    /// Its interface.
    pub fn nic(&self) -> usize {
        self.nic
    }

    /// When its next cell is due.
    #[inline]
    pub fn next(&self) -> Time {
        self.next
    }

    /// Cells sent.
    pub fn sent(&self) -> u64 {
        self.sent
    }

    /// Sends the cell that is due; at which instant.
    #[inline]
    pub fn emit(&mut self) -> Time {
        let now = self.next;
        self.sent += 1;
        let next = self.spacing.next_after(now);
        self.next = if next < self.stop { next } else { Time::MAX };
        now
    }
}
