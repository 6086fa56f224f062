//! Segments at the stages between a host's connections and its interfaces.

use super::cpu::{CpuOrder, Processing};
use crate::engine::Fifo;
use crate::pdu::Segment;
use crate::units::{Span, Time};

/// A segment at one of the stages, and the instant at which that stage ends.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Staged {
    pub(super) at: Time,
    pub(super) endpoint: u32,
    pub(super) segment: Segment,
}

/// A stage that ends, in the order of simultaneous ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// SAR has cut a segment to send.
    Segmented,
    /// The CPU has created a segment to send.
    Created,
    /// SAR has reassembled a received segment.
    Reassembled,
    /// The CPU has processed a received segment.
    Processed,
}

impl Stage {
    /// True if it leads from a connection to an interface.
    pub(super) fn is_downward(self) -> bool {
        matches!(self, Self::Segmented | Self::Created)
    }
}

const STAGES: [Stage; 4] = [Stage::Segmented, Stage::Created, Stage::Reassembled, Stage::Processed];

/// The four stages. Each has a server, first come, first served, whose every completion is known on
/// arrival; its segments are served in the order of their arrival.
#[derive(Debug)]
pub(super) struct Stages {
    /// CPU and SAR times.
    pub(super) processing: Processing,
    /// Received segments that the CPU leaves for later; with [`CpuOrder::OutputFirst`] only.
    left_for_later: Fifo<Staged>,
    queues: [Fifo<Staged>; STAGES.len()],
    /// The instant at which the server of a stage has served all its segments; the CPU's is that of
    /// `Created`.
    free_at: [Time; STAGES.len()],
    waiting: usize,
}

impl Stages {
    /// Makes stages without segments.
    pub(super) fn new(processing: Processing) -> Self {
        Self {
            processing,
            left_for_later: Fifo::default(),
            queues: <[Fifo<Staged>; STAGES.len()]>::default(),
            free_at: [Time::ZERO; STAGES.len()],
            waiting: 0,
        }
    }

    /// Adds a segment that a stage serves for so long.
    pub(super) fn serve(&mut self, stage: Stage, staged: Staged, span: Span) {
        // The CPU both creates and processes segments.
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

    /// Takes a received segment from SAR.
    pub(super) fn process(&mut self, staged: Staged) {
        if self.processing.cpu_order == CpuOrder::OutputFirst && self.is_cpu_busy() {
            self.left_for_later.push(staged);
        } else {
            self.book(staged);
        }
    }

    /// Lets the CPU, which has finished a segment at `now`, take a received one if there is nothing
    /// to send.
    pub(super) fn start_next_segment(&mut self, now: Time) {
        if self.is_cpu_busy() {
            return;
        }
        let Some(staged) = self.left_for_later.pop() else { return };
        self.book(Staged { at: now, ..staged });
    }

    fn book(&mut self, staged: Staged) {
        let cost = self.processing.of_receiving();
        self.serve(Stage::Processed, staged, cost);
    }

    /// True if the input queue has no room for one more received segment.
    pub(super) fn is_input_full(&self) -> bool {
        let waiting = self.left_for_later.len() + self.waiting_for_cpu();
        self.processing.input_queue.is_some_and(|limit| waiting as u64 >= limit)
    }

    /// True if the CPU has a segment to serve.
    fn is_cpu_busy(&self) -> bool {
        let [_, created, _, processed] = &self.queues;
        !(created.is_empty() && processed.is_empty())
    }

    /// Received segments that wait for the CPU, without one that it serves. The next to end is the
    /// one that is served.
    fn waiting_for_cpu(&self) -> usize {
        let [_, created, _, processed] = &self.queues;
        let Some(first) = processed.front() else { return 0 };
        let is_served = created.front().is_none_or(|other| first.at < other.at);
        processed.len() - usize::from(is_served)
    }

    /// True if no segment waits, as most of the time.
    #[inline]
    pub(super) fn are_empty(&self) -> bool {
        self.waiting == 0
    }

    /// The next end of a stage, and that stage.
    #[inline(never)]
    pub(super) fn next(&self) -> (Time, Stage) {
        let fronts = STAGES.map(|stage| {
            let front = self.queues[stage as usize].front();
            (front.map_or(Time::MAX, |staged| staged.at), stage)
        });
        fronts.into_iter().min_by_key(|(at, _)| *at).expect("there are four stages")
    }
}
