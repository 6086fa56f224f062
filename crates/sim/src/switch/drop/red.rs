//! Random Early Detection (Floyd, Jacobson: "Random early detection gateways for congestion
//! avoidance", IEEE/ACM Transactions on Networking 1(4), 1993).
//!
//! A frame is judged by the mean queue that its first cell finds. Parameters, in cells (or
//! packets): `min_threshold`, `max_threshold`; `max_probability` 0.1; `weight` 0.002 per frame;
//! `mean_frame` 1500 B, for ageing while the line is idle. Departure: one sample a frame and not
//! one a cell, which makes the weight mean what it does on packets.

use super::average::Average;
use super::classification::{Accounting, Classification, DropType, ThresholdType, Thresholds};
use super::lottery::Lottery;
use super::{Admission, FrameRule, QueueState};
use crate::engine::Stream;
use crate::pdu::CellHead;

/// Random Early Detection.
#[derive(Clone, Debug)]
pub struct Red {
    average: Average,
    lottery: Lottery,
    stream: Stream,
}

impl Red {
    /// With its average at zero.
    pub fn new(average: Average, lottery: Lottery, stream: Stream) -> Self {
        Self { average, lottery, stream }
    }
}

impl FrameRule for Red {
    fn classification(&self) -> Option<Classification> {
        Some(Classification {
            accounting: Accounting::Single,
            thresholds: Thresholds::Single,
            threshold_type: ThresholdType::Static,
            drop_type: DropType::Probabilistic,
            is_tag_sensitive: false,
        })
    }

    fn judge(&mut self, _first: CellHead, queue: &QueueState<'_>) -> Admission {
        self.average.on_arrival(queue.occupancy, queue.now, queue.line_free_at);
        Admission::when(self.lottery.admits(self.average.value(), false, &mut self.stream))
    }
}
