//! `[switch.NAME]`: a node that forwards.

use crate::language::part::prelude::*;
use crate::switch::rate::RateAllocation;
use crate::switch::{
    AckFilter, Buffer, CLASS_BUFFER, InService, PolicyPlan, SchedulerPlan as Scheduler,
};
use crate::units::Span;

part! {
    /// `[switch.NAME]`.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Switch {
        /// Unique name.
        name: String = family,
        /// Processing delay from input to output queue, the same for every cell.
        delay: Span = default("0 s", "\"4 us\"") as ANY_TIME,
        /// Room at an output, in the unit that the links carry.
        buffer: Buffer =
            default("infinite", "{ per_vc = \"256 cell\" }"),
        /// Room of the cell in transmission: counted in the buffer, or not.
        in_service: InService = default("counted", "\"not_counted\""),
        /// Drop policy for an arriving cell.
        drop: PolicyPlan = default("tail", "{ epd = { threshold = 0.8 } }"),
        /// Room for cells of CBR and VBR flows at an output; every service class has a queue of its
        /// own.
        vbr_buffer: Option<Buffer> =
            absent("as `buffer`", "{ per_port = \"1000 cell\" }") as CLASS_BUFFER,
        /// Room for cells of ABR flows at an output.
        abr_buffer: Option<Buffer> =
            absent("as `buffer`", "{ per_port = \"8 kcell\" }") as CLASS_BUFFER,
        /// Allocator by which each output computes the rates of the ABR sources whose cells pass
        /// it.
        rate_allocator: RateAllocation =
            default("none", "{ erica_plus = { target_delay = \"500 us\" } }"),
        /// Order in which an output serves the cells of one class.
        scheduler: Scheduler = default("fifo", "{ wfq = { excess = \"equal\" } }"),
        /// Filter of the ACKs of TCP that wait at an output for packets.
        ack_filter: Option<AckFilter> = absent("`none`", "\"conservative\""),
    }
}

/// A switch that takes no time, with output queues without limit.
impl Default for Switch {
    fn default() -> Self {
        defaults::<Self>()
    }
}
