//! Enhanced RED (Feng, Kandlur, Saha, Shin: "Understanding and improving TCP performance over
//! networks with minimum rate guarantees", IEEE/ACM Transactions on Networking 7(2), 1999).
//!
//! RED with a milder lottery for marked frames. Marked is CLP = 0: what the marker of each VC finds
//! to be below its rate; unmarked is CLP = 1. One mean queue serves both. The classification counts
//! the markers, which account for each VC, as part of the scheme. Parameters as of
//! [`Red`](super::Red), for unmarked frames and with `marked_` for the others.

use super::average::Average;
use super::classification::{Accounting, Classification, DropType, ThresholdType, Thresholds};
use super::lottery::Lottery;
use super::{Admission, FrameRule, QueueState};
use crate::engine::Stream;
use crate::pdu::CellHead;

/// Enhanced RED.
#[derive(Clone, Debug)]
pub struct Ered {
    average: Average,
    unmarked: Lottery,
    marked: Lottery,
    stream: Stream,
}

impl Ered {
    /// With its average at zero.
    pub fn new(average: Average, unmarked: Lottery, marked: Lottery, stream: Stream) -> Self {
        Self { average, unmarked, marked, stream }
    }
}

impl FrameRule for Ered {
    fn classification(&self) -> Option<Classification> {
        Some(Classification {
            accounting: Accounting::Multiple,
            thresholds: Thresholds::Multiple,
            threshold_type: ThresholdType::Static,
            drop_type: DropType::Probabilistic,
            is_tag_sensitive: true,
        })
    }

    fn judge(&mut self, first: CellHead, queue: &QueueState<'_>) -> Admission {
        self.average.on_arrival(queue.occupancy, queue.now, queue.line_free_at);
        let lottery = if first.is_low_priority() { &mut self.unmarked } else { &mut self.marked };
        Admission::when(lottery.admits(self.average.value(), false, &mut self.stream))
    }
}
