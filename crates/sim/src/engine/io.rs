//! A node's view of links and of what their cells carry: sending, discarding, and the work that is
//! left of a turn.

use super::link::{Link, LinkId};
use super::{Frames, Losses, Memory, Place, RmCells, SharedStreams};
use crate::pdu::{Arrival, Captured, Cell, ContentId, Frame, Train};
use crate::units::Time;

/// Links and the contents of their cells: all that a node may touch while it advances.
#[derive(Debug, Default)]
pub struct Io {
    pub(crate) links: Vec<Link>,
    /// Links whose next cell has changed: the link was empty, or the cell overtook all others. In
    /// any order.
    pub(super) newly_filled: Vec<LinkId>,
    /// Instant at which every node stops next. Cells that meet no others may be moved up to it,
    /// even past the end of the node's turn.
    pub(crate) barrier: Time,
    /// Turns of nodes and events inside them that are left until the run reports. A switch, which
    /// counts them in its loop, ends its turn at 0; it moves what is on links, so memory needs no
    /// look before.
    pub(crate) steps_left: u32,
    /// True if the present turn is so long that a switch counts the cells that it forwards as
    /// steps.
    pub(crate) counts_cells: bool,
    /// Memory taken, and its limit.
    pub(crate) memory: Memory,
    /// Frames in transit: one for every last cell on a link or in a queue.
    pub frames: Frames,
    /// Resource-management cells in transit: one for every such cell on a link or in a queue.
    pub rm_cells: RmCells,
    /// Owners of the bytes that shared connections have written and not read.
    pub shared_streams: SharedStreams,
    /// Packets that have arrived at external ends, in order.
    pub(super) arrivals: Vec<Arrival>,
    /// Packets that were captured, those of one host in order.
    pub(crate) captured: Vec<Captured>,
    /// Number of captured packets at which the run reports.
    pub(super) captured_limit: usize,
    /// Losses of the flows that are observed.
    pub(super) losses: Option<Box<Losses>>,
    /// Losses of external flows, whose drivers take them during the run.
    pub(super) external_losses: Option<Box<Losses>>,
    /// Frames that links lose after the barrier, with the instant: their senders know already.
    pub(super) lost_ahead: Vec<(Time, Frame)>,
}

impl Io {
    /// An incoming link.
    #[inline]
    pub fn incoming(&mut self, link: LinkId) -> &mut Link {
        &mut self.links[link.0 as usize]
    }

    /// Sends a cell of the VC at the sender's `slot`; `cell.at` is its arrival at the other end.
    #[expect(clippy::inline_always, reason = "every cell at every hop, and it calls nothing")]
    #[inline(always)]
    pub fn send(&mut self, link: LinkId, slot: u32, cell: Cell) {
        if !self.links[link.0 as usize].cells.push_behind(cell) {
            self.send_at_limit(link, slot, cell);
        }
    }

    /// Sends a cell onto a link that is empty, carries trains or must grow. It is apart from
    /// [`send`](Self::send), which then needs fewer registers.
    #[inline(never)]
    fn send_at_limit(&mut self, link: LinkId, slot: u32, cell: Cell) {
        if self.push_train(link, slot, &Train::alone(cell)) {
            return;
        }
        let target = &mut self.links[link.0 as usize];
        if target.cells.is_empty() {
            self.newly_filled.push(link);
        }
        target.cells.push(cell);
        let room = target.cells.len() as u64;
        if target.exceeds_room(room) {
            self.memory.take(target.take_room(room));
        }
    }

    /// True if the link carries trains.
    #[inline]
    pub fn carries_trains(&self, link: LinkId) -> bool {
        self.links[link.0 as usize].carries_trains()
    }

    /// Sends a train of the VC at the sender's `slot`. `train.first.at` is the arrival of its first
    /// cell at the other end, after the first cells of all trains that were sent. No two cells
    /// arrive at one instant.
    pub fn send_train(&mut self, link: LinkId, slot: u32, train: Train) {
        if !self.push_train(link, slot, &train) {
            self.send_apart(link, slot, train);
        }
    }

    /// Puts a train on the link if the link carries trains. True if it does.
    #[expect(clippy::inline_always, reason = "every train at every hop; it has two callers")]
    #[inline(always)]
    fn push_train(&mut self, link: LinkId, slot: u32, train: &Train) -> bool {
        let target = &mut self.links[link.0 as usize];
        let Some(trains) = &mut target.trains else { return false };
        let is_next = trains.push(slot, train);
        let room = trains.room();
        if target.exceeds_room(room) {
            self.memory.take(target.take_room(room));
        }
        if is_next {
            self.newly_filled.push(link);
        }
        true
    }

