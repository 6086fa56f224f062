//! Distributions at a first-in, first-out port of equal cells, from its admissions alone: departures are not told.
//!
//! Let a cell take T on the line, and let S(t) be how long the last cell in the buffer stays from t on. Departures are T apart as long
//! as anything waits, so N = ⌈S/T⌉ cells are in the buffer. S falls by a second a second down to nothing, and a cell that is admitted to
//! stay for s raises it to s: from s − T, or from nothing if nobody is before it. What S rises through it later falls through,
//! and for as long as that takes: with k = ⌈s/T⌉ the cell brings s − (k − 1)T of time with k in the buffer, and what is left of T with
//! k − 1 unless that is none. At the beginning of the measurement S brings what it is still to fall through, as if cells had just come;
//! at its end that is taken off. The rest of the time the buffer was empty.
//!
//! Cells are counted some hundred at once: what the loop over them needs then stays in registers.
//!
//! So one division and two additions a cell count how long the queue was how long, in whole picoseconds.

use super::{DelayDistribution, Histogram, PortDistributions, QueueDistributionSummary, Window};
use crate::units::{Span, Time};

/// Follows one queue by what it admits.
#[derive(Clone, Debug)]
pub struct FifoDistributions {
    /// T, in picoseconds.
    cell_time: u64,
    /// 2^64/T, rounded down.
    reciprocal: u64,
    /// From the instant at which a cell leaves the buffer to that at which it has left the line.
    after_buffer: Span,
    since: Time,
    window: Window,
    /// By k.
    levels: Vec<Level>,
    delay: DelayDistribution,
    /// Delays within the window, in picoseconds, that are not counted yet.
    pending: Vec<u64>,
}

/// How many delays are counted at once.
const BATCH: usize = 256;

/// What the cells that came as the k-th brought, in picoseconds.
#[derive(Clone, Copy, Debug, Default)]
struct Level {
    /// With k in the buffer.
    own: u64,
    /// With k − 1.
    below: u64,
}

impl FifoDistributions {
    /// Of a port whose cells take `cell_time` on the line, and leave the buffer by so much before they have left the line.
    pub fn new(window: Window, cell_time: Span, after_buffer: Span) -> Self {
        let cell_time = cell_time.picoseconds() as u64;
        Self {
            cell_time,
            reciprocal: u64::try_from((1_u128 << 64) / u128::from(cell_time)).unwrap_or(u64::MAX),
            after_buffer,
            since: Time::ZERO,
            window,
            levels: vec![Level::default(); 2],
            delay: DelayDistribution::new(window),
            pending: Vec::with_capacity(BATCH),
        }
    }

    /// A cell is admitted at `arrival` that will have left the line at `departure`.
    #[inline]
    pub fn note(&mut self, arrival: Time, departure: Time) {
        let delay = (departure - arrival).picoseconds() as u64;
        if !self.window.has_end(departure) {
            return self.raise(delay);
        }
        self.pending.push(delay);
        if self.pending.len() == BATCH {
            self.count();
        }
    }

    /// Counts what is pending.
    #[inline(never)]
    fn count(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        for &delay in &pending {
            self.raise(delay);
        }
        self.delay.note_all(&pending);
        self.pending = pending;
        self.pending.clear();
    }

    /// What a cell with this `delay` brings to the queue.
    #[inline]
    fn raise(&mut self, delay: u64) {
        let stay = delay - self.after_buffer.picoseconds() as u64;
        if stay == 0 {
            return;
        }
        let (others, rest) = self.split(stay);
        if others + 1 >= self.levels.len() {
            self.grow(others + 2);
        }
        let level = &mut self.levels[others + 1];
        level.own += rest;
        level.below += self.cell_time - rest;
    }

    /// Of a `stay` of k cells k − 1, and what they leave of it.
    #[inline]
    fn split(&self, stay: u64) -> (usize, u64) {
        // By the reciprocal, as a division takes longer than all the rest: never too many, and too few by one at most.
        let others = ((u128::from(stay - 1) * u128::from(self.reciprocal)) >> 64) as u64;
        let rest = stay.wrapping_sub(others.wrapping_mul(self.cell_time));
        let is_short = rest > self.cell_time;
        let one = u64::from(is_short);
        ((others + one) as usize, if is_short { rest - self.cell_time } else { rest })
    }

    #[cold]
    fn grow(&mut self, levels: usize) {
        self.levels.resize(levels, Level::default());
    }

