//! Distributions at a first-in, first-out port of equal cells, from its admissions alone:
//! departures are not reported.
//!
//! Let a cell take T on the line, and let S(t) be the time that the last cell in the buffer stays
//! from t on. Departures are T apart as long as anything waits, so N = ⌈S/T⌉ cells are in the
//! buffer. S falls by a second a second down to nothing, and a cell that is admitted to stay for s
//! raises it to s: from s − T, or from nothing if no cell is before it. S falls later through the
//! range through which it rises, and the time of the fall counts: with k = ⌈s/T⌉ the cell brings s
//! − (k − 1)T of time with k in the buffer, and the rest of T with k − 1, unless k is 1. So the
//! number of cells admitted as the k-th and the sum of their stays give the time with k or k − 1 in
//! the buffer, in whole picoseconds. At the beginning of the measurement S adds the time of its
//! remaining fall; at its end that time is subtracted. The rest of the time the buffer was empty.
//!
//! At first only the delay of a cell is stored: its stay and, where the cell on the line does not
//! count, T. Delays are counted in batches of some hundred, so that the loops run in registers;
//! without waiting all delays are equal. No delay is tested for its end within the measurement.
//! Departures after an instant that no arrival is later than are T apart up to the last, so their
//! number is known.

use super::histogram::the_same;
use super::{DelayDistribution, Histogram, PortDistributions, QueueDistributionSummary, Window};
use crate::units::{Span, Time};

/// Number of delays that are counted at once: the range of an index of eight bits.
const BATCH: usize = 1 << u8::BITS;

/// The distributions of one queue, made from its admissions.
#[derive(Clone, Debug)]
pub struct FifoDistributions {
    /// Delays that are not yet counted, in picoseconds.
    pending: [u64; BATCH],
    /// Number of delays in `pending`.
    filled: u8,
    cell_time: CellTime,
    /// Time from the instant at which a cell leaves the buffer until it has left the line.
    after_buffer: u64,
    since: Time,
    window: Window,
    /// Counts by k − 1.
    levels: Vec<Level>,
    /// Time added by the cells in the buffer at the beginning, in picoseconds, by k − 1.
    at_first: Vec<u64>,
    delay: DelayDistribution,
}

/// Counts of the cells admitted as the k-th.
#[derive(Clone, Copy, Debug, Default)]
struct Level {
    cells: u64,
    /// Sum of their stays in picoseconds, modulo 2^64.
    stays: u64,
}

impl Level {
    /// Adds cells that each stay for the time `stay`.
    #[inline]
    fn add(&mut self, cells: u64, stay: u64) {
        self.cells = self.cells.wrapping_add(cells);
        self.stays = self.stays.wrapping_add(cells.wrapping_mul(stay));
    }

    /// Times with k and with k − 1 in the buffer because of these cells, each of which takes
    /// `cell_time` on the line.
    fn times(self, others: usize, cell_time: u64) -> (u64, u64) {
        let through = self.cells.wrapping_mul(others as u64).wrapping_mul(cell_time);
        // The terms that cancel may be longer than any run; the times are not.
        let own = self.stays.wrapping_sub(through);
        (own, self.cells * cell_time - own)
    }
}

/// T, and the factor that replaces a division by it: a division takes longer than all the rest.
#[derive(Clone, Copy, Debug)]
struct CellTime {
    picoseconds: u64,
    /// ⌊log2 T⌋.
    shift: u32,
    /// ⌊(2^(64 + shift) − 1)/T⌋.
    reciprocal: u64,
}

impl CellTime {
    fn new(cell_time: Span) -> Self {
        let picoseconds = cell_time.picoseconds() as u64;
        let shift = picoseconds.ilog2();
        let reciprocal = (((1_u128 << (64 + shift)) - 1) / u128::from(picoseconds)) as u64;
        Self { picoseconds, shift, reciprocal }
    }

