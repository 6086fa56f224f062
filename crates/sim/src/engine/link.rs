//! Links, and a node's view of them.

use super::train_queue::TrainQueue;
use super::{Fifo, Frames, Losses, Memory, Place, RmCells, SharedStreams, TrainOrder};
use crate::pdu::{Arrival, Captured, Cell, ContentId, Frame, Train};
use crate::units::{Span, Time};

/// A one-way link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinkId(pub u32);

/// A node of the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// An input of a node: the position of the link in the node's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct InPort(pub u32);

/// Cells in transit, in order of arrival, or trains of them.
#[derive(Debug)]
pub struct Link {
    cells: Fifo<Cell>,
    /// Trains in transit; `None` on a link that carries single cells.
    trains: Option<Box<TrainQueue>>,
    /// Binary logarithm of the number of cells for which memory is counted: every cell by itself,
    /// or more if the trains here take more. A train takes the memory of two cells.
    room: u8,
    /// Least delay: a cell sent at `t` arrives no earlier than `t + lookahead`. [`Span::MAX`]: no
    /// cell is ever sent.
    pub lookahead: Span,
    /// The receiving end.
    pub to: (NodeId, InPort),
    /// True if what is sent later arrives later.
    keeps_order: bool,
}

impl Link {
    /// Makes an empty link. `lookahead` must be positive: without it the network cannot progress.
    pub fn new(lookahead: Span, to: (NodeId, InPort)) -> Self {
        assert!(
            lookahead > Span::ZERO,
            "a link without delay cannot be simulated: the scenario was checked for it"
        );
        let room = Fifo::<Cell>::INCLUDED.ilog2() as u8;
        Self { cells: Fifo::default(), trains: None, room, lookahead, to, keeps_order: false }
    }

    /// Says whether what is sent later arrives later.
    #[must_use]
    pub fn in_order(self, keeps_order: bool) -> Self {
        Self { keeps_order, ..self }
    }

    /// Makes the link carry trains, taken in this order.
    #[must_use]
    pub fn with_trains(self, order: TrainOrder) -> Self {
        Self { trains: Some(Box::new(TrainQueue::new(order))), ..self }
    }

    /// True if anything may be sent onto the link.
    pub fn is_passed(&self) -> bool {
        self.lookahead < Span::MAX
    }

    /// True if the link carries trains. If not, they are split into cells when they are sent.
    #[inline]
    pub fn carries_trains(&self) -> bool {
        self.trains.is_some()
    }

    /// Instant at which the receiver takes the next cell or train.
    #[inline]
    pub fn head(&self) -> Time {
        match &self.trains {
            None => self.head_alone(),
            Some(trains) => trains.head(),
        }
    }

    /// Arrival of the next cell, on a link that carries single cells.
    #[inline]
    pub fn head_alone(&self) -> Time {
        self.cells.front().map_or(Time::MAX, |cell| cell.at)
    }

    /// Arrival of the last cell that was sent, if what is sent later arrives later; `None` as well
    /// if no cell waits on a link of single ones, whose receiver is then past that.
    #[inline]
    pub(super) fn last_in_order(&self) -> Option<Time> {
        if !self.keeps_order {
            return None;
        }
        match &self.trains {
            None => self.cells.back().map(|cell| cell.at),
            Some(trains) => Some(trains.last()),
        }
    }

    /// Takes the next cell of a link that carries single cells.
    #[inline]
    pub fn take_alone(&mut self) -> Option<Cell> {
        debug_assert!(self.trains.is_none(), "a cell in no train on a link that carries trains");
        self.cells.pop()
    }

    /// Number of cells ever taken from a link that carries single cells.
    #[inline]
    pub fn taken_alone(&self) -> u64 {
        self.cells.pushed() - self.cells.len() as u64
    }

    /// Takes the next train, or the next cell as one.
    #[inline]
    pub fn take(&mut self) -> Option<Train> {
        match &mut self.trains {
            None => self.cells.pop().map(Train::alone),
            Some(trains) => trains.pop(),
        }
    }

    /// Takes the cells that arrive before `until`, on a link whose receiver takes trains by their
    /// last cells.
    pub fn take_begun(&mut self, until: Time, on_begun: impl FnMut(Train)) {
        if let Some(trains) = &mut self.trains {
            trains.take_begun(until, on_begun);
        }
    }

