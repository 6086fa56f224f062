//! Random Early Detection (Floyd, Jacobson: "Random early detection gateways for congestion
//! avoidance", IEEE/ACM Transactions on Networking 1(4), 1993).
//!
//! A frame is judged by the mean queue that its first cell finds. Parameters, in cells (or
//! packets): `min_threshold`, `max_threshold`; `max_probability` 0.1; `weight` 0.002 per frame;
//! `mean_frame` 1500 B, for ageing while the line is idle; `ecn` false: frames of flows with
//! `tcp.ecn` are marked where they would be dropped at random. From `max_threshold` on, or if the
//! buffer is full, they are discarded like all others. Departure: one sample a frame and not one a
//! cell, so that the weight means the same as on packets.

use super::average::Average;
use super::random_drop::{RandomDrop, RandomDropPlan};
use super::{Admission, FrameRule, FromPlan, Needs, PolicyFacts, QueueState, Site};
use crate::engine::Stream;
use crate::language::part::prelude::*;
use crate::pdu::CellHead;
use crate::units::{Bytes, Span};

part! {
    /// Parameters of RED.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct RedPlan {
        /// Thresholds and greatest probability.
        random_drop: RandomDropPlan = flat(RandomDropPlan),
        /// Weight of the newest sample in the mean queue.
        weight: f64 = default("0.002", "0.01") as Kind::Number(ABOVE_ZERO_TO_ONE),
        /// A typical packet: an idle line lowers the mean queue by one sample of zero in each of
        /// its transmission times.
        mean_frame: Bytes = default("1500 B", "\"9180 B\"")
            as Kind::Size { min: 1, max: MAX_PACKET },
        /// Frames of flows with `tcp.ecn` are marked where they would be dropped at random.
        ecn: bool = default("false", "true"),
    }
}

impl RedPlan {
    /// Makes the mean queue, which is zero.
    pub(super) fn average(&self, site: &Site) -> Average {
        let frame_time = site.transmission.span_of_packet(self.mean_frame.0);
        Average::new(self.weight, frame_time.max(Span::from_picoseconds(1)))
    }

    /// Makes the random drop, with nothing admitted yet.
    pub(super) fn random_drop(&self, site: &Site) -> RandomDrop {
        self.random_drop.build(site).with_ecn(self.ecn)
    }
}

/// Random Early Detection.
#[derive(Clone, Debug)]
pub struct Red {
    average: Average,
    random_drop: RandomDrop,
    stream: Stream,
}

impl Red {
    /// Makes a rule with its average at zero.
    pub fn new(average: Average, random_drop: RandomDrop, stream: Stream) -> Self {
        Self { average, random_drop, stream }
    }
}

impl FrameRule for Red {
    fn needs(&self) -> Needs {
        Needs { marks: self.random_drop.marks, ..Needs::default() }
    }

    fn judge(&mut self, first: CellHead, queue: &QueueState<'_>) -> Admission {
        self.average.on_arrival(queue.occupancy, queue.now, queue.line_free_at);
        self.random_drop.judge(self.average.value(), false, first, &mut self.stream)
    }
}

impl FromPlan for Red {
    type Plan = RedPlan;

    fn build(plan: &RedPlan, site: &Site) -> Self {
        Self::new(plan.average(site), plan.random_drop(site), site.stream.clone())
    }

    fn facts(plan: &RedPlan) -> PolicyFacts {
        PolicyFacts {
            marks: plan.ecn,
            needs_common_buffer: Some("averages one queue of all VCs"),
            is_random: true,
            thresholds: vec![plan.random_drop.thresholds(["min_threshold", "max_threshold"])],
            ..PolicyFacts::default()
        }
    }
}
