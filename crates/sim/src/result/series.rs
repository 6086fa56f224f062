//! Time series in bounded memory.

use crate::engine::Tally;
use crate::units::{Span, Time};

/// Instants at which points are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampling {
    /// On a grid from time zero.
    Every(Span),
    /// At every change of the value.
    OnChange,
}

/// A recorded quantity: `values[i]` at `times[i]`, from the start of the run, its warm-up included.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name such as `an2.edc-side.queue` or `bulk.cwnd`.
    pub name: String,
    /// Unit of the values.
    pub unit: &'static str,
    /// Instants, never decreasing; at one instant the last value holds.
    pub times: Vec<Time>,
    /// One value per instant; NaN where there is none, as of a law that has measured nothing yet.
    pub values: Vec<f64>,
    /// Exact time mean from each instant to the next, removed points between them included, for a
    /// series on change that was thinned. `None` for others: the value is the mean.
    pub means: Option<Vec<f64>>,
    /// Number of times that points were removed to stay within the limit.
    pub thinned: u32,
}

/// Records one series, on a grid or on change, never more than `limit` points.
///
/// A full grid loses every second point, and its spacing doubles. For a full series on change, time
/// is divided into slots, and each slot keeps its minimum, its maximum and its last point, so peaks
/// survive, and so does the value until the next point. A removed point adds its area under the
/// curve to the point before it, so no time mean between two points changes. Between two points
/// that remain, no value lies outside the range of the first of them, the one before it and the
/// three behind it. The result depends on nothing but the run.
#[derive(Clone, Debug)]
pub struct Recorder {
    series: Series,
    limit: usize,
    sampling: Sampling,
    due: Time,
    /// Length of a slot of a series on change that was thinned; it only ever doubles.
    slot: Span,
    last: f64,
    /// Instant at which `last` began.
    since: Time,
    /// Area from each point to the next of a series on change, in units of the value times
    /// picoseconds.
    areas: Vec<f64>,
    tally: Tally,
    /// Number of bytes added to the tally.
    counted: usize,
}

/// Number of points that remain of a slot.
const KEPT: usize = 3;

impl Recorder {
    /// Makes a recorder without points. `limit` is at least 16.
    pub fn new(name: String, unit: &'static str, sampling: Sampling, limit: usize) -> Self {
        let due = match sampling {
            Sampling::Every(_) => Time::ZERO,
            Sampling::OnChange => Time::MAX,
        };
        let series =
            Series { name, unit, times: Vec::new(), values: Vec::new(), means: None, thinned: 0 };
        Self {
            series,
            limit,
            sampling,
            due,
            slot: Span::ZERO,
            last: f64::NAN,
            since: Time::ZERO,
            areas: Vec::new(),
            tally: Tally::default(),
            counted: 0,
        }
    }

    /// Adds the memory of its points to `tally`, for a grid at once the memory of a run of
    /// `duration`.
    #[must_use]
    pub fn counted(mut self, tally: &Tally, duration: Span) -> Self {
        self.tally = tally.clone();
        if let Sampling::Every(interval) = self.sampling {
            let points = duration.picoseconds() / interval.picoseconds() + 1;
            let most = usize::try_from(points).map_or(self.limit, |points| points.min(self.limit));
            self.take(most * size_of::<(Time, f64)>());
        }
        self
    }

    /// Adds its growth to `bytes` to the tally.
    fn take(&mut self, bytes: usize) {
        if bytes > self.counted {
            self.tally.add(bytes - self.counted);
            self.counted = bytes;
        }
    }

    /// Instants at which points are taken.
    pub(super) fn sampling(&self) -> Sampling {
        self.sampling
    }

    /// Instant at which the next grid sample is due; [`Time::MAX`] for a series on change.
    pub fn due(&self) -> Time {
        self.due
    }

