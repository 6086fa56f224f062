//! Bursts of losses: a channel of two states, good and bad, each with a loss probability of its own
//! (Gilbert 1960; Elliott 1963).
//!
//! Sojourns are geometric in units: after each unit the state changes with one probability. Or they
//! are exponential in time, and a unit meets the state of the instant at which its last bit is
//! sent. In the long run the channel is bad for π = P/(P + Q) of the units, with P and Q the
//! probabilities from good to bad and back, or for the mean time in the bad state over the sum of
//! the two mean times; it begins with this law. The stationary loss is (1 − π)·`good_loss` +
//! π·`bad_loss`.
//!
//! With the defaults, nothing lost in the good state and everything in the bad one, a burst is a
//! sojourn in the bad state: 1/Q units in the mean. In time, the state at `t` after a known one is
//! bad with probability π + (s − π)·exp(−(1/g + 1/b)·t), with s = 1 or 0 for the known state and g
//! and b the mean times; so one draw covers any time without units.

use super::chance::Chance;
use super::plan::{ImpairmentPlan, Site, Train};
use super::{CellRun, Fate, Impairment, Sent};
use crate::engine::Stream;
use crate::language::interval::{Bound, Interval};
use crate::language::part::prelude::*;
use crate::units::{Span, Time};

part! {
    /// Parameters of the channel.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct GilbertElliott {
        /// Law of the time that it stays in each state.
        sojourn: Sojourn = required("{ units = { good = 1000, bad = 10 } }"),
        /// Probability with which a unit is lost in the good state.
        good_loss: f64 = default("0", "1e-5") as Kind::Number(ZERO_TO_ONE),
        /// Probability with which a unit is lost in the bad state.
        bad_loss: f64 = default("1", "0.5") as Kind::Number(ZERO_TO_ONE),
    }
}

variants! {
    /// `gilbert_elliott.sojourn`.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Sojourn {
        /// Geometric in packets or cells, by the probabilities with which the state changes after
        /// each.
        Transitions(Transitions) = "transitions",
        /// Geometric in packets or cells, by their mean numbers.
        Units(MeanUnits) = "units",
        /// Exponential in time, by the mean times.
        Times(MeanTimes) = "times",
    }
}

part! {
    /// Probabilities with which the state changes after a unit.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Transitions {
        /// Probability from the good state to the bad one.
        to_bad: f64 = required("0.001") as Kind::Number(ZERO_TO_ONE),
        /// Probability from the bad state to the good one.
        to_good: f64 = required("0.1") as Kind::Number(ABOVE_ZERO_TO_ONE),
    }
}

const FROM_ONE: Kind = Kind::Number(Interval { min: Bound::From(1.0), max: Bound::From(1e12) });

part! {
    /// Mean numbers of packets or cells in a row.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct MeanUnits {
        /// Mean number in the good state.
        good: f64 = required("1000") as FROM_ONE,
        /// Mean number in the bad state.
        bad: f64 = required("10") as FROM_ONE,
    }
}

part! {
    /// Mean times.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct MeanTimes {
        /// Mean time in the good state.
        good: Span = required("\"2 s\"") as POSITIVE_TIME,
        /// Mean time in the bad state.
        bad: Span = required("\"20 ms\"") as POSITIVE_TIME,
    }
}

impl Sojourn {
    /// Fraction of the time, or of the units, in the bad state.
    fn bad(self) -> f64 {
        match self {
            Self::Times(MeanTimes { good, bad }) => {
                bad.seconds_f64() / (good.seconds_f64() + bad.seconds_f64())
            }
            Self::Transitions(_) | Self::Units(_) => {
                let [to_bad, to_good] = self.changes(0.0);
                to_bad / (to_bad + to_good)
            }
        }
    }

