//! Trains of equal gap, merged onto one line.
//!
//! Each of c trains gives a cell to every *round*, in the same order; the next round comes a gap G
//! later. Let a line be free at f and take T for a cell, and let the cells of the first round come
//! at a₀ … a₍c−1₎ within G. Then
//!
//! - if every cell of the first round finds the line busy, cell j leaves at f + (j + 1)T and waits
//!   wⱼ = f + jT − aⱼ ≥ 0. A round later all wait longer by cT − G, or shorter: as long as none
//!   finds the line free, the cells of each train leave cT apart;
//! - if the first round begins on a free line, f ≤ a₀, and is through within the gap, so are all
//!   later ones, and each is like the first: the cells of each train leave G apart;
//! - if some cells of the first round wait and others find the line free, and it ends at f + G,
//!   then the next one begins like this one and is alike.
//!
//! Other rounds are not alike, and are served one by one.

use crate::link::CellRun;
use crate::switch::merger::Begun;
use crate::units::{Span, Time};

/// Rounds that a line serves alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rounds {
    /// Number of rounds.
    pub(super) count: u32,
    /// Time from one cell of a train to the next, as they leave.
    pub(super) gap: Span,
    /// Additional wait of each cell to that of the same train one round before.
    growth: Span,
    /// Longest wait in the first round.
    longest: Span,
    /// Sum of the waits in the first round, picoseconds.
    waits: i128,
    trains: usize,
}

impl Rounds {
    /// Makes the rounds of these trains of equal gap, at a line that is free at `free_at` and takes
    /// `cell_time`, where no cell may wait longer than `longest_wait`; `None` if one of the first
    /// round would.
    #[inline(never)]
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
        if line == free_at + gap || (free_at <= first && line <= first + gap) {
            return Some(rounds);
        }
        if shortest < Span::ZERO {
            return Some(Self { count: 1, ..rounds });
        }
        let gap_of_busy = cell_time * trains.len() as i64;
        // Not zero: the case of a line that is left as it was found is done above.
        let growth = gap_of_busy - gap;
        // The shortest wait may shrink to zero, the longest may grow to `longest_wait`.
        let (room, step) = if growth < Span::ZERO {
            (shortest, gap - gap_of_busy)
        } else {
            (longest_wait - longest, growth)
        };
        let count = quotient(room, step).saturating_add(1).min(u64::from(most)) as u32;
        Some(Self { count, gap: gap_of_busy, growth, ..rounds })
    }

    /// Sum of the waits of all cells, picoseconds.
    pub(super) fn waits(&self) -> i128 {
        let count = i128::from(self.count);
        let growths = count * (count - 1) / 2 * self.trains as i128;
        self.waits * count + i128::from(self.growth.picoseconds()) * growths
    }

    /// Sums of the waits of the cells of each train, picoseconds.
    pub(super) fn waits_of_trains(
        &self,
        trains: &[Begun],
        (free_at, cell_time): (Time, Span),
    ) -> impl Iterator<Item = i128> {
        let count = i128::from(self.count);
        let growths = count * (count - 1) / 2 * i128::from(self.growth.picoseconds());
        let mut line = free_at;
        trains.iter().map(move |begun| {
            let start = begun.train.first.at.max(line);
            line = start + cell_time;
            i128::from((start - begun.train.first.at).picoseconds()) * count + growths
        })
    }

    /// Cells of all rounds as they leave the line, in order.
    pub(super) fn sent(&self, trains: &[Begun], (free_at, cell_time): (Time, Span)) -> CellRun {
        let mut sent = free_at.max(trains[0].train.first.at) + cell_time;
        let mut round = CellRun::alone(sent);
        for begun in &trains[1..] {
            sent = begun.train.first.at.max(sent) + cell_time;
            round = round.and(sent, cell_time);
        }
        let ends = trains.iter().map(|begun| begun.train);
        let ends = ends.filter(|train| train.count == self.count && train.end().is_some());
        round.repeated(self.count, self.gap, cell_time).with_ends(ends.count() as u64)
    }

    /// Longest wait of a cell.
    pub(super) fn longest_wait(&self) -> Span {
        self.longest + (self.growth * i64::from(self.count - 1)).max(Span::ZERO)
    }
}

