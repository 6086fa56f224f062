//! Processing times at a host: one CPU for segments, one SAR engine per direction for frames.

use crate::engine::{RandomSpan, Stream};
use crate::language::part::prelude::*;
use crate::pdu::Segment;
use crate::units::Span;

variants! {
    /// CPU time of an outgoing pure ACK.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum AckCost {
        /// It costs `cpu_per_segment`, like any segment.
        Charged = "charged",
        /// Receiving a segment includes answering it.
        Included = "included",
    }
}

// Segments that an arrival releases are sent before the next arrival is processed: tcp_input calls
// tcp_output before it returns (Stevens, TCP/IP Illustrated, volume 2, chapter 29). A segment then
// waits once per round trip, when it or its ACK has arrived.
variants! {
    /// Choice of the next segment by the CPU, which finishes the one that it has begun.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[expect(clippy::doc_markdown, reason = "the reference shows the text as it is")]
    pub enum CpuOrder {
        /// First come, first served, both directions together.
        Arrival = "arrival",
        /// Segments to be sent first, as when tcp_input calls tcp_output.
        OutputFirst = "output_first",
    }
}

variants! {
    /// Time for which the AAL5 engine is busy with a frame, in each direction.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Sar {
        /// A time for every cell of the frame.
        PerCell(Span) = "per_cell" value("\"0.2 us\"") as ANY_TIME,
        /// A time for the frame, independent of its length.
        PerFrame(Span) = "per_frame" value("\"100 us\"") as ANY_TIME,
    }
}

/// Processing times of a host.
#[derive(Clone, Debug)]
pub struct Processing {
    /// CPU time to create a segment or to process a received one; drawn for each of them, in the
    /// order in which they come.
    pub cpu_per_segment: RandomSpan,
    /// Random stream of the CPU times, the host's own.
    pub jitter: Stream,
    /// CPU time of a pure ACK that is sent.
    pub ack_cost: AckCost,
    /// Choice of the next segment by the CPU.
    pub cpu_order: CpuOrder,
    /// SAR time.
    pub sar: Sar,
    /// Received segments that may wait for the CPU; `None` if there is no limit.
    pub input_queue: Option<u64>,
}

impl Processing {
    /// True if nothing takes any time.
    pub fn is_instant(&self) -> bool {
        let Self { cpu_per_segment, sar: Sar::PerCell(sar) | Sar::PerFrame(sar), .. } = self;
        *cpu_per_segment == RandomSpan::Fixed(Span::ZERO) && sar.is_zero()
    }

    /// CPU time to send this segment.
    #[inline]
    pub fn of_sending(&mut self, segment: &Segment) -> Span {
        match self.ack_cost {
            AckCost::Included if segment.is_pure_ack() => Span::ZERO,
            AckCost::Included | AckCost::Charged => self.cpu_per_segment.draw(&mut self.jitter),
        }
    }

    /// CPU time to process a received segment.
    #[inline]
    pub fn of_receiving(&mut self) -> Span {
        self.cpu_per_segment.draw(&mut self.jitter)
    }

    /// SAR time of a frame of `cells`.
    #[inline]
    pub fn of_sar(&self, cells: u32) -> Span {
        match self.sar {
            Sar::PerCell(span) => span * i64::from(cells),
            Sar::PerFrame(span) => span,
        }
    }
}
