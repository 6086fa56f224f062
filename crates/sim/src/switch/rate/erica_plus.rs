//! ERICA+ (R. Jain et al., ATM Forum 96-1172; parameters of S. Kalyanaraman et al., ATM Forum
//! 96-1294, section 2).
//!
//! The target capacity is f(Q) times the rate that higher classes leave: the queue is controlled to
//! the cells that the capacity sends in T0, and the link is used in full. Parameters and defaults:
//! T0 = 500 us, hyperbolic f with a = 1.15, b = 1.05 and QDLF = 0.5; the rest as for ERICA. Decided
//! here: the queueing delay is taken with the ABR capacity of the same interval, or with the link's
//! rate; without any capacity a queue counts as infinitely long.

use super::erica::Erica;
use super::feedback::Fairness;
use super::meter::MeasurementPlan;
use super::queue_control::QueueControl;
use super::{Plan, PortOfVcs};
use crate::language::part::prelude::*;
use crate::units::Span;

variants! {
    /// The rate that turns a queue into a queueing delay.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum DrainRate {
        /// Rate that higher classes left in the interval.
        AbrCapacity = "abr_capacity",
        /// Rate of the link.
        Link = "link",
    }
}

part! {
    /// Parameters of ERICA+.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct EricaPlusPlan {
        /// T0: target of the queueing delay of a cell.
        target_delay: Span = default("500 us", "\"1 ms\"") as POSITIVE_TIME,
        /// Fraction of the ABR capacity that is allocated, by queue.
        queue_control: QueueControl = default(
            "hyperbolic", "{ hyperbolic = { a = 1.3, b = 1.01, qdlf = 0.4 } }"
        ),
        /// The rate that turns the queue into a delay.
        drain_rate: DrainRate = default("abr_capacity", "\"link\""),
        /// Measurement at the port.
        measurement: MeasurementPlan = flat(MeasurementPlan),
        /// Rule that makes rates equal.
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

    fn at_queue(&self, link: f64, higher_priority: f64, queue: u64) -> f64 {
        let capacity = self.target(link, higher_priority);
        let drain_rate = match self.drain_rate {
            DrainRate::AbrCapacity => capacity,
            DrainRate::Link => link,
        };
        let target_queue = self.target_delay.seconds_f64() * drain_rate;
        let queue = queue as f64;
        let targets = if queue > 0.0 { queue / target_queue } else { 0.0 };
        self.queue_control.fraction(targets) * capacity
    }
}

/// ERICA+ at one port.
pub type EricaPlus = Erica<EricaPlusPlan>;
