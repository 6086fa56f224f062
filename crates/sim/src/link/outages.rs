//! Intervals in which the line is down, such as hand-overs from one satellite to the next:
//! periodic, or listed.
//!
//! A unit of which any bit would be sent in an outage is lost, or waits: then it is sent anew at
//! the end of the outage. Senders do not notice and go on. Units that wait do so in order, without
//! limit, and arrive together.

use super::plan::{ImpairmentPlan, Site, Train};
use super::{CellRun, Fate, Impairment, Sent, Transmission};
use crate::language::part::prelude::*;
use crate::language::schedule::Schedule;
use crate::units::{CELL_BITS, Span, Time};

part! {
    /// Outages of a line, and the outcome of units sent in them.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Outages {
        /// Instants at which the line is down.
        when: When = required("{ periodic = { every = \"15 s\", lasts = \"50 ms\" } }"),
        /// Outcome of a unit that is sent in an outage.
        units: DuringOutage = default("lost", "\"wait\""),
    }
}

variants! {
    /// `outages.when`.
    #[derive(Clone, Debug, PartialEq)]
    pub enum When {
        /// Outages repeat at equal distances.
        Periodic(Periodic) = "periodic",
        /// Each outage begins at its time and lasts so long.
        Listed(Schedule<Span>) = "listed" value("[[\"12 s\", \"50 ms\"], [\"27 s\", \"80 ms\"]]")
            as Kind::Schedule { value: &POSITIVE_TIME, holds: false },
    }
}

variants! {
    /// `outages.units`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum DuringOutage {
        /// The unit does not arrive.
        Lost = "lost",
        /// The unit is sent at the end of the outage.
        Wait = "wait",
    }
}

part! {
    /// Outages of one length at equal distances.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Periodic {
        /// Time from the beginning of one outage to that of the next.
        every: Span = required("\"15 s\"") as POSITIVE_TIME,
        /// Length of each outage, less than `every`.
        lasts: Span = required("\"50 ms\"") as POSITIVE_TIME,
        /// Beginning of the first outage.
        offset: Span = default("0 s", "\"12 s\"") as ANY_TIME,
    }
    finish Periodic::checked;
}

impl Periodic {
    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        if self.lasts < self.every {
            return Ok(self);
        }
        let message = format!(
            "`{}.lasts` of {} leaves nothing of every {}; expected less than `every`",
            section.place(),
            self.lasts,
            self.every
        );
        Err(Fault::new(&section.place_below("lasts", &[]), message))
    }
}

impl ImpairmentPlan for Outages {
    fn is_random(&self) -> bool {
        false
    }

    fn build(&self, site: &Site<'_>) -> Box<dyn Impairment> {
        let (transmission, meanwhile) = (site.transmission, self.units);
        Box::new(Interrupted { when: self.when.clone(), passed: 0, transmission, meanwhile })
    }

    /// At a random instant: in the long run for periodic outages, in the measured part of the run
    /// for listed ones.
    fn intact(&self, train: &Train) -> f64 {
        let sending = train.units as f64 * train.spacing;
        match (&self.when, self.units) {
            (_, DuringOutage::Wait) => 1.0,
            (When::Periodic(Periodic { every, lasts, .. }), DuringOutage::Lost) => {
                (1.0 - (lasts.seconds_f64() + sending) / every.seconds_f64()).max(0.0)
            }
            (When::Listed(list), DuringOutage::Lost) => {
                let [from, to] = train.measured.map(Span::seconds_f64);
                1.0 - down(list, sending, from, to) / (to - from)
            }
        }
    }

    fn longest_wait(&self) -> Span {
        match (&self.when, self.units) {
            (_, DuringOutage::Lost) => Span::ZERO,
            (When::Periodic(Periodic { lasts, .. }), _) => *lasts,
            (When::Listed(list), _) => {
                let lasts = list.pairs().iter().map(|(_, lasts)| lasts.picoseconds());
                Span::from_picoseconds(lasts.fold(0, i64::saturating_add))
            }
        }
    }
}

/// Seconds between two instants at which the end of a train that takes `sending` meets an outage.
fn down(list: &Schedule<Span>, sending: f64, from: f64, to: f64) -> f64 {
    let mut until = from;
    let met = list.pairs().iter().map(|(at, lasts)| {
        let begin = at.seconds_f64().max(until);
        until = (at.seconds_f64() + lasts.seconds_f64() + sending).clamp(until, to);
        (until - begin).max(0.0)
    });
    met.sum()
}

/// Outages in one direction of a link.
#[derive(Debug)]
struct Interrupted {
    when: When,
    /// Number of listed outages that are over.
    passed: usize,
    transmission: Transmission,
    meanwhile: DuringOutage,
}

impl Interrupted {
    /// The end of an outage that overlaps the time between these instants; `from` never decreases
    /// from call to call.
    fn outage(&mut self, from: Time, to: Time) -> Option<Time> {
        match &self.when {
            When::Periodic(periodic) => periodic.outage(from, to),
            When::Listed(list) => {
                let pairs = list.pairs();
                let end = |(at, lasts): (Span, Span)| (Time::ZERO + at).saturating_add(lasts);
                while pairs.get(self.passed).is_some_and(|&pair| end(pair) <= from) {
                    self.passed += 1;
                }
                let begun = pairs[self.passed..].iter().take_while(|(at, _)| Time::ZERO + *at < to);
                begun.map(|&pair| end(pair)).filter(|&end| end > from).max()
            }
        }
    }
}

