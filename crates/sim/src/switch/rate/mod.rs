//! Rate allocation: feedback of a switch to the ABR sources whose cells pass one of its output
//! ports.
//!
//! Measurements are taken at the port, of cells on their way forward; feedback goes into the
//! backward RM cells of the same VCs, which pass the switch the other way. At one instant a
//! measuring interval ends first, with the queue as it stands then, and the cell that arrives is
//! counted into the next.
//!
//! An allocator is a file here, its `mod` line and its line in the list `allocators!` below.

mod activity;
mod capacity_feedback;
mod efci;
mod effcap;
mod erica;
mod erica_plus;
mod feedback;
mod instcap;
mod line;
mod meter;
mod overload;
mod probes;
mod queue_control;
mod relative;

pub use efci::Efci;
pub use effcap::EffCapRates;
pub use erica::{Erica, EricaPlan, TargetOf};
pub use erica_plus::{DrainRate, EricaPlus, EricaPlusPlan};
pub use feedback::{Excess, Fairness};
pub use instcap::InstCapRates;
pub use meter::{CcrFrom, MeasurementPlan};
pub use overload::{Average, OverloadAverage};
pub use probes::{Allocation, AllocationProbe};
pub use queue_control::{Curve, InverseCurve, QueueControl, Shape, Steps};
pub use relative::RelativeRate;

use crate::engine::delegate;
use crate::language::part::prelude::*;
use crate::link::capacity::Capacity;
use crate::pdu::RmCell;
use crate::units::{CellRate, Span, Time};

/// The rule that answers the ABR sources of one output port. `slot` is the slot of a VC at the
/// port, `queue` the number of ABR cells waiting there.
pub trait RateAllocator {
    /// End of the present measuring interval by time; [`Time::MAX`] for a rule that does not
    /// measure.
    fn interval_end(&self) -> Time {
        Time::MAX
    }

    /// Takes the varying rate of the link, from the start of the run on.
    fn follow(&mut self, _capacity: Capacity) {}

    /// The measuring interval ends at `at`.
    fn on_interval_end(&mut self, _at: Time, _queue: u64) {}

    /// Takes an in-rate ABR cell that arrives for this port. True if it completes the measuring
    /// interval.
    fn on_cell(&mut self, _slot: u32, _kind: InRate, _at: Time) -> bool {
        false
    }

    /// A cell of a class that is served before ABR arrives for this port.
    fn on_higher_priority_cell(&mut self) {}

    /// A forward RM cell arrives for this port.
    fn on_forward_rm(&mut self, _slot: u32, _rm: &RmCell) {}

    /// Takes a backward RM cell on its way to the source. Its rate may be lowered, never raised (TM
    /// 4.0 switch rule 4).
    fn on_backward_rm(&mut self, _slot: u32, _queue: u64, _rm: &mut RmCell) {}

    /// Values of the rule for reports; `None` for a rule that does not measure.
    fn view(&self) -> Option<View> {
        None
    }
}

/// Kind of an in-rate cell of an ABR VC at a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InRate {
    /// Data cell.
    Data,
    /// Forward RM cell: it asks for the rate of this direction.
    ForwardRm,
    /// Backward RM cell: it answers for the other direction.
    BackwardRm,
}

/// Values that an allocator measures and gives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct View {
    /// Overload factor z: input over target capacity.
    pub overload: f64,
    /// Active VCs N, at least 1.
    pub active: f64,
    /// Fair share, cells per second.
    pub fair_share: f64,
    /// The explicit rate given last, cells per second.
    pub explicit_rate: f64,
    /// ABR capacity that is shared out, cells per second.
    pub capacity: f64,
    /// ABR cells that came forward in the last interval.
    pub input_cells: u64,
    /// Backward RM cells that passed in the last interval.
    pub backward_rm_cells: u64,
}

/// A port, as the allocator there sees it.
#[derive(Clone, Copy, Debug)]
pub struct PortOfVcs<'a> {
    /// The rate of the link.
    pub link: CellRate,
    /// True if the VC is ABR, by slot.
    pub is_abr: &'a [bool],
    /// Propagation of each VC, there and back, by slot.
    pub round_trips: &'a [Span],
}

/// Parameters of a rule, and the values that they fix before a run.
pub trait Plan {
    /// The rule at a port.
    type Rule
    where
        Self: Sized;

