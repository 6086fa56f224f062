//! Links, and a node's view of them.

use super::train_queue::TrainQueue;
use super::{Fifo, Frames, Losses, Memory, Place, Portions, RmCells, TrainOrder};
use crate::pdu::{Arrival, Captured, Cell, Frame, RiderId, Train};
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
    /// `None`: it carries single cells.
    trains: Option<Box<TrainQueue>>,
    /// Memory is counted for so many cells, as if each were by itself, or for more if what is here
    /// takes more: where trains travel, a cell alone has the room of two.
    room: u64,
    /// Nothing sent at `t` arrives before `t + lookahead`; [`Span::MAX`]: nothing is ever sent.
    pub lookahead: Span,
    /// The receiving end.
    pub to: (NodeId, InPort),
}

impl Link {
    /// An empty link. `lookahead` must be positive: it is what lets the network progress.
    pub fn new(lookahead: Span, to: (NodeId, InPort)) -> Self {
        assert!(
            lookahead > Span::ZERO,
            "a link without delay cannot be simulated: the scenario was checked for it"
        );
        let cells = Fifo::default();
        let room = (cells.bytes() / size_of::<Cell>()) as u64;
        Self { cells, trains: None, room, lookahead, to }
    }

    /// The same; it carries trains, in this order.
    #[must_use]
    pub fn with_trains(self, order: TrainOrder) -> Self {
        Self { trains: Some(Box::new(TrainQueue::new(order))), ..self }
    }

    /// Whether anything may be sent onto it.
    pub fn is_passed(&self) -> bool {
        self.lookahead < Span::MAX
    }

    /// Whether it carries trains; if not, they are taken apart when they are sent.
    #[inline]
    pub fn carries_trains(&self) -> bool {
        self.trains.is_some()
    }

    /// When the receiver next takes something.
    #[inline]
    pub fn head(&self) -> Time {
        match &self.trains {
            None => self.head_alone(),
            Some(trains) => trains.head(),
        }
    }

    /// The same on a link that carries single cells: when the next one arrives.
    #[inline]
    pub fn head_alone(&self) -> Time {
        self.cells.front().map_or(Time::MAX, |cell| cell.at)
    }

    /// Takes the next cell of a link that carries single cells.
    #[inline]
    pub fn take_alone(&mut self) -> Option<Cell> {
        debug_assert!(self.trains.is_none(), "a cell in no train on a link that carries trains");
        self.cells.pop()
    }

    /// Takes the next train, or the next cell as one.
    #[inline]
    pub fn take(&mut self) -> Option<Train> {
        match &mut self.trains {
            None => self.cells.pop().map(Train::alone),
            Some(trains) => trains.pop(),
        }
    }

    /// Takes those cells of trains that come before `until`, of which the receiver would take none
    /// before their last cells.
    pub fn take_begun(&mut self, until: Time, on_begun: impl FnMut(Train)) {
        if let Some(trains) = &mut self.trains {
            trains.take_begun(until, on_begun);
        }
    }

    /// Room for so many cells, more than there is; how much memory more than before.
    #[cold]
    fn take_room(&mut self, cells: u64) -> usize {
        let before = std::mem::replace(&mut self.room, cells.next_power_of_two());
        (self.room - before) as usize * size_of::<Cell>()
    }

    /// Cells whose last bit had left the sender by `at`. Senders know departures ahead and put
    /// cells here early: a cell that arrives more than `passage` after `at` has not left yet. The
    /// receiver may have taken trains of which cells are on their way: `begun`.
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

/// What is between the nodes of a network: all that one may touch while it advances.
#[derive(Debug, Default)]
pub struct Io {
    pub(super) links: Vec<Link>,
    /// Links whose next cell is another: they were empty, or it overtook all. In any order.
    pub(super) newly_filled: Vec<LinkId>,
    /// Where every node stops next.
    pub(super) barrier: Time,
    /// Turns of nodes, and events inside them, until the run reports.
    pub(super) steps_left: u32,
    /// What is taken and may be taken.
    pub(super) memory: Memory,
    /// Frames in transit: one for every last cell on a link or in a queue.
    pub frames: Frames,
    /// Resource-management cells in transit: one for every such cell on a link or in a queue.
    pub rm_cells: RmCells,
    /// Whose the bytes are that shared connections have written and not read.
    pub portions: Portions,
    /// Packets that have arrived at external ends, in order.
    pub(super) arrivals: Vec<Arrival>,
    /// Packets that were captured, those of one host in order.
    pub(super) captured: Vec<Captured>,
    /// Of flows whose losses are observed.
    pub(super) losses: Option<Box<Losses>>,
    /// Frames that links lose behind the barrier, and when: their senders know already.
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

