//! Summary of a link: its units, its rates, and the effects of its impairments.

use std::collections::BTreeMap;

use serde::Serialize;

use super::summary::is_zero;
use super::{ImpairmentCounters, LinkCounters, Shaped};

/// Summary of one direction of a link.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct LinkSummary {
    /// Cells or packets sent onto it, lost ones included, from the start of the run.
    pub sent: u64,
    /// Its rates during the measurement; absent where the rate does not vary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capacity: Option<CapacitySummary>,
    /// Effects of its impairments by name; absent without impairments.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub impairments: BTreeMap<&'static str, ImpairmentSummary>,
}

/// Rates of one direction of a link, whether they were used or not: bits of the line, or of whole
/// cells.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Shaped)]
pub struct CapacitySummary {
    /// Time average of the rate.
    pub mean_bits_per_second: f64,
    /// Lowest rate.
    pub min_bits_per_second: f64,
    /// Highest rate.
    pub max_bits_per_second: f64,
    /// Number of changes of the rate.
    pub changes: u64,
}

/// Effects of one impairment on the units of one link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Shaped)]
pub struct ImpairmentSummary {
    /// Units that met it: sent, and not lost to an earlier one of the link.
    pub units: u64,
    /// Units that did not arrive.
    pub lost: u64,
    /// Cells that arrived with bit errors.
    pub corrupted: u64,
    /// Units that waited for it, or were held back; absent without.
    #[serde(skip_serializing_if = "is_zero")]
    pub delayed: u64,
    /// Packets that arrived twice; absent without.
    #[serde(skip_serializing_if = "is_zero")]
    pub duplicated: u64,
}

impl LinkSummary {
    /// Summary of a link that has `sent` units at the end of a run, from its counters there and at
    /// the end of the warm-up.
    pub fn new(sent: u64, earlier: &LinkCounters, later: &LinkCounters) -> Self {
        let impairments = later.impairments.iter().map(|(&name, later)| {
            let earlier = earlier.impairments.get(name).copied().unwrap_or_default();
            (name, ImpairmentSummary::between(&earlier, later))
        });
        Self { sent, capacity: None, impairments: impairments.collect() }
    }
}

impl ImpairmentSummary {
    fn between(earlier: &ImpairmentCounters, later: &ImpairmentCounters) -> Self {
        Self {
            units: later.units - earlier.units,
            lost: later.lost - earlier.lost,
            corrupted: later.corrupted - earlier.corrupted,
            delayed: later.delayed - earlier.delayed,
            duplicated: later.duplicated - earlier.duplicated,
        }
    }
}
