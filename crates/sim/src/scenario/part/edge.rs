//! `[edge.NAME]`: a router between links of packets and links of cells.

use crate::language::part::prelude::*;
use crate::switch::{AckFilter, Buffer, DrrPlan, PolicyPlan, SchedulerPlan as Scheduler};
use crate::units::Span;

part! {
    /// `[edge.NAME]`.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Edge {
        /// Unique name.
        name: String = family,
        /// Processing delay from input to output queue, the same for every packet and cell.
        delay: Span = default("0 s", "\"20 us\"") as ANY_TIME,
        /// Room at an output for packets; cells wait in the segmentation buffer, `abr.buffer`.
        buffer: Buffer =
            default("infinite", "{ per_port = \"100 packet\" }") as Kind::Variants(EDGE_BUFFER),
        /// Drop policy for a packet that arrives at an output for packets.
        drop: PolicyPlan = default(
            "tail", "{ red = { min_threshold = 0.2, max_threshold = 0.6 } }"
        ),
        /// Order in which an output serves packets.
        scheduler: Scheduler = default("fifo", "\"drr\"") as Kind::Variants(EDGE_SCHEDULER),
        /// Filter of the ACKs of TCP that wait at an output for packets.
        ack_filter: Option<AckFilter> = absent("`none`", "\"conservative\""),
    }
}

/// An edge that takes no time, with output queues without limit.
impl Default for Edge {
    fn default() -> Self {
        defaults::<Self>()
    }
}

/// Packets have no minimum cell rate that weights could follow.
const EDGE_SCHEDULER: &[Variant] = &[
    Variant::word("fifo", "First in, first out."),
    Variant::table(
        "drr",
        DrrPlan::KEYS,
        "Deficit round robin: a queue for each flow, served by bytes in turn.",
    ),
];

const EDGE_BUFFER: &[Variant] = &[
    Variant::word("infinite", "No limit."),
    Variant::value(
        "per_port",
        Kind::PortRoom,
        "\"100 packet\"",
        "Each output for packets has its own: packets, or bytes or a time as at a switch.",
    ),
    Variant::value(
        "per_vc",
        Kind::Room,
        "\"20 packet\"",
        "Each direction of each flow has its own at each of them.",
    ),
    Variant::value(
        "shared",
        Kind::Room,
        "\"100 packet\"",
        "One memory for all outputs for packets.",
    ),
];
