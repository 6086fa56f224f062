//! Smallest of few times: a single one without memory of its own, or a tournament.

use super::Tournament;
use crate::units::Time;

/// Times of the parts of a small node, most of which have one: what is next of each kind.
#[derive(Clone, Debug)]
pub enum Earliest {
    /// One time, or none, which never comes.
    One(Time),
    /// Several.
    Many(Box<Tournament>),
}

impl FromIterator<Time> for Earliest {
    fn from_iter<I: IntoIterator<Item = Time>>(times: I) -> Self {
        let mut times = times.into_iter().peekable();
        let first = times.next().unwrap_or(Time::MAX);
        if times.peek().is_none() {
            return Self::One(first);
        }
        Self::Many(Box::new(std::iter::once(first).chain(times).collect()))
    }
}

impl Earliest {
    /// So many times, all "never".
    pub fn new(count: usize) -> Self {
        std::iter::repeat_n(Time::MAX, count).collect()
    }

    /// The smallest time and its index; the lowest index among equals.
    #[inline]
    pub fn min(&self) -> (Time, usize) {
        match self {
            Self::One(at) => (*at, 0),
            Self::Many(all) => all.min(),
        }
    }

    /// The time of `index`.
    #[inline]
    pub fn key(&self, index: usize) -> Time {
        match self {
            Self::One(at) => *at,
            Self::Many(all) => all.key(index),
        }
    }

    /// Changes the time of `index`.
    #[inline]
    pub fn set(&mut self, index: usize, at: Time) {
        match self {
            Self::One(own) => *own = at,
            Self::Many(all) => all.set(index, at),
        }
    }

    /// First instant at which another index wins.
    #[inline]
    pub fn wins_until(&self, index: usize) -> Time {
        match self {
            Self::One(_) => Time::MAX,
            Self::Many(all) => all.wins_until(index),
        }
    }

    /// Lowers the time of `index` to `at` if that is earlier.
    #[inline]
    pub fn lower(&mut self, index: usize, at: Time) {
        match self {
            Self::One(own) => *own = at.min(*own),
            Self::Many(all) => all.lower(index, at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ps: i64) -> Time {
        Time::from_picoseconds(ps)
    }

    /// As many as fit without a tournament, and more, agree with one.
    #[test]
    fn it_is_a_tournament_of_any_size() {
        for count in 0..4 {
            let (mut few, mut all) = (Earliest::new(count), Tournament::new(count));
            assert_eq!(few.min(), all.min());
            let mut state = 1_u64;
            for _ in 0..if count == 0 { 0 } else { 200 } {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let (index, time) = ((state >> 33) as usize % count, at((state >> 40) as i64 % 7));
                if state >> 63 == 0 {
                    few.set(index, time);
                    all.set(index, time);
                } else {
                    few.lower(index, time);
                    all.lower(index, time);
                }
                let first = all.min().1;
                assert_eq!((few.key(index), few.min()), (all.key(index), all.min()));
                assert_eq!(few.wins_until(first), all.wins_until(first));
            }
        }
    }
}
