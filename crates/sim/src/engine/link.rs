//! Links, and a node's view of them.

use super::{Fifo, Frames, Losses, Memory, Place, Portions, RmCells};
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

/// Cells in transit, in order of arrival.
///
/// Of a train only the first cell is among them, and leads it; what follows is in a queue of its
/// own. So a single cell costs no more than without trains.
#[derive(Debug)]
pub struct Link {
    cells: Fifo<Cell>,
    /// Of each train among `cells`, in that order.
    followers: Fifo<Followers>,
    /// How many followed at first, in the trains that are among `cells` and in all that ever were.
    followed: u64,
    ever_followed: u64,
    /// Memory is counted for so many cells, as if each were by itself: how much a run may have in
    /// transit does not depend on how well it travels in trains.
    room: usize,
    /// Nothing sent at `t` arrives before `t + lookahead`.
    pub lookahead: Span,
    /// The receiving end.
    pub to: (NodeId, InPort),
    /// Whether it carries trains; if not, they are taken apart when they are sent.
    pub carries_trains: bool,
}

/// The cells of a train behind its first.
#[derive(Clone, Copy, Debug, Default)]
struct Followers {
    gap: Span,
    count: u32,
    /// How many they were at first.
    of: u32,
}

impl Followers {
    #[inline]
    fn behind(self, first: Cell) -> Train {
        let first = Cell { head: first.head.alone(), ..first };
        Train { first, gap: self.gap, count: self.count + 1 }
    }
}

/// Cells with those behind them; both in one order.
fn trains<'a>(
    cells: impl Iterator<Item = &'a Cell>,
    mut followers: impl Iterator<Item = &'a Followers>,
) -> impl Iterator<Item = Train> {
    cells.map(move |cell| {
        let behind = if cell.head.leads_train() { followers.next() } else { None };
        behind.copied().unwrap_or_default().behind(*cell)
    })
}

impl Link {
    /// An empty link. `lookahead` must be positive: it is what lets the network progress.
    pub fn new(lookahead: Span, to: (NodeId, InPort)) -> Self {
        assert!(
            lookahead > Span::ZERO,
            "a link without delay cannot be simulated: the scenario was checked for it"
        );
        let cells = Fifo::default();
        let room = cells.bytes() / size_of::<Cell>();
        let followers = Fifo::default();
        Self {
            cells,
            followers,
            followed: 0,
            ever_followed: 0,
            room,
            lookahead,
            to,
            carries_trains: false,
        }
    }

    /// The same, which carries trains or not.
    #[must_use]
    pub fn with_trains(self, carries_trains: bool) -> Self {
        Self { carries_trains, ..self }
    }

    /// When the next cell arrives.
    #[inline]
    pub fn head(&self) -> Time {
        self.cells.front().map_or(Time::MAX, |cell| cell.at)
    }

    /// Takes the next cell, by itself.
    #[inline]
    pub fn take(&mut self) -> Option<Cell> {
        if self.has_train() {
            return Some(self.take_first());
        }
        self.cells.pop()
    }

    /// The same on a link that carries no trains.
    #[inline]
    pub fn take_alone(&mut self) -> Option<Cell> {
        debug_assert!(!self.has_train(), "a train on a link that carries none");
        self.cells.pop()
    }

    /// Takes the first cell of the next train, which there is.
    #[inline]
    fn take_first(&mut self) -> Cell {
        let (first, followers) = self.next_train();
        let taken = Cell { head: first.head.alone(), ..*first };
        first.at += followers.gap;
        followers.count -= 1;
        if followers.count == 0 {
            first.head = taken.head;
            self.end_train();
        }
        taken
    }

    /// Whether the next cell leads a train.
    #[inline]
    pub fn has_train(&self) -> bool {
        self.cells.front().is_some_and(|cell| cell.head.leads_train())
    }

    /// Whether the next cell leads a train of so many that arrive before `limit` that they are best
    /// taken together.
    #[inline]
    pub fn has_long_train(&mut self, limit: Time) -> bool {
        const FOLLOWERS: u32 = 3;
        if self.head() >= limit || !self.has_train() {
            return false;
        }
        let (first, followers) = self.next_train();
        followers.count >= FOLLOWERS && first.at + followers.gap * i64::from(FOLLOWERS) < limit
    }

    /// Takes the cells of the next train, which there is, that arrive before `limit`, the first in
    /// any case.
    pub fn take_train(&mut self, limit: Time) -> Train {
        let (first, followers) = self.next_train();
        let mut taken = followers.behind(*first);
        taken.count = taken.before(limit).max(1);
        if taken.count <= followers.count {
            first.at = taken.at(taken.count);
            followers.count -= taken.count;
            if followers.count == 0 {
                first.head = taken.first.head;
                self.end_train();
            }
        } else {
            self.cells.skip();
            self.end_train();
        }
        taken
    }

