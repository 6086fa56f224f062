//! `[host.NAME]`: an end system.

use crate::engine::{ANY_INSTANT, RandomSpan};
use crate::host::{AckCost, CpuOrder, Sar};
use crate::language::part::prelude::*;

part! {
    /// `[host.NAME]`.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Host {
        /// Unique name; a family member is `src[3]`.
        name: String = family,
        /// CPU time to create a segment for sending or to process a received one; a distribution
        /// is drawn from for each.
        cpu_per_segment: RandomSpan =
            default("0 s", "{ uniform = [\"200 us\", \"300 us\"] }") as ANY_INSTANT,
        /// Whether an outgoing pure ACK costs CPU time of its own.
        ack_cost: AckCost = default("charged", "\"included\""),
        /// Which segment the CPU takes next.
        cpu_order: CpuOrder = default("arrival", "\"output_first\""),
        /// How long segmentation and reassembly is busy with a frame, in each direction.
        sar: Sar = default("{ per_cell = \"0 s\" }", "{ per_cell = \"0.2 us\" }"),
    }
}

/// A host that takes no time.
impl Default for Host {
    fn default() -> Self {
        defaults::<Self>()
    }
}
