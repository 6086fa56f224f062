//! Tail drop: a cell is lost exactly when the buffer is full. No parameters, no state.

use super::{DropPolicy, QueueState, Verdict};
use crate::pdu::CellHead;
use crate::result::Cause;

/// Tail drop.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tail;

impl DropPolicy for Tail {
    fn admits_up_to(&self) -> u64 {
        u64::MAX
    }

    #[inline]
    fn on_arrival(&mut self, _head: CellHead, queue: &QueueState<'_>) -> Verdict {
        if queue.has_space() { Verdict::Accept } else { Verdict::Discard(Cause::Overflow) }
    }
}
