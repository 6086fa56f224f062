//! Trains of several inputs that meet at one output.
//!
//! Cells go to the output in order of their arrival, those of one instant by input. They are handed
//! over as many at once as the port can tell the end of: cells of one train that come before any of
//! another, or *rounds* of trains of equal gap, each of which gives one cell to every round.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::policer::Policer;
use super::port::Port;
use super::ports::Ports;
use crate::engine::{Io, Tournament};
use crate::pdu::Train;
use crate::units::Time;

/// So many trains are kept in order; of more, only the next ones.
const NEAR: usize = 16;

/// A train whose first cells may have been handed over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begun {
    /// What is left of it.
    pub(super) train: Train,
    /// Its place among the VCs of the port.
    pub(super) slot: u32,
    /// Where it comes in.
    pub(super) input: u32,
    /// Counts the trains of the output: cells that links without order bring at one instant go on
    /// as they came.
    number: u64,
}

impl Begun {
    /// A train that has come in.
    pub(super) fn new(train: Train, slot: u32, input: u32) -> Self {
        Self { train, slot, input, number: 0 }
    }

    #[inline]
    fn key(&self) -> (Time, u32, u64) {
        (self.train.first.at, self.input, self.number)
    }
}

/// One that comes behind others, the next one greatest.
#[derive(Debug)]
struct Far(Begun);

impl Ord for Far {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.key().cmp(&self.0.key())
    }
}

impl PartialOrd for Far {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Far {
    fn eq(&self, other: &Self) -> bool {
        self.0.key() == other.0.key()
    }
}

impl Eq for Far {}

/// The ports of a switch, and its police.
pub(super) struct Outputs<'a> {
    pub(super) ports: &'a mut Ports,
    pub(super) policer: Option<&'a mut Policer>,
    /// By port: when it next has to choose a cell.
    pub(super) services: &'a mut Tournament,
}

impl Outputs<'_> {
    /// Cells of the VC at `slot` of the port at `index` arrive before any other there.
    #[inline]
    pub(super) fn on_train(&mut self, index: usize, train: Train, slot: u32, io: &mut Io) {
        let ports = &mut *self.ports;
        match &mut self.policer {
            None => ports.on_train(index, train, slot, io),
            Some(policer) => {
                policer.pass(train, io, |passed, io| ports.on_train(index, passed, slot, io));
            }
        }
        if let Port::Priority(port) = &ports.all()[index] {
            self.services.set(index, port.next_service());
        }
    }

    /// Rounds of cells arrive; whether they are served as such.
    #[inline]
    fn on_rounds(&mut self, index: usize, of: &mut [Begun], most: u32, io: &mut Io) -> bool {
        self.policer.is_none() && self.ports.on_rounds(index, of, most, io)
    }
}

/// What comes to one output.
#[derive(Debug)]
pub(super) struct Merger {
    /// In the order of their next cells.
    near: Vec<Begun>,
    /// Those whose next cells come behind all of `near`, which is not empty before this is.
    far: BinaryHeap<Far>,
    /// How many have come.
    count: u64,
    /// Whether no cell comes before one that was sent earlier: they need not wait for others.
    is_in_order: bool,
}

impl Merger {
    /// Nothing has come.
    pub(super) fn new(is_in_order: bool) -> Self {
        Self { near: Vec::new(), far: BinaryHeap::new(), count: 0, is_in_order }
    }

    /// Whether no cell comes before one that was sent earlier.
    #[inline]
    pub(super) fn is_in_order(&self) -> bool {
        self.is_in_order
    }

    /// When the next cell comes.
    #[inline]
    pub(super) fn next(&self) -> Time {
        self.near.first().map_or(Time::MAX, |begun| begun.train.first.at)
    }

    /// The trains that are here, whose cells are still on their way.
    pub(super) fn begun(&self) -> impl Iterator<Item = &Begun> {
        self.near.iter().chain(self.far.iter().map(|far| &far.0))
    }