    /// Probabilities from good to bad and back from one unit to the next, `spacing` seconds later.
    fn changes(self, spacing: f64) -> [f64; 2] {
        match self {
            Self::Transitions(Transitions { to_bad, to_good }) => [to_bad, to_good],
            Self::Units(MeanUnits { good, bad }) => [1.0 / good, 1.0 / bad],
            Self::Times(times) => {
                let (bad, other) = (self.bad(), 1.0 - times.memory(spacing));
                [bad * other, (1.0 - bad) * other]
            }
        }
    }
}

impl MeanTimes {
    /// Weight of a known state after so many seconds.
    fn memory(self, seconds: f64) -> f64 {
        libm::exp(-seconds * (1.0 / self.good.seconds_f64() + 1.0 / self.bad.seconds_f64()))
    }
}

impl ImpairmentPlan for GilbertElliott {
    fn build(&self, site: &Site<'_>) -> Box<dyn Impairment> {
        let stream = |of: &str| (site.stream)(&format!("gilbert_elliott {of}"));
        let mut states = stream("states");
        let is_bad = states.unit() < self.sojourn.bad();
        let losses = [
            Chance::new(self.good_loss, stream("good losses")),
            Chance::new(self.bad_loss, stream("bad losses")),
        ];
        let state = match self.sojourn {
            Sojourn::Times(means) => State::InTime { means, until: Time::ZERO, stream: states },
            Sojourn::Transitions(_) | Sojourn::Units(_) => {
                let [to_bad, to_good] = self.sojourn.changes(0.0);
                State::InUnits([
                    Chance::new(to_bad, stream("good ends")),
                    Chance::new(to_good, stream("bad ends")),
                ])
            }
        };
        Box::new(Channel { is_bad, losses, state })
    }

    fn intact(&self, train: &Train) -> f64 {
        let [to_bad, to_good] = self.sojourn.changes(train.spacing);
        let bad = self.sojourn.bad();
        let (mut in_good, mut in_bad) = (1.0 - bad, bad);
        for _ in 0..train.units {
            let (good, bad) = (in_good * (1.0 - self.good_loss), in_bad * (1.0 - self.bad_loss));
            in_good = good * (1.0 - to_bad) + bad * to_good;
            in_bad = good * to_bad + bad * (1.0 - to_good);
        }
        in_good + in_bad
    }

    /// Losses divided by the losses that end a burst.
    fn mean_burst(&self, train: &Train) -> Option<f64> {
        let ([to_bad, to_good], bad) = (self.sojourn.changes(train.spacing), self.sojourn.bad());
        let (in_good, in_bad) = ((1.0 - bad) * self.good_loss, bad * self.bad_loss);
        let after_good = (1.0 - to_bad) * (1.0 - self.good_loss) + to_bad * (1.0 - self.bad_loss);
        let after_bad = to_good * (1.0 - self.good_loss) + (1.0 - to_good) * (1.0 - self.bad_loss);
        let last = in_good * after_good + in_bad * after_bad;
        (last > 0.0).then(|| (in_good + in_bad) / last)
    }
}

/// The channel of one direction of a link.
#[derive(Debug)]
struct Channel {
    is_bad: bool,
    /// Losses in the good state and in the bad one.
    losses: [Chance; 2],
    state: State,
}

/// The end of the present state.
#[derive(Debug)]
enum State {
    /// A unit: chances that a unit ends the good state, or the bad one.
    InUnits([Chance; 2]),
    /// An instant; the first unit sent at it or later draws the state anew.
    InTime { means: MeanTimes, until: Time, stream: Stream },
}

