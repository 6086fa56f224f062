//! Rates of links that vary, with their fractions of the time in the long run.

use serde::Serialize;

use crate::result::Shaped;
use crate::scenario::resolved::{Link, Scenario};
use crate::scenario::wire::rate_of;

/// Variation of the rate of one direction of a link: bits of the line, or of whole cells.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct CapacityFacts {
    /// Key of the capacity's process.
    pub key: &'static str,
    /// Mean of the stationary law; for a list that does not repeat, over the run.
    pub mean_bits_per_second: f64,
    /// The smallest rate.
    pub min_bits_per_second: f64,
    /// The greatest rate.
    pub max_bits_per_second: f64,
    /// The stationary law, the slowest rate first.
    pub law: Vec<PartOfTime>,
}

/// A rate with its part of the time.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct PartOfTime {
    /// The rate.
    pub bits_per_second: f64,
    /// Part of the time for which the link has the rate.
    #[unit("1")]
    pub part: f64,
}

/// Facts of the capacity of a link whose rate varies.
pub(super) fn of_link(scenario: &Scenario, link: &Link) -> Option<CapacityFacts> {
    let capacity = link.capacity.as_ref()?;
    let long_run = capacity.long_run(scenario.run.duration);
    let law: Vec<PartOfTime> = long_run
        .0
        .iter()
        .map(|&(rate, part)| PartOfTime { bits_per_second: rate.bits_per_second() as f64, part })
        .collect();
    let extreme = |at: Option<&PartOfTime>| at.map_or(0.0, |of| of.bits_per_second);
    Some(CapacityFacts {
        key: capacity.word(),
        mean_bits_per_second: long_run.mean(),
        min_bits_per_second: extreme(law.first()),
        max_bits_per_second: extreme(law.last()),
        law,
    })
}

/// Mean rate at which a link takes cells or packets.
pub(super) fn mean_rate(scenario: &Scenario, link: &Link) -> f64 {
    match &link.capacity {
        None => rate_of(link) as f64,
        Some(capacity) => capacity.long_run(scenario.run.duration).mean(),
    }
}
