//! ERICA+ (R. Jain et al., ATM Forum 96-1172; parameters of S. Kalyanaraman et al., ATM Forum
//! 96-1294, section 2).
//!
//! The target capacity is f(Q) times all that higher classes leave: the queue is steered to what
//! the capacity sends in T0, and the link is used in full. Parameters and defaults: T0 = 500 us,
//! hyperbolic f with a = 1.15, b = 1.05 and QDLF = 0.5; the rest as for ERICA. Decided here: the
//! queueing delay is taken with the ABR capacity of the same interval, or with the link's rate;
//! without any capacity a queue counts as infinitely long.

use super::erica::Core;
use super::feedback::Fairness;
use super::line::Line;
use super::meter::MeasurementPlan;
use super::queue_control::QueueControl;
use super::{InRate, Plan, PortOfVcs, RateAllocator, View};
use crate::language::part::prelude::*;
use crate::link::capacity::Capacity;
use crate::pdu::RmCell;
use crate::units::{CellRate, Span, Time};

variants! {
    /// The rate that turns a queue into a queueing delay.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum DrainRate {
        /// What higher classes left in the interval.
        AbrCapacity = "abr_capacity",
        /// The link's.
        Link = "link",
    }
}

part! {
    /// Parameters of ERICA+.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct EricaPlusPlan {
        /// T0: how long a cell should wait for its turn.
        target_delay: Span = default("500 us", "\"1 ms\"") as POSITIVE_TIME,
        /// Fraction of the ABR capacity that is allocated, by queue.
        queue_control: QueueControl = default(
            "hyperbolic", "{ hyperbolic = { a = 1.3, b = 1.01, qdlf = 0.4 } }"
        ),
        /// The rate that turns the queue into a delay.
        drain_rate: DrainRate = default("abr_capacity", "\"link\""),
        /// How the port measures.
        measurement: MeasurementPlan = flat(MeasurementPlan),
        /// How rates are made equal.
        fairness: Fairness = flat(Fairness),
    }
}

impl Plan for EricaPlusPlan {
    type Rule = Box<EricaPlus>;

    fn build(&self, port: &PortOfVcs<'_>) -> Box<EricaPlus> {
        Box::new(EricaPlus::new(*self, port.link, port.is_abr))
    }

    fn measures(&self) -> Option<(MeasurementPlan, Fairness)> {
        Some((self.measurement, self.fairness))
    }
}

/// ERICA+ at one port.
#[derive(Debug)]
pub struct EricaPlus {
    plan: EricaPlusPlan,
    link: Line,
    core: Core,
}

impl EricaPlus {
    /// At a port onto a link of this rate, with VCs at slots of which some are ABR.
    pub fn new(plan: EricaPlusPlan, link: CellRate, is_abr: &[bool]) -> Self {
        let core = Core::new(plan.measurement, plan.fairness, link.0, is_abr);
        Self { plan, link: Line::new(link), core }
    }

    /// The capacity of a link to share out, cells per second, beside this rate of higher classes
    /// and with `queue` ABR cells waiting.
    fn target(&self, link: f64, higher_priority: f64, queue: u64) -> f64 {
        let capacity = (link - higher_priority).max(0.0);
        let drain_rate = match self.plan.drain_rate {
            DrainRate::AbrCapacity => capacity,
            DrainRate::Link => link,
        };
        let target_queue = self.plan.target_delay.seconds_f64() * drain_rate;
        let queue = queue as f64;
        let targets = if queue > 0.0 { queue / target_queue } else { 0.0 };
        self.plan.queue_control.fraction(targets) * capacity
    }
}

impl RateAllocator for EricaPlus {
    #[inline]
    fn interval_end(&self) -> Time {
        self.core.meter().interval_end()
    }

    fn follow(&mut self, capacity: Capacity) {
        self.link.follow(capacity);
    }

    fn on_interval_end(&mut self, at: Time, queue: u64) {
        let interval = self.core.measure(at);
        let higher_priority = interval.higher_priority_cells as f64 / interval.seconds;
        let link = self.link.over_interval(at);
        let target = self.target(link, higher_priority, queue);
        self.core.share_out(target);
    }

    #[inline]
    fn on_cell(&mut self, slot: u32, kind: InRate, at: Time) -> bool {
        self.core.meter_mut().on_cell(slot, kind, at)
    }

    #[inline]
    fn on_higher_priority_cell(&mut self) {
        self.core.meter_mut().on_higher_priority_cell();
    }

    fn on_forward_rm(&mut self, slot: u32, rm: &RmCell) {
        self.core.on_forward_rm(slot, rm);
    }

    fn on_backward_rm(&mut self, slot: u32, _queue: u64, rm: &mut RmCell) {
        self.core.on_backward_rm(slot, rm);
    }

    fn view(&self) -> Option<View> {
        Some(self.core.view())
    }
}
