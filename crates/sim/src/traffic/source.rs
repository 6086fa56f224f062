//! The axis of sources without a connection: the time from one raw cell, or datagram, to the next.

use super::AnySpacing;
use super::sends::Sends;
use crate::engine::Stream;
use crate::units::Time;

/// When a source of raw cells or datagrams sends.
pub trait Spacing: std::fmt::Debug {
    /// When the first one is due, if the flow starts at `start`.
    fn first(&mut self, start: Time) -> Time {
        start
    }

    /// When the one after that at `now` is due; [`Time::MAX`]: never.
    fn next_after(&mut self, now: Time) -> Time;
}

/// The flow that a source is made for.
pub struct Site<'a> {
    /// When it starts.
    pub start: Time,
    /// When it stops.
    pub stop: Time,
    /// A random stream of the flow's own, by name.
    pub stream: &'a dyn Fn(&str) -> Stream,
}

/// The parameters of a source without a connection, and what they say before a run.
pub trait Source {
    /// When it sends.
    type Spacing: Spacing;

    /// When it sends in this run.
    fn spacing(&self, site: &Site<'_>) -> Self::Spacing;

    /// What it sends, and its maximum rate.
    fn sends(&self) -> &Sends;

    /// The part of the time in which it sends at that rate.
    fn busy_part(&self) -> f64 {
        1.0
    }

    /// Whether it sends at random instants.
    fn is_random(&self) -> bool {
        false
    }

    /// The maximum time from one cell or datagram to the next, in picoseconds; `interval` is that
    /// at the maximum rate.
    fn max_gap(&self, interval: u128) -> u128 {
        interval
    }
}

/// The instants at which a source sends, from its start to its stop.
#[derive(Debug)]
pub struct Instants {
    spacing: AnySpacing,
    next: Time,
    stop: Time,
    sent: u64,
}

impl Instants {
    /// Those of a flow from `start` to `stop`.
    pub fn new(mut spacing: AnySpacing, start: Time, stop: Time) -> Self {
        let first = spacing.first(start);
        let next = if first < stop { first } else { Time::MAX };
        Self { spacing, next, stop, sent: 0 }
    }

    /// The next one.
    #[inline]
    pub fn next(&self) -> Time {
        self.next
    }

    /// How many have passed.
    pub fn sent(&self) -> u64 {
        self.sent
    }

    /// Sends what is due; at which instant.
    #[expect(clippy::inline_always, reason = "every raw cell; datagrams and writes call it, too")]
    #[inline(always)]
    pub fn emit(&mut self) -> Time {
        let now = self.next;
        self.sent += 1;
        let next = self.spacing.next_after(now);
        self.next = if next < self.stop { next } else { Time::MAX };
        now
    }
}