    /// Takes the grid sample that is due, of the value as everything before `due` left it.
    pub fn sample(&mut self, due: Time, value: f64) {
        if self.series.times.len() >= self.limit {
            keep_every_second(&mut self.series.times);
            keep_every_second(&mut self.series.values);
            self.series.thinned += 1;
        }
        if let Sampling::Every(interval) = self.sampling {
            let spacing = interval.picoseconds().saturating_mul(1 << self.series.thinned.min(62));
            if due.picoseconds() % spacing == 0 {
                self.series.times.push(due);
                self.series.values.push(value);
            }
            self.due =
                Time::from_picoseconds((due.picoseconds() / spacing + 1).saturating_mul(spacing));
        }
    }

    /// Notes a possible change of the value.
    #[inline]
    pub fn on_change(&mut self, at: Time, value: f64) {
        if self.sampling == Sampling::OnChange && value.to_bits() != self.last.to_bits() {
            // An infinite value that held for no time has no area.
            if let Some(area) = self.areas.last_mut().filter(|_| at > self.since) {
                *area += self.last * (at - self.since).picoseconds() as f64;
            }
            (self.last, self.since) = (value, at);
            if self.series.times.len() >= self.limit {
                self.thin_changes();
            }
            self.admit(at, value);
        }
    }

    /// The finished series.
    pub fn finish(mut self) -> Series {
        if self.slot > Span::ZERO {
            self.series.means = Some(self.means());
        }
        self.series
    }

    /// Time means of the points. The last value holds until the end, and so does one that changed
    /// at the same instant.
    fn means(&self) -> Vec<f64> {
        let Series { times, values, .. } = &self.series;
        let length =
            |index: usize| times.get(index + 1).map_or(Span::ZERO, |next| *next - times[index]);
        let mean = |index: usize| match length(index) {
            Span::ZERO => values[index],
            length => self.areas[index] / length.picoseconds() as f64,
        };
        (0..times.len()).map(mean).collect()
    }

    /// Thins the points to three in a slot. There are slots for a sixth of the limit, so that half
    /// of it is free again. A doubled slot is two whole ones, so their remaining points include its
    /// extremes.
    fn thin_changes(&mut self) {
        let whole =
            *self.series.times.last().expect("a full series has points") - self.series.times[0];
        let enough = whole.picoseconds() / (self.limit / (2 * KEPT)).max(1) as i64 + 1;
        if self.slot.is_zero() {
            self.slot = Span::from_picoseconds(enough);
        }
        while self.slot.picoseconds() < enough {
            self.slot = self.slot * 2;
        }
        self.series.thinned += 1;
        let times = std::mem::take(&mut self.series.times);
        let values = std::mem::take(&mut self.series.values);
        let areas = std::mem::take(&mut self.areas);
        for ((at, value), area) in times.into_iter().zip(values).zip(areas) {
            self.admit(at, value);
            *self.areas.last_mut().expect("it was just admitted") += area;
        }
    }

    /// Appends a point. If its slot then has a point too many, removes the one that is neither its
    /// minimum nor its maximum nor its last. The very first point always remains, since the series
    /// begins there.
    fn admit(&mut self, at: Time, value: f64) {
        self.series.times.push(at);
        self.series.values.push(value);
        self.areas.push(0.0);
        self.take(self.areas.capacity() * size_of::<(Time, f64, f64)>());
        let count = self.series.times.len();
        if self.slot.is_zero() || count < KEPT + 2 {
            return;
        }
        let first = count - KEPT - 1;
        if self.slot_of(self.series.times[first]) == self.slot_of(at) {
            let spare = first + middle(&self.series.values[first..count - 1]);
            self.series.times.remove(spare);
            self.series.values.remove(spare);
            let area = self.areas.remove(spare);
            self.areas[spare - 1] += area;
        }
    }

    fn slot_of(&self, at: Time) -> i64 {
        at.picoseconds() / self.slot.picoseconds()
    }
}

