//! The smallest of many times, with ties to the lowest index: which node, input or timer is next.

use crate::units::{Span, Time};

/// A winner tree over `n` keys: the minimum in O(1), a change of any key in O(log n).
#[derive(Clone, Debug)]
pub struct Tournament {
    /// `matches[1]` is the final, `matches[leaves..]` the keys themselves.
    matches: Vec<Entry>,
    leaves: usize,
}

/// A time and, below it, the index that settles a tie, in one integer: a match is one comparison
/// without a branch. Each is a word of its own: a time across two words would wait for both of them
/// to be in memory, in every turn of every loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry(u128);

impl Entry {
    #[inline]
    fn new(at: Time, index: usize) -> Self {
        debug_assert!(at >= Time::ZERO, "nothing happens before the start");
        Self(u128::from(at.picoseconds() as u64) << 64 | index as u128)
    }

    #[inline]
    fn at(self) -> Time {
        Time::from_picoseconds((self.0 >> 64) as i64)
    }

    #[inline]
    fn index(self) -> usize {
        self.0 as u64 as usize
    }
}

impl Tournament {
    /// `n` keys, all "never".
    pub fn new(n: usize) -> Self {
        let leaves = n.next_power_of_two().max(2);
        let mut tree = Self { matches: vec![Entry::new(Time::MAX, 0); 2 * leaves], leaves };
        for index in 0..leaves {
            tree.matches[leaves + index] = Entry::new(Time::MAX, index);
        }
        for index in (0..leaves).rev() {
            tree.set(index, Time::MAX);
        }
        tree
    }

    /// The smallest key and its index; the lowest index among equals.
    #[inline]
    pub fn min(&self) -> (Time, usize) {
        let winner = self.matches[1];
        (winner.at(), winner.index())
    }

    /// The key of `index`.
    #[inline]
    pub fn key(&self, index: usize) -> Time {
        self.matches[self.leaves + index].at()
    }

    /// Changes the key of `index`.
    #[inline]
    pub fn set(&mut self, index: usize, at: Time) {
        let matches = self.matches.as_mut_slice();
        let mut place = self.leaves | index;
        let mut winner = Entry::new(at, index);
        matches[place] = winner;
        while place > 1 {
            winner = winner.min(matches[place ^ 1]);
            place >>= 1;
            matches[place] = winner;
        }
    }

    /// Until when `index` keeps winning, whatever its key becomes: the first instant at which
    /// another wins.
    // Kept out of the loop that calls it now and then: inlined, it costs that loop a tenth of its
    // speed.
    #[inline(never)]
    pub fn reign(&self, index: usize) -> Time {
        let mut rival = Entry::new(Time::MAX, u32::MAX as usize);
        let mut place = self.leaves | index;
        while place > 1 {
            rival = rival.min(self.matches[place ^ 1]);
            place >>= 1;
        }
        // At a tie the lower index wins, so a higher one waits a picosecond longer.
        let tie = Span::from_picoseconds(i64::from(rival.index() > index));
        rival.at().saturating_add(tie)
    }

    /// Lowers the key of `index` to `at` if that is earlier.
    #[inline]
    pub fn lower(&mut self, index: usize, at: Time) {
        if at < self.key(index) {
            self.set(index, at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ps: i64) -> Time {
        Time::from_picoseconds(ps)
    }

    #[test]
    fn agrees_with_a_linear_search() {
        let mut tree = Tournament::new(11);
        let mut keys = [Time::MAX; 11];
        let mut state = 1_u64;
        for _ in 0..5000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let index = (state >> 33) as usize % 11;
            let key = at((state >> 40) as i64 % 7);
            tree.set(index, key);
            keys[index] = key;
            let best = (0..11).min_by_key(|&i| (keys[i], i)).unwrap();
            assert_eq!(tree.min(), (keys[best], best));
            let reign = tree.reign(best);
            let wins_at = |key: Time| (0..11).all(|i| i == best || (key, best) < (keys[i], i));
            assert!(
                wins_at(reign - Span::from_picoseconds(1))
                    && (reign == Time::MAX || !wins_at(reign))
            );
        }
    }

    #[test]
    fn ties_go_to_the_lowest_index() {
        let mut tree = Tournament::new(5);
        tree.set(4, at(9));
        tree.set(2, at(9));
        assert_eq!(tree.min(), (at(9), 2));
        tree.lower(3, at(9));
        assert_eq!(tree.min(), (at(9), 2));
    }
}
