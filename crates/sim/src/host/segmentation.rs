//! The buffer of one VC at its source: frames whose cells wait for their turn.

use crate::engine::{Fifo, Io};
use crate::language::part::prelude::*;
use crate::pdu::{CellHead, Frame};
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

/// Cells of one VC, in the order in which they were handed over.
#[derive(Debug, Default)]
pub(super) struct Segmentation {
    queue: Fifo<Queued>,
    sent_of_front: u32,
    /// Cells waiting.
    pub(super) held: u64,
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
    /// When the front cell was ready; [`Time::MAX`] if none waits.
    #[inline]
    pub(super) fn ready(&self) -> Time {
        self.queue.front().map_or(Time::MAX, |queued| queued.ready)
    }

    /// IP bytes of the front frame, or the payload of the front cell; `None` if none waits.
    pub(super) fn front_bytes(&self) -> Option<u64> {
        self.queue.front().map(|queued| match queued.content {
            Content::Frame(frame) => u64::from(frame.bytes),
            Content::Raw | Content::Incomplete(_) => CELL_PAYLOAD_BYTES,
        })
    }

    /// The byte up to which the front packet acknowledges.
    pub(super) fn front_ack(&self) -> Option<u64> {
        self.queue.front().map(|queued| match queued.content {
            Content::Frame(frame) => frame.segment.ack,
            Content::Raw | Content::Incomplete(_) => 0,
        })
    }

    /// Appends the first `cells` of a frame.
    pub(super) fn push_frame(&mut self, ready: Time, frame: Frame, cells: u32, io: &mut Io) {
        let content = if cells == frame.cells {
            Content::Frame(frame)
        } else {
            Content::Incomplete(frame.number)
        };
        self.push(Queued { ready, cells, content }, io);
    }

    /// Appends a cell that belongs to no frame.
    pub(super) fn push_cell(&mut self, ready: Time, io: &mut Io) {
        self.push(Queued { ready, cells: 1, content: Content::Raw }, io);
    }

    fn push(&mut self, queued: Queued, io: &mut Io) {
        if queued.cells == 0 {
            return;
        }
        if self.queue.push(queued) {
            io.note_memory(self.queue.bytes() / 2);
        }
        self.held += u64::from(queued.cells);
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
    pub(super) fn take(&mut self, vc: u32, io: &mut Io) -> CellHead {
        let queued = *self.queue.front().expect("a cell is taken only where one waits");
        self.held -= 1;
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
}
