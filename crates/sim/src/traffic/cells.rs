//! Raw cells: at a constant rate, or at the instants of a Poisson process.

use crate::engine::Stream;
use crate::units::{Pace, Time};

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
}

/// A source of raw cells on one VC.
#[derive(Clone, Debug)]
pub struct CellSource {
    vc: u32,
    nic: usize,
    spacing: Spacing,
    next: Time,
    sent: u64,
}

impl CellSource {
    /// A source on `vc`, through interface `nic`, whose first cell is due at `first`.
    pub fn new(vc: u32, nic: usize, spacing: Spacing, first: Time) -> Self {
        Self { vc, nic, spacing, next: first, sent: 0 }
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
        self.next = match &mut self.spacing {
            Spacing::Constant(pace) => pace.next_after(now),
            Spacing::Exponential { mean_seconds, stream } => now + stream.exponential(*mean_seconds),
        };
        now
    }
}