    /// Number of other cells that leave before a cell with this stay: ⌈stay/T⌉ − 1, and none if it
    /// does not stay.
    ///
    /// With reciprocal·T = 2^(64 + shift) − r, r is from 1 to T, so the product is less than stay/T
    /// by stay·r/(T·2^(64 + shift)): more than nothing, and no more than 1/T for stays up to 2^63.
    #[inline]
    fn others(self, stay: u64) -> usize {
        let product = u128::from(stay) * u128::from(self.reciprocal);
        ((product >> 64) as u64 >> self.shift) as usize
    }

    /// Number of cells in a train ending at `last` that leave later than `at`.
    fn leaving_after(self, at: Time, last: Time) -> usize {
        ((last - at).picoseconds().max(0) as u64).div_ceil(self.picoseconds) as usize
    }
}

impl FifoDistributions {
    /// Makes the distributions of a port whose cells take `cell_time` on the line, and leave the
    /// buffer by `after_buffer` before they have left the line.
    pub fn new(window: Window, cell_time: Span, after_buffer: Span) -> Self {
        Self {
            pending: [0; BATCH],
            filled: 0,
            cell_time: CellTime::new(cell_time),
            after_buffer: after_buffer.picoseconds() as u64,
            since: Time::ZERO,
            window,
            levels: Vec::new(),
            at_first: Vec::new(),
            delay: DelayDistribution::new(window),
        }
    }

    /// Notes a cell that is admitted at `arrival` and will have left the line at `departure`.
    #[inline]
    pub fn note(&mut self, arrival: Time, departure: Time) {
        self.pending[usize::from(self.filled)] = (departure - arrival).picoseconds() as u64;
        self.filled = self.filled.wrapping_add(1);
        if self.filled == 0 {
            self.count(BATCH, departure);
        }
    }

    /// Counts the pending delays at a port whose line will be free at `free_at`.
    fn flush(&mut self, free_at: Time) {
        self.count(usize::from(self.filled), free_at);
        self.filled = 0;
    }

    /// Counts the first `noted` of the pending delays; their cells all arrived by the end of the
    /// warm-up, or all later.
    #[inline(never)]
    fn count(&mut self, noted: usize, free_at: Time) {
        let noted = &self.pending[..noted];
        let until = |at| noted.len() - self.cell_time.leaving_after(at, free_at).min(noted.len());
        let last = until(self.window.until);
        if self.since < self.window.from {
            self.delay.note_all(&noted[until(self.window.from)..last]);
        } else {
            self.delay.note_all(&noted[..last]);
            raise(&mut self.levels, noted, self.after_buffer, self.cell_time);
        }
    }

    /// Begins the measurement at a port whose line will be free at `free_at`.
    pub fn begin(&mut self, at: Time, free_at: Time) {
        self.flush(free_at);
        self.levels.clear();
        self.since = at;
        self.at_first = self.to_fall(at, free_at);
    }

    /// Times with one cell in the buffer, with two, and so on, if none is admitted from `at` on.
    fn to_fall(&self, at: Time, free_at: Time) -> Vec<u64> {
        let stay = (free_at - at).picoseconds() - self.after_buffer as i64;
        if stay <= 0 {
            return Vec::new();
        }
        let others = self.cell_time.others(stay as u64);
        let mut times = vec![self.cell_time.picoseconds; others];
        times.push(stay as u64 - others as u64 * self.cell_time.picoseconds);
        times
    }

    /// Summary of the counts until `at`, at a port whose line will be free at `free_at`; `None`
    /// before the warm-up is over.
    pub fn summary(&mut self, at: Time, free_at: Time) -> Option<PortDistributions> {
        if at <= self.window.from {
            return None;
        }
        self.flush(free_at);
        let to_fall = self.to_fall(at, free_at);
        let mut times = Histogram::default();
        let mut empty = (at - self.since).picoseconds() as u64;
        let mut below = 0;
        for others in (0..self.levels.len().max(self.at_first.len())).rev() {
            let of = |times: &[u64]| times.get(others).copied().unwrap_or(0);
            let level = self.levels.get(others).copied().unwrap_or_default();
            let (own, next_below) = level.times(others, self.cell_time.picoseconds);
            let time = own + below + of(&self.at_first) - of(&to_fall);
            below = next_below;
            empty -= time;
            times.add(others as u64 + 1, time);
        }
        times.add(0, empty);
        Some(PortDistributions {
            queue: QueueDistributionSummary::of(&times)?,
            delay: self.delay.summary(),
        })
    }
}

