//! Raw cells: at a constant rate, at the instants of a Poisson process, or in bursts at a constant
//! rate.

use super::bursts::{ExponentialBursts, PeriodicBursts};
use crate::engine::Stream;
use crate::units::{Span, Time};

/// The time from one cell to the next.
#[derive(Clone, Debug)]
pub enum Spacing {
    /// Constant.
    Constant(Span),
    /// Exponential with this mean; bursts are possible, and wait at the interface.
    Exponential {
        /// Mean time between cells, seconds: rounded to picoseconds the rate would be wrong.
        mean_seconds: f64,
        /// The source's own stream.
        stream: Stream,
    },
    /// Bursts of one length.
    PeriodicBursts(PeriodicBursts),
    /// Bursts and gaps of exponential length.
    ExponentialBursts(ExponentialBursts),
}

impl Spacing {
    /// When the cell after the one at `now` is due.
    #[inline]
    fn next_after(&mut self, now: Time) -> Time {
        match self {
            Self::Constant(cell_time) => now.saturating_add(*cell_time),
            Self::Exponential { mean_seconds, stream } => now + stream.exponential(*mean_seconds),
            Self::PeriodicBursts(bursts) => bursts.next(),
            Self::ExponentialBursts(bursts) => bursts.next_after(now),
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
    /// A source on `vc`, through interface `nic`, whose first cell is due at `first` and which is
    /// silent from `stop` on.
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
