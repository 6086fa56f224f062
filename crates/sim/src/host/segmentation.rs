//! The buffer of one VC at its source: frames whose cells wait for their turn.

use super::probes::ShaperProbe;
use crate::engine::{Fifo, Io};
use crate::language::part::prelude::*;
use crate::pdu::{CellHead, Frame};
use crate::result::{Cause, Drops, Ledger, Mean, Recorders, VcCounters};
use crate::units::{CELL_PAYLOAD_BYTES, Cells, Time};

variants! {
    /// Limit of the cells of a VC that wait at its source.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SegmentationBuffer {
        /// No limit.
        Infinite = "infinite",
        /// A cell that finds this many waiting is discarded.
        Tail(Cells) = "tail" value("\"1000 cell\"") as Kind::Cells,
        /// A frame whose cells do not all fit beside those waiting is discarded as a whole. Of
        /// `tail` a part is sent without an end, and the next frame is spoilt with it.
        Frames(Cells) = "frames" value("\"1000 cell\"") as Kind::Cells,
        /// The transport waits while this many cells wait: none is discarded.
        BackPressure(Cells) = "back_pressure" value("\"100 cell\"") as Kind::Cells,
    }
}

/// Cells of one VC, in the order in which they were handed over. Cells that find no room are
/// discarded.
#[derive(Debug, Default)]
pub(super) struct Segmentation {
    pub(super) vc: u32,
    queue: Fifo<Queued>,
    sent_of_front: u32,
    /// Cells waiting.
    pub(super) held: u64,
    /// Most cells that may wait.
    room: u64,
    /// Rule for frames of which only a part fits.
    parts: Parts,
    pub(super) mean: Mean,
    pub(super) longest: u64,
    pub(super) drops: Drops,
    pub(super) recorders: Recorders<ShaperProbe>,
}

/// Outcome of the part of a frame that fits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Parts {
    /// It is taken.
    #[default]
    Taken,
    /// It is discarded with the rest.
    Discarded,
}

#[derive(Clone, Copy, Debug, Default)]
struct Queued {
    ready: Time,
    /// Number of its cells; fewer than those of the frame if the others found no room.
    cells: u32,
    /// Frame of these cells; `None` for a raw cell.
    frame: Option<Frame>,
}

impl Queued {
    /// The frame, if all of its cells have found room.
    #[inline]
    fn whole(&self) -> Option<&Frame> {
        self.frame.as_ref().filter(|frame| frame.cells == self.cells)
    }
}

impl Segmentation {
    /// Makes an empty buffer, in which no more than `room` cells may wait.
    pub(super) fn new(vc: u32, room: u64, recorders: Recorders<ShaperProbe>) -> Self {
        Self { vc, room, recorders, ..Self::default() }
    }

    /// The buffer with another rule for frames of which only a part fits.
    pub(super) fn with_parts(self, parts: Parts) -> Self {
        Self { parts, ..self }
    }

    /// The instant at which the front cell was ready; [`Time::MAX`] if none waits.
    #[inline]
    pub(super) fn ready(&self) -> Time {
        self.queue.front().map_or(Time::MAX, |queued| queued.ready)
    }

    /// IP bytes of the front frame, or the payload of the front cell, and the byte up to which the
    /// frame acknowledges; `None` if none waits.
    pub(super) fn front(&self) -> Option<(u64, u64)> {
        let of = |frame: &Frame| (u64::from(frame.bytes), frame.segment.ack);
        self.queue.front().map(|queued| queued.whole().map_or((CELL_PAYLOAD_BYTES, 0), of))
    }

    /// Appends as many cells of a frame, or of a raw one, as are taken; true if none waited before.
    pub(super) fn push(&mut self, ready: Time, frame: Option<Frame>, io: &mut Io) -> bool {
        let was_empty = self.held == 0;
        let offered = frame.map_or(1, |frame| frame.cells);
        let fits = self.room.saturating_sub(self.held).min(u64::from(offered)) as u32;
        let cells = if fits < offered && self.parts == Parts::Discarded { 0 } else { fits };
        if cells > 0 {
            io.note_memory(self.queue.push(Queued { ready, cells, frame }));
        }
        for _ in cells..offered {
            self.drops.count(Cause::Overflow);
        }
        self.held += u64::from(cells);
        self.longest = self.longest.max(self.held);
        self.mean.set(ready, self.held as f64);
        was_empty
    }

    /// Whole frames that wait, including the front one if some of its cells have been sent.
    pub(super) fn frames(&self) -> impl Iterator<Item = &Frame> {
        self.queue.iter().filter_map(Queued::whole)
    }

    /// Takes the front cell.
    #[inline]
    pub(super) fn take(&mut self, now: Time, io: &mut Io) -> CellHead {
        self.held -= 1;
        self.mean.set(now, self.held as f64);
        self.sent_of_front += 1;
        let queued = self.queue.front().expect("a cell is taken only where one waits");
        let head = match (queued.frame.as_ref(), queued.whole()) {
            (None, _) => CellHead::raw(self.vc),
            (Some(frame), None) => CellHead::body(self.vc, frame.number),
            (Some(_), Some(frame)) => {
                let head = if self.sent_of_front < queued.cells {
                    CellHead::body(self.vc, frame.number)
                } else {
                    CellHead::end_of_frame(self.vc, io.frames.insert(*frame).0)
                };
                head.of_packet(frame.segment.ecn)
            }
        };
        if self.sent_of_front == queued.cells {
            self.queue.skip();
            self.sent_of_front = 0;
        }
        head
    }

    /// Notes that a recorded value may have changed; `rate` is the rate at which its cells may be
    /// sent.
    #[inline]
    pub(super) fn note_change(&mut self, at: Time, mut rate: impl FnMut() -> f64) {
        self.recorders.note_change(at, |probe| match probe {
            ShaperProbe::Rate => Some(rate()),
            ShaperProbe::Queue => Some(self.held as f64),
        });
    }

    /// Takes every grid sample that is due by `at`.
    pub(super) fn sample_through(&mut self, at: Time, mut rate: impl FnMut(Time) -> f64) {
        self.recorders.sample_through(at, |probe, due| match probe {
            ShaperProbe::Rate => rate(due),
            ShaperProbe::Queue => self.held as f64,
        });
    }

    /// Forgets the extremes seen so far.
    pub(super) fn begin_measurement(&mut self) {
        self.longest = self.held;
    }

    /// Reports waiting and discarded cells to the counters of the VC, in addition to those that
    /// wait elsewhere.
    pub(super) fn report<'l>(&self, ledger: &'l mut Ledger) -> &'l mut VcCounters {
        let vc = &mut ledger.vcs[self.vc as usize];
        vc.queued += self.held;
        vc.drops.add(&self.drops);
        vc
    }
}
