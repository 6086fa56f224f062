//! Stages of a segment from the link to its connection.

use super::stages::{Stage, Staged};
use super::{External, Host};
use crate::atm::Reassembled;
use crate::engine::Io;
use crate::pdu::{Cell, ContentId};
use crate::units::Time;

impl Host {
    /// Receives cells from one link before `until`, up to the end of a frame or an RM cell.
    pub(super) fn on_arrival(&mut self, until: Time, io: &mut Io) {
        let attachment = &mut self.plan.attachment;
        if let Some(cell) = attachment.receive(until, io, |all, cell| Some(all.of(cell))) {
            self.on_frame(cell, io);
        }
    }

    /// Takes the last cell of a frame.
    fn on_frame(&mut self, cell: Cell, io: &mut Io) {
        let id = ContentId(cell.head.tag());
        let frame = io.frames.look_mut(id);
        let termination = self.plan.attachment.terminations.of(cell);
        if termination.on_end(cell.head, frame) == Reassembled::Broken {
            let frame = io.frames.take(id);
            return io.note_broken(cell, &frame);
        }
        let Some(endpoint) = termination.endpoint else {
            let frame = io.frames.take(id);
            let ends = self.plan.external.as_deref_mut();
            return External::on_frame(ends, cell, &frame, self.tap.as_deref(), io);
        };
        let Some(one) = self.plan.endpoints.get_mut(endpoint as usize) else {
            let sink = endpoint as usize - self.plan.endpoints.len();
            self.plan.sinks[sink].on_frame(cell.at, frame);
            return self.release(cell.at, id, io);
        };
        if self.stages.as_ref().is_some_and(|stages| stages.is_input_full()) {
            one.input_drops += 1;
            io.note_refused(cell, id);
            return self.release(cell.at, id, io);
        }
        one.note_delivery(cell.at, frame);
        let Some(timed) = &self.stages else {
            // At this instant no other event is left: arrivals come last.
            one.on_segment(cell.at, &frame.segment);
            self.release(cell.at, id, io);
            return self.settle(cell.at, endpoint, io);
        };
        let staged = Staged { at: cell.at, endpoint, segment: frame.segment };
        let cost = timed.processing.of_sar(frame.cells);
        self.release(cell.at, id, io);
        self.begin(Stage::Reassembled, &staged, cost, io);
    }

    /// Removes a frame that has been read.
    #[expect(clippy::inline_always, reason = "every frame of a host")]
    #[inline(always)]
    fn release(&self, now: Time, id: ContentId, io: &mut Io) {
        if let Some(tap) = &self.tap {
            let frame = *io.frames.look(id);
            tap.note(now, frame, false, io);
        }
        io.frames.take(id);
    }

    /// Takes a received segment from SAR.
    pub(super) fn process(&mut self, staged: Staged) {
        if let Some(stages) = &mut self.stages {
            stages.process(staged);
        }
    }
}
