//! Thinning of grids and of series on change.

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

/// Values 0, 1, ..., 40 with a peak of 100 at 21 ms, which no thinned grid has.
#[test]
fn a_thinned_grid_of_peaks_keeps_the_largest_of_every_gap() {
    let mut grid = recorder(Sampling::Every(Span::from_milliseconds(1)), 8).of_peaks();
    let value = |at: i64| if at == 21 { 100.0 } else { at as f64 };
    let mut next = 0;
    for at in 0..=40 {
        if grid.due() == Time::ZERO + Span::from_milliseconds(at) {
            let since = (next..=at).map(value).fold(0.0, f64::max);
            grid.sample(grid.due(), since);
            next = at + 1;
        }
    }
    assert_eq!(grid.finish().values, [0.0, 8.0, 16.0, 100.0, 32.0, 40.0]);
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
        assert!(count >= series.values.len() / 3, "{count} of {extreme} in {:?}", series.values);
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
        let (min, max) =
            near.iter().fold((f64::MAX, f64::MIN), |(a, b), value| (a.min(*value), b.max(*value)));
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
