//! The axis of raw cells: the time from one to the next.

use super::AnySpacing;
use crate::engine::Stream;
use crate::units::{Rate, Time};

/// When a source of raw cells sends.
pub trait Spacing: std::fmt::Debug {
    /// When the first cell is due, if the flow starts at `start`.
    fn first(&mut self, start: Time) -> Time {
        start
    }

    /// When the cell after the one at `now` is due; [`Time::MAX`]: never.
    fn next_after(&mut self, now: Time) -> Time;
}

/// The flow that a source is made for.
pub struct Site<'a> {
    /// When it starts.
    pub start: Time,
    /// A random stream of the flow's own, by name.
    pub stream: &'a dyn Fn(&str) -> Stream,
}

/// The parameters of a source of raw cells, and what they say before a run.
pub trait RawCells {
    /// When its cells come.
    type Spacing: Spacing;

    /// When its cells come in this run.
    fn spacing(&self, site: &Site<'_>) -> Self::Spacing;

    /// The maximum rate, of whole cells: its key `rate`.
    fn peak_rate(&self) -> Rate;

    /// The part of the time in which it sends at that rate.
    fn busy_part(&self) -> f64 {
        1.0
    }

    /// Whether its cells come at random instants.
    fn is_random(&self) -> bool {
        false
    }

    /// The maximum time from one cell to the next, in picoseconds; `cell` is that at the peak rate.
    fn max_gap(&self, cell: u128) -> u128 {
        cell
    }
}

/// A source of raw cells.
#[derive(Debug)]
pub struct CellSource {
    spacing: AnySpacing,
    next: Time,
    stop: Time,
    sent: u64,
}

impl CellSource {
    /// The source of a flow from `start` to `stop`.
    pub fn new(mut spacing: AnySpacing, start: Time, stop: Time) -> Self {
        let first = spacing.first(start);
        let next = if first < stop { first } else { Time::MAX };
        Self { spacing, next, stop, sent: 0 }
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