    /// A train begins behind all that have begun.
    #[inline]
    pub(super) fn push(&mut self, begun: Begun) {
        self.count += 1;
        let begun = Begun { number: self.count, ..begun };
        let behind = self.near.iter().rposition(|other| other.key() < begun.key());
        let place = behind.map_or(0, |place| place + 1);
        self.near.insert(place, begun);
        self.part();
    }

    /// Keeps the next ones in order, and no more than there is room for.
    #[inline]
    fn part(&mut self) {
        let next = self.far.peek().map(|far| far.0.key());
        let is_behind = |last: &Begun| next.is_some_and(|next| next < last.key());
        while self.near.len() > NEAR || self.near.last().is_some_and(is_behind) {
            self.far.extend(self.near.pop().map(Far));
        }
        if self.near.is_empty() {
            let next = (0..NEAR / 2).map_while(|_| self.far.pop());
            self.near.extend(next.map(|far| far.0));
        }
    }

    /// Hands over every cell that comes before `limit` to the port at `index`.
    pub(super) fn run(&mut self, limit: Time, index: usize, to: &mut Outputs<'_>, io: &mut Io) {
        while self.next() < limit {
            let front = &self.near[0];
            let until = self.behind(1).map_or(limit, |second| {
                let is_first = u32::from(front.input < second.input);
                let at = second.train.first.at.picoseconds() + i64::from(is_first);
                limit.min(Time::from_picoseconds(at))
            });
            let alone = front.train.before(until).max(1);
            if alone == 1 && self.behind(1).is_some() && self.serve_rounds(limit, index, to, io) {
                continue;
            }
            let front = &mut self.near[0];
            let (train, slot) = (front.train.split(alone), front.slot);
            self.settle(0);
            self.part();
            to.on_train(index, train, slot, io);
        }
    }

    /// The one so far behind the next.
    #[inline]
    fn behind(&self, place: usize) -> Option<&Begun> {
        self.near.get(place).or_else(|| self.far.peek().map(|far| &far.0))
    }

    /// Puts the one at `place`, which has given cells, where it belongs among those behind it.
    #[inline]
    fn settle(&mut self, place: usize) {
        let near = &mut self.near[place..];
        if near[0].train.count == 0 {
            self.near.remove(place);
        } else {
            let key = near[0].key();
            let before = near[1..].iter().take_while(|other| other.key() < key).count();
            near[..=before].rotate_left(1);
        }
    }

    /// Hands over several rounds at once, of cells that come before `limit`; whether it did.
    fn serve_rounds(
        &mut self,
        limit: Time,
        index: usize,
        to: &mut Outputs<'_>,
        io: &mut Io,
    ) -> bool {
        let Some((count, most)) = self.rounds(limit) else { return false };
        let round = &mut self.near[..count];
        if !to.on_rounds(index, round, most, io) {
            return false;
        }
        (0..count).rev().for_each(|place| self.settle(place));
        self.part();
        true
    }

    /// How many trains, from the first on, give a cell to each round, and how many rounds there are
    /// at most, if there are several.
    fn rounds(&self, limit: Time) -> Option<(usize, u32)> {
        let front = &self.near[0].train;
        if front.count == 1 {
            return None;
        }
        let end = front.first.at + front.gap;
        // More than these would give a cell to every round.
        if self.far.peek().is_some_and(|far| far.0.train.first.at < end) {
            return None;
        }
        let count = self.near.iter().take_while(|begun| begun.train.first.at < end).count();
        let round = &self.near[..count];
        if round.iter().any(|begun| begun.train.gap != front.gap) {
            return None;
        }
        let limit = self.behind(count).map_or(limit, |next| limit.min(next.train.first.at));
        let most = round[count - 1].train.before(limit);
        let most = round.iter().map(|begun| begun.train.count).fold(most, u32::min);
        (most > 1).then_some((count, most))
    }
}