impl Impairment for Channel {
    fn name(&self) -> &'static str {
        "gilbert_elliott"
    }

    fn judge(&mut self, unit: &Sent<'_>) -> Fate {
        if let State::InTime { means, until, stream } = &mut self.state
            && unit.at >= *until
        {
            // The sojourn is over; where it began, at zero, the state was drawn.
            let after = if *until == Time::ZERO { self.is_bad } else { !self.is_bad };
            let bad = Sojourn::Times(*means).bad();
            let known = f64::from(u8::from(after)) - bad;
            let memory = means.memory((unit.at - *until).seconds_f64());
            self.is_bad = stream.unit() < bad + known * memory;
            let mean = if self.is_bad { means.bad } else { means.good };
            let stays = stream.exponential(mean.seconds_f64()).max(SHORTEST);
            *until = unit.at.saturating_add(stays);
        }
        let is_lost = self.losses[usize::from(self.is_bad)].succeeds();
        if let State::InUnits(ends) = &mut self.state {
            self.is_bad ^= ends[usize::from(self.is_bad)].succeeds();
        }
        if is_lost { Fate::Lost } else { Fate::Delivered }
    }

    fn keeps_time(&self) -> bool {
        true
    }

    fn delivers_all(&mut self, cell_run: &CellRun) -> bool {
        let state = usize::from(self.is_bad);
        let stays = match &self.state {
            State::InUnits(ends) => ends[state].is_none_of(cell_run.cells),
            State::InTime { until, .. } => cell_run.last < *until,
        };
        stays && self.losses[state].is_none_of(cell_run.cells)
    }

    fn pass(&mut self, cell_run: &CellRun) {
        let state = usize::from(self.is_bad);
        self.losses[state].count(cell_run.cells);
        if let State::InUnits(ends) = &mut self.state {
            ends[state].count(cell_run.cells);
        }
    }
}

