//! Virtual Queuing (Siu, Wu, Ren, Globecom 1997).
//!
//! A frame goes if the virtual queue of its VC, see [`VirtualQueues`], is longer than `threshold`
//! cells. Equal case: admitted.

use super::classification::{Accounting, Classification, DropType, ThresholdType, Thresholds};
use super::virtual_queues::VirtualQueues;
use super::{Admission, Departure, FrameRule, QueueState};
use crate::pdu::CellHead;

/// Virtual Queuing.
#[derive(Clone, Debug)]
pub struct VirtualQueuing {
    threshold: u64,
    queues: VirtualQueues,
}

impl VirtualQueuing {
    /// For `vcs` virtual circuits.
    pub fn new(threshold: u64, vcs: usize) -> Self {
        Self { threshold, queues: VirtualQueues::new(vcs) }
    }
}

impl FrameRule for VirtualQueuing {
    fn classification(&self) -> Option<Classification> {
        Some(Classification {
            accounting: Accounting::Multiple,
            thresholds: Thresholds::Single,
            threshold_type: ThresholdType::Static,
            drop_type: DropType::Deterministic,
            is_tag_sensitive: false,
        })
    }

    fn counts_cells(&self) -> bool {
        true
    }

    fn judge(&mut self, _first: CellHead, queue: &QueueState<'_>) -> Admission {
        Admission::when(self.queues.of(queue.slot) <= self.threshold)
    }

    fn on_admission(&mut self, _head: CellHead, slot: u32) {
        self.queues.admit(slot);
    }

    fn on_departure(&mut self, _departure: Departure) {
        self.queues.serve();
    }
}
