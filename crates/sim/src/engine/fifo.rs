//! Growing ring buffer: the one container of the hot path.

use std::ops::Range;

/// First-in, first-out queue in contiguous memory, which counts all items that went through.
///
/// `taken` and, but for removals, `pushed` only grow; their difference is the length and their low
/// bits are the slot.
#[derive(Clone, Debug)]
pub struct Fifo<T> {
    /// None before the first item, since most rings of a large network never hold one.
    slots: Box<[T]>,
    taken: u64,
    pushed: u64,
}

/// Slots for the first item.
const SMALLEST: usize = 4;

impl<T: Copy + Default> Default for Fifo<T> {
    fn default() -> Self {
        Self { slots: Box::default(), taken: 0, pushed: 0 }
    }
}

impl<T: Copy + Default> Fifo<T> {
    /// Slots whose memory counts as that of the part that has the ring.
    pub const INCLUDED: usize = 16;

    /// Number of items that wait.
    #[inline]
    pub fn len(&self) -> usize {
        self.pushed.wrapping_sub(self.taken) as usize
    }

    /// True if no item waits.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.pushed == self.taken
    }

    /// Number of items ever pushed.
    pub fn pushed(&self) -> u64 {
        self.pushed
    }

    /// Item that leaves next.
    #[inline]
    pub fn front(&self) -> Option<&T> {
        if self.is_empty() { None } else { Some(&self.slots[self.slot(self.taken)]) }
    }

    /// Item that leaves last.
    #[inline]
    pub fn back(&self) -> Option<&T> {
        let slot = self.slot(self.pushed.wrapping_sub(1));
        if self.is_empty() { None } else { Some(&self.slots[slot]) }
    }

    /// Item that leaves last, mutable.
    #[inline]
    pub fn back_mut(&mut self) -> Option<&mut T> {
        self.at_mut(self.pushed.wrapping_sub(1))
    }

    /// Item that leaves next, mutable.
    #[inline]
    pub fn front_mut(&mut self) -> Option<&mut T> {
        let slot = self.slot(self.taken);
        if self.is_empty() { None } else { Some(&mut self.slots[slot]) }
    }

    /// Appends an item. Returns the bytes of memory that were added beyond those
    /// [included](Self::INCLUDED).
    #[inline]
    pub fn push(&mut self, item: T) -> usize {
        let more = if self.len() == self.slots.len() { self.grow() } else { 0 };
        let slot = self.slot(self.pushed);
        self.slots[slot] = item;
        self.pushed = self.pushed.wrapping_add(1);
        more
    }

    /// Appends if an item waits and memory is left; one comparison tests both. True if it did.
    #[inline]
    pub fn push_behind(&mut self, item: T) -> bool {
        let others = self.pushed.wrapping_sub(self.taken).wrapping_sub(1) as usize;
        let mask = self.slots.len().wrapping_sub(1);
        if others >= mask {
            return false;
        }
        let slot = self.slot(self.pushed);
        self.slots[slot] = item;
        self.pushed = self.pushed.wrapping_add(1);
        true
    }

    /// Removes the item that leaves next.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        if self.is_empty() {
            return None;
        }
        let item = self.slots[self.slot(self.taken)];
        self.taken = self.taken.wrapping_add(1);
        Some(item)
    }

    /// Removes the item that leaves next; there must be one.
    #[inline]
    pub fn skip(&mut self) {
        debug_assert!(!self.is_empty(), "nothing waits");
        self.taken = self.taken.wrapping_add(1);
    }

    /// Removes the item that has `before` others before it; those behind it move up.
    pub fn remove(&mut self, before: usize) -> Option<T> {
        if before >= self.len() {
            return None;
        }
        let position = self.taken.wrapping_add(before as u64);
        let removed = self.slots[self.slot(position)];
        for later in position.wrapping_add(1)..self.pushed {
            let [here, next] = [later.wrapping_sub(1), later].map(|at| self.slot(at));
            self.slots[here] = self.slots[next];
        }
        self.pushed = self.pushed.wrapping_sub(1);
        Some(removed)
    }

    /// Moves the last item before all items at the end that `come_later`. True if it leaves next
    /// now and did not before.
    pub fn move_last_before(&mut self, come_later: impl Fn(&T) -> bool) -> bool {
        let mut position = self.pushed.wrapping_sub(1);
        let begun = position;
        while position != self.taken {
            let [before, here] = [position.wrapping_sub(1), position].map(|at| self.slot(at));
            if !come_later(&self.slots[before]) {
                return false;
            }
            self.slots.swap(before, here);
            position = position.wrapping_sub(1);
        }
        position != begun
    }

    /// Item that was pushed as number `position` of all, if it still waits.
    #[inline]
    pub fn at_mut(&mut self, position: u64) -> Option<&mut T> {
        let slot = self.slot(position);
        let waits = self.positions().contains(&position);
        if waits { self.slots.get_mut(slot) } else { None }
    }

    /// Positions of the items that wait: their numbers among all that were pushed.
    pub fn positions(&self) -> Range<u64> {
        self.taken..self.pushed
    }

    /// Items that wait, in order of leaving.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        (self.taken..self.pushed).map(|position| &self.slots[self.slot(position)])
    }

    /// Slot of a position. The mask is the length less one, so the compiler can drop the bounds
    /// check.
    #[inline]
    fn slot(&self, position: u64) -> usize {
        position as usize & self.slots.len().wrapping_sub(1)
    }

    /// Doubles the memory. Returns the bytes that were added, as [`push`](Self::push) does.
    #[cold]
    fn grow(&mut self) -> usize {
        let before = self.slots.len();
        let mut larger = vec![T::default(); (before * 2).max(SMALLEST)].into_boxed_slice();
        let mask = larger.len() - 1;
        for position in self.taken..self.pushed {
            larger[position as usize & mask] = self.slots[self.slot(position)];
        }
        self.slots = larger;
        if before < Self::INCLUDED { 0 } else { before * size_of::<T>() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_order_while_it_grows_and_wraps() {
        let mut fifo = Fifo::default();
        let mut expected = 0_u64;
        for round in 0..100_u64 {
            for item in 0..round {
                fifo.push(round * 1000 + item);
            }
            for _ in 0..round / 2 {
                fifo.pop();
                expected += 1;
            }
        }
        assert_eq!(fifo.pushed(), 4950);
        assert_eq!(fifo.len() as u64, 4950 - expected);
        let order: Vec<u64> = fifo.iter().copied().collect();
        assert!(order.is_sorted());
        assert_eq!(fifo.front(), order.first());
    }

    #[test]
    fn items_behind_a_removed_one_move_up() {
        let mut fifo = Fifo::default();
        for item in 0..6 {
            fifo.push(item);
        }
        fifo.pop();
        fifo.pop();
        fifo.push(6);
        fifo.push(7);
        fifo.push(8);
        assert_eq!([fifo.remove(2), fifo.remove(0), fifo.remove(5)], [Some(4), Some(2), None]);
        assert_eq!(fifo.remove(4), Some(8));
        fifo.push(9);
        assert_eq!(fifo.iter().copied().collect::<Vec<i32>>(), [3, 5, 6, 7, 9]);
    }

    #[test]
    fn the_last_one_overtakes_those_that_come_later() {
        let mut fifo = Fifo::default();
        // Wrapped, and growing on the way.
        for item in 0..12 {
            fifo.push(item);
            fifo.pop();
        }
        let mut is_next = Vec::new();
        for item in [5, 9, 7, 7, 3, 30, 4, 1] {
            fifo.push(item);
            is_next.push(fifo.move_last_before(|other| *other > item));
        }
        assert_eq!(fifo.iter().copied().collect::<Vec<i32>>(), [1, 3, 4, 5, 7, 7, 9, 30]);
        assert_eq!(is_next, [false, false, false, false, true, false, false, true]);
        assert_eq!(fifo.front(), Some(&1));
    }
}
