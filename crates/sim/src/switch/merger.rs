//! Trains of several inputs that meet at one output.
//!
//! Cells go to the output in order of their arrival, those of one instant by input. They are handed
//! over as many at once as the port can tell the end of: cells of one train that come before any of
//! another, or *rounds* of trains of equal gap, each of which gives one cell to every round.

use super::policer::Policer;
use super::ports::Ports;
use crate::engine::Io;
use crate::pdu::Train;
use crate::units::Time;

/// A train whose first cells may have been handed over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begun {
    /// What is left of it.
    pub train: Train,
    /// Its place among the VCs of the port.
    pub slot: u32,
    /// Where it comes in.
    pub input: u32,
}

impl Begun {
    #[inline]
    fn key(&self) -> (Time, u32) {
        (self.train.first.at, self.input)
    }
}

/// The ports of a switch, and its police.
pub(super) struct Outputs<'a> {
    pub(super) ports: &'a mut Ports,
    pub(super) policer: Option<&'a mut Policer>,
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
    begun: Vec<Begun>,
    /// Whether no cell comes before one that was sent earlier: they need not wait for others.
    is_in_order: bool,
}

impl Merger {
    /// Nothing has come.
    pub(super) fn new(is_in_order: bool) -> Self {
        Self { begun: Vec::new(), is_in_order }
    }

    /// Whether no cell comes before one that was sent earlier.
    #[inline]
    pub(super) fn is_in_order(&self) -> bool {
        self.is_in_order
    }

    /// When the next cell comes.
    #[inline]
    pub(super) fn next(&self) -> Time {
        self.begun.first().map_or(Time::MAX, |begun| begun.train.first.at)
    }

    /// The trains that are here, whose cells are still on their way.
    pub(super) fn begun(&self) -> &[Begun] {
        &self.begun
    }

    /// A train begins behind all that have begun.
    #[inline]
    pub(super) fn push(&mut self, begun: Begun) {
        let behind = self.begun.iter().rposition(|other| other.key() < begun.key());
        self.begun.insert(behind.map_or(0, |place| place + 1), begun);
    }

    /// Hands over every cell that comes before `limit` to the port at `index`.
    pub(super) fn run(&mut self, limit: Time, index: usize, to: &mut Outputs<'_>, io: &mut Io) {
        while self.next() < limit {
            let front = &self.begun[0];
            let until = self.begun.get(1).map_or(limit, |second| {
                let is_first = u32::from(front.input < second.input);
                let at = second.train.first.at.picoseconds() + i64::from(is_first);
                limit.min(Time::from_picoseconds(at))
            });
            let alone = front.train.before(until).max(1);
            if alone == 1 && self.begun.len() > 1 && self.serve_rounds(limit, index, to, io) {
                continue;
            }
            let front = &mut self.begun[0];
            let (train, slot) = (front.train.split(alone), front.slot);
            self.settle(0);
            to.on_train(index, train, slot, io);
        }
    }

    /// Puts the one at `place`, which has given cells, where it belongs among those behind it.
    #[inline]
    fn settle(&mut self, place: usize) {
        let begun = &mut self.begun[place..];
        if begun[0].train.count == 0 {
            self.begun.remove(place);
            return;
        }
        let key = begun[0].key();
        let before = begun[1..].iter().take_while(|other| other.key() < key).count();
        begun[..=before].rotate_left(1);
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
        let round = &mut self.begun[..count];
        if !to.on_rounds(index, round, most, io) {
            return false;
        }
        (0..count).rev().for_each(|place| self.settle(place));
        true
    }

    /// How many trains, from the first on, give a cell to each round, and how many rounds there are
    /// at most, if there are several.
    fn rounds(&self, limit: Time) -> Option<(usize, u32)> {
        let front = &self.begun[0].train;
        if front.count == 1 {
            return None;
        }
        let end = front.first.at + front.gap;
        let count = self.begun.iter().take_while(|begun| begun.train.first.at < end).count();
        let round = &self.begun[..count];
        if round.iter().any(|begun| begun.train.gap != front.gap) {
            return None;
        }
        let limit = self.begun.get(count).map_or(limit, |next| limit.min(next.train.first.at));
        let most = round[count - 1].train.before(limit);
        let most = round.iter().map(|begun| begun.train.count).fold(most, u32::min);
        (most > 1).then_some((count, most))
    }
}
