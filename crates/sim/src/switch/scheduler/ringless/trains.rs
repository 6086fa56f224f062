//! Trains that arrive at a port without a ring, one alone or several in rounds.
//!
//! The policy is asked about a train unless its answer for all cells is known: behind the first
//! cell of a frame that was admitted, and from the first cell on if none finds more in the buffer
//! than the policy [admits] in any case. Other cells are judged one by one.
//!
//! [admits]: crate::switch::drop::DropPolicy::admits_up_to

use super::RinglessPort;
use crate::engine::Io;
use crate::pdu::Train;
use crate::switch::merger::Begun;
use crate::switch::ports::Pool;
use crate::switch::scheduler::rounds::Rounds;
use crate::units::{Span, Time};

impl RinglessPort {
    /// Takes a train of the VC at `slot`; shared memory must have room for all arrivals.
    #[inline]
    pub fn on_train(&mut self, train: Train, slot: u32, pool: Option<&Pool>, io: &mut Io) {
        if !self.admits(&train, slot, io) {
            self.on_unknown(train, slot, pool, io);
        }
    }

    /// Takes a train some of whose cells may not be admitted.
    #[inline(never)]
    fn on_unknown(&mut self, mut train: Train, slot: u32, pool: Option<&Pool>, io: &mut Io) {
        // It may be the first cell of a frame, which decides on the others.
        self.on_arrival(train.split(1).first, slot, pool, io);
        if train.count > 0 && !self.admits(&train, slot, io) {
            train.cells().for_each(|cell| self.on_arrival(cell, slot, pool, io));
        }
    }

    /// Admits a whole train if that is known without its cells. True if it did; otherwise nothing
    /// has changed.
    ///
    /// The wait grows from cell to cell by T less the gap. If that is negative, it shrinks down to
    /// zero, where the line is found free.
    #[expect(clippy::inline_always, reason = "every train at a switch; it has two callers")]
    #[inline(always)]
    fn admits(&mut self, train: &Train, slot: u32, io: &mut Io) -> bool {
        let (wait, growth) = (self.wait(train.first.at), self.cell_time - train.gap);
        let longest = wait + (growth * i64::from(train.count - 1)).max(Span::ZERO);
        if longest > self.unasked_wait {
            if self.known_wait(train, slot).is_none_or(|known| longest > known) {
                return false;
            }
            self.note_known(train, slot);
        }
        self.note_admitted(u64::from(train.count), longest);
        if wait.is_zero() && (growth <= Span::ZERO || train.count == 1) {
            if self.is_followed {
                self.follow_train(train, (slot, 0, 0), io);
            }
            self.plan.transmitter.send_train(train.later(self.cell_time), slot, io);
            return true;
        }
        let (queued, others) = train.through(self.free_at(), self.cell_time);
        let count = u64::from(queued.count);
        let growths = count * (count - 1) / 2;
        let waits = i128::from(queued.count) * i128::from(wait.picoseconds())
            + i128::from(growths) * i128::from(growth.picoseconds());
        self.waits += waits;
        if self.is_followed {
            self.follow_train(train, (slot, queued.count, waits), io);
        }
        self.plan.transmitter.send_train(queued, slot, io);
        if others.count > 0 {
            self.plan.transmitter.send_train(others, slot, io);
        }
        true
    }

    /// Longest wait up to which all cells that find room are admitted; `None` if the policy must be
    /// asked.
    #[inline]
    fn known_wait(&self, train: &Train, slot: u32) -> Option<Span> {
        if self.policy().is_admitting(train.first.head, slot) {
            Some(self.longest_wait)
        } else {
            self.policy().awaits_first(train.first.head, slot).then_some(self.frame_wait)
        }
    }

    /// Notes a train that is admitted by a known answer.
    #[inline]
    fn note_known(&mut self, train: &Train, slot: u32) {
        self.as_of = self.as_of.max(train.last());
        self.queue.plan.policy.note_admitted(train.end().is_some(), slot);
    }

    /// Follows a train that is admitted and not sent yet, for distributions and accounts. Its first
    /// `queued` cells wait `waits` picoseconds together, the others find the line free.
    #[inline(never)]
    pub(super) fn follow_train(
        &mut self,
        train: &Train,
        (slot, queued, waits): (u32, u32, i128),
        io: &mut Io,
    ) {
        if self.queue.needs_passages() {
            self.note_passages((0..train.count).map(|number| train.at(number)));
        }
        let (line, accounts) = (self.line(), &mut self.queue.accounts);
        if let Some(held) = &mut self.held {
            held.admit_train(*train, (slot, queued), line, accounts, io);
            let in_service = i128::from(line.in_service.picoseconds());
            accounts.add_sojourn(slot, waits + i128::from(train.count) * in_service);
        }
    }

    /// Follows rounds of trains likewise.
    #[inline(never)]
    fn follow_rounds(&mut self, rounds: &Rounds, trains: &[Begun], io: &mut Io) {
        let arrivals = || {
            let round = move |number| trains.iter().map(move |begun| begun.train.at(number));
            (0..rounds.count).flat_map(round)
        };
        if self.queue.needs_passages() {
            self.note_passages(arrivals());
        }
        let (line, accounts) = (self.line(), &mut self.queue.accounts);
        if let Some(held) = &mut self.held {
            let slots = trains.iter().map(|begun| begun.slot).cycle();
            held.admit_each(arrivals().zip(slots), line, accounts, io);
            let in_service = i128::from(line.in_service.picoseconds()) * i128::from(rounds.count);
            let waits = rounds.waits_of_trains(trains, (line.free_at, line.cell_time));
            for (begun, waits) in trains.iter().zip(waits) {
                accounts.add_sojourn(begun.slot, waits + in_service);
            }
        }
    }

    /// Notes the passages of cells that arrive at these instants.
    fn note_passages(&mut self, arrivals: impl Iterator<Item = Time>) {
        let mut free_at = self.free_at();
        for arrival in arrivals {
            free_at = arrival.max(free_at) + self.cell_time;
            self.queue.note_passage(arrival, free_at);
        }
    }

    /// Takes at most `most` rounds of cells, one of each train after the other. True if some are
    /// admitted, which are then no longer in the trains.
    pub(in crate::switch) fn on_rounds(
        &mut self,
        of: &mut [Begun],
        most: u32,
        io: &mut Io,
    ) -> bool {
        if !self.plan.transmitter.carries_trains(io) {
            return false;
        }
        let is_asked = !self.is_plain();
        let mut longest_wait = self.longest_wait;
        if is_asked {
            for begun in of.iter() {
                let Some(known) = self.known_wait(&begun.train, begun.slot) else { return false };
                longest_wait = longest_wait.min(known);
            }
        }
        let line = (self.free_at(), self.cell_time);
        let Some(rounds) = Rounds::of(of, line, longest_wait, most) else { return false };
        if !self.plan.transmitter.delivers_all(|| rounds.sent(of, line)) {
            return false;
        }
        let cells = u64::from(rounds.count) * of.len() as u64;
        self.waits += rounds.waits();
        self.note_admitted(cells, rounds.longest_wait());
        if self.is_followed {
            self.follow_rounds(&rounds, of, io);
        }
        let mut sent = self.free_at();
        for begun in of {
            let mut train = begun.train.split(rounds.count);
            if is_asked {
                self.note_known(&train, begun.slot);
            }
            sent = sent.max(train.first.at) + self.cell_time;
            (train.first.at, train.gap) = (sent, rounds.gap);
            self.plan.transmitter.send_unimpaired(train, begun.slot, io);
        }
        true
    }
}
