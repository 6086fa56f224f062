//! Drop policies: accept or drop, for each cell that arrives at a queue.

mod epd;
mod ppd;
mod tail;

pub use epd::Epd;
pub use ppd::Ppd;
pub use tail::Tail;

use crate::engine::CellHead;
use crate::result::Cause;

/// What a policy may know of the queue, in cells (or packets), before the arriving one is admitted.
#[derive(Clone, Copy, Debug)]
pub struct QueueState {
    /// In the buffer that this cell would go to: of its VC, of its port, or of the whole switch.
    pub occupancy: u64,
    /// Whether the buffer that this cell would go to has room for one more.
    pub has_room: bool,
    /// The VC's own place.
    pub slot: u32,
}

/// The answer of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The cell joins the queue.
    Accept,
    /// The cell is lost.
    Discard(Cause),
}

/// The rule that answers for each arriving cell. A policy must discard when there is no room, and sees no raw cells: those
/// belong to no frame, and are lost exactly when there is no room.
pub trait DropPolicy {
    /// A cell arrives; departures up to this instant are done.
    fn on_arrival(&mut self, head: CellHead, queue: &QueueState) -> Verdict;
}

/// The policies, dispatched statically.
#[derive(Clone, Debug)]
pub enum Policy {
    /// [`Tail`].
    Tail(Tail),
    /// [`Ppd`].
    Ppd(Ppd),
    /// [`Epd`].
    Epd(Epd),
}

impl DropPolicy for Policy {
    #[inline]
    fn on_arrival(&mut self, head: CellHead, queue: &QueueState) -> Verdict {
        if head.is_raw() {
            return Tail.on_arrival(head, queue);
        }
        match self {
            Self::Tail(policy) => policy.on_arrival(head, queue),
            Self::Ppd(policy) => policy.on_arrival(head, queue),
            Self::Epd(policy) => policy.on_arrival(head, queue),
        }
    }
}
