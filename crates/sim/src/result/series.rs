//! Time series in bounded memory.

use crate::units::{Span, Time};

/// When a point is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampling {
    /// On a grid from time zero.
    Every(Span),
    /// Whenever the value changes.
    OnChange,
}

/// A recorded quantity: `values[i]` at `times[i]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Such as `an2.edc-side.queue` or `bulk.cwnd`.
    pub name: String,
    /// Unit of the values.
    pub unit: &'static str,
    /// Instants, increasing.
    pub times: Vec<Time>,
    /// One value per instant.
    pub values: Vec<f64>,
    /// How many times every second point was given up to stay within the limit.
    pub thinned: u32,
}

/// Records one series, on a grid or on change, never more than `limit` points.
///
/// When the limit is reached every second point goes and from then on only every second is taken: the spacing doubles.
/// The result depends on nothing but the run.
#[derive(Clone, Debug)]
pub struct Recorder {
    series: Series,
    limit: usize,
    sampling: Sampling,
    due: Time,
    /// Of a series on change: take one change in so many.
    stride: u64,
    changes: u64,
    last: f64,
}

impl Recorder {
    /// Nothing recorded yet. `limit` is at least 2.
    pub fn new(name: String, unit: &'static str, sampling: Sampling, limit: usize) -> Self {
        let due = match sampling {
            Sampling::Every(_) => Time::ZERO,
            Sampling::OnChange => Time::MAX,
        };
        let series = Series { name, unit, times: Vec::new(), values: Vec::new(), thinned: 0 };
        Self { series, limit, sampling, due, stride: 1, changes: 0, last: f64::NAN }
    }

    /// When the next grid sample is due; [`Time::MAX`] for a series on change.
    pub fn due(&self) -> Time {
        self.due
    }

    /// The grid sample that is due, as everything before it left the value.
    pub fn sample(&mut self, due: Time, value: f64) {
        self.make_room();
        if let Sampling::Every(interval) = self.sampling {
            let spacing = interval.picoseconds().saturating_mul(1 << self.series.thinned.min(62));
            if due.picoseconds() % spacing == 0 {
                self.push(due, value);
            }
            self.due = Time::from_picoseconds((due.picoseconds() / spacing + 1).saturating_mul(spacing));
        }
    }

    /// The value may have changed.
    #[inline]
    pub fn on_change(&mut self, at: Time, value: f64) {
        if self.sampling == Sampling::OnChange && value.to_bits() != self.last.to_bits() {
            self.last = value;
            self.changes += 1;
            if self.changes.is_multiple_of(self.stride) {
                self.make_room();
                self.push(at, value);
            }
        }
    }

    /// The finished series.
    pub fn finish(self) -> Series {
        self.series
    }

    fn make_room(&mut self) {
        if self.series.times.len() >= self.limit {
            keep_every_second(&mut self.series.times);
            keep_every_second(&mut self.series.values);
            self.series.thinned += 1;
            self.stride *= 2;
        }
    }

    fn push(&mut self, at: Time, value: f64) {
        self.series.times.push(at);
        self.series.values.push(value);
    }
}

fn keep_every_second<T: Copy>(points: &mut Vec<T>) {
    let kept = points.len().div_ceil(2);
    for index in 0..kept {
        points[index] = points[2 * index];
    }
    points.truncate(kept);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorder(sampling: Sampling, limit: usize) -> Recorder {
        Recorder::new("an2.edc-side.queue".into(), "cell", sampling, limit)
    }

    #[test]
    fn a_grid_stays_a_grid_when_it_is_thinned() {
        let mut grid = recorder(Sampling::Every(Span::from_milliseconds(1)), 8);
        while grid.due() <= Time::ZERO + Span::from_milliseconds(40) {
            let due = grid.due();
            grid.sample(due, due.seconds_f64());
        }
        let series = grid.finish();
        assert!(series.times.len() <= 8);
        assert_eq!(series.thinned, 3);
        for (index, at) in series.times.iter().enumerate() {
            assert_eq!(*at, Time::ZERO + Span::from_milliseconds(8 * index as i64));
        }
    }

    #[test]
    fn as_many_points_as_the_limit_are_all_kept() {
        let mut grid = recorder(Sampling::Every(Span::from_milliseconds(1)), 8);
        for _ in 0..8 {
            grid.sample(grid.due(), 0.0);
        }
        assert_eq!(grid.series.times.len(), 8);
        assert_eq!(grid.series.thinned, 0);
    }

    #[test]
    fn changes_are_recorded_once_and_thinned_evenly() {
        let mut changes = recorder(Sampling::OnChange, 4);
        for step in 0..10 {
            changes.on_change(Time::from_picoseconds(step), f64::from(step as i32));
            changes.on_change(Time::from_picoseconds(step), f64::from(step as i32));
        }
        let series = changes.finish();
        assert!(series.values.len() <= 4 && series.times.is_sorted());
        assert_eq!(series.times[0], Time::ZERO);
    }
}
