//! Smallest of many times, with ties to the lowest index: the node, input or timer that is next.

use std::hint::select_unpredictable;

use crate::units::Time;

/// A winner tree over `n` keys: the minimum in O(1), a change of any key in O(log n).
#[derive(Clone, Debug)]
pub struct Tournament {
    /// `matches[1]` is the final, `matches[leaves..]` the keys themselves.
    matches: Box<[Entry]>,
}

/// A key and its index. Keys in the left half of a match have the lower indices, so that the left
/// one wins a tie and only times are compared.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Picoseconds, none of them negative: one more than the latest is not beyond the range.
    at: u64,
    index: usize,
}

impl Entry {
    #[inline]
    fn new(at: Time, index: usize) -> Self {
        debug_assert!(at >= Time::ZERO, "nothing happens before the start");
        Self { at: at.picoseconds() as u64, index }
    }

    #[inline]
    fn at(self) -> Time {
        Time::from_picoseconds(self.at as i64)
    }

    #[inline]
    fn is_before(self, other: Self) -> bool {
        self.at < other.at || (self.at == other.at && self.index < other.index)
    }

    /// The winner of a match against `other`, where this one stands at `place`. It is
    /// unpredictable, so no branch is taken on it.
    #[inline]
    fn against(self, other: Self, place: usize) -> Self {
        let loses = other.at < self.at.wrapping_add(is_right(place));
        Self {
            at: select_unpredictable(loses, other.at, self.at),
            index: select_unpredictable(loses, other.index, self.index),
        }
    }
}

/// 1 for a place on the right of its match, 0 on the left.
#[inline]
fn is_right(place: usize) -> u64 {
    place as u64 & 1
}

/// Makes a tournament of these keys, in the order of their indices.
impl FromIterator<Time> for Tournament {
    fn from_iter<I: IntoIterator<Item = Time>>(keys: I) -> Self {
        let keys: Vec<Time> = keys.into_iter().collect();
        // A single key is the final.
        let leaves = keys.len().next_power_of_two();
        let mut tree = Self { matches: vec![Entry::new(Time::MAX, 0); 2 * leaves].into() };
        // From the right: a right half is complete before it meets the left one.
        for index in (0..leaves).rev() {
            tree.set(index, keys.get(index).copied().unwrap_or(Time::MAX));
        }
        tree
    }
}

impl Tournament {
    /// `n` keys, all "never".
    pub fn new(n: usize) -> Self {
        std::iter::repeat_n(Time::MAX, n).collect()
    }

    /// Place of the first key, and the number of places for keys: a power of two.
    #[inline]
    fn leaves(&self) -> usize {
        self.matches.len() / 2
    }

    /// The smallest key and its index; the lowest index among equals.
    #[inline]
    pub fn min(&self) -> (Time, usize) {
        let winner = self.matches[1];
        (winner.at(), winner.index)
    }

    /// The key of `index`.
    #[inline]
    pub fn key(&self, index: usize) -> Time {
        self.matches[self.leaves() | index].at()
    }

    /// The least of `most` and of what `bound` says of each index, which is no less than its key:
    /// only indices with keys below the least one so far are asked, and told that.
    pub fn least_bound(&self, bound: &impl Fn(usize, Time) -> Time, most: Time) -> Time {
        self.least_below(1, bound, most)
    }

    fn least_below(&self, place: usize, bound: &impl Fn(usize, Time) -> Time, most: Time) -> Time {
        let winner = self.matches[place];
        if winner.at() >= most {
            return most;
        }
        if place >= self.leaves() {
            return most.min(bound(winner.index, most));
        }
        let least = self.least_below(2 * place, bound, most);
        self.least_below(2 * place + 1, bound, least)
    }

    /// Changes the key of `index`.
    #[inline]
    pub fn set(&mut self, index: usize, at: Time) {
        let mut place = self.leaves() | index;
        let matches = &mut self.matches;
        // As in a ring: the compiler sees that no place is beyond the last.
        let mask = matches.len().wrapping_sub(1);
        let mut winner = Entry::new(at, index);
        matches[place & mask] = winner;
        while place > 1 {
            winner = winner.against(matches[(place ^ 1) & mask], place);
            place >>= 1;
            matches[place & mask] = winner;
        }
    }

    /// First instant at which another key wins: with any earlier key `index` keeps winning.
    // Kept out of the loop that calls it now and then: inlined, it costs that loop a tenth of its
    // speed.
    #[inline(never)]
    pub fn wins_until(&self, index: usize) -> Time {
        let matches = &self.matches;
        let mask = matches.len().wrapping_sub(1);
        let mut end = Time::MAX.picoseconds() as u64;
        let mut place = self.leaves() | index;
        while place > 1 {
            // At a tie the left one wins, so the right one waits a picosecond longer.
            let other = place ^ 1;
            end = end.min(matches[other & mask].at.wrapping_add(is_right(other)));
            place >>= 1;
        }
        Time::from_picoseconds(end as i64)
    }

    /// Lowers the key of `index` to `at` if that is earlier. Matches are checked from the leaf on:
    /// most lowered keys lose one of the first.
    #[inline]
    pub fn lower(&mut self, index: usize, at: Time) {
        let mut place = self.leaves() | index;
        let matches = &mut self.matches;
        let mask = matches.len().wrapping_sub(1);
        let lowered = Entry::new(at, index);
        while place > 0 && lowered.is_before(matches[place & mask]) {
            matches[place & mask] = lowered;
            place >>= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Span;

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
            if state >> 63 == 0 {
                tree.set(index, key);
                keys[index] = key;
            } else {
                tree.lower(index, key);
                keys[index] = keys[index].min(key);
            }
            assert_eq!(tree.key(index), keys[index]);
            let best = (0..11).min_by_key(|&i| (keys[i], i)).unwrap();
            assert_eq!(tree.min(), (keys[best], best));
            let wins_until = tree.wins_until(best);
            let wins_at = |key: Time| (0..11).all(|i| i == best || (key, best) < (keys[i], i));
            assert!(
                wins_at(wins_until - Span::from_picoseconds(1))
                    && (wins_until == Time::MAX || !wins_at(wins_until))
            );
        }
    }

    #[test]
    fn a_single_key_wins_until_the_end() {
        let mut tree = Tournament::new(1);
        assert_eq!((tree.min(), tree.wins_until(0)), ((Time::MAX, 0), Time::MAX));
        tree.set(0, at(9));
        tree.lower(0, at(7));
        assert_eq!((tree.min(), tree.key(0), tree.wins_until(0)), ((at(7), 0), at(7), Time::MAX));
        tree.lower(0, at(8));
        assert_eq!((tree.min(), Tournament::new(0).min()), ((at(7), 0), (Time::MAX, 0)));
    }

    #[test]
    fn it_begins_with_its_keys() {
        let mut tree: Tournament = [9, 7, 8, 7, 9].map(at).into_iter().collect();
        assert_eq!(
            (0..5).map(|index| tree.key(index)).collect::<Vec<_>>(),
            [9, 7, 8, 7, 9].map(at)
        );
        let mut order = Vec::new();
        for _ in 0..5 {
            let (key, index) = tree.min();
            order.push((key.picoseconds(), index));
            tree.set(index, Time::MAX);
        }
        assert_eq!(order, [(7, 1), (7, 3), (8, 2), (9, 0), (9, 4)]);
        assert_eq!(tree.min(), (Time::MAX, 0));
    }
}
