//! Trains in transit on one link.

use super::Fifo;
use crate::pdu::{Cell, Train};
use crate::units::Time;

/// Trains whose cells may interleave. Those of one VC never do, and no two cells arrive at one
/// instant, since they left one line.
///
/// A train may grow while it is here.
#[derive(Debug, Default)]
pub(super) struct TrainQueue {
    trains: Fifo<Train>,
    /// Position of the latest train of each slot of the sender, if trains are in order of first
    /// cells. In order of last cells only the very last train may grow: its position is that of
    /// slot 0.
    latest: Vec<u64>,
    /// Number of cells ever pushed.
    sent: u64,
    /// Number of these cells that were taken.
    taken: u64,
    /// Arrival of the last cell ever pushed.
    last: Time,
    order: TrainOrder,
}

/// Order in which a receiver takes trains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TrainOrder {
    /// By their first cells: the receiver forwards them.
    #[default]
    First,
    /// By their last cells: the receiver waits for frames.
    Last,
}

impl TrainQueue {
    /// Makes an empty queue.
    pub(super) fn new(order: TrainOrder) -> Self {
        Self { order, ..Self::default() }
    }

    /// Instant by which the receiver takes a train.
    #[inline]
    fn due(&self, train: &Train) -> Time {
        match self.order {
            TrainOrder::First => train.first.at,
            TrainOrder::Last => train.last(),
        }
    }

    /// Instant at which the receiver takes the next train.
    #[inline]
    pub(super) fn head(&self) -> Time {
        self.trains.front().map_or(Time::MAX, |train| self.due(train))
    }

    /// Appends a train of the VC at the sender's `slot`. Its first cell comes after all first cells
    /// that are here, and its last one after all last ones. True if it is the next to leave. If it
    /// made another longer, a receiver that waits for the last cell may have been told of an
    /// earlier one, and then finds nothing to do.
    #[expect(clippy::inline_always, reason = "every train at every hop; it has two callers")]
    #[inline(always)]
    pub(super) fn push(&mut self, slot: u32, train: &Train) -> bool {
        let by_first = self.order == TrainOrder::First;
        let slot = if by_first { slot as usize } else { 0 };
        if slot >= self.latest.len() {
            self.make_room_for(slot);
        }
        let latest = &mut self.latest[slot];
        self.sent += u64::from(train.count);
        self.last = train.last();
        // A train that is taken by its last cell must have one: a frame ends, a source of cells may
        // not.
        if let Some(other) = self.trains.at_mut(*latest)
            && (by_first || other.first.head.is_body())
            && other.join(train)
        {
            return false;
        }
        debug_assert!(
            self.trains.iter().next_back().is_none_or(|other| other.last() < train.last()),
            "a line sends what comes later later"
        );
        *latest = self.trains.pushed();
        let is_next = self.trains.is_empty();
        self.trains.push(*train);
        is_next
    }

    #[cold]
    fn make_room_for(&mut self, slot: usize) {
        self.latest.resize(slot + 1, u64::MAX);
    }

    /// Arrival of the last cell ever pushed; the receiver may have taken its train before that.
    #[inline]
    pub(super) fn last(&self) -> Time {
        self.last
    }

    /// Takes the next train.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<Train> {
        let train = self.trains.pop()?;
        self.taken += u64::from(train.count);
        Some(train)
    }

    /// Takes the cells that come before `until`; cells of one VC in order.
    pub(super) fn take_begun(&mut self, until: Time, mut on_begun: impl FnMut(Train)) {
        for position in self.trains.positions() {
            let Some(train) = self.trains.at_mut(position) else { continue };
            let begun = train.before(until);
            if begun > 0 {
                self.taken += u64::from(begun);
                on_begun(train.split(begun));
            }
        }
    }

    /// Trains in transit.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Train> {
        self.trains.iter()
    }

    /// Number of single cells that would take the memory of the trains here, or more.
    pub(super) fn room(&self) -> u64 {
        const TRAIN: u64 = (size_of::<Train>() / size_of::<Cell>()) as u64;
        self.cells().max(TRAIN * self.trains.len() as u64)
    }

    /// Number of cells in transit.
    #[inline]
    fn cells(&self) -> u64 {
        self.sent - self.taken
    }

    /// Number of cells ever pushed.
    pub(super) fn sent(&self) -> u64 {
        self.sent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdu::CellHead;
    use crate::units::Span;

    /// Cells of a frame of a VC at these instants.
    fn train(vc: u32, at: i64, gap: i64, count: u32) -> Train {
        let first = Cell { at: Time::from_picoseconds(at), head: CellHead::body(vc, 1) };
        Train::new(first, Span::from_picoseconds(gap), count)
    }

    fn taken(queue: &mut TrainQueue) -> Vec<(u32, i64, u32)> {
        std::iter::from_fn(|| queue.pop())
            .map(|train| (train.first.head.vc(), train.first.at.picoseconds(), train.count))
            .collect()
    }

    #[test]
    fn a_train_grows_while_it_is_here_with_others_in_between() {
        let mut queue = TrainQueue::new(TrainOrder::First);
        let mut push = |slot, train| (queue.push(slot, &train), queue.trains.len());
        assert_eq!(push(4, train(40, 10, 6, 2)), (true, 1));
        assert_eq!(push(5, train(50, 13, 6, 2)), (false, 2));
        assert_eq!(push(4, train(40, 22, 6, 3)), (false, 2), "one is longer");
        assert_eq!(push(5, train(50, 26, 6, 1)), (false, 3), "not at its gap");
        assert_eq!((queue.cells(), queue.sent()), (8, 8));
        assert_eq!(queue.head(), Time::from_picoseconds(10));
        assert_eq!(queue.pop().map(|train| train.count), Some(5));
        assert!(!queue.push(4, &train(40, 40, 6, 1)));
        assert_eq!(queue.trains.len(), 3, "what is gone stays");
        assert_eq!(taken(&mut queue), [(50, 13, 2), (50, 26, 1), (40, 40, 1)]);
        assert_eq!((queue.cells(), queue.sent()), (0, 9));
    }

    #[test]
    fn who_waits_for_frames_takes_them_by_their_last_cells() {
        let mut queue = TrainQueue::new(TrainOrder::Last);
        assert!(queue.push(0, &train(1, 10, 10, 9)));
        assert_eq!(queue.head(), Time::from_picoseconds(90));
        assert!(!queue.push(1, &train(2, 15, 20, 5)), "it ends behind the other");
        let mut begun = 0;
        queue.take_begun(Time::from_picoseconds(36), |train| begun += train.count);
        assert_eq!((begun, queue.cells()), (3 + 2, 9 + 5 - 5), "of those that end later");
        assert_eq!(taken(&mut queue), [(1, 40, 6), (2, 55, 3)]);
    }
}
