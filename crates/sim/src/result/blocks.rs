//! Blocks of one flow in the summary of a run.

use serde::Serialize;

use super::Shaped;

use crate::traffic::BlockCounters;
use crate::units::Span;

/// Blocks of one flow over the measurement: each is one write, or one datagram.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Shaped)]
pub struct BlockSummary {
    /// Writes that have returned: their last byte is in the send buffer, or has been sent if that
    /// has no limit and is kept full.
    pub written: u64,
    /// Bytes of these writes.
    pub bytes: u64,
    /// Writes that have not returned at the end: one that had begun, and later ones that wait for
    /// it.
    pub waiting: u64,
    /// Periods whose block was skipped, since the write before had not returned.
    pub missed: u64,
    /// Time in which the flow was active, over which its throughput is calculated.
    pub elapsed_s: f64,
}

impl BlockSummary {
    /// Counts between two readings of a flow that was active for the time `active`.
    pub fn between(earlier: &BlockCounters, later: &BlockCounters, active: Span) -> Self {
        Self {
            written: later.written - earlier.written,
            bytes: later.bytes - earlier.bytes,
            waiting: later.waiting,
            missed: later.missed - earlier.missed,
            elapsed_s: active.seconds_f64(),
        }
    }
}
