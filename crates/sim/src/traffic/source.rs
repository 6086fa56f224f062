//! Sources without a connection: the time from one raw cell, or datagram, to the next.

use super::asked::Asked;
use super::frames::Sizes;
use super::sends::Sends;
use super::timed_writes::TimedWrites;
use super::{AnyApplication, AnySpacing};
use crate::engine::Stream;
use crate::units::{Span, Time};

/// Instants at which a source of raw cells or datagrams sends.
pub trait Spacing: std::fmt::Debug {
    /// The first instant, if the flow starts at `start`.
    fn first(&mut self, start: Time) -> Time {
        start
    }

    /// The instant after the one at `now`; [`Time::MAX`] if there is none.
    fn next_after(&mut self, now: Time) -> Time;

    /// Time from each unit to the next, if that is constant.
    fn constant_gap(&self) -> Option<Span> {
        None
    }
}

/// A spacing from outside the crate, which must not go back in time.
#[derive(Debug)]
pub struct OwnSpacing(pub(crate) Box<dyn Spacing>);

impl Spacing for OwnSpacing {
    fn first(&mut self, start: Time) -> Time {
        self.0.first(start).max(start)
    }

    fn next_after(&mut self, now: Time) -> Time {
        self.0.next_after(now).max(now)
    }

    // It is called for each cell, so that no gap is constant.
}

/// The flow that a source is made for.
pub struct Site<'a> {
    /// The start of the flow.
    pub start: Time,
    /// The stop of the flow.
    pub stop: Time,
    /// Bytes that its connection holds, written and not acknowledged; `None` if there is no limit,
    /// or no connection.
    pub send_buffer: Option<u64>,
    /// Requests of the flow, which its two ends share.
    pub asked: &'a Asked,
    /// A random stream of the flow's own, by name.
    pub stream: &'a dyn Fn(&str) -> Stream,
}

#[cfg(test)]
impl Site<'static> {
    /// A flow without a send buffer whose streams have seed 1.
    pub(super) fn bare(start: Time, stop: Time) -> Self {
        let asked = Box::leak(Box::default());
        Self { start, stop, send_buffer: None, asked, stream: &|name| Stream::new(1, name) }
    }
}

/// The parameters of a source without a connection, and its load before a run.
pub trait Source {
    /// Type of the spacing.
    type Spacing: Spacing
    where
        Self: Sized;

    /// The key of its rate.
    fn rate_key(&self) -> &'static str {
        "rate"
    }

    /// Makes the spacing for this run.
    fn spacing(&self, site: &Site<'_>) -> Self::Spacing
    where
        Self: Sized;

    /// Unit that it sends, and its maximum rate.
    fn sends(&self) -> &Sends;

    /// Time from one cell, datagram or write to the next at that rate.
    fn interval(&self) -> Span {
        self.sends().interval()
    }

    /// Fraction of the time in which it sends at that rate.
    fn busy_part(&self) -> f64 {
        1.0
    }

    /// True if it sends at random instants.
    fn is_random(&self) -> bool {
        false
    }

    /// Maximum time from one cell or datagram to the next, in picoseconds; `interval` is that at
    /// the maximum rate.
    fn max_gap(&self, interval: u128) -> u128 {
        interval
    }

    /// Time for which it sends, if that is given.
    fn lasts(&self) -> Option<Span> {
        None
    }

    /// Makes the source of a flow without a connection: writes become datagrams, where the source
    /// leaves that to the flow.
    #[must_use]
    fn without_transport(self) -> Self
    where
        Self: Sized,
    {
        self
    }

    /// Time after which its datagrams are late, unless their flow has its own.
    fn deadline(&self) -> Option<Span> {
        None
    }

    /// True if it sends blocks, which are counted.
    fn counts_blocks(&self) -> bool {
        false
    }

    /// Sizes of datagrams or blocks in sequence; `None` for cells.
    fn sizes(&self, site: &Site<'_>) -> Option<Sizes> {
        let size = self.sends().size()?.clone();
        Some(Sizes::Drawn(size, (site.stream)("sizes")))
    }

    /// Makes the application that writes to a connection at the instants of `spacing`; `None` for
    /// cells or datagrams.
    fn application(&self, site: &Site<'_>, spacing: AnySpacing) -> Option<AnyApplication> {
        let size = self.sends().write.clone()?;
        let instants = Instants::new(spacing, site.start, site.stop);
        let writes = TimedWrites::new(instants, size, (site.stream)("sizes"));
        Some(AnyApplication::TimedWrites(Box::new(writes)))
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
    /// Makes the instants of a flow from `start` to `stop`.
    pub fn new(mut spacing: AnySpacing, start: Time, stop: Time) -> Self {
        let first = spacing.first(start);
        let next = if first < stop { first } else { Time::MAX };
        Self { spacing, next, stop, sent: 0 }
    }

    /// The next instant.
    #[inline]
    pub fn next(&self) -> Time {
        self.next
    }

    /// Number of instants that have passed.
    pub fn sent(&self) -> u64 {
        self.sent
    }

    /// Sends the unit that is due; returns its instant.
    #[expect(clippy::inline_always, reason = "every raw cell; datagrams and writes call it, too")]
    #[inline(always)]
    pub fn emit(&mut self) -> Time {
        let now = self.next;
        self.sent += 1;
        let next = self.spacing.next_after(now);
        self.next = if next < self.stop { next } else { Time::MAX };
        now
    }

    /// Sends the units that are due before `until`, the next in any case and at most so many, if
    /// their gap is constant; returns the first instant, the gap and their number.
    pub fn emit_constant(&mut self, until: Time, most: u32) -> Option<(Time, Span, u32)> {
        let (first, gap) = (self.next, self.spacing.constant_gap()?);
        let span = until.min(self.stop) - first;
        let count = (span.picoseconds().max(1) as u64).div_ceil(gap.picoseconds() as u64);
        let count = count.min(u64::from(most)) as u32;
        let last = first + gap * i64::from(count - 1);
        self.sent += u64::from(count - 1);
        self.next = last;
        self.emit();
        Some((first, gap, count))
    }
}
