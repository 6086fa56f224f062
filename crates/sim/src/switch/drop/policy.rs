//! The policy of a queue.

use super::{Departure, Dequeue, DropPolicy, Framewise, Ppd, QueueState, Tail, Verdict};
use crate::pdu::CellHead;

/// The policies, dispatched statically, and those from outside.
#[derive(Debug)]
pub enum Policy {
    /// [`Tail`].
    Tail(Tail),
    /// [`Ppd`].
    Ppd(Ppd),
    /// Any that judges frames.
    Framewise(Framewise),
    /// One that is not ours.
    Own(Box<dyn DropPolicy>),
}

impl Policy {
    /// Whether a cell is inside a frame that is being admitted, so that a buffer with room accepts
    /// it and nothing changes.
    #[inline]
    pub fn is_admitting(&self, head: CellHead, slot: u32) -> bool {
        match self {
            Self::Tail(_) => true,
            Self::Ppd(policy) => policy.is_admitting(head, slot),
            Self::Framewise(policy) => policy.is_admitting(head, slot),
            Self::Own(_) => false,
        }
    }

    /// Whether a cell would be the first of a frame, which is judged by it.
    #[inline]
    pub fn awaits_first(&self, head: CellHead, slot: u32) -> bool {
        match self {
            Self::Framewise(policy) => policy.awaits_first(head, slot),
            Self::Tail(_) | Self::Ppd(_) | Self::Own(_) => false,
        }
    }

    /// Cells of a frame were admitted without a question, up to its end or not.
    #[inline]
    pub fn note_admitted(&mut self, is_ended: bool, slot: u32) {
        if let Self::Framewise(policy) = self {
            policy.note_admitted(is_ended, slot);
        }
    }
}

impl DropPolicy for Policy {
    fn needs_accounts(&self) -> bool {
        match self {
            Self::Tail(_) | Self::Ppd(_) => false,
            Self::Framewise(policy) => policy.needs_accounts(),
            Self::Own(policy) => policy.needs_accounts(),
        }
    }

    fn watches_departures(&self) -> bool {
        match self {
            Self::Tail(_) | Self::Ppd(_) => false,
            Self::Framewise(policy) => policy.watches_departures(),
            Self::Own(policy) => policy.watches_departures(),
        }
    }

    fn judges_dequeues(&self) -> bool {
        match self {
            Self::Tail(_) | Self::Ppd(_) => false,
            Self::Framewise(policy) => policy.judges_dequeues(),
            Self::Own(policy) => policy.judges_dequeues(),
        }
    }

    fn may_mark(&self) -> bool {
        match self {
            Self::Tail(_) | Self::Ppd(_) => false,
            Self::Framewise(policy) => policy.may_mark(),
            Self::Own(policy) => policy.may_mark(),
        }
    }

    fn admits_up_to(&self) -> u64 {
        match self {
            Self::Tail(_) | Self::Ppd(_) => u64::MAX,
            Self::Framewise(policy) => policy.admits_up_to(),
            Self::Own(policy) => policy.admits_up_to(),
        }
    }

    /// Raw cells belong to no frame and are lost exactly when the buffer is full.
    #[inline]
    fn on_arrival(&mut self, head: CellHead, queue: &QueueState<'_>) -> Verdict {
        match self {
            Self::Tail(policy) => policy.on_arrival(head, queue),
            Self::Ppd(policy) if !head.is_raw() => policy.on_arrival(head, queue),
            Self::Ppd(_) => Tail.on_arrival(head, queue),
            Self::Framewise(policy) => policy.on_arrival(head, queue),
            Self::Own(policy) => policy.on_arrival(head, queue),
        }
    }

    #[inline]
    fn on_departure(&mut self, departure: Departure) {
        match self {
            Self::Tail(_) | Self::Ppd(_) => {}
            Self::Framewise(policy) => policy.on_departure(departure),
            Self::Own(policy) => policy.on_departure(departure),
        }
    }

    fn on_dequeue(&mut self, head: CellHead, dequeue: &Dequeue) -> Verdict {
        match self {
            Self::Tail(_) | Self::Ppd(_) => Verdict::Accept,
            Self::Framewise(policy) => policy.on_dequeue(head, dequeue),
            Self::Own(policy) => policy.on_dequeue(head, dequeue),
        }
    }
}
