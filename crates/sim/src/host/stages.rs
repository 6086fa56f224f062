//! Segments at the stages between a host's connections and its interfaces.

use crate::engine::Fifo;
use crate::pdu::Segment;
use crate::units::{Span, Time};

/// A segment at one of the stages, and when that stage is done with it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Staged {
    pub(super) at: Time,
    pub(super) endpoint: u32,
    pub(super) segment: Segment,
}

/// What is done with a segment, in the order in which it counts at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// SAR has cut a segment to send.
    Segmented,
    /// The CPU has created a segment to send.
    Created,
    /// SAR has put a received segment together.
    Reassembled,
    /// The CPU has processed a received segment.
    Processed,
}

impl Stage {
    /// Whether it leads from a connection to an interface.
    pub(super) fn is_downward(self) -> bool {
        matches!(self, Self::Segmented | Self::Created)
    }
}

const STAGES: [Stage; 4] = [Stage::Segmented, Stage::Created, Stage::Reassembled, Stage::Processed];

/// The four stages. Each is done by a server, first come, first served, whose every completion is
/// known on arrival; its segments are done in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Stages {
    queues: [Fifo<Staged>; STAGES.len()],
    /// When the server of a stage is through with what it has; the CPU's is that of `Created`.
    free_at: [Time; STAGES.len()],
    waiting: usize,
}

impl Stages {
    /// A stage has a segment to work on for so long.
    pub(super) fn serve(&mut self, stage: Stage, staged: Staged, span: Span) {
        // One CPU creates and processes.
        let server = if stage == Stage::Processed { Stage::Created } else { stage };
        let free_at = &mut self.free_at[server as usize];
        *free_at = staged.at.max(*free_at) + span;
        self.queues[stage as usize].push(Staged { at: *free_at, ..staged });
        self.waiting += 1;
    }

    pub(super) fn pop(&mut self, stage: Stage) -> Option<Staged> {
        let staged = self.queues[stage as usize].pop()?;
        self.waiting -= 1;
        Some(staged)
    }

    /// Whether the CPU has a segment to work on.
    pub(super) fn is_cpu_busy(&self) -> bool {
        let [_, created, _, processed] = &self.queues;
        !(created.is_empty() && processed.is_empty())
    }

    /// Whether nothing waits anywhere, as most of the time.
    #[inline]
    pub(super) fn are_empty(&self) -> bool {
        self.waiting == 0
    }

    /// When a stage is next done with a segment, and which.
    #[inline(never)]
    pub(super) fn next(&self) -> (Time, Stage) {
        let fronts = STAGES.map(|stage| {
            let front = self.queues[stage as usize].front();
            (front.map_or(Time::MAX, |staged| staged.at), stage)
        });
        fronts.into_iter().min_by_key(|(at, _)| *at).expect("there are four stages")
    }
}