    /// Sends a cell onto a link that is empty, or whose queue must grow. Apart from
    /// [`send`](Self::send), which so needs no registers but its own.
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
        if room > target.room {
            self.memory.take(target.take_room(room));
        }
    }

    /// Where every node stops next: before this, cells that meet no others may be moved however
    /// far the node's turn goes.
    #[inline]
    pub fn barrier(&self) -> Time {
        self.barrier
    }

    /// Whether a link carries trains.
    #[inline]
    pub fn carries_trains(&self, link: LinkId) -> bool {
        self.links[link.0 as usize].carries_trains()
    }

    /// Sends a train of the VC at the sender's `slot`. Its first cell arrives behind the first
    /// cells of all that were sent, `train.first.at` at the other end, and no cell at the same
    /// instant as another.
    pub fn send_train(&mut self, link: LinkId, slot: u32, train: Train) {
        if !self.push_train(link, slot, &train) {
            self.send_apart(link, slot, train);
        }
    }

    /// Whether the link carries trains; if so, this one is on it.
    #[expect(clippy::inline_always, reason = "every train at every hop; it has two callers")]
    #[inline(always)]
    fn push_train(&mut self, link: LinkId, slot: u32, train: &Train) -> bool {
        let target = &mut self.links[link.0 as usize];
        let Some(trains) = &mut target.trains else { return false };
        let is_next = trains.push(slot, train);
        let room = trains.room();
        if room > target.room {
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

    /// Sends a cell that may arrive before others that were sent earlier, but for those in trains:
    /// it stands behind those that arrive no later than it.
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
    }

    /// True if this turn should end here, because the run takes more memory than it may, or has
    /// done so much that it is to report. Asked before each event of a node.
    #[inline]
    pub fn ends_turn(&mut self) -> bool {
        let steps = self.steps_left;
        self.steps_left = steps.saturating_sub(1);
        steps == 0 || self.is_out_of_memory()
    }

    /// True if the run takes more memory than it may.
    #[inline]
    pub(super) fn is_out_of_memory(&self) -> bool {
        self.memory.is_exceeded()
    }

    /// A queue of the node's own has taken `bytes` more memory, mostly none.
    #[inline]
    pub fn note_memory(&mut self, bytes: usize) {
        if bytes > 0 {
            self.memory.take(bytes);
        }
    }

    /// The last cell of a frame has arrived where its VC ends, and the frame is broken.
    #[cold]
    pub fn note_broken(&mut self, cell: Cell, frame: &Frame) {
        if let Some(losses) = &mut self.losses {
            losses.on_broken(cell, frame);
        }
    }

    /// Discards a unit that `link` loses; `cell.at` is when its last bit is sent. Until then the
    /// frame that ends with it is inside.
    #[cold]
    pub fn lose(&mut self, cell: Cell, link: LinkId) {
        if cell.at > self.barrier && cell.head.is_end_of_frame() {
            self.note_ahead(cell.at, *self.frames.look(RiderId(cell.head.tag())));
        }
        self.discard(cell, Place::Link(link));
    }

    /// Nobody asks before the barrier for what is lost until then, so that this is forgotten.
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

    /// Frames that links lose after `at`, the barrier, though nothing of their last cells is left.
    pub fn lost_after(&self, at: Time) -> impl Iterator<Item = &Frame> {
        self.lost_ahead.iter().filter(move |(lost_at, _)| *lost_at > at).map(|(_, frame)| frame)
    }

    /// Discards a cell at `place`, and the frame or RM cell that it may carry.
    #[inline]
    pub fn discard(&mut self, cell: Cell, place: Place) {
        if let Some(losses) = &mut self.losses {
            losses.on_lost(cell, place, &self.frames);
        }
        if cell.head.is_end_of_frame() {
            self.frames.take(RiderId(cell.head.tag()));
        } else if cell.head.is_rm() {
            self.rm_cells.take(RiderId(cell.head.tag()));
        }
    }
}
