//! Priority drop by several thresholds of one count (ATM Forum 98-0405, section 6: the SA-MT
//! scheme).
//!
//! Above the first threshold frames of the lowest priority go, above the last all do. ATM knows two
//! priorities: above `low` frames with CLP = 1, above `high` every frame, as with EPD. Parameters
//! in cells. Equal cases admit.

use super::classification::{Accounting, Classification, DropType, ThresholdType, Thresholds};
use super::{Admission, FrameRule, QueueState};
use crate::pdu::CellHead;

/// Priority drop.
#[derive(Clone, Debug)]
pub struct PriorityDrop {
    low: u64,
    high: u64,
}

impl PriorityDrop {
    /// Above `low` cells no frame with CLP = 1 is admitted, above `high` none.
    pub fn new(low: u64, high: u64) -> Self {
        Self { low, high }
    }
}

impl FrameRule for PriorityDrop {
    fn classification(&self) -> Option<Classification> {
        Some(Classification {
            accounting: Accounting::Single,
            thresholds: Thresholds::Multiple,
            threshold_type: ThresholdType::Static,
            drop_type: DropType::Deterministic,
            is_tag_sensitive: true,
        })
    }

    fn judge(&mut self, first: CellHead, queue: &QueueState<'_>) -> Admission {
        Admission::when(
            queue.occupancy <= if first.is_low_priority() { self.low } else { self.high },
        )
    }
}
