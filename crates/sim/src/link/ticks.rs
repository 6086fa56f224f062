//! Units that leave at the ticks of a clock, as from an emulator whose timer is coarse: a unit
//! whose last bit is sent between two ticks leaves at the later one, and units that wait leave
//! together.
//!
//! Ticks are `offset` and multiples of `every` later, so that links with the same numbers have
//! their ticks together, as in one machine. The queue in front of the line empties as without
//! ticks. Departure: an emulator may also take a packet from its queue at a tick only, which fills
//! the queue by what a line sends in a tick more.

use super::plan::{ImpairmentPlan, Site};
use super::{Fate, Impairment, Sent};
use crate::language::part::prelude::*;
use crate::units::{Span, Time};

part! {
    /// The clock.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Ticks {
        /// Time from one tick to the next.
        every: Span = required("\"10 ms\"") as POSITIVE_TIME,
        /// Time of one of the ticks.
        offset: Span = default("0 s", "\"5 ms\"") as ANY_TIME,
    }
}

impl ImpairmentPlan for Ticks {
    fn is_random(&self) -> bool {
        false
    }

    fn build(&self, _site: &Site<'_>) -> Box<dyn Impairment> {
        Box::new(Ticking { clock: *self })
    }

    fn longest_wait(&self) -> Span {
        self.every
    }
}

impl Ticks {
    /// Time from `at` to the next tick; zero at a tick.
    fn wait(self, at: Time) -> Span {
        let since = (Time::ZERO + self.offset) - at;
        Span::from_picoseconds(since.picoseconds().rem_euclid(self.every.picoseconds()))
    }
}

/// The clock of one direction of a link.
#[derive(Debug)]
struct Ticking {
    clock: Ticks,
}

impl Impairment for Ticking {
    fn name(&self) -> &'static str {
        "ticks"
    }

    fn judge(&mut self, unit: &Sent<'_>) -> Fate {
        match self.clock.wait(unit.at) {
            Span::ZERO => Fate::Delivered,
            wait => Fate::Waits(unit.at.saturating_add(wait)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Milliseconds that units wait which are sent at these milliseconds.
    fn waits(every: i64, offset: i64, sent: &[i64]) -> Vec<i64> {
        let ms = Span::from_milliseconds;
        let clock = Ticks { every: ms(every), offset: ms(offset) };
        let waits = sent.iter().map(|&at| clock.wait(Time::ZERO + ms(at)));
        waits.map(|wait| wait.picoseconds() / 1_000_000_000).collect()
    }

    #[test]
    fn a_unit_leaves_at_the_next_tick_and_at_a_tick_at_once() {
        assert_eq!(waits(10, 0, &[0, 1, 9, 10, 11, 2000]), [0, 9, 1, 0, 9, 0]);
        assert_eq!(waits(10, 3, &[0, 3, 4, 13, 22]), [3, 0, 9, 0, 1]);
        assert_eq!(waits(10, 33, &[0, 3, 4]), [3, 0, 9]);
    }

    /// The last tick of simulated time may lie beyond it.
    #[test]
    fn a_tick_may_be_as_far_as_simulated_time() {
        let clock = Ticks { every: Span::LONGEST, offset: Span::from_picoseconds(1) };
        let wait = clock.wait(Time::ZERO + Span::LONGEST);
        assert_eq!(wait, Span::from_picoseconds(1));
        assert_eq!(clock.wait(Time::ZERO + Span::from_picoseconds(2)), Span::LONGEST - wait);
    }
}