    /// The measurement begins at a port whose line will be free at `free_at`.
    pub fn begin(&mut self, at: Time, free_at: Time) {
        self.count();
        self.levels.fill(Level::default());
        self.since = at;
        for (level, falls) in (1..).zip(self.to_fall(at, free_at)) {
            if level >= self.levels.len() {
                self.grow(level + 1);
            }
            self.levels[level].own = falls;
        }
    }

    /// With one in the buffer, with two, and so on: for how long, if none is admitted from `at` on.
    fn to_fall(&self, at: Time, free_at: Time) -> Vec<u64> {
        let stay = free_at - at - self.after_buffer;
        if stay <= Span::ZERO {
            return Vec::new();
        }
        let (others, rest) = self.split(stay.picoseconds() as u64);
        let mut times = vec![self.cell_time; others];
        times.push(rest);
        times
    }

    /// What was counted until `at`, at a port whose line will be free at `free_at`; nothing before the warm-up is over.
    pub fn summary(&mut self, at: Time, free_at: Time) -> Option<PortDistributions> {
        if at <= self.window.from {
            return None;
        }
        self.count();
        let to_fall = self.to_fall(at, free_at);
        let mut times = Histogram::default();
        let mut empty = (at - self.since).picoseconds() as u64;
        for (k, level) in self.levels.iter().enumerate().skip(1) {
            let from_above = self.levels.get(k + 1).map_or(0, |level| level.below);
            let falls = to_fall.get(k - 1).copied().unwrap_or(0);
            let time = level.own + from_above - falls;
            empty -= time;
            times.add(k as u64, time);
        }
        times.add(0, empty);
        Some(PortDistributions { queue: QueueDistributionSummary::of(&times)?, delay: self.delay.summary() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATER: Time = Time::from_picoseconds(1_000_000);

    fn at(picoseconds: i64) -> Time {
        Time::from_picoseconds(picoseconds)
    }

    fn port(from: i64) -> FifoDistributions {
        let window = Window { from: at(from), until: LATER };
        FifoDistributions::new(window, Span::from_picoseconds(10), Span::ZERO)
    }

    /// T = 10: cells at 5, 5 and 12 leave at 15, 25 and 35.
    #[test]
    fn three_cells_by_hand() {
        let mut port = port(0);
        for (arrival, departure) in [(5, 15), (5, 25), (12, 35)] {
            port.note(at(arrival), at(departure));
        }
        let found = port.summary(at(40), at(35)).expect("40 ps were counted").queue;
        // None for 10 ps, one for 10, two for 7 and 10, three for 3.
        assert_eq!((found.mean, found.largest), ((10.0 + 34.0 + 9.0) / 40.0, 3));
        assert_eq!((found.above[&0], found.above[&1], found.above[&2]), (0.75, 0.5, 0.075));
    }

    /// What was in the buffer when the warm-up ended counts from there on, what is in it at the end until there.
    #[test]
    fn a_busy_port_counts_from_the_end_of_the_warm_up_to_the_end() {
        let mut port = port(12);
        for (arrival, departure) in [(5, 15), (5, 25)] {
            port.note(at(arrival), at(departure));
        }
        port.begin(at(12), at(25));
        port.note(at(12), at(35));
        let found = port.summary(at(16), at(35)).expect("4 ps were counted");
        assert_eq!((found.queue.above[&1], found.queue.above[&2], found.queue.largest), (1.0, 0.75, 3));
        assert_eq!((found.delay.samples, port.summary(at(12), at(35))), (3, None));
    }

    #[test]
    fn a_stay_is_split_as_a_division_would() {
        for cell_time in [1, 2, 3, 7, 10, 1 << 20, 2_726_337, 2_831_184] {
            let port = FifoDistributions::new(
                Window { from: Time::ZERO, until: LATER },
                Span::from_picoseconds(cell_time),
                Span::ZERO,
            );
            let near = |cells: i64| (-1..=1).map(move |more| cells.saturating_mul(cell_time) + more);
            let stays = [1, 2, 3, 1000, 4_321_987, 1 << 40].into_iter().flat_map(near);
            for stay in stays.filter(|stay| *stay > 0) {
                let others = (stay - 1) / cell_time;
                let expected = (others as usize, (stay - others * cell_time) as u64);
                assert_eq!(port.split(stay as u64), expected, "{stay} of {cell_time}");
            }
        }
    }
}
