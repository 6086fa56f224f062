//! Counters of one averaging interval, which ends after `interval_cells` ABR input cells or the
//! time `interval`, whichever comes first (S. Kalyanaraman et al., ATM Forum 96-1294, section 2).

use super::InRate;
use super::activity::Activity;
use super::overload::OverloadAverage;
use crate::language::part::prelude::*;
use crate::units::{Span, Time};

part! {
    /// Measurement at a port.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct MeasurementPlan {
        /// A measuring interval ends after this many ABR cells, or after `interval`, whichever is
        /// first.
        interval_cells: u64 = default("100", "500") as Kind::Integer { min: 1, max: 1_000_000_000 },
        /// A measuring interval ends after this time, or after `interval_cells`, whichever is
        /// first.
        interval: Span = default("1 ms", "\"5 ms\"") as POSITIVE_TIME,
        /// An: a silent VC's activity falls by this factor per interval.
        activity_decay: Option<f64> = absent(
            "a VC is active in an interval in which a cell of it was seen", "0.9"
        ) as Kind::Number(BETWEEN_ZERO_AND_ONE),
        /// Averaging of the overload factor z over intervals.
        overload_average: OverloadAverage = default("none", "{ ratio = { weight = 0.2 } }"),
        /// Counts a VC that sends data as active, too, when a backward RM cell returns to it.
        backward_activity: bool = default("false", "true"),
        /// Source of the rate of a VC.
        ccr: CcrFrom = default("rm_cell", "\"measured\""),
    }
    last overload_average;
}

variants! {
    /// Source of the rate of a VC.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum CcrFrom {
        /// The CCR field of its forward RM cells.
        RmCell = "rm_cell",
        /// The count of its cells in the last interval.
        Measurement = "measured",
    }
}

/// The counters of one interval at one port.
#[derive(Clone, Debug)]
pub(super) struct Meter {
    plan: MeasurementPlan,
    /// Present interval, without the fields that are known at its end.
    present: Interval,
    end: Time,
    /// Cells of each VC, by slot.
    cells_of_vc: Vec<u64>,
    /// CCR of each VC, cells per second, by slot.
    ccr: Vec<f64>,
    pub(super) activity: Activity,
}

/// One interval. Its length and the cells that are set aside are known when it ends.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Interval {
    pub(super) began: Time,
    pub(super) seconds: f64,
    pub(super) abr_cells: u64,
    /// ABR cells of VCs that are no sources here.
    pub(super) returned_cells: u64,
    /// ABR cells within the minimum rate of their VC.
    pub(super) guaranteed_cells: f64,
    pub(super) higher_priority_cells: u64,
    pub(super) backward_rm_cells: u64,
}

impl Meter {
    pub(super) fn new(plan: MeasurementPlan, is_abr: &[bool]) -> Self {
        Self {
            plan,
            present: Interval::default(),
            end: Time::ZERO + plan.interval,
            cells_of_vc: vec![0; is_abr.len()],
            ccr: vec![0.0; is_abr.len()],
            activity: Activity::new(is_abr, plan.activity_decay),
        }
    }

    #[inline]
    pub(super) fn interval_end(&self) -> Time {
        self.end
    }

    /// Counts an in-rate ABR cell. True if the interval is complete, which takes some time, however
    /// many cells come at once.
    #[expect(clippy::inline_always, reason = "every ABR cell at every allocator")]
    #[inline(always)]
    pub(super) fn on_cell(&mut self, slot: u32, kind: InRate, at: Time) -> bool {
        self.present.abr_cells += 1;
        self.cells_of_vc[slot as usize] += 1;
        self.activity.on_cell(slot, kind);
        self.present.abr_cells >= self.plan.interval_cells && at > self.present.began
    }

    #[inline]
    pub(super) fn on_higher_priority_cell(&mut self) {
        self.present.higher_priority_cells += 1;
    }

    pub(super) fn on_backward_rm(&mut self, slot: u32) {
        self.present.backward_rm_cells += 1;
        if self.plan.backward_activity {
            self.activity.on_return(slot);
        }
    }

    /// Takes the CCR field of a forward RM cell; the copy in backward ones is up to a round trip
    /// old and is not used.
    pub(super) fn on_ccr(&mut self, slot: u32, ccr: f64) {
        if self.plan.ccr == CcrFrom::RmCell {
            self.ccr[slot as usize] = ccr;
        }
    }

    /// CCR of a VC, cells per second.
    pub(super) fn ccr(&self, slot: u32) -> f64 {
        self.ccr[slot as usize]
    }

    /// Ends the interval at `at` and begins the next; `minimum_rates`, cells per second, are by
    /// slot.
    pub(super) fn end_interval(&mut self, at: Time, minimum_rates: &[f64]) -> Interval {
        let next = Interval { began: at, ..Interval::default() };
        let mut interval = std::mem::replace(&mut self.present, next);
        interval.seconds = (at - interval.began).seconds_f64();
        (interval.returned_cells, interval.guaranteed_cells) =
            self.set_aside(interval.seconds, minimum_rates);
        self.activity.end_interval();
        if self.plan.ccr == CcrFrom::Measurement {
            for (ccr, cells) in self.ccr.iter_mut().zip(&self.cells_of_vc) {
                *ccr = *cells as f64 / interval.seconds;
            }
        }
        self.cells_of_vc.fill(0);
        self.end = at.saturating_add(self.plan.interval);
        interval
    }

    /// Cells of VCs that are no sources here, and cells of the others within their minimum rates.
    fn set_aside(&self, seconds: f64, minimum_rates: &[f64]) -> (u64, f64) {
        let (mut returned, mut guaranteed) = (0, 0.0);
        for ((slot, &cells), &mcr) in (0..).zip(&self.cells_of_vc).zip(minimum_rates) {
            if self.activity.is_source(slot) {
                guaranteed += (mcr * seconds).min(cells as f64);
            } else {
                returned += cells;
            }
        }
        (returned, guaranteed)
    }
}

#[cfg(test)]
mod tests {
    use super::super::overload::Average;
    use super::*;

    /// A run's key is made of this text: a new order would be another key.
    #[test]
    fn parameters_are_written_in_an_order_that_stays() {
        let plan = MeasurementPlan {
            interval_cells: 500,
            interval: Span::from_milliseconds(5),
            activity_decay: Some(0.9),
            overload_average: OverloadAverage::Ratio(Average { weight: 0.2 }),
            backward_activity: true,
            ccr: CcrFrom::Measurement,
        };
        let mut entries = Entries::new();
        MeasurementPlan::write(&plan, &mut entries);
        let written = entries.iter().map(|(key, value)| format!("{key} = {value}"));
        assert_eq!(
            written.collect::<Vec<_>>(),
            [
                "interval_cells = 500",
                "interval = \"5 ms\"",
                "activity_decay = 0.9",
                "backward_activity = true",
                "ccr = \"measured\"",
                "overload_average = { ratio = { weight = 0.2 } }",
            ]
        );
    }
}
