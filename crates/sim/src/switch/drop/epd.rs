//! Early packet discard (Romanow, Floyd: "Dynamics of TCP Traffic over ATM Networks", IEEE JSAC
//! 13(4), 1995).
//!
//! A frame whose first cell finds more than `threshold` cells in the buffer goes whole. Parameter:
//! `threshold`, cells, compared with what is in the buffer that the frame would go to: its VC's,
//! its port's or the switch's. Equal case: occupancy = threshold admits the frame.

use super::classification::{Accounting, Classification, DropType, ThresholdType, Thresholds};
use super::{Admission, FrameRule, QueueState};
use crate::pdu::CellHead;

/// Early packet discard.
#[derive(Clone, Debug)]
pub struct Epd {
    threshold: u64,
}

impl Epd {
    /// No new frame is admitted above `threshold` cells.
    pub fn new(threshold: u64) -> Self {
        Self { threshold }
    }
}

impl FrameRule for Epd {
    fn classification(&self) -> Option<Classification> {
        Some(Classification {
            accounting: Accounting::Single,
            thresholds: Thresholds::Single,
            threshold_type: ThresholdType::Static,
            drop_type: DropType::Deterministic,
            is_tag_sensitive: false,
        })
    }

    fn judge(&mut self, _first: CellHead, queue: &QueueState<'_>) -> Admission {
        Admission::when(queue.occupancy <= self.threshold)
    }
}