    /// True if memory is counted for fewer cells.
    #[inline]
    fn exceeds_room(&self, cells: u64) -> bool {
        cells > 1 << self.room
    }

    /// Raises the room to at least `cells`, more than there is. Returns the bytes that were added.
    #[cold]
    fn take_room(&mut self, cells: u64) -> usize {
        let before = 1_u64 << self.room;
        let room = cells.next_power_of_two();
        self.room = room.ilog2() as u8;
        (room - before) as usize * size_of::<Cell>()
    }

    /// Number of cells whose last bit had left the sender by `at`. Senders know departures ahead
    /// and put cells here early: a cell that arrives more than `passage` after `at` has not left
    /// yet. `begun` are trains that the receiver has taken while some of their cells are on their
    /// way.
    pub fn sent_by(&self, at: Time, passage: Span, begun: &[Train]) -> u64 {
        let last = at.saturating_add(passage).saturating_add(Span::from_picoseconds(1));
        let unsent = |train: &Train| u64::from(train.count - train.before(last));
        let behind = self.cells.iter().rev().take_while(|cell| cell.at >= last).count() as u64;
        let trains = self.trains.iter().flat_map(|trains| trains.iter()).map(unsent).sum::<u64>();
        let begun = begun.iter().map(unsent).sum::<u64>();
        let sent = self.cells.pushed() + self.trains.as_ref().map_or(0, |trains| trains.sent());
        sent - behind - trains - begun
    }

    /// Cells in transit, in their trains.
    pub fn trains(&self) -> impl Iterator<Item = Train> {
        let trains = self.trains.iter().flat_map(|trains| trains.iter()).copied();
        self.cells.iter().copied().map(Train::alone).chain(trains)
    }
}

/// Links and the contents of their cells: all that a node may touch while it advances.
#[derive(Debug, Default)]
pub struct Io {
    pub(super) links: Vec<Link>,
    /// Links whose next cell has changed: the link was empty, or the cell overtook all others. In
    /// any order.
    pub(super) newly_filled: Vec<LinkId>,
    /// Instant at which every node stops next.
    pub(super) barrier: Time,
    /// Turns of nodes and events inside them that are left until the run reports.
    pub(super) steps_left: u32,
    /// True if the present turn is so long that a switch counts the cells that it forwards as
    /// steps.
    pub(crate) counts_cells: bool,
    /// Memory taken, and its limit.
    pub(super) memory: Memory,
    /// Frames in transit: one for every last cell on a link or in a queue.
    pub frames: Frames,
    /// Resource-management cells in transit: one for every such cell on a link or in a queue.
    pub rm_cells: RmCells,
    /// Owners of the bytes that shared connections have written and not read.
    pub shared_streams: SharedStreams,
    /// Packets that have arrived at external ends, in order.
    pub(super) arrivals: Vec<Arrival>,
    /// Packets that were captured, those of one host in order.
    pub(super) captured: Vec<Captured>,
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

    /// Instant at which every node stops next. Cells that meet no others may be moved up to it,
    /// even past the end of the node's turn.
    #[inline]
    pub fn barrier(&self) -> Time {
        self.barrier
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

    /// Captured packets that wait to be taken.
    pub fn captured(&self) -> &[Captured] {
        &self.captured
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
        steps == 0 || self.is_out_of_memory()
    }

    /// True if this turn is so long that a switch counts the cells that it forwards as steps.
    #[inline]
    pub fn counts_cells(&self) -> bool {
        self.counts_cells
    }

    /// Turns and events inside them that are left until the run reports. A switch, which counts
    /// them in its loop, ends its turn at 0; it moves what is on links, so memory needs no look
    /// before.
    #[inline]
    pub fn steps_left(&self) -> u32 {
        self.steps_left
    }

    /// Sets what is left of [`steps_left`](Self::steps_left).
    #[inline]
    pub fn set_steps_left(&mut self, steps: u32) {
        self.steps_left = steps;
    }

    /// True if the run exceeds its memory limit.
    #[inline]
    pub(super) fn is_out_of_memory(&self) -> bool {
        self.memory.is_exceeded()
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
            losses.on_broken(cell, frame);
        }
        self.note_arrived(cell, frame);
    }

    /// The last cell of a frame has arrived where its VC ends, and its host has no room for it.
    #[cold]
    pub fn note_refused(&mut self, cell: Cell, id: ContentId) {
        if let Some(losses) = &mut self.losses {
            losses.on_refused(cell, self.frames.look(id));
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
