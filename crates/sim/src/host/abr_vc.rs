//! One direction of an ABR VC at its origin: source end system, segmentation buffer, and their
//! counters.

use std::sync::Arc;

use super::probes::ShaperProbe;
use super::segmentation::{Parts, Segmentation, SegmentationBuffer};
use super::tap::Tap;
use crate::atm::abr::{Abr, Emission, Source};
use crate::engine::Io;
use crate::pdu::{Cell, CellHead, Direction, Frame, RmCell};
use crate::result::{AbrCounters, Ledger, Mean, Recorders};
use crate::units::{Cells, Time};

/// Parts of one direction of an ABR VC.
#[derive(Debug)]
pub struct AbrPlan {
    /// Parameters of the VC.
    pub abr: Abr,
    /// Size of its buffer.
    pub capacity: SegmentationBuffer,
    /// Begin and end of a source that always has a cell to send; `None` if cells are handed over.
    pub endless: Option<(Time, Time)>,
    /// Recorders of its values.
    pub recorders: Recorders<ShaperProbe>,
}

/// One direction of an ABR VC.
#[derive(Debug)]
pub struct AbrVc {
    source: Source,
    /// Number of cells, waiting or promised, from which the transport waits.
    full_at: u64,
    endless: Option<(Time, Time)>,
    pub(super) buffer: Segmentation,
    /// Cells of segments that have left their connection and not yet reached this buffer.
    promised: u64,
    /// The connection that waits until the buffer takes more.
    waiting: Option<u32>,
    mean_acr: Mean,
    counters: AbrCounters,
    offered: u64,
    /// The tap; `None` if no RM cells are captured.
    tap: Option<Arc<Tap>>,
}

impl AbrVc {
    /// Makes a source that has sent nothing.
    pub fn new(vc: u32, plan: AbrPlan) -> Self {
        let source = Source::new(plan.abr);
        let mut mean_acr = Mean::default();
        mean_acr.set(Time::ZERO, source.acr().0);
        let (room, full_at, parts) = match plan.capacity {
            SegmentationBuffer::Infinite => (u64::MAX, u64::MAX, Parts::Taken),
            SegmentationBuffer::Tail(Cells(room)) => (room, u64::MAX, Parts::Taken),
            SegmentationBuffer::Frames(Cells(room)) => (room, u64::MAX, Parts::Discarded),
            SegmentationBuffer::BackPressure(Cells(full_at)) => (u64::MAX, full_at, Parts::Taken),
        };
        Self {
            source,
            full_at,
            endless: plan.endless,
            buffer: Segmentation::new(vc, room, plan.recorders).with_parts(parts),
            promised: 0,
            waiting: None,
            mean_acr,
            counters: AbrCounters::default(),
            offered: 0,
            tap: None,
        }
    }

    /// Captures its RM cells from now on.
    pub(super) fn capture(&mut self, tap: &Arc<Tap>) {
        self.tap = Some(Arc::clone(tap));
    }

    /// The instant at which its next cell may be sent.
    #[inline]
    pub fn next(&self) -> Time {
        self.source.next_time(self.data_since())
    }

    /// The instant since which a data cell waits.
    #[expect(clippy::inline_always, reason = "twice for every cell of an ABR source")]
    #[inline(always)]
    fn data_since(&self) -> Time {
        let ready = self.buffer.ready();
        match self.endless {
            Some((from, until)) if self.source.next_time(from) < until => ready.min(from),
            _ => ready,
        }
    }

    /// True if the transport may hand over a segment; if not, `endpoint` is called later.
    pub fn admits(&mut self, endpoint: u32) -> bool {
        let is_full = self.is_full();
        if is_full {
            self.waiting = Some(endpoint);
        }
        !is_full
    }

    fn is_full(&self) -> bool {
        self.buffer.held + self.promised >= self.full_at
    }

    /// Notes that a segment of `cells` will be handed over.
    pub fn promise(&mut self, cells: u32) {
        self.promised += u64::from(cells);
    }

    /// Appends a frame that is ready, or a raw cell; true, since the next cell may be another.
    pub(super) fn push(&mut self, ready: Time, frame: Option<Frame>, io: &mut Io) -> bool {
        let cells = frame.map_or(1, |frame| u64::from(frame.cells));
        self.promised = self.promised.saturating_sub(cells);
        self.offered += cells;
        self.buffer.push(ready, frame, io);
        true
    }

    /// Sends a cell at `now`; returns it, and the connection that has waited for this.
    pub fn emit(&mut self, now: Time, io: &mut Io) -> (CellHead, Option<u32>) {
        let has_data = self.data_since() <= now;
        let emission = self.source.emit(now, has_data);
        let (rm, is_out_of_rate) = match emission {
            Emission::Data => return self.emit_data(now, io),
            Emission::InRate(rm) => (rm, false),
            Emission::OutOfRate(rm) => (rm, true),
        };
        self.note_acr(now);
        self.offered += 1;
        let is_backward = rm.direction == Direction::Backward;
        self.counters.count(is_backward, is_out_of_rate);
        let head = CellHead::rm(self.buffer.vc, io.rm_cells.insert(rm).0, is_backward);
        let head = if is_out_of_rate { head.with_low_priority() } else { head };
        if let Some(tap) = &self.tap {
            tap.note_rm(Cell { at: now, head }, &rm, true, io);
        }
        (head, None)
    }

    fn emit_data(&mut self, now: Time, io: &mut Io) -> (CellHead, Option<u32>) {
        if self.buffer.held == 0 {
            self.offered += 1;
            return (CellHead::raw(self.buffer.vc), None);
        }
        let head = self.buffer.take(now, io);
        (head, if self.is_full() { None } else { self.waiting.take() })
    }

    /// Takes an RM cell of the VC: one of this source that has come back, or one of the other
    /// direction to be returned.
    pub fn on_rm(&mut self, cell: Cell, rm: &RmCell, is_congested: bool, io: &mut Io) {
        if let Some(tap) = &self.tap {
            tap.note_rm(cell, rm, false, io);
        }
        let is_out_of_rate = cell.head.is_low_priority();
        match rm.direction {
            Direction::Backward => self.source.on_backward_rm(rm),
            Direction::Forward => {
                self.source.turnaround.on_forward_rm(rm, is_out_of_rate, is_congested);
            }
        }
        self.note_acr(cell.at);
    }

    fn note_acr(&mut self, now: Time) {
        let acr = self.source.acr().0;
        self.mean_acr.set(now, acr);
        self.buffer.note_change(now, || acr);
    }

    /// Takes every grid sample that is due by `at`.
    pub fn sample_through(&mut self, at: Time) {
        self.buffer.sample_through(at, |_| self.source.acr().0);
    }

    /// Reports the counters as they are at `at`.
    pub fn report(&mut self, at: Time, ledger: &mut Ledger) {
        let vc = self.buffer.report(ledger);
        vc.sent = self.offered;
        vc.abr = Some(AbrCounters {
            acr: self.source.acr().0,
            acr_time: self.mean_acr.integral(at),
            queue_time: self.buffer.mean.integral(at),
            max_queue: self.buffer.longest,
            drops: self.buffer.drops,
            ..self.counters
        });
    }
}
