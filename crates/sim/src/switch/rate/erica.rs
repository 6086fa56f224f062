//! ERICA, explicit rate indication for congestion avoidance (R. Jain et al., "ERICA Switch
//! Algorithm: A Complete Description", ATM Forum 96-1172, August 1996).
//!
//! The target capacity is a fixed part of the rate that higher classes leave, so that queues drain;
//! the overload factor compares the ABR input with it. Parameters and defaults: target utilisation
//! U = 0.9 of the link (or of what is left of it), averaging interval (100 cells, 1 ms), averages
//! off.
//!
//! If the rate of the link varies, the link's rate is its mean over the interval that ends.

use super::feedback::{Fairness, Feedback};
use super::line::Line;
use super::meter::{Interval, MeasurementPlan, Meter};
use super::overload::{Load, Overload};
use super::{InRate, Plan, PortOfVcs, RateAllocator, View};
use crate::language::part::prelude::*;
use crate::link::capacity::Capacity;
use crate::pdu::RmCell;
use crate::units::{CellRate, Time};

variants! {
    /// The rate that the target utilisation is a fraction of.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum TargetOf {
        /// U of the link, less the rate of higher classes.
        Link = "link",
        /// U of the rate that higher classes leave.
        Remainder = "remainder",
    }
}

part! {
    /// Parameters of ERICA.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct EricaPlan {
        /// U: target utilisation of the link.
        target_utilisation: f64 = default("0.9", "0.95") as Kind::Number(ABOVE_ZERO_TO_ONE),
        /// The rate that the target utilisation is a fraction of.
        target_of: TargetOf = default("link", "\"remainder\""),
        /// Measurement at the port.
        measurement: MeasurementPlan = flat(MeasurementPlan),
        /// Rule that makes rates equal.
        fairness: Fairness = flat(Fairness),
    }
}

impl Plan for EricaPlan {
    type Rule = Box<Erica>;

    fn build(&self, port: &PortOfVcs<'_>) -> Box<Erica> {
        Box::new(Erica::new(*self, port.link, port.is_abr))
    }

    fn measures(&self) -> Option<(MeasurementPlan, Fairness)> {
        Some((self.measurement, self.fairness))
    }

    fn target_utilisation(&self) -> f64 {
        self.target_utilisation
    }

    fn target(&self, link: f64, higher_priority: f64) -> f64 {
        let target = match self.target_of {
            TargetOf::Link => self.target_utilisation * link - higher_priority,
            TargetOf::Remainder => self.target_utilisation * (link - higher_priority),
        };
        target.max(0.0)
    }
}

/// ERICA at one port, or ERICA+, which differs in the rate that is shared out while cells wait.
#[derive(Debug)]
pub struct Erica<P = EricaPlan> {
    plan: P,
    link: Line,
    meter: Meter,
    overload: Overload,
    feedback: Feedback,
    last: Interval,
}

impl<P: Plan> Erica<P> {
    /// Makes the rule at a port onto a link of this rate; `is_abr` tells the slots of ABR VCs, and
    /// `plan` must be one that measures.
    pub fn new(plan: P, link: CellRate, is_abr: &[bool]) -> Self {
        let (measurement, fairness) = plan.measures().expect("ERICA and ERICA+ measure");
        let meter = Meter::new(measurement, is_abr);
        let capacity = plan.target_utilisation() * link.0;
        Self {
            plan,
            link: Line::Constant(link),
            overload: Overload::new(measurement.overload_average),
            feedback: Feedback::new(fairness, capacity, &meter, is_abr.len()),
            meter,
            last: Interval::default(),
        }
    }
}

impl<P: Plan> RateAllocator for Erica<P> {
    #[inline]
    fn interval_end(&self) -> Time {
        self.meter.interval_end()
    }

    fn follow(&mut self, capacity: Capacity) {
        self.link = Line::Varying(Box::new(capacity));
    }

    /// Subtracts the cells of VCs that are no sources here from the capacity and the input.
    fn on_interval_end(&mut self, at: Time, queue: u64) {
        self.last = self.meter.end_interval(at, self.feedback.minimum_rates());
        let Interval { began, seconds, abr_cells, returned_cells, guaranteed_cells, .. } =
            self.last;
        let higher_priority = self.last.higher_priority_cells as f64 / seconds;
        let link = self.link.mean_rate(began, at);
        let target = self.plan.at_queue(link, higher_priority, queue);
        let load = Load {
            seconds,
            input: (abr_cells - returned_cells) as f64,
            capacity: (target - returned_cells as f64 / seconds).max(0.0),
            guaranteed: guaranteed_cells,
        };
        let capacity = self.overload.end_interval(load);
        self.feedback.begin_interval(capacity, self.overload.factor(), &self.meter);
    }

    #[inline]
    fn on_cell(&mut self, slot: u32, kind: InRate, at: Time) -> bool {
        self.meter.on_cell(slot, kind, at)
    }

    #[inline]
    fn on_higher_priority_cell(&mut self) {
        self.meter.on_higher_priority_cell();
    }

    fn on_forward_rm(&mut self, slot: u32, rm: &RmCell) {
        self.meter.on_ccr(slot, rm.ccr.0);
        self.feedback.on_forward_rm(slot, rm);
    }

    fn on_backward_rm(&mut self, slot: u32, _queue: u64, rm: &mut RmCell) {
        self.meter.on_backward_rm(slot);
        let source_rate = self.meter.activity.is_source(slot).then(|| self.meter.ccr(slot));
        self.feedback.on_backward_rm(slot, source_rate, rm);
    }

    fn view(&self) -> Option<View> {
        Some(View {
            active: self.meter.activity.active(),
            input_cells: self.last.abr_cells,
            backward_rm_cells: self.last.backward_rm_cells,
            ..self.feedback.view()
        })
    }
}
