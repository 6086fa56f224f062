//! Links: cells in transit, in order of arrival, or trains of them.

use super::train_queue::TrainQueue;
use super::{Fifo, TrainOrder};
use crate::pdu::{Cell, Train};
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
    pub(super) cells: Fifo<Cell>,
    /// Trains in transit; `None` on a link that carries single cells.
    pub(super) trains: Option<Box<TrainQueue>>,
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
    pub(super) fn exceeds_room(&self, cells: u64) -> bool {
        cells > 1 << self.room
    }

    /// Raises the room to at least `cells`, more than there is. Returns the bytes that were added.
    #[cold]
    pub(super) fn take_room(&mut self, cells: u64) -> usize {
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
