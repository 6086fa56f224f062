//! Files of FTP with pauses between them: a preset of [queued blocks](super::burst).
//!
//! Source: the traffic model of 3GPP2 C.R1002-0 (also of IEEE 802.16m-08/004): files of lognormal
//! size with a mean of 2 MB, a deviation of 0.722 MB and a maximum of 5 MB, μ = 14.45 and σ = 0.35.
//!
//! Departures: there a user reads for 180 s, on average, after a file has arrived; here files come
//! at instants of their own, as Netspec's sessions do, and wait for earlier ones. A session has one
//! file.

use super::burst::{BurstQueued, Ticks, TimedBlocks};
use super::sends::Sends;
use super::size::{Size, WRITE_SIZE};
use super::source::{Site, Source};
use super::{AnyApplication, AnySpacing};
use crate::engine::{LATER_INSTANT, RandomSpan};
use crate::language::part::prelude::*;
use crate::units::Span;

part! {
    /// Parameters of files.
    #[derive(Clone, Debug, PartialEq)]
    pub struct FtpPlan {
        /// Bytes of a file.
        item: Size = default(
            "{ lognormal = { median = \"1886059 B\", sigma = 0.35, max = \"5 MB\" } }",
            "\"1 MB\""
        ) as WRITE_SIZE,
        /// Time from one file to the next.
        interarrival: RandomSpan =
            default("{ exponential = { mean = \"180 s\" } }", "\"60 s\"") as LATER_INSTANT,
    }
}

impl FtpPlan {
    /// Default sizes of files.
    pub fn files() -> Size {
        defaults::<Self>().item
    }
}

/// Files as a source.
#[derive(Clone, Debug, PartialEq)]
pub struct Ftp {
    plan: FtpPlan,
    source: BurstQueued,
}

impl Ftp {
    /// Makes a source whose first file comes at the start of the flow.
    pub fn new(plan: FtpPlan) -> Self {
        let (block, period) = (plan.item.clone(), plan.interarrival);
        let blocks = TimedBlocks { block, period, duration: None, repeats: None };
        Self { plan, source: BurstQueued::new(blocks) }
    }
}

impl Part for Ftp {
    type Value = Self;

    const KEYS: &'static [Key] = FtpPlan::KEYS;

    fn read(section: &Section<'_>) -> Result<Self, Fault> {
        FtpPlan::read(section).map(Self::new)
    }

    fn write(files: &Self, entries: &mut Entries) {
        FtpPlan::write(&files.plan, entries);
    }
}

impl Source for Ftp {
    type Spacing = Ticks;

    fn sends(&self) -> &Sends {
        self.source.sends()
    }

    fn interval(&self) -> Span {
        self.source.interval()
    }

    fn is_random(&self) -> bool {
        self.source.is_random()
    }

    fn max_gap(&self, interval: u128) -> u128 {
        self.source.max_gap(interval)
    }

    fn spacing(&self, site: &Site<'_>) -> Ticks {
        self.source.spacing(site)
    }

    fn application(&self, site: &Site<'_>, spacing: AnySpacing) -> Option<AnyApplication> {
        self.source.application(site, spacing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean exp(μ + σ²/2), less the tail beyond the maximum.
    #[test]
    fn a_file_has_two_megabytes_on_average() {
        let plan = defaults::<FtpPlan>();
        assert!((plan.item.mean() / 2e6 - 1.0).abs() < 0.01, "{}", plan.item.mean());
        assert!(plan.item.probability_above(4_000_000) < 0.02);
    }
}
