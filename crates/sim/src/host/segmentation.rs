//! The buffer of one VC at its source: frames whose cells wait for their turn.

use crate::engine::{Fifo, Io};
use crate::language::part::prelude::*;
use crate::pdu::{CellHead, Frame};
use crate::result::{Cause, Drops, Mean, VcCounters};
use crate::units::{CELL_PAYLOAD_BYTES, Cells, Time};

variants! {
    /// How many cells of a VC may wait at its source.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SegmentationBuffer {
        /// No limit.
        Infinite = "infinite",
        /// Cells that find this many waiting are discarded.
        Tail(Cells) = "tail" value("\"1000 cell\"") as Kind::Cells,
        /// The transport waits while this many cells wait: none is discarded.
        BackPressure(Cells) = "back_pressure" value("\"100 cell\"") as Kind::Cells,
    }
}

/// Cells of one VC, in the order in which they were handed over. What finds no room is discarded.
#[derive(Debug)]
pub(super) struct Segmentation {
    queue: Fifo<Queued>,
    sent_of_front: u32,
    /// Cells waiting.
    pub(super) held: u64,
    /// Most cells that may wait.
    room: u64,
    pub(super) mean: Mean,
    pub(super) longest: u64,
    pub(super) drops: Drops,
}

#[derive(Clone, Copy, Debug, Default)]
struct Queued {
    ready: Time,
    cells: u32,
    content: Content,
}

#[derive(Clone, Copy, Debug, Default)]
enum Content {
    /// Cells that belong to no frame.
    #[default]
    Raw,
    /// A whole frame.
    Frame(Frame),
    /// The first cells of the frame of this number, whose others were lost.
    Incomplete(u32),
}

impl Segmentation {
    /// Nothing waits, and no more than `room` may.
    pub(super) fn new(room: u64) -> Self {
        let (queue, mean, drops) = (Fifo::default(), Mean::default(), Drops::default());
        Self { queue, sent_of_front: 0, held: 0, room, mean, longest: 0, drops }
    }

    /// When the front cell was ready; [`Time::MAX`] if none waits.
    #[inline]
    pub(super) fn ready(&self) -> Time {
        self.queue.front().map_or(Time::MAX, |queued| queued.ready)
    }

    /// IP bytes of the front frame, or the payload of the front cell, and the byte up to which the
    /// frame acknowledges; `None` if none waits.
    pub(super) fn front(&self) -> Option<(u64, u64)> {
        self.queue.front().map(|queued| match queued.content {
            Content::Frame(frame) => (u64::from(frame.bytes), frame.segment.ack),
            Content::Raw | Content::Incomplete(_) => (CELL_PAYLOAD_BYTES, 0),
        })
    }

    /// Appends as many cells of a frame as have room; whether none waited before.
    pub(super) fn push_frame(&mut self, ready: Time, frame: Frame, io: &mut Io) -> bool {
        let cells = self.admissible(frame.cells);
        let is_whole = cells == frame.cells;
        let whole = Content::Frame(frame);
        let content = if is_whole { whole } else { Content::Incomplete(frame.number) };
        self.push(Queued { ready, cells, content }, frame.cells - cells, io)
    }

    /// Appends a cell that belongs to no frame, if it has room; whether none waited before.
    pub(super) fn push_cell(&mut self, ready: Time, io: &mut Io) -> bool {
        let cells = self.admissible(1);
        self.push(Queued { ready, cells, content: Content::Raw }, 1 - cells, io)
    }

    fn admissible(&self, cells: u32) -> u32 {
        self.room.saturating_sub(self.held).min(u64::from(cells)) as u32
    }

    fn push(&mut self, queued: Queued, dropped: u32, io: &mut Io) -> bool {
        let was_empty = self.held == 0;
        if queued.cells > 0 && self.queue.push(queued) {
            io.note_memory(self.queue.bytes() / 2);
        }
        for _ in 0..dropped {
            self.drops.count(Cause::Overflow);
        }
        self.held += u64::from(queued.cells);
        self.longest = self.longest.max(self.held);
        self.mean.set(queued.ready, self.held as f64);
        was_empty
    }

    /// Whole frames that wait, the front one also if some of its cells have left.
    pub(super) fn frames(&self) -> impl Iterator<Item = &Frame> {
        self.queue.iter().filter_map(|queued| match &queued.content {
            Content::Frame(frame) => Some(frame),
            Content::Raw | Content::Incomplete(_) => None,
        })
    }

    /// Takes the front cell of `vc`.
    #[inline]
    pub(super) fn take(&mut self, now: Time, vc: u32, io: &mut Io) -> CellHead {
        let queued = *self.queue.front().expect("a cell is taken only where one waits");
        self.held -= 1;
        self.mean.set(now, self.held as f64);
        self.sent_of_front += 1;
        let is_last = self.sent_of_front == queued.cells;
        if is_last {
            self.queue.pop();
            self.sent_of_front = 0;
        }
        match queued.content {
            Content::Frame(frame) if is_last => {
                let ecn = frame.segment.ecn;
                CellHead::end_of_frame(vc, io.frames.insert(frame).0).of_packet(ecn)
            }
            Content::Frame(frame) => CellHead::body(vc, frame.number).of_packet(frame.segment.ecn),
            Content::Incomplete(number) => CellHead::body(vc, number),
            Content::Raw => CellHead::raw(vc),
        }
    }

    /// Forgets the extremes seen so far.
    pub(super) fn begin_measurement(&mut self) {
        self.longest = self.held;
    }

    /// Reports what waits, besides what does for the VC elsewhere, and what was discarded.
    pub(super) fn report(&self, vc: &mut VcCounters) {
        vc.queued += self.held;
        vc.drops.add(&self.drops);
    }
}
