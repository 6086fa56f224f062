//! Bursts at a constant rate with gaps between them, both of exponential length.
//!
//! The clock of the cells runs in bursts only, as that of [bursts of one length](super::on_off).

use super::sends::Sends;
use super::source::{Site, Source, Spacing};
use crate::engine::{MOST_MEANS, Stream};
use crate::language::part::prelude::*;
use crate::units::{Span, Time};

/// Limit of the mean burst: the cell time over this. Shorter bursts would pass in thousands for
/// each cell.
const MIN_BURST: i64 = 1000;

part! {
    /// Parameters of bursts of exponential length.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ExponentialOnOff {
        /// Unit that it sends, and its maximum rate.
        sends: Sends = flat(Sends),
        /// Mean length of a burst.
        on: Span = required("\"5 ms\"") as POSITIVE_TIME,
        /// Mean length of the gap between bursts.
        off: Span = required("\"5 ms\"") as POSITIVE_TIME,
    }
    finish ExponentialOnOff::checked;
}

impl ExponentialOnOff {
    /// Checks the mean burst against the time of a cell or datagram.
    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        self.sends.check_steady(section)?;
        check_burst(section, ("on", self.on), (self.sends.word(), self.sends.interval(), "rate"))?;
        Ok(self)
    }
}

/// Checks the mean burst of this key against the `interval` from one of `what` it sends to the
/// next, which follows from the key `of`.
pub(super) fn check_burst(
    section: &Section<'_>,
    (key, mean): (&str, Span),
    (what, interval, of): (&str, Span, &str),
) -> Result<(), Fault> {
    if mean.picoseconds() >= interval.picoseconds() / MIN_BURST {
        return Ok(());
    }
    let message = format!(
        "`{0}.{key}` of {mean} is less than a thousandth of the {interval} that a {what} takes at \
         `{0}.{of}`; expected bursts that {what}s fit in",
        section.place(),
    );
    Err(Fault::new(&section.spanned::<Span>(key)?.at, message))
}

impl Source for ExponentialOnOff {
    type Spacing = ExponentialBursts;

    fn sends(&self) -> &Sends {
        &self.sends
    }

    fn busy_part(&self) -> f64 {
        // The sum may be longer than any span.
        let [on, off] = [self.on, self.off].map(|mean| i128::from(mean.picoseconds()));
        self.on.seconds_f64() / ((on + off) as f64 / 1e12)
    }

    fn is_random(&self) -> bool {
        true
    }

    fn max_gap(&self, interval: u128) -> u128 {
        interval + MOST_MEANS * (self.on.picoseconds() as u128 + self.off.picoseconds() as u128)
    }

    fn spacing(&self, site: &Site<'_>) -> ExponentialBursts {
        let mean_seconds = [self.on.seconds_f64(), self.off.seconds_f64()];
        let stream = (site.stream)("bursts");
        ExponentialBursts::new(self.sends.interval(), mean_seconds, site.start, stream)
    }
}

/// Bursts and gaps of exponential length.
#[derive(Clone, Debug)]
pub struct ExponentialBursts {
    cell_time: Span,
    /// Mean lengths of a burst and of a gap.
    mean_seconds: [f64; 2],
    /// The end of the present burst.
    ends: Time,
    stream: Stream,
}

impl ExponentialBursts {
    /// Makes bursts, the first of which begins with a cell at `start`; `mean_seconds` of a burst
    /// and of a gap.
    pub fn new(cell_time: Span, mean_seconds: [f64; 2], start: Time, mut stream: Stream) -> Self {
        let ends = start.saturating_add(stream.exponential(mean_seconds[0]));
        Self { cell_time, mean_seconds, ends, stream }
    }
}

impl Spacing for ExponentialBursts {
    /// The next instant; [`Time::MAX`] beyond simulated time.
    #[inline]
    fn next_after(&mut self, now: Time) -> Time {
        let mut next = now.saturating_add(self.cell_time);
        while next >= self.ends && self.ends < Time::MAX {
            let left = next - self.ends;
            let [on, off] = self.mean_seconds;
            let begins = self.ends.saturating_add(self.stream.exponential(off));
            self.ends = begins.saturating_add(self.stream.exponential(on));
            next = begins.saturating_add(left);
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Time of a cell: one in 10 us.
    const CELL_TIME: Span = Span::from_microseconds(10);

    #[test]
    fn a_burst_beyond_simulated_time_never_comes() {
        let mut bursts =
            ExponentialBursts::new(CELL_TIME, [1e-6, 1e8], Time::ZERO, Stream::new(1, "a"));
        let mut at = Time::ZERO;
        while at < Time::MAX {
            at = bursts.next_after(at);
        }
        assert_eq!(bursts.next_after(at), Time::MAX);
    }

    /// Bursts of half a cell time and of fifty: the rate is 2/5 of that in a burst, where bursts
    /// that all begin with a cell would send 2.3 times or 1.01 times that. The number of cells in
    /// 40 000 bursts has a deviation of sqrt(2 · 40 000) · on · off/(on + off) in cell times; four
    /// are allowed.
    #[test]
    fn the_mean_rate_of_exponential_bursts_is_the_rate_times_their_part_of_the_time() {
        for on_us in [5.0, 500.0] {
            let mean_seconds = [on_us * 1e-6, on_us * 1.5e-6];
            let stream = Stream::new(1, "bursts");
            let mut bursts = ExponentialBursts::new(CELL_TIME, mean_seconds, Time::ZERO, stream);
            let expected = 40_000.0 * on_us / 10.0;
            let end = Time::ZERO + Span::from_microseconds((40_000.0 * 2.5 * on_us) as i64);
            let (mut at, mut cells) = (Time::ZERO, 0_u32);
            while at < end {
                let next = bursts.next_after(at);
                assert!(next - at >= CELL_TIME);
                (at, cells) = (next, cells + 1);
            }
            let deviation = (2.0 * 40_000.0_f64).sqrt() * 0.6 * on_us / 10.0;
            assert!((f64::from(cells) - expected).abs() < 4.0 * deviation, "{cells} of {expected}");
        }
    }
}
