//! Links, and a node's view of them.

use super::{Fifo, Frames, Losses, Memory, Place, RmCells};
use crate::pdu::{Arrival, Captured, Cell, Frame, RiderId};
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
#[derive(Debug)]
pub struct Link {
    cells: Fifo<Cell>,
    /// Nothing sent at `t` arrives before `t + lookahead`.
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
        Self { cells: Fifo::default(), lookahead, to }
    }

    /// When the next cell arrives.
    #[inline]
    pub fn head(&self) -> Time {
        self.cells.front().map_or(Time::MAX, |cell| cell.at)
    }

    /// Takes the next cell.
    #[inline]
    pub fn take(&mut self) -> Option<Cell> {
        self.cells.pop()
    }

    /// Cells whose last bit had left the sender by `at`. Senders know departures ahead and put
    /// cells here early: a cell that arrives more than `passage` after `at` has not left yet.
    pub fn sent_by(&self, at: Time, passage: Span) -> u64 {
        let unsent = self.cells.iter().rev().take_while(|cell| cell.at - passage > at).count();
        self.cells.pushed() - unsent as u64
    }

    /// Cells in transit.
    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.cells.iter()
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
    /// What is taken and may be taken.
    pub(super) memory: Memory,
    /// Frames in transit: one for every last cell on a link or in a queue.
    pub frames: Frames,
    /// Resource-management cells in transit: one for every such cell on a link or in a queue.
    pub rm_cells: RmCells,
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
        if target.cells.push(cell) {
            self.memory.cells += target.cells.bytes() / 2;
        }
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
