//! Admission of a unit that arrives: it begins at once, waits, or is discarded, perhaps with
//! others.

use super::{PriorityPort, rate_packet};
use crate::engine::{Fifo, Io};
use crate::pdu::Cell;
use crate::result::Cause;
use crate::switch::drop::{DropPolicy, Verdict};
use crate::switch::ports::Pool;
use crate::switch::scheduler::{AckFilter, Waiting};

impl PriorityPort {
    /// A cell of the VC at `slot` arrives at its queue at `cell.at`.
    #[inline(never)]
    pub fn on_arrival(&mut self, cell: Cell, slot: u32, pool: Option<&Pool>, io: &mut Io) {
        self.serve(cell.at, io);
        let index = usize::from(self.queue_of_slot[slot as usize]);
        let is_sized = self.classes[index].is_sized;
        let (bytes, keyed) =
            if is_sized { self.size_and_queue(index, cell, slot, io) } else { (0, 0) };
        let waiting = Waiting { cell, slot, bytes, keyed };
        let class = &mut self.classes[index];
        if class.has_headers {
            let packet = rate_packet(cell, &self.plan.transmitter, io);
            class.queue.plan.policy.on_packet(&packet);
        }
        if class.tells_own_queue {
            class.tell_own_queue(&waiting);
        }
        let buffer = class.queue.buffer(slot, class.occupancy, pool);
        let has_space = buffer.0 < buffer.1;
        let verdict = if has_space && class.queue.plan.policy.is_admitting(cell.head, slot) {
            Verdict::Accept
        } else {
            let line = (self.plan.transmitter.free_at(), class.backlog);
            class.queue.judge(cell, slot, buffer, line, pool)
        };
        if class.ack_filter != AckFilter::None && self.replaces(index, waiting, verdict, io) {
            return;
        }
        match verdict {
            Verdict::Accept => self.admit(index, waiting, io),
            Verdict::Mark => self.admit_marked(index, waiting, io),
            Verdict::Discard(cause) => self.refuse(index, waiting, cause, io),
        }
    }

    #[cold]
    fn admit_marked(&mut self, index: usize, mut waiting: Waiting, io: &mut Io) {
        waiting.cell.head = self.classes[index].queue.mark(waiting.cell.head, waiting.slot);
        self.admit(index, waiting, io);
    }

    #[cold]
    fn refuse(&mut self, index: usize, waiting: Waiting, cause: Cause, io: &mut Io) {
        let has_longest = self.classes[index].cells.has_longest();
        if cause == Cause::Overflow && has_longest {
            self.make_room(index, waiting, io);
        } else {
            self.discard(index, waiting.cell, waiting.slot, cause, io);
        }
    }

    /// Replaces a waiting ACK by the packet, if a filter says so and the packet is not refused.
    /// True if it did; the packet then waits.
    #[cold]
    fn replaces(&mut self, index: usize, mut new: Waiting, verdict: Verdict, io: &mut Io) -> bool {
        let class = &mut self.classes[index];
        let beside = class.cells.beside(&new).into_iter().flat_map(Fifo::iter);
        let Some(before) = class.ack_filter.redundant(beside, &new, &io.frames) else {
            return false;
        };
        match verdict {
            Verdict::Accept => {}
            Verdict::Discard(Cause::Overflow) if class.cells.has_longest() => {}
            Verdict::Mark => new.cell.head = class.queue.mark(new.cell.head, new.slot),
            Verdict::Discard(_) => return false,
        }
        class.push(new, io);
        if let Some(gone) = class.remove(&new, before) {
            self.release(index, gone, new.cell.at);
            self.discard(index, gone.cell, gone.slot, Cause::RedundantAck, io);
        }
        self.note_admission(index, new);
        self.note_largest(index, new);
        true
    }

    /// Bytes of a unit, and the number of its queue if it has a key.
    fn size_and_queue(&mut self, index: usize, cell: Cell, slot: u32, io: &Io) -> (u16, u16) {
        let (bytes, key) =
            self.plan.transmitter.transmission().bytes_and_key(cell.head, &io.frames);
        let keyed = if key == 0 { 0 } else { self.classes[index].cells.number_of_key(slot, key) };
        (bytes, keyed)
    }

    /// Appends a packet that finds the buffer full to its queue, and discards packets from the head
    /// of the longest queue. It cannot begin at once, since other packets wait for the line or for
    /// a shaper.
    fn make_room(&mut self, index: usize, waiting: Waiting, io: &mut Io) {
        let at = waiting.cell.at;
        let class = &mut self.classes[index];
        class.push(waiting, io);
        let dropped = class.cells.drop_from_longest();
        if let Some(first) = dropped.first() {
            class.note_overflow(first, at);
        }
        let mut is_in = true;
        for gone in dropped {
            self.classes[index].take(&gone);
            if gone.cell == waiting.cell {
                is_in = false;
            } else {
                self.release(index, gone, at);
            }
            self.discard(index, gone.cell, gone.slot, Cause::Overflow, io);
        }
        if is_in {
            self.note_admission(index, waiting);
            self.note_largest(index, waiting);
        }
    }

    #[expect(clippy::inline_always, reason = "every cell of a served port; it has two callers")]
    #[inline(always)]
    fn admit(&mut self, index: usize, waiting: Waiting, io: &mut Io) {
        self.note_admission(index, waiting);
        if self.ready_at() <= waiting.cell.at {
            self.begin_at_once(index, waiting, io);
        } else {
            self.classes[index].push(waiting, io);
        }
        self.note_largest(index, waiting);
    }

    /// Counts one more unit in the buffer.
    #[expect(clippy::inline_always, reason = "every cell of a served port; it has two callers")]
    #[inline(always)]
    fn note_admission(&mut self, index: usize, waiting: Waiting) {
        self.waiting += 1;
        self.classes[index].admit(waiting.slot);
    }

    /// Notes the occupancy of the buffer after an admission.
    #[expect(clippy::inline_always, reason = "every cell of a served port; it has two callers")]
    #[inline(always)]
    fn note_largest(&mut self, index: usize, waiting: Waiting) {
        let at = waiting.cell.at;
        self.classes[index].note_largest(waiting.slot, at);
        self.max_queue = self.max_queue.max(self.waiting);
        self.note_change(index, at);
    }

    /// Sends a cell that may begin as it arrives.
    #[inline]
    fn begin_at_once(&mut self, index: usize, waiting: Waiting, io: &mut Io) {
        let at = waiting.cell.at;
        let judged = if self.classes[index].is_judged {
            self.judge_dequeue(index, waiting, at, io)
        } else {
            Some(waiting)
        };
        if let Some(waiting) = judged {
            self.classes[index].cells.pass(waiting);
            self.begin(index, waiting, at, io);
        }
    }
}