/// Index of the value of three that is neither the minimum nor the maximum; of equal ones the
/// later.
fn middle(values: &[f64]) -> usize {
    let mut order = [0, 1, 2];
    order.sort_by(|&one, &other| values[one].total_cmp(&values[other]));
    let [_, middle, max] = order;
    if values[middle] < values[max] { middle } else { max }
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

    /// Thinning once removed all ones from a queue that goes up and down by one.
    #[test]
    fn thinned_changes_keep_the_extremes_and_the_last_value_of_every_slot() {
        let mut changes = recorder(Sampling::OnChange, 16);
        for step in 0..1000 {
            let value = if step == 497 { 7 } else { step % 2 };
            changes.on_change(Time::from_picoseconds(step), value as f64);
        }
        let series = changes.finish();
        assert!(series.values.len() <= 16 && series.times.is_sorted() && series.thinned > 0);
        assert_eq!(series.times[0], Time::ZERO);
        assert!(series.values.contains(&7.0));
        for extreme in [0.0_f64, 1.0] {
            let count =
                series.values.iter().filter(|value| value.to_bits() == extreme.to_bits()).count();
            assert!(
                count >= series.values.len() / 3,
                "{count} of {extreme} in {:?}",
                series.values
            );
        }
        assert_eq!(series.times.last(), Some(&Time::from_picoseconds(999)));
    }

    /// A sawtooth with steps of every length, for checks of every gap and of the values inside it.
    fn thinned_sawtooth() -> (Vec<(i64, f64)>, Series) {
        let length = |step: i64| 1 + step * step % 37;
        let starts = (0..20_000).scan(5, |at, step| {
            *at += length(step);
            Some((*at, (step * 7 % 101) as f64))
        });
        let steps: Vec<_> = starts.collect();
        let mut changes = recorder(Sampling::OnChange, 100);
        for &(at, value) in &steps {
            changes.on_change(Time::from_picoseconds(at), value);
        }
        (steps, changes.finish())
    }

    /// The time mean of an M/D/1 queue at 0.9 was 8.86 instead of 4.95 when it was taken from peaks
    /// and last values.
    #[test]
    fn thinned_changes_keep_the_exact_time_mean_between_any_two_points() {
        let (steps, series) = thinned_sawtooth();
        let means = series.means.as_ref().expect("it was thinned");
        assert_eq!((means.len(), means.last()), (series.times.len(), series.values.last()));
        for (gap, ends) in series.times.windows(2).enumerate() {
            let [from, to] = [ends[0].picoseconds(), ends[1].picoseconds()];
            let inside = steps.windows(2).filter(|pair| (from..to).contains(&pair[0].0));
            let area: f64 = inside.map(|pair| pair[0].1 * (pair[1].0 - pair[0].0) as f64).sum();
            let mean = area / (to - from) as f64;
            assert!((means[gap] - mean).abs() < 1e-9, "gap {gap}: {} for {mean}", means[gap]);
        }
    }

    #[test]
    fn between_two_points_nothing_lies_outside_their_neighbours() {
        let (steps, Series { times, values, .. }) = thinned_sawtooth();
        for (gap, ends) in times.windows(2).enumerate() {
            let near = &values[gap.saturating_sub(1)..(gap + 4).min(values.len())];
            let (min, max) = near
                .iter()
                .fold((f64::MAX, f64::MIN), |(a, b), value| (a.min(*value), b.max(*value)));
            let hidden = steps
                .iter()
                .filter(|(at, _)| (ends[0].picoseconds()..ends[1].picoseconds()).contains(at));
            assert!(hidden.clone().all(|(_, value)| (min..=max).contains(value)), "gap {gap}");
        }
    }

    #[test]
    fn a_series_that_was_not_thinned_needs_no_means() {
        let mut changes = recorder(Sampling::OnChange, 16);
        (0..16).for_each(|step| changes.on_change(Time::from_picoseconds(step), step as f64));
        assert_eq!(changes.finish().means, None);
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
