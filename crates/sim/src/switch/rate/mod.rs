//! Rate allocation: what a switch tells the ABR sources whose cells pass one of its output ports.
//!
//! Measurements are taken at the port, of cells on their way forward; feedback goes into the
//! backward RM cells of the same VCs, which pass the switch the other way. At one instant a
//! measuring interval ends first, with the queue as it stands then, and the cell that arrives is
//! counted into the next.

mod activity;
mod efci;
mod erica;
mod erica_plus;
mod feedback;
mod meter;
mod overload;
mod probes;
mod queue_control;
mod relative;

pub use efci::Efci;
pub use erica::{Erica, EricaPlan, TargetOf};
pub use erica_plus::{DrainRate, EricaPlus, EricaPlusPlan};
pub use feedback::{Excess, Fairness};
pub use meter::{CcrFrom, MeasurementPlan};
pub use overload::OverloadAverage;
pub use probes::{Allocation, AllocationProbes};
pub use queue_control::{Curve, QueueControl, Steps};
pub use relative::RelativeRate;

use crate::pdu::RmCell;
use crate::units::Time;

/// The rule that answers the ABR sources of one output port. `slot` is a VC's place at the port,
/// `queue` the ABR cells waiting there.
pub trait RateAllocator {
    /// When the present measuring interval ends by time; [`Time::MAX`] for a rule that does not
    /// measure.
    fn interval_end(&self) -> Time {
        Time::MAX
    }

    /// The measuring interval ends at `at`.
    fn on_interval_end(&mut self, _at: Time, _queue: u64) {}

    /// An in-rate ABR cell arrives for this port; whether it completes the measuring interval.
    fn on_cell(&mut self, _slot: u32, _kind: InRate, _at: Time) -> bool {
        false
    }

    /// A cell of a class that is served before ABR arrives for this port.
    fn on_higher_priority_cell(&mut self) {}

    /// A forward RM cell arrives for this port.
    fn on_forward_rm(&mut self, _slot: u32, _rm: &RmCell) {}

    /// A backward RM cell passes on its way to the source. It may be lowered, never raised (TM 4.0
    /// switch rule 4).
    fn on_backward_rm(&mut self, _slot: u32, _queue: u64, _rm: &mut RmCell) {}

    /// Whether data cells that arrive now are marked (EFCI).
    fn marks_data(&self, _queue: u64) -> bool {
        false
    }

    /// The rule as seen from outside; `None` for one that does not measure.
    fn view(&self) -> Option<View> {
        None
    }
}

/// What an in-rate cell of an ABR VC is to the port that it comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InRate {
    /// The user's.
    Data,
    /// It asks for the rate of this direction.
    ForwardRm,
    /// It answers for the other direction.
    BackwardRm,
}

/// What an allocator believes.
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

/// The allocators, dispatched statically.
#[derive(Debug)]
pub enum Allocator {
    /// [`Efci`].
    Efci(Efci),
    /// [`RelativeRate`].
    RelativeRate(RelativeRate),
    /// [`Erica`].
    Erica(Box<Erica>),
    /// [`EricaPlus`].
    EricaPlus(Box<EricaPlus>),
}

/// Forwards a call to whichever allocator it is.
macro_rules! each {
    ($self:expr, $one:ident => $call:expr) => {
        match $self {
            Self::Efci($one) => $call,
            Self::RelativeRate($one) => $call,
            Self::Erica($one) => $call,
            Self::EricaPlus($one) => $call,
        }
    };
}

impl RateAllocator for Allocator {
    #[inline]
    fn interval_end(&self) -> Time {
        each!(self, one => one.interval_end())
    }

    fn on_interval_end(&mut self, at: Time, queue: u64) {
        each!(self, one => one.on_interval_end(at, queue));
    }

    #[inline]
    fn on_cell(&mut self, slot: u32, kind: InRate, at: Time) -> bool {
        each!(self, one => one.on_cell(slot, kind, at))
    }

    #[inline]
    fn on_higher_priority_cell(&mut self) {
        each!(self, one => one.on_higher_priority_cell());
    }

    fn on_forward_rm(&mut self, slot: u32, rm: &RmCell) {
        each!(self, one => one.on_forward_rm(slot, rm));
    }

    fn on_backward_rm(&mut self, slot: u32, queue: u64, rm: &mut RmCell) {
        each!(self, one => one.on_backward_rm(slot, queue, rm));
    }

    #[inline]
    fn marks_data(&self, queue: u64) -> bool {
        each!(self, one => one.marks_data(queue))
    }

    fn view(&self) -> Option<View> {
        each!(self, one => one.view())
    }
}
