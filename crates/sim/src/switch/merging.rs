//! Trains in a switch all of whose ports take them: arrivals are merged output by output.
//!
//! Outputs share at most memory. Where they share none, or it certainly has room for all arrivals,
//! the order of cells matters only within each output.

use super::merger::{Begun, Merger, Outputs};
use super::{Route, Switch};
use crate::engine::{Io, LinkId, Tournament};
use crate::pdu::Train;
use crate::units::{Span, Time};

/// Trains that shared memory is given at once whatever room it has: a turn has seldom more, and the
/// room is not free to find.
const FEW: u32 = 8;

/// Trains that arrive for the outputs of a switch.
#[derive(Debug)]
pub(super) struct Mergers {
    /// Mergers by port.
    mergers: Vec<Merger>,
    /// Next cell of the trains that have begun, by port, without `latest`.
    next: Tournament,
    /// The port whose next cell has changed last, if any has. Most trains arrive for the same port,
    /// which is therefore not in the tournament.
    latest: usize,
    /// Number of trains that have arrived.
    count: u64,
    /// Cells of the longest train for shared memory.
    longest: u64,
}

impl Mergers {
    /// Makes empty mergers. `is_in_order` is true for a port at which no cell arrives before one
    /// that was sent earlier, so that it waits for no other.
    fn new(is_in_order: impl Iterator<Item = bool>) -> Self {
        let mergers: Vec<Merger> = is_in_order.map(Merger::new).collect();
        let next = Tournament::new(mergers.len());
        Self { next, mergers, latest: usize::MAX, count: 0, longest: 1 }
    }

    /// Arrival of the next cell of the trains that have begun.
    #[inline]
    pub(super) fn next(&self) -> Time {
        self.next.min().0.min(self.next_of_latest())
    }

    /// Arrival of the next last cell of a frame, or RM cell, of the trains that have begun.
    pub(super) fn next_end(&self) -> Time {
        let begun = self.mergers.iter().flat_map(Merger::begun);
        begun.filter_map(|begun| begun.train.next_end()).min().unwrap_or(Time::MAX)
    }

    #[inline]
    fn next_of_latest(&self) -> Time {
        self.mergers.get(self.latest).map_or(Time::MAX, Merger::next)
    }

    /// Takes a train for the output at `index`, after all that have begun. An output whose cells
    /// come in order is given those that come before `horizon`.
    #[inline]
    fn push(
        &mut self,
        index: usize,
        begun: Begun,
        horizon: Time,
        to: &mut Outputs<'_>,
        io: &mut Io,
    ) {
        let merger = &mut self.mergers[index];
        let Begun { train, slot, .. } = begun;
        if train.first.head.is_raw() && !merger.is_in_order() && merger.extend(&begun) {
            return;
        }
        let before = merger.next();
        if before < train.first.at {
            merger.run(train.first.at, index, to, io);
        }
        let is_whole = train.count == 1 || (merger.is_in_order() && train.last() < horizon);
        if is_whole && merger.next() > train.first.at {
            to.on_train(index, train, slot, io);
        } else {
            merger.push(begun);
            if merger.is_in_order() {
                merger.run(horizon, index, to, io);
            }
        }
        if index != self.latest && merger.next() != before {
            self.note_latest(index);
        }
    }

    /// Takes the port at `index` out of the tournament in place of the one before.
    fn note_latest(&mut self, index: usize) {
        let next = self.next_of_latest();
        if next < Time::MAX {
            self.next.set(self.latest, next);
        }
        if self.next.key(index) < Time::MAX {
            self.next.set(index, Time::MAX);
        }
        self.latest = index;
    }

    /// Keeps a train for the output at `index`, whose cells wait for those of other outputs.
    fn hold(&mut self, index: usize, begun: Begun) {
        self.longest = self.longest.max(begun.train.count.into());
        self.mergers[index].push(begun);
        self.next.lower(index, begun.train.first.at);
    }

    /// True if the trains that have begun have at most `most` cells.
    fn are_within(&self, most: u64) -> bool {
        let mut begun = self.mergers.iter().flat_map(Merger::begun);
        begun.try_fold(most, |left, begun| left.checked_sub(begun.train.count.into())).is_some()
    }

    /// Further trains for which shared memory has room beside those that have begun. It takes
    /// trains only while it has room for all, which it seldom has for those of a long turn.
    #[cold]
    fn further(&self, to: &mut Outputs<'_>, io: &mut Io) -> u32 {
        let room = to.ports.room_at(self.next(), io);
        let begun = self.mergers.iter().flat_map(Merger::begun);
        let begun: u64 = begun.map(|begun| u64::from(begun.train.count)).sum();
        u32::try_from(room.saturating_sub(begun) / self.longest).unwrap_or(u32::MAX)
    }