    #[inline(never)]
    fn send_apart(&mut self, link: LinkId, slot: u32, train: Train) {
        train.cells().for_each(|cell| self.send(link, slot, cell));
    }

    /// Sends a cell that may arrive before others that were sent earlier. It is put behind those
    /// that arrive no later. A link of trains keeps the order of sending.
    #[cold]
    pub fn send_in_order(&mut self, link: LinkId, slot: u32, cell: Cell) {
        self.send(link, slot, cell);
        let target = &mut self.links[link.0 as usize];
        if !target.carries_trains() && target.cells.move_last_before(|other| other.at > cell.at) {
            self.newly_filled.push(link);
        }
    }

    /// A packet has arrived at an external end.
    #[cold]
    pub fn deliver(&mut self, arrival: Arrival) {
        self.arrivals.push(arrival);
    }

    /// A packet is captured.
    #[cold]
    pub fn capture(&mut self, packet: Captured) {
        self.captured.push(packet);
        if self.captured.len() >= self.captured_limit {
            self.steps_left = 0;
        }
    }

    /// True if this turn should end here, because the run exceeds its memory limit, or has done so
    /// much that it should report. Asked before each event of a node.
    #[inline]
    pub fn ends_turn(&mut self) -> bool {
        let steps = self.steps_left;
        self.steps_left = steps.saturating_sub(1);
        steps == 0 || self.memory.is_exceeded()
    }

    /// Counts `bytes` of memory that a queue of the node has added, mostly none.
    #[inline]
    pub fn note_memory(&mut self, bytes: usize) {
        if bytes > 0 {
            self.memory.take(bytes);
        }
    }

    /// The last cell of a frame has arrived where its VC ends, and the frame is broken.
    #[cold]
    pub fn note_broken(&mut self, cell: Cell, frame: &Frame) {
        for losses in [&mut self.losses, &mut self.external_losses].into_iter().flatten() {
            losses.on_end(cell, frame, Place::Reassembly);
        }
        self.note_arrived(cell, frame);
    }

    /// The last cell of a frame has arrived where its VC ends, and its host has no room for it.
    #[cold]
    pub fn note_refused(&mut self, cell: Cell, id: ContentId) {
        if let Some(losses) = &mut self.losses {
            losses.on_end(cell, self.frames.look(id), Place::Input);
        }
    }

    /// The last cell of a frame has arrived where its VC ends, for an external end or broken.
    #[cold]
    pub fn note_arrived(&mut self, cell: Cell, frame: &Frame) {
        if let Some(losses) = &mut self.external_losses {
            losses.on_arrived(cell.head.vc(), frame.number);
        }
    }

    /// Discards a unit that `link` loses; `cell.at` is when its last bit is sent. Until then the
    /// frame that ends with it is in transit.
    #[cold]
    pub fn lose(&mut self, cell: Cell, link: LinkId) {
        if cell.at > self.barrier && cell.head.is_end_of_frame() {
            self.note_ahead(cell.at, *self.frames.look(ContentId(cell.head.tag())));
        }
        self.discard(cell, Place::Link(link));
    }

    /// Notes a frame lost after the barrier. Frames lost before it are forgotten: nobody asks for
    /// them.
    fn note_ahead(&mut self, at: Time, frame: Frame) {
        let (ahead, barrier) = (&mut self.lost_ahead, self.barrier);
        if ahead.len() == ahead.capacity() {
            ahead.retain(|(at, _)| *at > barrier);
            let before = ahead.capacity();
            ahead.reserve_exact(ahead.len().max(1));
            self.memory.take((ahead.capacity() - before) * size_of::<(Time, Frame)>());
        }
        ahead.push((at, frame));
    }

    /// Frames that links lose after `at`, the barrier. Their last cells are discarded already.
    pub fn lost_after(&self, at: Time) -> impl Iterator<Item = &Frame> {
        self.lost_ahead.iter().filter(move |(lost_at, _)| *lost_at > at).map(|(_, frame)| frame)
    }

    /// Discards a cell at `place`, and the frame or RM cell that it may carry.
    #[inline]
    pub fn discard(&mut self, cell: Cell, place: Place) {
        for losses in [&mut self.losses, &mut self.external_losses].into_iter().flatten() {
            losses.on_lost(cell, place, &self.frames);
        }
        if cell.head.is_end_of_frame() {
            self.frames.take(ContentId(cell.head.tag()));
        } else if cell.head.is_rm() {
            self.rm_cells.take(ContentId(cell.head.tag()));
        }
    }
}