    #[inline]
    fn next_train(&mut self) -> (&mut Cell, &mut Followers) {
        let next = self.cells.front_mut().zip(self.followers.front_mut());
        next.expect("a cell that leads has followers")
    }

    #[inline]
    fn end_train(&mut self) {
        if let Some(followers) = self.followers.pop() {
            self.followed -= u64::from(followers.of);
        }
    }

    /// Appends a train; how much more memory that counts as.
    fn push_train(&mut self, train: Train) -> usize {
        let Train { first, gap, count } = train;
        if count > 1 {
            self.cells.push(Cell { head: first.head.leading(), ..first });
            self.followers.push(Followers { gap, count: count - 1, of: count - 1 });
            self.followed += u64::from(count - 1);
            self.ever_followed += u64::from(count - 1);
        } else {
            self.cells.push(first);
        }
        self.take_room()
    }

    /// Room for what is in transit; how much memory more than before.
    fn take_room(&mut self) -> usize {
        let gone = self.followers.front().map_or(0, |followers| followers.of - followers.count);
        let before = self.room;
        let cells = self.cells.len() + self.followed as usize - gone as usize;
        if cells > before {
            self.room = cells.next_power_of_two();
        }
        (self.room - before) * size_of::<Cell>()
    }

    /// Cells whose last bit had left the sender by `at`. Senders know departures ahead and put
    /// cells here early: a cell that arrives more than `passage` after `at` has not left yet.
    pub fn sent_by(&self, at: Time, passage: Span) -> u64 {
        let last = at.saturating_add(passage).saturating_add(Span::from_picoseconds(1));
        let unsent = trains(self.cells.iter().rev(), self.followers.iter().rev())
            .map(|train| u64::from(train.count - train.before(last)))
            .take_while(|unsent| *unsent > 0);
        self.cells.pushed() + self.ever_followed - unsent.sum::<u64>()
    }

    /// Cells in transit, in their trains.
    pub fn trains(&self) -> impl Iterator<Item = Train> {
        trains(self.cells.iter(), self.followers.iter())
    }

    /// Whether nothing is in transit.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
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
}

impl Io {
    /// An incoming link.
    #[inline]
    pub fn incoming(&mut self, link: LinkId) -> &mut Link {
        &mut self.links[link.0 as usize]
    }

    /// Sends a cell; `cell.at` is its arrival at the other end.
    #[expect(clippy::inline_always, reason = "every cell at every hop, and it calls nothing")]
    #[inline(always)]
    pub fn send(&mut self, link: LinkId, cell: Cell) {
        if !self.links[link.0 as usize].cells.push_behind(cell) {
            self.send_at_limit(link, cell);
        }
    }

    /// Sends a cell onto a link that is empty, or whose queue must grow. Apart from
    /// [`send`](Self::send), which so needs no registers but its own.
    #[inline(never)]
    fn send_at_limit(&mut self, link: LinkId, cell: Cell) {
        let target = &mut self.links[link.0 as usize];
        if target.is_empty() {
            self.newly_filled.push(link);
        }
        target.cells.push(cell);
        self.memory.cells += target.take_room();
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
        self.links[link.0 as usize].carries_trains
    }

    /// Sends a train behind all that was sent; `train.first.at` is the arrival of its first cell at
    /// the other end.
    pub fn send_train(&mut self, link: LinkId, train: Train) {
        let target = &mut self.links[link.0 as usize];
        if !target.carries_trains {
            return train.cells().for_each(|cell| self.send(link, cell));
        }
        if target.is_empty() {
            self.newly_filled.push(link);
        }
        self.memory.cells += target.push_train(train);
    }

    /// Sends a cell that may arrive before others that were sent earlier: it stands behind those
    /// that arrive no later than it.
    #[cold]
    pub fn send_in_order(&mut self, link: LinkId, cell: Cell) {
        self.send(link, cell);
        let target = &mut self.links[link.0 as usize];
        if target.cells.move_last_before(|other| other.at > cell.at) {
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

    /// Whether this turn should end early, because the run takes more memory than it may.
    #[inline]
    pub fn is_out_of_memory(&self) -> bool {
        self.memory.is_exceeded()
    }

    /// A queue of the node's own has taken `bytes` more memory.
    #[cold]
    pub fn note_memory(&mut self, bytes: usize) {
        self.memory.cells += bytes;
    }

    /// The last cell of a frame has arrived where its VC ends, and the frame is broken.
    #[cold]
    pub fn note_broken(&mut self, cell: Cell, frame: &Frame) {
        if let Some(losses) = &mut self.losses {
            losses.on_broken(cell, frame);
        }
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
