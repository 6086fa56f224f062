//! `[host.NAME]`: an end system.

use crate::engine::{ANY_INSTANT, RandomSpan};
use crate::host::{AckCost, CpuOrder, Sar};
use crate::language::part::prelude::*;
use crate::units::Packets;

part! {
    /// `[host.NAME]`.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Host {
        /// Unique name; a family member is `src[3]`.
        name: String = family,
        /// CPU time to create a segment for sending or to process a received one; drawn for each
        /// segment from a distribution.
        cpu_per_segment: RandomSpan =
            default("0 s", "{ uniform = [\"200 us\", \"300 us\"] }") as ANY_INSTANT,
        /// CPU time of an outgoing pure ACK: charged, or included.
        ack_cost: AckCost = default("charged", "\"included\""),
        /// Order in which the CPU takes segments.
        cpu_order: CpuOrder = default("arrival", "\"output_first\""),
        /// Time that segmentation and reassembly takes per frame, in each direction.
        sar: Sar = default("{ per_cell = \"0 s\" }", "{ per_cell = \"0.2 us\" }"),
        /// Received segments that may wait for the CPU, without the one that it serves; one more is
        /// lost. Only where segmentation and reassembly takes no time; without effect where the CPU
        /// takes none.
        input_queue: Option<Packets> = absent("unlimited", "\"50 packet\""),
    }
    finish Host::checked;
}

impl Host {
    /// Refuses an input queue behind a SAR that takes time.
    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        let (Sar::PerCell(span) | Sar::PerFrame(span)) = self.sar;
        if self.input_queue.is_none() || span.is_zero() {
            return Ok(self);
        }
        let message = format!(
            "`{place}.input_queue` is for a host without SAR time; expected no `{place}.sar`",
            place = section.place()
        );
        Err(Fault::new(&section.place_below("input_queue", &[]), message))
    }
}

/// A host that takes no time.
impl Default for Host {
    fn default() -> Self {
        defaults::<Self>()
    }
}
