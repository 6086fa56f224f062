//! Lateness of packets: how long after its instant each was handed over.
//!
//! Lateness moves a packet and never changes a rate, as all instants of the path are computed. A
//! driver that cannot follow runs in slow motion, though, with rates that still look right. So a
//! run is marked beyond one limit, and ended beyond another.

use cellway_sim::units::Span;
use serde::Serialize;

/// 99th percentile beyond which a run is marked.
const MARKED: Span = Span::from_milliseconds(10);
/// Lateness of one packet beyond which a run is ended.
const ENDED: Span = Span::from_seconds(1);
/// Bins of a doubling of the lateness: quantiles have an error of at most 1/16.
const PER_OCTAVE: u32 = 16;
const BINS: usize = 64 * PER_OCTAVE as usize;

/// Counts of packets by their lateness, in logarithmic bins of nanoseconds.
#[derive(Clone, Debug)]
pub(crate) struct Lateness {
    counts: Vec<u64>,
    number: u64,
    max: Span,
}

/// Quantiles of the lateness, seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LatenessSummary {
    /// Number of packets.
    pub packets: u64,
    /// Median.
    pub p50_s: f64,
    /// 90th percentile.
    pub p90_s: f64,
    /// 99th percentile.
    pub p99_s: f64,
    /// 99.9th percentile.
    #[serde(rename = "p99.9_s")]
    pub p999_s: f64,
    /// Largest lateness.
    pub max_s: f64,
}

impl Default for Lateness {
    fn default() -> Self {
        Self { counts: vec![0; BINS], number: 0, max: Span::ZERO }
    }
}

impl Lateness {
    /// Counts a packet; false if the run has to end.
    #[must_use]
    pub(crate) fn add(&mut self, late: Span) -> bool {
        let nanoseconds = (late.picoseconds() / 1000).max(0) as u64;
        self.counts[bin_of(nanoseconds)] += 1;
        self.number += 1;
        self.max = self.max.max(late);
        late <= ENDED
    }

    /// True if so many packets were so late that the run has to be marked.
    pub(crate) fn is_over_limit(&self) -> bool {
        self.quantile(0.99) > MARKED.seconds_f64()
    }

    /// Quantiles of all packets.
    pub(crate) fn summary(&self) -> LatenessSummary {
        LatenessSummary {
            packets: self.number,
            p50_s: self.quantile(0.5),
            p90_s: self.quantile(0.9),
            p99_s: self.quantile(0.99),
            p999_s: self.quantile(0.999),
            max_s: self.max.seconds_f64(),
        }
    }

    /// Upper edge of the bin with the quantile, seconds; zero without packets.
    fn quantile(&self, part: f64) -> f64 {
        let wanted = (part * self.number as f64).ceil() as u64;
        let mut below = 0;
        for (bin, count) in self.counts.iter().enumerate() {
            below += count;
            if below >= wanted && below > 0 {
                return (upper_edge(bin) * 1e-9).min(self.max.seconds_f64());
            }
        }
        0.0
    }
}

/// Bins of one nanosecond up to `PER_OCTAVE`, then so many for each doubling.
fn bin_of(nanoseconds: u64) -> usize {
    let octave = (nanoseconds / u64::from(PER_OCTAVE)).checked_ilog2().map_or(0, |log| log + 1);
    let within = if octave == 0 { nanoseconds } else { (nanoseconds >> (octave - 1)) - 16 };
    (octave * PER_OCTAVE) as usize + within as usize
}

/// The least number of nanoseconds above a bin.
fn upper_edge(bin: usize) -> f64 {
    let (octave, within) = (bin as u32 / PER_OCTAVE, u64::from(bin as u32 % PER_OCTAVE));
    let edge = if octave == 0 { within + 1 } else { (within + 17) << (octave - 1) };
    edge as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lateness_is_in_the_bin_that_it_belongs_to() {
        for nanoseconds in (0..5000).chain([1 << 40, (1 << 40) + 1, 999_999_999]) {
            let bin = bin_of(nanoseconds);
            let below = if bin == 0 { 0.0 } else { upper_edge(bin - 1) };
            let of = nanoseconds as f64;
            assert!(below <= of && of < upper_edge(bin), "{nanoseconds} in {bin}");
            assert!(upper_edge(bin) - below <= (of / 16.0).max(1.0));
        }
    }

    #[test]
    fn quantiles_are_those_of_the_sorted_values() {
        let mut lateness = Lateness::default();
        for microseconds in 1..=1000 {
            assert!(lateness.add(Span::from_microseconds(microseconds)));
        }
        let found = lateness.summary();
        for (quantile, exact) in [(found.p50_s, 500e-6), (found.p90_s, 900e-6)] {
            assert!((exact..exact * 17.0 / 16.0).contains(&quantile), "{quantile}");
        }
        assert_eq!((found.packets, found.max_s), (1000, 1e-3));
        assert!(found.p999_s <= found.max_s && !lateness.is_over_limit());
    }

    #[test]
    fn runs_are_marked_and_ended_at_their_limits() {
        let mut lateness = Lateness::default();
        for _ in 0..99 {
            assert!(lateness.add(Span::ZERO));
        }
        assert!(!Lateness::default().is_over_limit());
        assert!(lateness.add(Span::from_milliseconds(11)) && !lateness.is_over_limit());
        assert!(lateness.add(ENDED) && lateness.is_over_limit());
        assert!(!lateness.add(ENDED + Span::from_picoseconds(1)));
    }
}