    /// Hands over every cell that comes before `limit`, in the order of all outputs.
    fn run_in_order(&mut self, limit: Time, to: &mut Outputs<'_>, io: &mut Io) {
        let instant = Span::from_picoseconds(1);
        loop {
            let (at, index) = self.next.min();
            if at >= limit {
                return;
            }
            // Arrival of the next cell for another output, or a picosecond before.
            let alone_until = (self.next.wins_until(index) - instant).min(limit);
            let (index, until) = if alone_until > at {
                (index, alone_until)
            } else {
                let first = |merger: &Merger| merger.front().map(Begun::key);
                let inputs = self.mergers.iter().enumerate();
                let come = inputs.filter_map(|(index, merger)| Some((first(merger)?, index)));
                (come.min().map_or(index, |(_, first)| first), at)
            };
            let merger = &mut self.mergers[index];
            if until > at {
                merger.run(until, index, to, io);
            } else {
                merger.hand_over_mixed(Time::MAX, 1, index, to, io);
            }
            self.next.set(index, merger.next());
        }
    }

    /// Hands over every cell of trains that have begun that comes before `limit`.
    #[inline]
    fn run(&mut self, limit: Time, to: &mut Outputs<'_>, io: &mut Io) {
        if let Some(merger) = self.mergers.get_mut(self.latest) {
            merger.run(limit, self.latest, to, io);
        }
        loop {
            let (at, index) = self.next.min();
            if at >= limit {
                return;
            }
            let merger = &mut self.mergers[index];
            merger.run(limit, index, to, io);
            self.next.set(index, merger.next());
        }
    }
}

impl Switch {
    /// True if trains may arrive: all outputs send cells, and no allocator follows cells of several
    /// outputs.
    pub(crate) fn takes_trains(&self) -> bool {
        let plan = &self.plan;
        plan.ports.take_trains() && plan.allocations.is_empty()
    }

    /// Links that it may send trains onto.
    pub(crate) fn sends_trains_onto(&self) -> impl Iterator<Item = LinkId> {
        let ports = self.takes_trains().then(|| self.plan.ports.all());
        ports.into_iter().flatten().filter_map(|port| port.transmitter().link_of_trains())
    }

    /// Prepares for trains. `is_in_order` is true for a port at which no cell arrives before one
    /// that was sent earlier.
    pub(crate) fn expect_trains(&mut self, is_in_order: impl Iterator<Item = bool>) {
        self.mergers = Some(Box::new(Mergers::new(is_in_order)));
    }

    /// Trains taken from links while some of their cells are still on their way.
    pub(crate) fn begun(&self) -> impl Iterator<Item = (LinkId, Train)> {
        let begun = self.mergers.iter().flat_map(|all| all.mergers.iter().flat_map(Merger::begun));
        begun.map(|begun| (self.plan.inputs[begun.input as usize], begun.train))
    }

    /// Forwards the cells that arrive before `until`, or fewer if the run should report.
    pub(super) fn forward_trains(&mut self, until: Time, io: &mut Io) {
        loop {
            let due = self.next_due.min(until);
            if self.merge(due, io) < due {
                if io.steps_left == 0 {
                    return;
                }
            } else if due == until {
                return;
            } else {
                self.catch_up(due, io);
            }
        }
    }

    /// Hands over every cell that comes before `limit` to its output, or before an earlier instant
    /// if the run should report or there are many for shared memory. Returns that instant.
    fn merge(&mut self, mut limit: Time, io: &mut Io) -> Time {
        let Some(mergers) = &mut self.mergers else { return limit };
        let policer = self.plan.policer.as_deref_mut();
        let mut to = Outputs { ports: &mut self.plan.ports, policer };
        let shares_memory = to.ports.share_memory();
        let horizon = io.barrier.min(self.next_due);
        let mut left = io.steps_left;
        let mut further = if shares_memory { left.saturating_sub(FEW) } else { 0 };
        left -= further;
        loop {
            let (at, input) = self.heads.min();
            if at >= limit {
                break;
            }
            if left == 0 {
                if further > 0 {
                    left = mergers.further(&mut to, io).min(further);
                    further -= left;
                }
                if left == 0 {
                    limit = at;
                    break;
                }
            }
            left -= 1;
            let link = io.incoming(self.plan.inputs[input]);
            let train = link.take();
            self.heads.set(input, link.head());
            let Some(train) = train else { continue };
            let Route { port, slot, .. } = self.plan.routes.at(train.first.head.vc());
            mergers.count += 1;
            let begun = Begun::new(train, slot, input as u32, mergers.count);
            if shares_memory {
                mergers.hold(port as usize, begun);
            } else {
                mergers.push(port as usize, begun, horizon, &mut to, io);
            }
        }
        io.steps_left = left + further;
        let next = mergers.next();
        let are_within = |most| mergers.are_within(most);
        if shares_memory && next < limit && !to.ports.expect(are_within, next, io) {
            mergers.run_in_order(limit, &mut to, io);
        } else {
            mergers.run(limit, &mut to, io);
        }
        limit
    }
}
