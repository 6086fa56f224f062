//! Drop policies: accept or drop, for each cell that arrives at a queue.
//!
//! Tail drop and partial packet discard look at cells. All others judge a frame by its first cell ([`FrameRule`]), and one
//! state machine ([`Framewise`]) makes whole frames of their answers.

mod average;
mod classification;
mod dfba;
mod epd;
mod ered;
mod fba;
mod framewise;
mod fred;
mod lottery;
mod ppd;
mod priority_drop;
mod red;
mod selective_drop;
mod tail;
mod virtual_queues;
mod virtual_queuing;
mod vq_dynamic_epd;
mod vq_mcr;

pub use average::Average;
pub use classification::{Accounting, Classification, DropType, ThresholdType, Thresholds};
pub use dfba::{Dfba, DfbaVc};
pub use epd::Epd;
pub use ered::Ered;
pub use fba::Fba;
pub use framewise::{Departure, FrameRule, Framewise, Rule};
pub use fred::Fred;
pub use lottery::Lottery;
pub use ppd::Ppd;
pub use priority_drop::PriorityDrop;
pub use red::Red;
pub use selective_drop::SelectiveDrop;
pub use tail::Tail;
pub use virtual_queuing::VirtualQueuing;
pub use vq_dynamic_epd::VqDynamicEpd;
pub use vq_mcr::VqMcr;

use super::accounts::Accounts;
use crate::pdu::CellHead;
use crate::result::Cause;
use crate::units::Time;

/// What a policy may know of the queue, in cells (or packets), before the arriving one is admitted.
#[derive(Clone, Copy, Debug)]
pub struct QueueState<'q> {
    /// The instant of the arrival; departures up to it are done.
    pub now: Time,
    /// X: in the buffer that this cell would go to, of its VC, of its port, or of the whole switch.
    pub occupancy: u64,
    /// K: how many that buffer holds.
    pub room: u64,
    /// The VC's own place.
    pub slot: u32,
    /// `N_a`: how many VCs have something in that buffer; of a VC's own buffer, in its port's. Counted where accounts are kept.
    pub active: u64,
    /// When the line is, or was, free of everything that came before.
    pub line_free_at: Time,
    /// Whose cells the queue holds, if the policy [asks for it](Rule::needs_accounts).
    pub accounts: &'q Accounts,
}

impl QueueState<'_> {
    /// Whether one more fits.
    #[inline]
    pub fn has_room(&self) -> bool {
        self.occupancy < self.room
    }
}

/// The answer of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The cell joins the queue.
    Accept,
    /// The cell is lost.
    Discard(Cause),
}

/// The rule that answers for each arriving cell. A policy must discard when there is no room.
pub trait DropPolicy {
    /// A cell arrives; departures up to this instant are done.
    fn on_arrival(&mut self, head: CellHead, queue: &QueueState<'_>) -> Verdict;
}

/// The policies, dispatched statically.
#[derive(Clone, Debug)]
pub enum Policy {
    /// [`Tail`].
    Tail(Tail),
    /// [`Ppd`].
    Ppd(Ppd),
    /// Any that judges frames.
    Framewise(Framewise),
}

impl Policy {
    /// Its row of the table, which has none for tail drop.
    pub fn classification(&self) -> Option<Classification> {
        match self {
            Self::Tail(_) => None,
            Self::Ppd(_) => Some(Ppd::CLASSIFICATION),
            Self::Framewise(policy) => Some(policy.rule().classification()),
        }
    }

    /// Whether it must be told of each departure.
    pub fn watches_departures(&self) -> bool {
        matches!(self, Self::Framewise(policy) if policy.rule().watches_departures())
    }

    /// Whether it reads the occupancies of single VCs.
    pub fn needs_accounts(&self) -> bool {
        matches!(self, Self::Framewise(policy) if policy.rule().needs_accounts())
    }

    /// A cell has left the buffer.
    #[inline]
    pub fn on_departure(&mut self, departure: Departure) {
        if let Self::Framewise(policy) = self {
            policy.on_departure(departure);
        }
    }
}

impl DropPolicy for Policy {
    /// Raw cells belong to no frame and are lost exactly when there is no room.
    #[inline]
    fn on_arrival(&mut self, head: CellHead, queue: &QueueState<'_>) -> Verdict {
        match self {
            Self::Tail(policy) => policy.on_arrival(head, queue),
            Self::Ppd(policy) if !head.is_raw() => policy.on_arrival(head, queue),
            Self::Ppd(_) => Tail.on_arrival(head, queue),
            Self::Framewise(policy) => policy.on_arrival(head, queue),
        }
    }
}
