//! Summary of the segmentation buffer of a paced flow.

use serde::Serialize;

use super::{PacingCounters, Shaped};
use crate::units::Span;

/// The data of a flow with `pacing` at its source.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Shaped)]
pub struct PacingSummary {
    /// Maximum number of units in the segmentation buffer.
    pub max_queue: u64,
    /// Time average of the units in the segmentation buffer.
    pub mean_queue: f64,
    /// Units lost at the segmentation buffer.
    pub dropped: u64,
}

impl PacingSummary {
    /// Summary between two reports, `measured` apart.
    pub(super) fn between(
        earlier: &PacingCounters,
        later: &PacingCounters,
        measured: Span,
    ) -> Self {
        Self {
            max_queue: later.max_queue,
            mean_queue: (later.queue_time - earlier.queue_time) / measured.seconds_f64(),
            dropped: later.drops.since(&earlier.drops).total(),
        }
    }
}
