//! Two rates in turn, each for a random time: the Markov chain of two states.
//!
//! Sojourns are exponential; with a `slot` s they are geometric in slots with the same mean m, that
//! is, a state is left at the end of a slot with probability s/m. The first slot begins with the
//! run, and may be shorter than the others. Let the mean sojourns be h and l. The line is at the
//! high rate for h/(h + l) of the time, and the path begins so. A sojourn is a picosecond at least.
//!
//! Shakkottai, Kumar, Karnik and Anvekar (2001) vary a link between 100 and 50 kB/s with ψ = the
//! mean sojourn over the round trip.

use super::CapacityRate;
use super::process::{LongRun, Process, ProcessPlan};
use crate::engine::Stream;
use crate::language::part::prelude::*;
use crate::units::{Rate, Span};

part! {
    /// The two rates, and the times for which they hold.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct TwoStatePlan {
        /// The greater rate.
        high: CapacityRate = required("\"80 Mbit/s of cell\""),
        /// The smaller rate, which may be zero.
        low: CapacityRate = required("\"40 Mbit/s of cell\""),
        /// Mean time at the greater rate before each change.
        mean_high: Span = required("\"4 s\"") as SOJOURN,
        /// Mean time at the smaller rate before each change.
        mean_low: Span = required("\"4 s\"") as SOJOURN,
        /// Length of slots; the rate changes at their ends only.
        slot: Option<Span> = absent("at any time", "\"30 ms\"") as SOJOURN,
        /// Length of the first slot, so that slots and other clocks of that length are out of step.
        first_slot: Option<Span> = absent("`slot`", "\"15 ms\"") as SOJOURN,
    }
    finish TwoStatePlan::checked;
}

/// The shortest mean sojourn; with shorter ones a path would have so many pieces that they take
/// longer than a run of cells.
pub(super) const SOJOURN: Kind = Kind::Time { min: Span::from_microseconds(1) };

const SHORTEST: Span = Span::from_picoseconds(1);

impl TwoStatePlan {
    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        let [high, low] = [self.high, self.low].map(CapacityRate::rate);
        if high <= low {
            let message = format!(
                "`{}.low` is {} and `high` is {}; expected a smaller one",
                section.place(),
                self.low.0,
                self.high.0
            );
            return Err(Fault::new(&section.place_below("low", &[]), message));
        }
        let Some(slot) = self.slot else {
            return match self.first_slot {
                Some(_) => Err(Self::first_slot_fault(section, "without `slot`")),
                None => Ok(self),
            };
        };
        if self.first_slot.is_some_and(|first| first > slot) {
            return Err(Self::first_slot_fault(section, "longer than `slot`"));
        }
        for (key, mean) in [("mean_high", self.mean_high), ("mean_low", self.mean_low)] {
            if mean < slot {
                let message = format!(
                    "`{}.{key}` of {mean} is shorter than a slot of {slot}; expected at least that",
                    section.place()
                );
                return Err(Fault::new(&section.place_below(key, &[]), message));
            }
        }
        Ok(self)
    }

    fn first_slot_fault(section: &Section<'_>, reason: &str) -> Fault {
        let message = format!(
            "`{}.first_slot` is {reason}; expected at most the length of a `slot`",
            section.place()
        );
        Fault::new(&section.place_below("first_slot", &[]), message)
    }
}

impl ProcessPlan for TwoStatePlan {
    fn written(&self) -> Vec<CapacityRate> {
        vec![self.high, self.low]
    }

    fn build(&self, stream: Stream) -> Box<dyn Process> {
        let rates = [self.high, self.low].map(CapacityRate::rate);
        let chain = TwoState::new(rates, [self.mean_high, self.mean_low], stream);
        let cut = self.slot.zip(self.first_slot).map_or(Span::ZERO, |(slot, first)| slot - first);
        Box::new(TwoState { slot: self.slot, cut, ..chain })
    }

    fn long_run(&self, _duration: Span) -> LongRun {
        LongRun::of([
            (self.high.rate(), self.mean_high.seconds_f64()),
            (self.low.rate(), self.mean_low.seconds_f64()),
        ])
    }
}

/// The path of two rates in turn.
#[derive(Clone, Debug)]
pub struct TwoState {
    rates: [Rate; 2],
    mean_sojourns: [Span; 2],
    slot: Option<Span>,
    /// Time by which the next sojourn is shorter: that of the first slot.
    cut: Span,
    /// The state of the next piece.
    next: usize,
    stream: Stream,
}

impl TwoState {
    /// Makes a path from each rate with its mean sojourn, exponential; the stream is its own.
    pub fn new(rates: [Rate; 2], mean_sojourns: [Span; 2], mut stream: Stream) -> Self {
        let [first, second] = mean_sojourns.map(Span::seconds_f64);
        let begins_second = stream.unit() >= first / (first + second);
        let next = usize::from(begins_second);
        Self { rates, mean_sojourns, slot: None, cut: Span::ZERO, next, stream }
    }
}

impl Process for TwoState {
    fn next(&mut self) -> (Rate, Span) {
        let state = self.next;
        self.next = 1 - state;
        let mean = self.mean_sojourns[state].seconds_f64();
        let sojourn = match self.slot {
            Some(slot) => slots(slot, slot.seconds_f64() / mean, &mut self.stream),
            None => exponential(mean, &mut self.stream),
        };
        (self.rates[state], sojourn - std::mem::replace(&mut self.cut, Span::ZERO))
    }
}

/// An exponential sojourn.
pub(super) fn exponential(mean_seconds: f64, stream: &mut Stream) -> Span {
    stream.exponential(mean_seconds).max(SHORTEST).min(Span::LONGEST)
}

/// A geometric number of slots; after each the sojourn ends with probability `ends`: n > k with
/// probability (1 − `ends`)^k.
pub(super) fn slots(slot: Span, ends: f64, stream: &mut Stream) -> Span {
    let draw = libm::log(1.0 - stream.unit());
    let most = Span::LONGEST.picoseconds() / slot.picoseconds();
    // The cast saturates; a state that is always left has ln 0.
    slot * ((draw / libm::log1p(-ends)) as i64).saturating_add(1).min(most.max(1))
}
