//! Bursts of one length at a constant rate, with gaps between them.
//!
//! A source's cells are one cell time apart on a clock that runs in bursts only. The rest of a cell
//! time at the end of a burst is carried into the next one, so the long-run rate is the rate within
//! a burst times the fraction of the time that bursts take, whatever the lengths, and two cells are
//! never closer than a cell time. A burst shorter than that may have no cell. For datagrams read
//! the time of a datagram at that rate instead.

use super::sends::Sends;
use super::source::{Site, Source, Spacing};
use crate::language::part::prelude::*;
use crate::units::{Span, Time};

const FEMTOSECONDS: i128 = 1000;

part! {
    /// Parameters of bursts of one length.
    #[derive(Clone, Debug, PartialEq)]
    pub struct OnOff {
        /// Unit that it sends, and its maximum rate.
        sends: Sends = flat(Sends),
        /// Time from the beginning of one burst to that of the next.
        period: Span = required("\"10 ms\"") as POSITIVE_TIME,
        /// Fraction of a period that the burst lasts.
        duty_cycle: f64 = required("0.8") as Kind::Number(ABOVE_ZERO_TO_ONE),
    }
    finish OnOff::checked;
}

impl OnOff {
    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        self.sends.check_steady(section).map(|()| self)
    }
}

impl Source for OnOff {
    type Spacing = PeriodicBursts;

    fn sends(&self) -> &Sends {
        &self.sends
    }

    fn busy_part(&self) -> f64 {
        self.duty_cycle
    }

    fn max_gap(&self, interval: u128) -> u128 {
        interval + self.period.picoseconds() as u128
    }

    fn spacing(&self, site: &Site<'_>) -> PeriodicBursts {
        PeriodicBursts::new(self.sends.interval(), self.period, self.duty_cycle, site.start)
    }
}

/// Bursts of one length that begin periodically (Kalyanaraman et al., ATM Forum 96-1294, section 3:
/// duty cycle and period).
#[derive(Clone, Debug)]
pub struct PeriodicBursts {
    cell_time: Span,
    period: Span,
    /// Length of a burst, to the nearest femtosecond and never zero: periods may be as short as a
    /// picosecond.
    on: i128,
    /// The beginning of the present burst, picoseconds.
    began: i128,
    /// Time from there to the last cell, femtoseconds.
    within: i128,
}

impl PeriodicBursts {
    /// Makes bursts, the first of which begins with a cell at `start`; a burst takes the fraction
    /// `duty_cycle` of a period.
    pub fn new(cell_time: Span, period: Span, duty_cycle: f64, start: Time) -> Self {
        let whole = i128::from(period.picoseconds()) * FEMTOSECONDS;
        let on = (whole as f64 * duty_cycle + 0.5) as i128;
        let on = on.clamp(1, whole);
        Self { cell_time, period, on, began: i128::from(start.picoseconds()), within: 0 }
    }
}

impl Spacing for PeriodicBursts {
    /// The next instant; [`Time::MAX`] beyond simulated time.
    #[inline]
    fn next_after(&mut self, _now: Time) -> Time {
        self.within += i128::from(self.cell_time.picoseconds()) * FEMTOSECONDS;
        if self.within >= self.on {
            let periods = self.within / self.on;
            let later = i128::from(self.period.picoseconds()).saturating_mul(periods);
            self.began = self.began.saturating_add(later);
            self.within %= self.on;
        }
        // A division of 128 bits takes longer than all else here, and few bursts need it.
        let within = match i64::try_from(self.within) {
            Ok(within) => i128::from(within / FEMTOSECONDS as i64),
            Err(_) => self.within / FEMTOSECONDS,
        };
        let at = self.began.saturating_add(within);
        i64::try_from(at).map_or(Time::MAX, Time::from_picoseconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Time of a cell: one in 10 us.
    const CELL_TIME: Span = Span::from_microseconds(10);

    /// Instants of the first `count` cells, in microseconds.
    fn instants(period_us: i64, duty_cycle: f64, count: usize) -> Vec<f64> {
        let period = Span::from_microseconds(period_us);
        let mut bursts = PeriodicBursts::new(CELL_TIME, period, duty_cycle, Time::ZERO);
        let later = std::iter::repeat_with(|| bursts.next_after(Time::ZERO).seconds_f64() * 1e6);
        std::iter::once(0.0).chain(later).take(count).collect()
    }

    #[test]
    fn bursts_of_whole_cells_begin_with_their_periods() {
        assert_eq!(instants(100, 0.3, 7), [0.0, 10.0, 20.0, 100.0, 110.0, 120.0, 200.0]);
        assert_eq!(instants(100, 1.0, 12)[9..], [90.0, 100.0, 110.0]);
    }

    /// Bursts of 25 us in each 100: the third cell leaves 5 us for the next burst, whose first cell
    /// is then 5 us late.
    #[test]
    fn what_a_cell_has_left_is_carried_into_the_next_burst() {
        assert_eq!(instants(100, 0.25, 7), [0.0, 10.0, 20.0, 105.0, 115.0, 200.0, 210.0]);
    }

    /// Bursts of 4 us in each 8: two and a half bursts make a cell.
    #[test]
    fn a_burst_shorter_than_a_cell_time_may_have_no_cell() {
        assert_eq!(instants(8, 0.5, 5), [0.0, 18.0, 40.0, 58.0, 80.0]);
    }

    #[test]
    fn a_burst_beyond_simulated_time_never_comes() {
        let mut bursts =
            PeriodicBursts::new(Span::from_seconds(424), Span::LONGEST, 1e-12, Time::ZERO);
        assert_eq!(bursts.next_after(Time::ZERO), Time::MAX);
    }

    proptest! {
        /// Number of cells: as many as cell times have begun while bursts lasted, for every period;
        /// never two within a cell time.
        #[test]
        fn the_mean_rate_is_the_rate_times_the_duty_cycle(
            cell_ps in 100_i64..100_000_000,
            period_ps in prop_oneof![1_i64..1000, 1_i64..1_000_000, 1_i64..1_000_000_000],
            per_mille in 1_u32..=1000,
        ) {
            let duty_cycle = f64::from(per_mille) / 1000.0;
            let [cell_time, period] = [cell_ps, period_ps].map(Span::from_picoseconds);
            let mut bursts = PeriodicBursts::new(cell_time, period, duty_cycle, Time::ZERO);
            let mut before = Time::ZERO;
            for _ in 0..1000 {
                let at = bursts.next_after(Time::ZERO);
                prop_assert!(at - before >= cell_time);
                before = at;
            }
            // A thousand cell times of bursts, and so many thousandths of a period each: exact in
            // femtoseconds.
            let on = i128::from(period_ps) * i128::from(per_mille);
            let active = i128::from(cell_ps) * 1000 * 1000;
            let expected = active / on * i128::from(period_ps) + active % on / 1000;
            prop_assert_eq!(i128::from(before.picoseconds()), expected);
        }
    }
}