/// Adds the times that cells with these `delays` bring to the queue.
fn raise(levels: &mut Vec<Level>, delays: &[u64], after_buffer: u64, cell_time: CellTime) {
    let mut add = |cells, delay: u64| {
        let stay = delay.wrapping_sub(after_buffer);
        let others = cell_time.others(stay);
        match levels.get_mut(others) {
            Some(level) => level.add(cells, stay),
            None => grow(levels, others).add(cells, stay),
        }
    };
    match the_same(delays) {
        Some(delay) => add(delays.len() as u64, delay),
        None => delays.iter().for_each(|&delay| add(1, delay)),
    }
}

#[cold]
fn grow(levels: &mut Vec<Level>, others: usize) -> &mut Level {
    levels.resize(others + 1, Level::default());
    &mut levels[others]
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
        // No cell for 10 ps, one for 10, two for 7 and 10, three for 3.
        assert_eq!((found.mean, found.max), ((10.0 + 34.0 + 9.0) / 40.0, 3));
        assert_eq!((found.above[&0], found.above[&1], found.above[&2]), (0.75, 0.5, 0.075));
    }

    /// Cells in the buffer at the end of the warm-up count from then on, cells in it at the end
    /// until then.
    #[test]
    fn a_busy_port_counts_from_the_end_of_the_warm_up_to_the_end() {
        let mut port = port(12);
        for (arrival, departure) in [(5, 15), (5, 25)] {
            port.note(at(arrival), at(departure));
        }
        port.begin(at(12), at(25));
        port.note(at(12), at(35));
        let found = port.summary(at(16), at(35)).expect("4 ps were counted");
        assert_eq!((found.queue.above[&1], found.queue.above[&2], found.queue.max), (1.0, 0.75, 3));
        assert_eq!((found.delay.samples, port.summary(at(12), at(35))), (3, None));
    }

    #[test]
    fn the_reciprocal_divides_as_a_division_would() {
        for cell_time in [1, 2, 3, 7, 10, 1 << 20, 2_726_337, 2_831_184, 275_958_000, (1 << 40) + 1]
        {
            let by_reciprocal = CellTime::new(Span::from_picoseconds(cell_time));
            let near = |cells: i64| {
                (-1..=1).map(move |more| cells.saturating_mul(cell_time).saturating_add(more))
            };
            let stays = [1, 2, 3, 1000, 4_321_987, 1 << 40, i64::MAX / cell_time]
                .into_iter()
                .flat_map(near);
            for stay in stays.chain([i64::MAX - 1, i64::MAX]).filter(|stay| *stay > 0) {
                let others = (stay - 1) / cell_time;
                assert_eq!(
                    by_reciprocal.others(stay as u64),
                    others as usize,
                    "{stay} of {cell_time}"
                );
            }
        }
    }

    /// Stays add up to more than 2^64 ps, and the reported times are exact.
    #[test]
    fn long_stays_of_many_cells() {
        let [hour, cells] = [3_600_000_000_000_000, 10_000];
        let window = Window { from: at(0), until: at(i64::MAX) };
        let mut port = FifoDistributions::new(window, Span::from_picoseconds(hour), Span::ZERO);
        // One cell at the start and then one whenever another leaves: two at any time.
        port.note(at(0), at(hour));
        for cell in 0..cells / 5 {
            port.note(at(cell * hour), at((cell + 2) * hour));
        }
        let end = at(cells / 5 * hour);
        let found =
            port.summary(end, end + Span::from_picoseconds(hour)).expect("2000 hours were counted");
        assert_eq!((found.queue.mean, found.queue.max), (2.0, 2));
        assert_eq!((found.delay.samples, found.delay.max), (2001, Some(7200.0)));
    }
}
