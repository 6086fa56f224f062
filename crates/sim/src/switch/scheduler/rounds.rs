//! Trains of equal gap, merged onto one line.
//!
//! Of c trains each gives a cell to every *round*, in the same order; the next round comes a gap G
//! later. Let a line be free at f and take T for a cell, and let the cells of the first round come
//! at a₀ … a₍c−1₎ within G. Then
//!
//! - if every cell of the first round finds the line busy, cell j leaves at f + (j + 1)T and waits
//!   wⱼ = f + jT − aⱼ ≥ 0. A round later all wait longer by cT − G, or shorter: as long as none
//!   finds the line free, the cells of each train leave cT apart;
//! - if the first round begins on a free line, f ≤ a₀, and is through within the gap, so are all
//!   later ones, and each is like the first: the cells of each train leave G apart.
//!
//! In between rounds are not alike, and cells are served one by one.

use crate::switch::merger::Begun;
use crate::units::{Span, Time};

/// Rounds that a line serves alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rounds {
    /// How many.
    pub(super) count: u32,
    /// From one cell of a train to the next, as they leave.
    pub(super) gap: Span,
    /// By how much longer each cell waits than that of the same train one round before.
    growth: Span,
    /// Of the first round.
    longest: Span,
    /// Picoseconds, of the first round together.
    waits: i128,
    trains: usize,
}

impl Rounds {
    /// Of these trains of equal gap, at a line that is free at some instant and takes some time for
    /// a cell, where none may wait longer than `longest_wait`; `None` if there are not even two.
    pub(super) fn of(
        trains: &[Begun],
        (free_at, cell_time): (Time, Span),
        longest_wait: Span,
        most: u32,
    ) -> Option<Self> {
        let first = trains[0].train.first.at;
        let gap = trains[0].train.gap;
        let mut line = free_at;
        let (mut shortest, mut longest, mut waits) = (Span::MAX, Span::ZERO, 0_i128);
        for begun in trains {
            let wait = line - begun.train.first.at;
            shortest = shortest.min(wait);
            let wait = wait.max(Span::ZERO);
            longest = longest.max(wait);
            waits += i128::from(wait.picoseconds());
            line = begun.train.first.at.max(line) + cell_time;
        }
        let rounds =
            Self { count: most, gap, growth: Span::ZERO, longest, waits, trains: trains.len() };
        if longest > longest_wait {
            return None;
        }
        if free_at <= first && line <= first + gap {
            return Some(rounds);
        }
        if shortest < Span::ZERO {
            return None;
        }
        let gap_of_busy = cell_time * trains.len() as i64;
        let growth = gap_of_busy - gap;
        // The shortest wait may shrink to nothing, the longest may grow to the longest.
        let (room, step) = if growth < Span::ZERO {
            (shortest, gap - gap_of_busy)
        } else {
            (longest_wait - longest, growth)
        };
        let later = if step == Span::ZERO { u64::MAX } else { quotient(room, step) };
        let count = later.saturating_add(1).min(u64::from(most)) as u32;
        (count > 1).then_some(Self { count, gap: gap_of_busy, growth, ..rounds })
    }

    /// Picoseconds that all cells wait.
    pub(super) fn waits(&self) -> i128 {
        let count = i128::from(self.count);
        let growths = count * (count - 1) / 2 * self.trains as i128;
        self.waits * count + i128::from(self.growth.picoseconds()) * growths
    }

    /// How long the one waits that waits longest.
    pub(super) fn longest_wait(&self) -> Span {
        self.longest + (self.growth * i64::from(self.count - 1)).max(Span::ZERO)
    }
}

fn quotient(of: Span, by: Span) -> u64 {
    of.picoseconds() as u64 / by.picoseconds() as u64
}
