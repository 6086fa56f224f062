//! Cells or datagrams in slots: each slot has one with the same probability, independently of the
//! others.
//!
//! A slot is the time of a cell or datagram at `rate`; the first begins with the flow. The slots of
//! sources of one rate coincide if these start together, which takes `run.phase = "none"`: by
//! default every source has a phase of its own. At a switch, inputs with one distance and the rate
//! of the output are then those of M. J. Karol, M. G. Hluchyj and S. P. Morgan, IEEE Transactions
//! on Communications 35(12), 1987. A cell that arrives at the instant at which another has been
//! sent takes the place of that one.
//!
//! The number of slots to the next cell is geometric and takes one draw: the logarithm of a uniform
//! number over that of 1 − p, rounded down, is the number of empty slots before it.

use super::sends::Sends;
use super::source::{Site, Source, Spacing};
use crate::engine::{MOST_MEANS, Stream};
use crate::language::part::prelude::*;
use crate::units::{Span, Time};

part! {
    /// Parameters of slots with one cell or none.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Bernoulli {
        /// Unit that it sends, and the rate of one in every slot.
        sends: Sends = flat(Sends),
        /// Probability that a slot has a unit.
        probability: f64 = required("0.8") as Kind::Number(ABOVE_ZERO_TO_ONE),
    }
    finish Bernoulli::checked;
}

impl Bernoulli {
    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        self.sends.check_steady(section).map(|()| self)
    }
}

impl Source for Bernoulli {
    type Spacing = Slots;

    fn sends(&self) -> &Sends {
        &self.sends
    }

    fn busy_part(&self) -> f64 {
        self.probability
    }

    fn is_random(&self) -> bool {
        true
    }

    /// The maximum gap. The logarithm of 1 − p is below −p: at most so many means, and the slot of
    /// the cell.
    fn max_gap(&self, interval: u128) -> u128 {
        let means = (MOST_MEANS as f64 / self.probability) as u128;
        interval.saturating_mul(means.saturating_add(1))
    }

    fn spacing(&self, site: &Site<'_>) -> Slots {
        Slots::new(self.sends.interval(), self.probability, (site.stream)("slots"))
    }
}

/// Times of whole numbers of slots from one unit to the next.
#[derive(Clone, Debug)]
pub struct Slots {
    slot: Span,
    /// Logarithm of the probability that a slot is empty.
    log_empty: f64,
    stream: Stream,
}

impl Slots {
    /// Makes slots that have a unit with this probability; the stream is the source's own.
    pub fn new(slot: Span, probability: f64, stream: Stream) -> Self {
        Self { slot, log_empty: libm::log1p(-probability), stream }
    }

    /// Number of empty slots before the next unit.
    #[inline]
    fn empty(&mut self) -> i64 {
        (libm::log(1.0 - self.stream.unit()) / self.log_empty) as i64
    }
}

impl Spacing for Slots {
    fn first(&mut self, start: Time) -> Time {
        let empty = self.slot.picoseconds().saturating_mul(self.empty());
        start.saturating_add(Span::from_picoseconds(empty))
    }

    /// The next instant; [`Time::MAX`] beyond simulated time.
    #[inline]
    fn next_after(&mut self, now: Time) -> Time {
        self.first(now.saturating_add(self.slot))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLOT: Span = Span::from_picoseconds(7);

    fn slots(probability: f64) -> Slots {
        Slots::new(SLOT, probability, Stream::new(1, "slots"))
    }

    /// A geometric number of slots n: P(n) = p (1 − p)ⁿ⁻¹, mean 1/p.
    #[test]
    fn gaps_are_geometric_numbers_of_slots() {
        const DRAWS: usize = 100_000;
        for probability in [0.01, 0.25, 0.9] {
            let mut source = slots(probability);
            let gap = |source: &mut Slots| source.next_after(Time::ZERO) - Time::ZERO;
            let gaps: Vec<Span> = (0..DRAWS).map(|_| gap(&mut source)).collect();
            assert!(gaps.iter().all(|gap| gap.picoseconds() % 7 == 0));
            let part = |slots: i64| {
                gaps.iter().filter(|gap| **gap == SLOT * slots).count() as f64 / DRAWS as f64
            };
            for slots in 1..4 {
                let exact = probability * libm::pow(1.0 - probability, (slots - 1) as f64);
                let error = libm::sqrt(exact * (1.0 - exact) / DRAWS as f64);
                assert!((part(slots) - exact).abs() < 4.0 * error, "{probability}: {slots}");
            }
            let mean = gaps.iter().map(|gap| gap.picoseconds() as f64 / 7.0).sum::<f64>();
            let error = libm::sqrt((1.0 - probability) * DRAWS as f64) / probability;
            assert!((mean - DRAWS as f64 / probability).abs() < 4.0 * error, "{probability}");
        }
    }

    /// The first slot begins with the flow, and has a cell as often as any other.
    #[test]
    fn the_first_slot_is_like_the_others() {
        let start = Time::from_picoseconds(5);
        let mut source = slots(0.25);
        let full = (0..10_000).filter(|_| source.first(start) == start).count();
        assert!(full.abs_diff(2500) < 4 * 44, "{full}");
    }

    #[test]
    fn with_certainty_every_slot_has_one() {
        let mut source = slots(1.0);
        assert_eq!(source.first(Time::ZERO), Time::ZERO);
        assert!((0..1000).all(|_| source.next_after(Time::ZERO) == Time::ZERO + SLOT));
    }

    /// Gaps of a probability near zero reach beyond simulated time.
    #[test]
    fn a_slot_that_never_comes() {
        assert_eq!(slots(1e-300).next_after(Time::ZERO), Time::MAX);
    }
}
