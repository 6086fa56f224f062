//! The least that a policy needs around it: a queue that a test fills and empties by hand.

use std::collections::VecDeque;

use cellway_sim::pdu::CellHead;
use cellway_sim::result::Cause;
use cellway_sim::switch::{Accounts, Departure, DropPolicy, Policy, QueueState, Verdict};
use cellway_sim::units::{Span, Time};

/// One of the three kinds of cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Body,
    Last,
    Raw,
}

/// A first-in-first-out queue of `room` with a policy before it. Time stands still unless a test
/// moves it.
pub(crate) struct Queue {
    pub(crate) policy: Policy,
    pub(crate) size: u64,
    pub(crate) now: Time,
    pub(crate) line_free_at: Time,
    accounts: Accounts,
    cells: VecDeque<(u32, bool)>,
}

impl Queue {
    pub(crate) fn new(policy: Policy, size: u64, vcs: usize) -> Self {
        let (now, line_free_at) = (Time::ZERO, Time::ZERO);
        let accounts = Accounts::kept(vcs);
        Self { policy, size, now, line_free_at, accounts, cells: VecDeque::new() }
    }

    /// One with `held[i]` raw cells of VC i.
    pub(crate) fn holding<const VCS: usize>(policy: Policy, size: u64, held: [u64; VCS]) -> Self {
        let mut queue = Self::new(policy, size, VCS);
        for (slot, count) in (0..).zip(held) {
            queue.fill(slot, count);
        }
        queue
    }

    /// X.
    pub(crate) fn len(&self) -> u64 {
        self.cells.len() as u64
    }

    /// One cell arrives.
    pub(crate) fn arrive(&mut self, slot: u32, kind: Kind, is_tagged: bool) -> Verdict {
        let head = match kind {
            Kind::Body => CellHead::body(slot, 0),
            Kind::Last => CellHead::end_of_frame(slot, 0),
            Kind::Raw => CellHead::raw(slot),
        };
        let head = if is_tagged { head.with_low_priority() } else { head };
        let Self { now, line_free_at, size, .. } = *self;
        let (occupancy, active) = (self.len(), self.accounts.active());
        let state = QueueState {
            now,
            occupancy,
            size,
            slot,
            backlog: 0,
            active,
            line_free_at,
            accounts: &self.accounts,
        };
        let verdict = self.policy.on_arrival(head, &state);
        if verdict == Verdict::Accept {
            assert!(occupancy < size, "a policy must discard when the buffer is full");
            self.accounts.admit(slot);
            self.cells.push_back((slot, kind == Kind::Last));
        }
        verdict
    }

    /// The cell at the head leaves, if there is one.
    pub(crate) fn depart(&mut self) {
        let Some((slot, ends_frame)) = self.cells.pop_front() else { return };
        self.accounts.release(slot);
        if self.policy.needs().departures {
            self.policy.on_departure(Departure { at: self.now, slot, ends_frame });
        }
    }

    /// Everything leaves, and a second of idleness brings averages of weight 1 to zero.
    pub(crate) fn empty(&mut self) {
        while self.len() > 0 {
            self.depart();
        }
        self.now += Span::from_seconds(1);
    }

    /// `count` raw cells of a VC, which no policy judges: how a queue comes to hold what a test
    /// wants.
    pub(crate) fn fill(&mut self, slot: u32, count: u64) {
        for _ in 0..count {
            assert_eq!(self.arrive(slot, Kind::Raw, false), Verdict::Accept);
        }
    }

    /// A frame of `cells` without pause: `a` accepted, `o` lost as an overflow, `p` as part of a
    /// spoilt frame, `e` with its frame from the first cell on.
    pub(crate) fn frame(&mut self, slot: u32, cells: usize) -> String {
        (1..=cells).map(|cell| letter(self.arrive(slot, kind(cell, cells), false))).collect()
    }

    /// Whether the frame that begins now comes in; of one cell, so that it is over at once.
    pub(crate) fn admits(&mut self, slot: u32) -> bool {
        self.arrive(slot, Kind::Last, false) == Verdict::Accept
    }

    /// The same for a frame with CLP = 1.
    pub(crate) fn admits_tagged(&mut self, slot: u32) -> bool {
        self.arrive(slot, Kind::Last, true) == Verdict::Accept
    }

    pub(crate) fn wait(&mut self, span: Span) {
        self.now += span;
    }
}

/// Of the `cell`-th of so many.
pub(crate) fn kind(cell: usize, cells: usize) -> Kind {
    if cell == cells { Kind::Last } else { Kind::Body }
}

pub(crate) fn letter(verdict: Verdict) -> char {
    match verdict {
        Verdict::Accept => 'a',
        Verdict::Mark => 'm',
        Verdict::Discard(Cause::Overflow) => 'o',
        Verdict::Discard(Cause::PartialFrame) => 'p',
        Verdict::Discard(Cause::EarlyFrame) => 'e',
        Verdict::Discard(Cause::RedundantAck) => 'r',
    }
}
