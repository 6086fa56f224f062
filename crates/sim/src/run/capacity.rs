//! Reported rates of links whose capacity varies; the run itself has no influence on them.

use crate::result::{CapacitySummary, Recorder, Series};
use crate::scenario::{Quantity, Scenario};
use crate::units::{Rate, Span, Time};

/// Mean rate of a link over the measurement, bits per second, if its rate varies.
pub(super) fn mean(scenario: &Scenario, link: usize) -> Option<f64> {
    let run = &scenario.run;
    let (from, until) = (Time::ZERO + run.warm_up, Time::ZERO + run.duration);
    let bits = scenario.capacity_of(link, Span::ZERO)?.carried(from, until);
    Some(bits / (until - from).seconds_f64())
}

/// The rates of a link over the measurement, if they vary.
pub(super) fn summary(scenario: &Scenario, link: usize) -> Option<CapacitySummary> {
    let run = &scenario.run;
    let (from, until) = (Time::ZERO + run.warm_up, Time::ZERO + run.duration);
    let mut path = scenario.capacity_of(link, Span::ZERO)?;
    let bits_per_second = |rate: Rate| rate.bits_per_second() as f64;
    let mut summary = CapacitySummary {
        mean_bits_per_second: mean(scenario, link)?,
        min_bits_per_second: f64::INFINITY,
        max_bits_per_second: 0.0,
        changes: 0,
    };
    let mut at = from;
    loop {
        let rate = bits_per_second(path.rate_at(at));
        summary.min_bits_per_second = summary.min_bits_per_second.min(rate);
        summary.max_bits_per_second = summary.max_bits_per_second.max(rate);
        at = path.next_change(at);
        if at >= until {
            return Some(summary);
        }
        summary.changes += 1;
    }
}

/// `LINK.capacity` of every link whose rate varies, if it is asked for.
pub(super) fn series(scenario: &Scenario) -> Vec<Series> {
    let Some(observe) = &scenario.observe else { return Vec::new() };
    if !observe.series.contains(&Quantity::Capacity) {
        return Vec::new();
    }
    let sampling = observe.sampling(scenario.run.duration);
    let recorded = (0..scenario.links.len()).filter_map(|index| {
        let name = format!("{}.capacity", scenario.name_of_link(index));
        record(scenario, index, Recorder::new(name, "bit/s", sampling, observe.limit))
    });
    recorded.collect()
}

/// The series of a link's rate; a sample on the grid has the rate that holds until then.
fn record(scenario: &Scenario, link: usize, mut recorder: Recorder) -> Option<Series> {
    let end = Time::ZERO + scenario.run.duration;
    for (at, rate) in scenario.capacity_steps(link)? {
        recorder.on_change(at, rate.bits_per_second() as f64);
    }
    let mut path = scenario.capacity_of(link, Span::ZERO)?;
    while recorder.due() < end {
        let due = recorder.due();
        let before = (due - Span::from_picoseconds(1)).max(Time::ZERO);
        recorder.sample(due, path.rate_at(before).bits_per_second() as f64);
    }
    Some(recorder.finish())
}