impl Periodic {
    fn outage(self, from: Time, to: Time) -> Option<Time> {
        let (every, first) = (self.every.picoseconds(), Time::ZERO + self.offset);
        // The last one that begins before the unit has been sent.
        let before = (to - first).picoseconds() - 1;
        if before < 0 {
            return None;
        }
        let end = (first + self.every * (before / every)).saturating_add(self.lasts);
        (end > from).then_some(end)
    }
}

impl Impairment for Interrupted {
    fn name(&self) -> &'static str {
        "outages"
    }

    fn judge(&mut self, unit: &Sent<'_>) -> Fate {
        let sending = self.transmission.span_of_bits(unit.bits);
        match (self.outage(unit.at - sending, unit.at), self.meanwhile) {
            (None, _) => Fate::Delivered,
            (Some(_), DuringOutage::Lost) => Fate::Lost,
            (Some(end), DuringOutage::Wait) => Fate::Waits(end + sending),
        }
    }

    /// False if units wait, since they then arrive together.
    fn keeps_time(&self) -> bool {
        self.meanwhile == DuringOutage::Lost
    }

    fn delivers_all(&mut self, cell_run: &CellRun) -> bool {
        let sending = self.transmission.span_of_bits(CELL_BITS);
        self.outage(cell_run.first - sending, cell_run.last).is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interrupted(when: When) -> Interrupted {
        let transmission = Transmission::Cells(Span::from_milliseconds(1));
        Interrupted { when, passed: 0, transmission, meanwhile: DuringOutage::Lost }
    }

    /// The end of the outage, in milliseconds, for units of a millisecond that begin at these
    /// times.
    fn ends(when: When, begins: &[i64]) -> Vec<i64> {
        let mut line = interrupted(when);
        let at = |milliseconds| Time::ZERO + Span::from_milliseconds(milliseconds);
        let ends = begins.iter().map(|&begin| line.outage(at(begin), at(begin + 1)));
        ends.map(|end| end.map_or(0, |end| (end - Time::ZERO).picoseconds() / 1_000_000_000))
            .collect()
    }

    #[test]
    fn a_unit_of_which_a_bit_is_in_an_outage_meets_it() {
        let ms = Span::from_milliseconds;
        let periodic = Periodic { every: ms(100), lasts: ms(10), offset: ms(50) };
        let begins = [0, 48, 49, 50, 59, 60, 149, 150, 159, 160, 1055];
        assert_eq!(
            ends(When::Periodic(periodic), &begins),
            [0, 0, 0, 60, 60, 0, 0, 160, 160, 0, 1060]
        );
        let listed = Schedule::new([(ms(50), ms(10)), (ms(55), ms(20)), (ms(200), ms(1))]);
        let begins = [0, 49, 50, 54, 55, 60, 74, 75, 199, 200, 201];
        let expected = [0, 0, 60, 60, 75, 75, 75, 0, 0, 201, 0];
        assert_eq!(ends(When::Listed(listed), &begins), expected);
    }

    /// Instants beyond simulated time are never compared with: the sum once overflowed.
    #[test]
    fn an_outage_may_end_beyond_simulated_time() {
        let (longest, ms) = (Span::LONGEST, Span::from_milliseconds);
        let listed = |pairs: &[(Span, Span)]| When::Listed(Schedule::new(pairs.to_vec()));
        assert_eq!(ends(listed(&[(longest, longest)]), &[0]), [0]);
        let end = interrupted(listed(&[(longest, longest)])).outage(Time::ZERO, Time::MAX);
        assert_eq!(end, Some(Time::MAX));
        let when = Periodic { every: longest, lasts: longest - ms(1), offset: longest - ms(1) };
        assert_eq!(when.outage(Time::ZERO, Time::ZERO + longest), Some(Time::MAX));
        let when = listed(&[(ms(1), longest), (ms(2), longest)]);
        let waits = Outages { when, units: DuringOutage::Wait }.longest_wait();
        assert_eq!(waits, Span::from_picoseconds(i64::MAX));
    }

    /// Outages that lose take 40 + 30 + 1 ms of the second from 100 ms on, and twice the
    /// millisecond of the unit; two overlap, one is over before, and one goes on beyond the end.
    #[test]
    fn a_unit_is_lost_in_the_part_of_the_run_in_which_the_line_is_down() {
        let ms = Span::from_milliseconds;
        let list = [(50, 10), (200, 20), (210, 30), (500, 30), (1099, 100)];
        let when = When::Listed(Schedule::new(list.map(|(at, lasts)| (ms(at), ms(lasts)))));
        let measured = [ms(100), ms(1100)];
        let unit = Train { units: 1, bits: 424, spacing: 1e-3, is_of_cells: false, measured };
        let kept = |meanwhile| Outages { when: when.clone(), units: meanwhile }.intact(&unit);
        assert!((kept(DuringOutage::Lost) - 0.927).abs() < 1e-12, "{}", kept(DuringOutage::Lost));
        assert!(kept(DuringOutage::Wait) >= 1.0);
    }
}
