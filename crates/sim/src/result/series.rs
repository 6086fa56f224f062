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
    /// Instants, never decreasing; at one instant the last value holds.
    pub times: Vec<Time>,
    /// One value per instant.
    pub values: Vec<f64>,
    /// How many times points were given up to stay within the limit.
    pub thinned: u32,
}

/// Records one series, on a grid or on change, never more than `limit` points.
///
/// When a grid is full every second point goes and the spacing doubles. When a series on change is full, time is divided
/// into slots, and of each slot the largest value and the last one stay: peaks survive, and so does what holds until the
/// next point. The result depends on nothing but the run.
#[derive(Clone, Debug)]
pub struct Recorder {
    series: Series,
    limit: usize,
    sampling: Sampling,
    due: Time,
    /// Of a series on change that was thinned: the length of a slot.
    slot: Span,
    last: f64,
}

impl Recorder {
    /// Nothing recorded yet. `limit` is at least 8.
    pub fn new(name: String, unit: &'static str, sampling: Sampling, limit: usize) -> Self {
        let due = match sampling {
            Sampling::Every(_) => Time::ZERO,
            Sampling::OnChange => Time::MAX,
        };
        let series = Series { name, unit, times: Vec::new(), values: Vec::new(), thinned: 0 };
        Self { series, limit, sampling, due, slot: Span::ZERO, last: f64::NAN }
    }

    /// When the next grid sample is due; [`Time::MAX`] for a series on change.
    pub fn due(&self) -> Time {
        self.due
    }

    /// The grid sample that is due, as everything before it left the value.
    pub fn sample(&mut self, due: Time, value: f64) {
        if self.series.times.len() >= self.limit {
            keep_every_second(&mut self.series.times);
            keep_every_second(&mut self.series.values);
            self.series.thinned += 1;
        }
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
            if self.series.times.len() >= self.limit {
                self.thin_changes();
            }
            self.admit(at, value);
        }
    }

    /// The finished series.
    pub fn finish(self) -> Series {
        self.series
    }

    /// Two points a slot and slots for a quarter of the limit: half of it is free again.
    fn thin_changes(&mut self) {
        let whole = *self.series.times.last().expect("a full series has points") - self.series.times[0];
        let enough = Span::from_picoseconds(whole.picoseconds() / (self.limit as i64 / 4).max(1) + 1);
        self.slot = enough.max(self.slot * 2);
        self.series.thinned += 1;
        let times = std::mem::take(&mut self.series.times);
        let values = std::mem::take(&mut self.series.values);
        for (at, value) in times.into_iter().zip(values) {
            self.admit(at, value);
        }
    }

    /// Appends, unless the point before it is of the same slot and stands between the slot's largest and this last one.
    fn admit(&mut self, at: Time, value: f64) {
        let count = self.series.times.len();
        let is_same_slot = |index: usize| self.slot_of(self.series.times[index]) == self.slot_of(at);
        if count >= 2 && is_same_slot(count - 2) && is_same_slot(count - 1) {
            let (largest, last) = (self.series.values[count - 2], self.series.values[count - 1]);
            if last >= largest {
                // The last one is the largest now, and stays as that.
                self.series.times.swap_remove(count - 2);
                self.series.values.swap_remove(count - 2);
            } else {
                self.series.times.pop();
                self.series.values.pop();
            }
        }
        self.push(at, value);
    }

    fn slot_of(&self, at: Time) -> i64 {
        at.picoseconds() / self.slot.picoseconds().max(1)
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
    fn changes_are_recorded_once() {
        let mut changes = recorder(Sampling::OnChange, 8);
        for step in 0..4 {
            changes.on_change(Time::from_picoseconds(step), step as f64);
            changes.on_change(Time::from_picoseconds(step), step as f64);
        }
        assert_eq!(changes.finish().values, [0.0, 1.0, 2.0, 3.0]);
    }

    /// A queue that goes up and down by one once lost all its ones to thinning.
    #[test]
    fn thinned_changes_keep_the_peak_and_the_last_value_of_every_slot() {
        let mut changes = recorder(Sampling::OnChange, 16);
        for step in 0..1000 {
            let value = if step == 497 { 7 } else { step % 2 };
            changes.on_change(Time::from_picoseconds(step), value as f64);
        }
        let series = changes.finish();
        assert!(series.values.len() <= 16 && series.times.is_sorted() && series.thinned > 0);
        assert!(series.values.contains(&7.0));
        assert!(series.values.iter().filter(|value| **value >= 1.0).count() >= series.values.len() / 3);
        assert_eq!(series.times.last(), Some(&Time::from_picoseconds(999)));
    }

    #[test]
    fn a_grid_that_leaves_the_range_ends() {
        let mut grid = recorder(Sampling::Every(Span::from_seconds(6 * 86_400)), 8);
        for _ in 0..40 {
            if grid.due() < Time::MAX {
                grid.sample(grid.due(), 0.0);
            }
        }
        assert!(grid.finish().times.is_sorted());
    }
}