    /// The rule at this port.
    fn build(&self, port: &PortOfVcs<'_>) -> Self::Rule
    where
        Self: Sized;

    /// Its measurement and its fairness, if it measures.
    fn measures(&self) -> Option<(MeasurementPlan, Fairness)> {
        None
    }

    /// Measuring interval, if it measures.
    fn interval(&self) -> Option<Span> {
        self.measures().map(|(measurement, _)| measurement.interval)
    }

    /// The part of the link that it aims at.
    fn target_utilisation(&self) -> f64 {
        1.0
    }

    /// Rate that it shares out on average of a link of this rate, beside this rate of higher
    /// classes.
    fn target(&self, link: f64, higher_priority: f64) -> f64 {
        rest(link, higher_priority)
    }

    /// Rate that it shares out after an interval that ends with `queue` ABR cells waiting.
    fn at_queue(&self, link: f64, higher_priority: f64, _queue: u64) -> f64 {
        self.target(link, higher_priority)
    }
}

fn rest(link: f64, higher_priority: f64) -> f64 {
    (link - higher_priority).max(0.0)
}

impl RateAllocation {
    /// Its measurement and its fairness, if it measures.
    pub fn measures(&self) -> Option<(MeasurementPlan, Fairness)> {
        self.plan()?.measures()
    }

    /// Measuring interval, if it measures, and the keys that lead to it.
    pub fn measuring_interval(&self) -> Option<(Span, [&'static str; 2])> {
        Some((self.plan()?.interval()?, [self.word(), "interval"]))
    }

    /// The part of the link that it aims at.
    pub fn target_utilisation(&self) -> f64 {
        self.plan().map_or(1.0, Plan::target_utilisation)
    }

    /// Rate that it shares out on average of a link of this rate, beside this rate of higher
    /// classes.
    pub fn target(&self, link: f64, higher_priority: f64) -> f64 {
        let rest = || rest(link, higher_priority);
        self.plan().map_or_else(rest, |plan| plan.target(link, higher_priority))
    }
}

/// Lists the rules, one line each, `Variant(parameters) = "word"`. Makes the enum of a scenario,
/// the enum of the rules at the ports, dispatched statically, and their common methods.
macro_rules! allocators {
    ($($(#[doc = $doc:literal])+ $Rule:ident($Plan:ty) = $word:literal,)+) => {
        variants! {
            /// `switch.rate_allocator`.
            #[derive(Clone, Copy, Debug, PartialEq)]
            pub enum RateAllocation {
                /// No rate allocation.
                None = "none",
                $($(#[doc = $doc])+ $Rule($Plan) = $word,)+
            }
        }

        impl RateAllocation {
            /// The rule at a port, if there is one.
            pub fn build(&self, port: &PortOfVcs<'_>) -> Option<Allocator> {
                match self {
                    Self::None => None,
                    $(Self::$Rule(plan) => Some(Allocator::$Rule(plan.build(port))),)+
                }
            }

            /// Parameters of the rule, if there is one.
            fn plan(&self) -> Option<&dyn Plan> {
                match self {
                    Self::None => None,
                    $(Self::$Rule(plan) => Some(plan),)+
                }
            }
        }

        /// The rule at a port.
        #[derive(Debug)]
        pub enum Allocator {
            $($(#[doc = $doc])+ $Rule(<$Plan as Plan>::Rule),)+
        }

        impl RateAllocator for Allocator {
            delegate! { [$($Rule),+]
                #[inline]
                fn interval_end(&self) -> Time;
                fn follow(&mut self, capacity: Capacity);
                fn on_interval_end(&mut self, at: Time, queue: u64);
                #[inline]
                fn on_cell(&mut self, slot: u32, kind: InRate, at: Time) -> bool;
                #[inline]
                fn on_higher_priority_cell(&mut self);
                fn on_forward_rm(&mut self, slot: u32, rm: &RmCell);
                fn on_backward_rm(&mut self, slot: u32, queue: u64, rm: &mut RmCell);
                fn view(&self) -> Option<View>;
            }
        }
    };
}

allocators! {
    /// Data cells are marked above a threshold.
    Efci(efci::Efci) = "efci",
    /// Backward RM cells are marked above thresholds.
    RelativeRate(relative::RelativeRate) = "relative_rate",
    /// ERICA: explicit rates for a fixed target utilisation.
    Erica(erica::EricaPlan) = "erica",
    /// ERICA+: explicit rates for a target queueing delay.
    EricaPlus(erica_plus::EricaPlusPlan) = "erica_plus",
    /// INSTCAP: an equal part of the capacity of the last interval.
    InstCap(instcap::InstCapRates) = "instcap",
    /// EFFCAP: an equal part of the minimum over averages of the capacity.
    EffCap(effcap::EffCapRates) = "effcap",
}