fn quotient(of: Span, by: Span) -> u64 {
    of.picoseconds() as u64 / by.picoseconds() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdu::{Cell, CellHead, ContentId, Train};

    fn span(picoseconds: i64) -> Span {
        Span::from_picoseconds(picoseconds)
    }

    fn at(picoseconds: i64) -> Time {
        Time::from_picoseconds(picoseconds)
    }

    /// Trains of cells `gap` apart that begin at these instants.
    fn trains(begin: &[i64], gap: i64) -> Vec<Begun> {
        let train = |(slot, &begin): (usize, &i64)| {
            let first = Cell { at: at(begin), head: CellHead::raw(slot as u32) };
            Begun::new(Train::new(first, span(gap), 9), slot as u32, slot as u32, 0)
        };
        begin.iter().enumerate().map(train).collect()
    }

    /// Departure and wait of each cell, computed round by round and cell by cell.
    fn served(
        begin: &[i64],
        gap: i64,
        mut free: i64,
        cell_time: i64,
        rounds: u32,
    ) -> Vec<(i64, i64)> {
        let rounds =
            (0..i64::from(rounds)).flat_map(|round| begin.iter().map(move |at| at + round * gap));
        let mut one = |arrival: i64| {
            let start = free.max(arrival);
            free = start + cell_time;
            (free, start - arrival)
        };
        rounds.map(&mut one).collect()
    }

    #[test]
    fn the_line_makes_of_rounds_what_it_makes_of_their_cells() {
        let (mut alike, mut growing, mut shrinking) = (0, 0, 0);
        for begin in [&[50][..], &[50, 51], &[50, 56], &[50, 53, 58], &[50, 50, 50, 52]] {
            for (gap, cell_time, free_at, room) in (9..22)
                .flat_map(|gap| [3, 5, 6, 7].map(|time| (gap, time)))
                .flat_map(|(gap, time)| (40..90).map(move |free| (gap, time, free)))
                .flat_map(|(gap, time, free)| [8, 30, 1000].map(|room| (gap, time, free, room)))
            {
                let of = trains(begin, gap);
                let line = (at(free_at), span(cell_time));
                let Some(rounds) = Rounds::of(&of, line, span(room), 7) else { continue };
                assert!((1..=7).contains(&rounds.count));
                let cells = served(begin, gap, free_at, cell_time, rounds.count);
                let told = (begin, gap, cell_time, free_at, room, rounds);
                for (number, (left, _)) in cells.iter().enumerate() {
                    let (round, train) = (number / begin.len(), number % begin.len());
                    let gap = rounds.gap.picoseconds() * round as i64;
                    assert_eq!(*left, cells[train].0 + gap, "{told:?}");
                }
                let waits = cells.iter().map(|(_, wait)| i128::from(*wait)).sum::<i128>();
                assert_eq!(rounds.waits(), waits, "{told:?}");
                let longest = cells.iter().map(|(_, wait)| *wait).max();
                assert_eq!(Some(rounds.longest_wait().picoseconds()), longest, "{told:?}");
                assert!(longest <= Some(room), "{told:?}");
                alike += u32::from(rounds.growth == Span::ZERO);
                growing += u32::from(rounds.growth > Span::ZERO);
                shrinking += u32::from(rounds.growth < Span::ZERO);
            }
        }
        assert!(alike.min(growing).min(shrinking) > 100, "{alike}, {growing}, {shrinking}");
    }

    #[test]
    fn a_round_in_which_the_line_is_found_free_is_like_the_next_if_it_ends_a_gap_later() {
        // The first cell waits for 2, the second finds the line free.
        let of = trains(&[50, 60], 20);
        let rounds = |free| Rounds::of(&of, (at(free), span(6)), span(1000), 5);
        assert_eq!(rounds(52).map(|rounds| rounds.count), Some(1));
        // As it is left behind: the second has the line until 66.
        assert_eq!(rounds(46).map(|rounds| rounds.count), Some(5));
        // The third has it until 74, as the first has found it until 54.
        let of = trains(&[50, 55, 68], 20);
        let rounds = Rounds::of(&of, (at(54), span(6)), span(1000), 5);
        assert_eq!(rounds.map(|rounds| (rounds.count, rounds.waits())), Some((5, 5 * (4 + 5))));
    }

    /// Three rounds of a frame of three cells end it; two do not, nor the cells of others.
    #[test]
    fn rounds_that_take_the_last_cells_of_frames_know_of_them() {
        let mut of = trains(&[50, 60], 20);
        let body = of[1].train.first.head;
        let frame = Train::frame(at(60), body, 3, body.ending(ContentId(5)));
        of[1].train = frame;
        of[1].train.gap = span(20);
        let line = (at(40), span(6));
        let ends = |most| {
            Rounds::of(&of, line, span(1000), most)
                .map(|rounds| (rounds.count, rounds.sent(&of, line).ends))
        };
        assert_eq!([ends(3), ends(2)], [Some((3, 1)), Some((2, 0))]);
    }
}
