//! The summary of a link: what was put on it, which rates it had, and what its impairments did.

use std::collections::BTreeMap;

use serde::Serialize;

use super::summary::is_zero;
use super::{ImpairmentCounters, LinkCounters};

/// One direction of a link.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LinkSummary {
    /// Cells or packets put on it, those that it lost included, from the start of the run.
    pub sent: u64,
    /// Its rates while it was measured; absent where the rate does not vary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capacity: Option<CapacitySummary>,
    /// By name, what impairs it; absent where nothing does.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub impairments: BTreeMap<&'static str, ImpairmentSummary>,
}

/// The rates that one direction of a link had, whoever used them: bits of the line, or of whole
/// cells.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CapacitySummary {
    /// What the line could send, over the time.
    pub mean_bits_per_second: f64,
    /// The smallest.
    pub min_bits_per_second: f64,
    /// The greatest.
    pub max_bits_per_second: f64,
    /// How often it changed.
    pub changes: u64,
}

/// What one impairment did to the units of one link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
    /// A link that has `sent` so many at the end of a run, with its counters there and at the end
    /// of the warm-up.
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
