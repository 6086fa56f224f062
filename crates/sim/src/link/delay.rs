//! The propagation of a link: constant, or varying with the time of the run, as that of a path over
//! satellites in low orbits.
//!
//! Between the times of a list the delay is that of the last one (`steps`), or on the straight line
//! to the next one (`linear`); after the last time it stays. The delay of a unit is that of the
//! instant at which its last bit is sent.
//!
//! A link does not reorder: where the delay falls, a unit that would overtake an earlier one
//! arrives together with it.

use toml::de::DeValue;

use crate::language::part::prelude::*;
use crate::language::schedule::Schedule;
use crate::language::tree::text;
use crate::units::{Span, Time};

/// `link.delay`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delay {
    /// A constant delay.
    Fixed(Span),
    /// A delay that varies with time.
    Varying(Varying),
}

variants! {
    /// Law by which a delay varies.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Varying {
        /// Each delay holds from its time until the next.
        Steps(Schedule<Span>) = "steps" value("[[\"0 s\", \"20 ms\"], [\"15 s\", \"26 ms\"]]")
            as SCHEDULE,
        /// Each delay holds at its time, with straight lines in between.
        Linear(Schedule<Span>) = "linear" value("[[\"0 s\", \"20 ms\"], [\"15 s\", \"26 ms\"]]")
            as SCHEDULE,
    }
}

const SCHEDULE: Kind = Kind::Schedule { value: &ANY_TIME, holds: true };

impl Typed for Delay {
    const KIND: Kind =
        Kind::VaryingTime(Varying::KIND.choices().expect("ways to vary are choices"));
}

impl Read for Delay {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        if matches!(kind, Kind::Distance) {
            return Span::read(node, kind, place).map(Self::Fixed);
        }
        let Kind::VaryingTime(ways) = kind else { unreachable!("`{place}` does not vary") };
        match node.get_ref() {
            DeValue::Table(_) => Varying::read(node, kind, place).map(Self::Varying),
            // The list is missing, and the fault says so.
            DeValue::String(word) if ways.iter().any(|way| way.name == word) => {
                Varying::read(node, kind, place).map(Self::Varying)
            }
            DeValue::String(_) => Span::read(node, ANY_TIME, place).map(Self::Fixed),
            _ => text(node, kind, place).map(|_| unreachable!("only a string is text")),
        }
    }
}

impl Value for Delay {
    fn write(&self) -> String {
        match self {
            Self::Fixed(span) => span.write(),
            Self::Varying(varying) => varying.write(),
        }
    }
}

impl From<Span> for Delay {
    fn from(span: Span) -> Self {
        Self::Fixed(span)
    }
}

impl Varying {
    fn schedule(&self) -> &Schedule<Span> {
        match self {
            Self::Steps(schedule) | Self::Linear(schedule) => schedule,
        }
    }
}

impl Delay {
    /// The shortest delay.
    pub fn min(&self) -> Span {
        self.extreme(|delays| delays.min())
    }

    /// The longest delay.
    pub fn max(&self) -> Span {
        self.extreme(|delays| delays.max())
    }

    fn extreme(&self, of: impl Fn(&mut dyn Iterator<Item = Span>) -> Option<Span>) -> Span {
        match self {
            Self::Fixed(span) => *span,
            Self::Varying(varying) => {
                let mut delays = varying.schedule().pairs().iter().map(|&(_, delay)| delay);
                of(&mut delays).expect("a schedule has a pair")
            }
        }
    }

    /// Time by which the delay exceeds its shortest value, as a function of time; `None` if the
    /// delay does not vary.
    pub(crate) fn excess(&self) -> Option<Excess> {
        let Self::Varying(varying) = self else { return None };
        Some(Excess { varying: varying.clone(), shortest: self.min(), next: 1 })
    }
}

/// Time by which a delay exceeds its shortest value, evaluated in the order of time.
#[derive(Clone, Debug)]
pub(crate) struct Excess {
    varying: Varying,
    shortest: Span,
    /// Index of the next pair whose time is still to come.
    next: usize,
}

impl Excess {
    /// The excess at an instant that is not before that of the last call.
    pub(crate) fn at(&mut self, at: Time) -> Span {
        let (pairs, now) = (self.varying.schedule().pairs(), at - Time::ZERO);
        while pairs.get(self.next).is_some_and(|&(time, _)| time <= now) {
            self.next += 1;
        }
        let (from, delay) = pairs[self.next - 1];
        // A unit that waited may have been sent later than the next one.
        let passed = (now - from).max(Span::ZERO);
        let risen = match (&self.varying, pairs.get(self.next)) {
            (Varying::Linear(_), Some(&(to, target))) => part_of(target - delay, passed, to - from),
            _ => Span::ZERO,
        };
        delay + risen - self.shortest
    }
}

/// The part of `whole` that `passed` is of `all`.
fn part_of(whole: Span, passed: Span, all: Span) -> Span {
    let [whole, passed, all] = [whole, passed, all].map(|span| i128::from(span.picoseconds()));
    Span::from_picoseconds((whole * passed / all) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(pairs: &[(i64, i64)]) -> Schedule<Span> {
        let span = Span::from_milliseconds;
        Schedule::new(pairs.iter().map(|&(at, delay)| (span(at), span(delay))))
    }

    fn excesses(varying: Varying, at: &[i64]) -> Vec<f64> {
        let mut excess = Delay::Varying(varying).excess().expect("it varies");
        let at = at.iter().map(|&at| Time::ZERO + Span::from_milliseconds(at));
        at.map(|at| excess.at(at).seconds_f64() * 1e3).collect()
    }

    #[test]
    fn a_step_holds_until_the_next() {
        let steps = Varying::Steps(schedule(&[(0, 20), (100, 30), (200, 15)]));
        let found = excesses(steps, &[0, 99, 100, 150, 150, 200, 9000]);
        assert_eq!(found, [5.0, 5.0, 15.0, 15.0, 15.0, 0.0, 0.0]);
    }

    #[test]
    fn on_a_straight_line_the_delay_rises_and_falls_evenly() {
        let linear = Varying::Linear(schedule(&[(0, 20), (100, 30), (200, 10)]));
        let found = excesses(linear, &[0, 50, 100, 125, 199, 200, 9000]);
        assert_eq!(found, [10.0, 15.0, 20.0, 15.0, 0.2, 0.0, 0.0]);
    }

    #[test]
    fn extremes_are_those_of_the_list() {
        let delay = Delay::Varying(Varying::Linear(schedule(&[(0, 20), (100, 30), (200, 10)])));
        assert_eq!([delay.min(), delay.max()], [10, 30].map(Span::from_milliseconds));
        assert!(Delay::Fixed(Span::ZERO).excess().is_none());
    }
}
