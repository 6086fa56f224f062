//! The policy of a queue.

use super::{
    Departure, Dequeue, DropPolicy, Framewise, Needs, OwnQueue, QueueState, RatePacket, Tail,
    Verdict,
};
use crate::engine::delegate;
use crate::pdu::CellHead;
use crate::units::Time;

/// The policies, dispatched statically, and those from outside.
#[derive(Debug)]
pub enum Policy {
    /// [`Tail`].
    Tail(Tail),
    /// Policy that judges frames.
    Framewise(Framewise),
    /// Policy from outside the crate.
    Own(Box<dyn DropPolicy>),
}

impl Policy {
    /// True if the cell is inside a frame that is being admitted: a buffer with room accepts it,
    /// and no state changes.
    #[inline]
    pub fn is_admitting(&self, head: CellHead, slot: u32) -> bool {
        match self {
            Self::Tail(_) => true,
            Self::Framewise(policy) => policy.is_admitting(head, slot),
            Self::Own(_) => false,
        }
    }

    /// True if the cell would be the first of a frame, by which the frame is judged.
    #[inline]
    pub fn awaits_first(&self, head: CellHead, slot: u32) -> bool {
        match self {
            Self::Framewise(policy) => policy.awaits_first(head, slot),
            Self::Tail(_) | Self::Own(_) => false,
        }
    }

    /// Notes that cells of a frame were admitted without asking; `is_ended` if the last cell was
    /// among them.
    #[inline]
    pub fn note_admitted(&mut self, is_ended: bool, slot: u32) {
        if let Self::Framewise(policy) = self {
            policy.note_admitted(is_ended, slot);
        }
    }
}

impl DropPolicy for Policy {
    delegate! { [Tail, Framewise, Own]
        fn needs(&self) -> Needs;
        fn admits_up_to(&self) -> u64;
        #[inline]
        fn on_arrival(&mut self, head: CellHead, queue: &QueueState<'_>) -> Verdict;
        fn on_own_queue(&mut self, own: OwnQueue);
        #[inline]
        fn on_departure(&mut self, departure: Departure);
        fn on_overflow(&mut self, now: Time, queue: u32);
        #[cold]
        fn on_removal(&mut self, queue: u32, before: usize);
        fn on_dequeue(&mut self, head: CellHead, dequeue: &Dequeue) -> Verdict;
        #[cold]
        fn on_packet(&mut self, packet: &RatePacket);
        #[cold]
        fn grant(&mut self, packet: &RatePacket) -> f32;
    }
}
