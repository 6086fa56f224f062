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
    /// Largest value of samples whose points are removed, of a grid of peaks.
    peak: Option<f64>,
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
            peak: None,
            slot: Span::ZERO,
            last: f64::NAN,
            since: Time::ZERO,
            areas: Vec::new(),
            tally: Tally::default(),
            counted: 0,
        }
    }

    /// Records the largest value since the point before: a removed point of a grid leaves its value
    /// to the next if that is lower.
    #[must_use]
    pub fn of_peaks(mut self) -> Self {
        self.peak = Some(f64::NAN);
        self
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
    pub fn sample(&mut self, due: Time, mut value: f64) {
        if self.series.times.len() >= self.limit {
            if self.peak.is_some() {
                self.peak = Some(lift_peaks(&mut self.series.values));
            }
            keep_every_second(&mut self.series.times);
            keep_every_second(&mut self.series.values);
            self.series.thinned += 1;
        }
        if let Sampling::Every(interval) = self.sampling {
            let spacing = interval.picoseconds().saturating_mul(1 << self.series.thinned.min(62));
            if let Some(peak) = &mut self.peak {
                value = value.max(*peak);
                *peak = value;
            }
            if due.picoseconds() % spacing == 0 {
                self.series.times.push(due);
                self.series.values.push(value);
                self.peak = self.peak.map(|_| f64::NAN);
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

/// Lifts every second value to the one before it. Returns the last value if it is one of the
/// others, else NaN.
fn lift_peaks(values: &mut [f64]) -> f64 {
    for index in (2..values.len()).step_by(2) {
        values[index] = values[index].max(values[index - 1]);
    }
    let last = values.last().filter(|_| values.len().is_multiple_of(2));
    last.copied().unwrap_or(f64::NAN)
}

fn keep_every_second<T: Copy>(points: &mut Vec<T>) {
    let kept = points.len().div_ceil(2);
    for index in 0..kept {
        points[index] = points[2 * index];
    }
    points.truncate(kept);
}

#[cfg(test)]
mod tests;
