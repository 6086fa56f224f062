//! Processing times at a host: one CPU for segments, one SAR engine per direction for frames.

use crate::engine::{RandomSpan, Stream};
use crate::language::part::prelude::*;
use crate::pdu::Segment;
use crate::units::Span;

variants! {
    /// Whether answering costs CPU time.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum AckCost {
        /// It costs `cpu_per_segment`, like any segment.
        Charged = "charged",
        /// Receiving a segment includes answering it.
        Included = "included",
    }
}

// What an arrival releases is sent before the next arrival is looked at: tcp_input calls tcp_output
// before it returns (Stevens, TCP/IP Illustrated, volume 2, chapter 29). A segment then waits once
// per round trip, when it or its ACK has arrived.
variants! {
    /// Which segment the CPU takes next; it finishes the one that it has begun.
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
    /// The time the AAL5 engine is busy with a frame, in each direction.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Sar {
        /// This long for every cell of the frame.
        PerCell(Span) = "per_cell" value("\"0.2 us\"") as ANY_TIME,
        /// This long for the frame, whatever its length.
        PerFrame(Span) = "per_frame" value("\"100 us\"") as ANY_TIME,
    }
}

/// What a host charges for its work.
#[derive(Clone, Debug)]
pub struct Processing {
    /// CPU time to create a segment or to process a received one; drawn for each of them, in the
    /// order in which they come.
    pub cpu_per_segment: RandomSpan,
    /// Where it is drawn from: the host's own.
    pub jitter: Stream,
    /// Whether a pure ACK costs CPU time when it is sent.
    pub ack_cost: AckCost,
    /// What the CPU does first.
    pub cpu_order: CpuOrder,
    /// SAR time.
    pub sar: Sar,
}

impl Processing {
    /// Whether nothing takes any time.
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
