//! What is counted during one averaging interval: after `cells` ABR input cells or `span` of time, whichever comes first
//! (S. Kalyanaraman et al., ATM Forum 96-1294, section 2).

use super::activity::Activity;
use crate::units::{Span, Time};

/// How a port measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasurementPlan {
    /// An interval ends after so many ABR cells …
    pub cells: u64,
    /// … or after this time.
    pub span: Span,
    /// An: the factor by which the activity level of a silent VC falls per interval; `None`: no averaging.
    pub activity_decay: Option<f64>,
    /// Whether backward RM cells count as activity of their VC.
    pub counts_backward_rm: bool,
    /// Where the rate of a VC is known from.
    pub ccr: CcrFrom,
}

/// Where the rate of a VC is known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CcrFrom {
    /// The CCR field of its forward RM cells.
    RmCell,
    /// Its cells of the last interval.
    Measurement,
}

/// The counters of one interval at one port.
#[derive(Clone, Debug)]
pub(super) struct Meter {
    plan: MeasurementPlan,
    started: Time,
    end: Time,
    abr_cells: u64,
    higher_priority_cells: u64,
    backward_rm_cells: u64,
    /// By slot.
    cells_of_vc: Vec<u64>,
    /// By slot, cells per second.
    ccr: Vec<f64>,
    pub(super) activity: Activity,
}

/// One finished interval.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Interval {
    pub(super) seconds: f64,
    pub(super) abr_cells: u64,
    pub(super) higher_priority_cells: u64,
    pub(super) backward_rm_cells: u64,
}

impl Meter {
    pub(super) fn new(plan: MeasurementPlan, is_abr: &[bool]) -> Self {
        Self {
            plan,
            started: Time::ZERO,
            end: Time::ZERO + plan.span,
            abr_cells: 0,
            higher_priority_cells: 0,
            backward_rm_cells: 0,
            cells_of_vc: vec![0; is_abr.len()],
            ccr: vec![0.0; is_abr.len()],
            activity: Activity::new(is_abr, plan.activity_decay),
        }
    }

    #[inline]
    pub(super) fn interval_end(&self) -> Time {
        self.end
    }

    /// An in-rate ABR cell; whether the interval is complete. An interval takes some time, however many cells come at once.
    #[inline]
    pub(super) fn on_cell(&mut self, slot: u32, at: Time) -> bool {
        self.abr_cells += 1;
        self.cells_of_vc[slot as usize] += 1;
        self.activity.on_cell(slot);
        self.abr_cells >= self.plan.cells && at > self.started
    }

    #[inline]
    pub(super) fn on_higher_priority_cell(&mut self) {
        self.higher_priority_cells += 1;
    }

    pub(super) fn on_backward_rm(&mut self, slot: u32) {
        self.backward_rm_cells += 1;
        if self.plan.counts_backward_rm {
            self.activity.on_cell(slot);
        }
    }

    /// The CCR field of a forward RM cell; the copy in backward ones is up to a round trip old and is not used.
    pub(super) fn on_ccr(&mut self, slot: u32, ccr: f64) {
        if self.plan.ccr == CcrFrom::RmCell {
            self.ccr[slot as usize] = ccr;
        }
    }

    /// CCR of a VC, cells per second.
    pub(super) fn ccr(&self, slot: u32) -> f64 {
        self.ccr[slot as usize]
    }

    /// The interval ends at `at` and the next begins.
    pub(super) fn end_interval(&mut self, at: Time) -> Interval {
        let interval = Interval {
            seconds: (at - self.started).seconds_f64(),
            abr_cells: std::mem::take(&mut self.abr_cells),
            higher_priority_cells: std::mem::take(&mut self.higher_priority_cells),
            backward_rm_cells: std::mem::take(&mut self.backward_rm_cells),
        };
        self.activity.end_interval();
        if self.plan.ccr == CcrFrom::Measurement {
            for (ccr, cells) in self.ccr.iter_mut().zip(&self.cells_of_vc) {
                *ccr = *cells as f64 / interval.seconds;
            }
        }
        self.cells_of_vc.fill(0);
        self.started = at;
        self.end = at.saturating_add(self.plan.span);
        interval
    }
}