const SHORTEST: Span = Span::from_picoseconds(1);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::Transmission;
    use crate::pdu::CellHead;

    const SPACING: Span = Span::from_milliseconds(1);

    fn outcomes(plan: GilbertElliott, units: i64) -> Vec<bool> {
        let site = Site {
            stream: &|of: &str| Stream::new(11, of),
            transmission: Transmission::Cells(SPACING),
            flow: &|_| None,
        };
        let mut channel = plan.build(&site);
        let sent = |number: i64| Sent {
            at: Time::ZERO + SPACING * (number + 1),
            head: CellHead::raw(0),
            bits: 424,
            frame: None,
        };
        (0..units).map(|number| channel.judge(&sent(number)) == Fate::Lost).collect()
    }

    fn of_each_kind() -> [GilbertElliott; 4] {
        let times =
            MeanTimes { good: Span::from_milliseconds(60), bad: Span::from_microseconds(5_500) };
        let part_lost = Transitions { to_bad: 0.02, to_good: 0.1 };
        [
            (Sojourn::Transitions(Transitions { to_bad: 0.01, to_good: 0.25 }), 0.0, 1.0),
            (Sojourn::Units(MeanUnits { good: 200.0, bad: 8.0 }), 0.0, 1.0),
            (Sojourn::Times(times), 0.0, 1.0),
            (Sojourn::Transitions(part_lost), 0.01, 0.6),
        ]
        .map(|(sojourn, good_loss, bad_loss)| GilbertElliott {
            sojourn,
            good_loss,
            bad_loss,
        })
    }

    fn unit() -> Train {
        let (spacing, measured) = (SPACING.seconds_f64(), [Span::ZERO, SPACING]);
        Train { units: 1, bits: 424, spacing, is_of_cells: true, measured }
    }

    /// A unit whose last bit is sent at that instant is the first of the next draw.
    #[test]
    fn a_run_that_ends_with_a_sojourn_is_judged_by_cell() {
        let means =
            MeanTimes { good: Span::from_milliseconds(60), bad: Span::from_milliseconds(5) };
        let (until, stream) = (Time::ZERO + SPACING * 9, Stream::new(1, "states"));
        let losses = ["good", "bad"].map(|of| Chance::new(0.0, Stream::new(1, of)));
        let state = State::InTime { means, until, stream };
        let mut channel = Channel { is_bad: false, losses, state };
        let cell_run = |last: Time| CellRun { cells: 2, ..CellRun::alone(last) };
        assert!(channel.delivers_all(&cell_run(until - SHORTEST)));
        assert!(!channel.delivers_all(&cell_run(until)));
    }

    /// Sojourns with a mean of a hundred days may end beyond simulated time, without an overflow.
    #[test]
    fn a_sojourn_may_end_beyond_simulated_time() {
        let means = MeanTimes { good: Span::LONGEST, bad: Span::LONGEST };
        let ends = (0..20).map(|seed| {
            let losses = ["good", "bad"].map(|of| Chance::new(0.0, Stream::new(1, of)));
            let stream = Stream::new(seed, "states");
            let state = State::InTime { means, until: Time::ZERO, stream };
            let mut channel = Channel { is_bad: false, losses, state };
            let at = Time::ZERO + SPACING;
            channel.judge(&Sent { at, head: CellHead::raw(0), bits: 424, frame: None });
            match channel.state {
                State::InTime { until, .. } => until,
                State::InUnits(_) => unreachable!("it is in time"),
            }
        });
        assert!((1..20).contains(&ends.filter(|&end| end == Time::MAX).count()));
    }

    /// The fraction of the units that is bad has the variance π(1−π)(2−P−Q)/(P+Q) over n, to which
    /// the draws in each state add theirs.
    #[test]
    fn the_stationary_loss_is_that_of_the_two_states() {
        for plan in of_each_kind() {
            let units = 400_000;
            let lost = outcomes(plan, units).iter().filter(|&&lost| lost).count() as f64;
            let (n, expected) = (units as f64, 1.0 - plan.intact(&unit()));
            let ([to_bad, to_good], bad) =
                (plan.sojourn.changes(unit().spacing), plan.sojourn.bad());
            let GilbertElliott { good_loss, bad_loss, .. } = plan;
            let (changes, difference) = (to_bad + to_good, bad_loss - good_loss);
            let of_states = difference * difference * bad * (1.0 - bad) * (2.0 - changes) / changes;
            let of_draws =
                (1.0 - bad) * good_loss * (1.0 - good_loss) + bad * bad_loss * (1.0 - bad_loss);
            let deviation = ((of_states + of_draws) / n).sqrt();
            assert!((lost / n - expected).abs() < 4.0 * deviation, "{plan:?}: {}", lost / n);
        }
    }

    #[test]
    fn the_mean_burst_is_that_of_the_bad_sojourns() {
        for plan in of_each_kind() {
            let outcomes = outcomes(plan, 400_000);
            let bursts: Vec<f64> = outcomes
                .chunk_by(|one, next| one == next)
                .filter(|chunk| chunk[0])
                .map(|burst| burst.len() as f64)
                .collect();
            let n = bursts.len() as f64;
            let mean = bursts.iter().sum::<f64>() / n;
            let variance =
                bursts.iter().map(|length| (length - mean) * (length - mean)).sum::<f64>() / n;
            let expected = plan.mean_burst(&unit()).expect("units are lost");
            assert!(
                n > 1000.0 && (mean - expected).abs() < 4.0 * (variance / n).sqrt(),
                "{plan:?}"
            );
        }
        let [_, units, ..] = of_each_kind();
        assert!((units.mean_burst(&unit()).expect("units are lost") - 8.0).abs() < 1e-12);
    }

    /// The first of five units is in the good state with probability 1 − π, and then the others.
    #[test]
    fn a_train_is_intact_if_the_channel_stays_good() {
        let [transitions, ..] = of_each_kind();
        let five = Train { units: 5, ..unit() };
        let expected = (1.0 - 0.01 / 0.26) * libm::pow(0.99, 4.0);
        assert!((transitions.intact(&five) - expected).abs() < 1e-15);
        let outcomes = outcomes(transitions, 500_000);
        let found = outcomes.chunks(5).filter(|five| five.iter().all(|lost| !lost)).count() as f64;
        assert!((found / 1e5 - expected).abs() < 0.005, "{found}");
    }
}
