//! The incoming links of a node where virtual circuits terminate.

use crate::engine::{InPort, Io, Link, LinkId, Tournament};
use crate::pdu::Cell;
use crate::units::Time;

/// Links, merged in time order.
#[derive(Debug)]
pub struct Inputs {
    /// The first link, mostly the only one.
    first: Option<LinkId>,
    others: Box<[LinkId]>,
    heads: Tournament,
}

impl Inputs {
    /// Makes links on which nothing has arrived.
    pub fn new(links: Vec<LinkId>) -> Self {
        let heads = Tournament::new(links.len());
        let mut links = links.into_iter();
        Self { first: links.next(), others: links.collect(), heads }
    }

    /// The next arrival of a cell.
    #[inline]
    pub fn next(&self) -> Time {
        self.heads.min().0
    }

    /// Notes the first cell or train of a link, or one that comes before all others.
    #[inline]
    pub fn on_head(&mut self, port: InPort, at: Time) {
        self.heads.lower(port.0 as usize, at);
    }

    /// Takes cells of the link whose cell is next, before `until` and the next cell of another
    /// link. It stops at the end of a frame or an RM cell, which it returns; `on_body` does not see
    /// that one. `on_body` sees the first of cells that are alike, and their number. Trains are
    /// taken when their last cells arrive.
    #[inline]
    pub fn take(
        &mut self,
        until: Time,
        io: &mut Io,
        on_body: impl FnMut(Cell, u32),
    ) -> Option<Cell> {
        let (first, input) = self.heads.min();
        let until = until.min(self.heads.wins_until(input));
        let link = io.incoming(if input == 0 { self.first? } else { self.others[input - 1] });
        let ended = if link.carries_trains() {
            take_trains(link, (first, until), on_body)
        } else {
            take_cells(link, (first, until), on_body)
        };
        self.heads.set(input, link.head());
        ended
    }

    /// Takes the cells of trains that arrive before `until` and have not been taken, since other
    /// cells of their trains arrive later.
    pub fn take_begun(&self, until: Time, io: &mut Io, mut on_body: impl FnMut(Cell, u32)) {
        for &link in self.first.iter().chain(&self.others) {
            io.incoming(link).take_begun(until, |train| on_body(train.first, train.count));
        }
    }
}

/// Takes cells of a link that carries single cells: those that arrive at `first`, and before
/// `until`.
#[inline]
fn take_cells(
    link: &mut Link,
    (first, until): (Time, Time),
    mut on_body: impl FnMut(Cell, u32),
) -> Option<Cell> {
    while link.head_alone() < until || link.head_alone() == first {
        let cell = link.take_alone()?;
        if cell.head.is_end_of_frame() || cell.head.is_rm() {
            return Some(cell);
        }
        on_body(cell, 1);
    }
    None
}

/// Takes cells of a link that carries trains: those whose last cells arrive at `first`, and before
/// `until`.
#[inline]
fn take_trains(
    link: &mut Link,
    (first, until): (Time, Time),
    mut on_body: impl FnMut(Cell, u32),
) -> Option<Cell> {
    while link.head() < until || link.head() == first {
        let mut train = link.take()?;
        let end = train.take_end();
        let head = train.first.head;
        if end.is_none() && (head.is_end_of_frame() || head.is_rm()) {
            return Some(train.first);
        }
        on_body(train.first, train.count);
        if end.is_some() {
            return end;
        }
    }
    None
}
