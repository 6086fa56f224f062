//! Weights of VCs, from their minimum cell rates.

use super::Assembly;
use super::ports::PortSite;
use crate::atm::Class;
use crate::scenario::{Excess, Scheduler, Wfq};
use crate::units::Rate;

/// Which part of a link is the weight of a VC that nothing gives one.
const LEAST_PART: u64 = 1000;

impl Assembly<'_> {
    /// By slot, bits per second: the minimum cell rate, and with [`Excess::Equal`] the part of the
    /// link that no minimum rate is for, divided by the VCs of the class. A VC to which that gives
    /// nothing has a thousandth of the link, so that it is served at all, but no more than that
    /// equal part: what is guaranteed comes first.
    pub(super) fn weights(
        &self,
        site: &PortSite<'_>,
        scheduler: Scheduler,
        class: Class,
    ) -> Option<Vec<u64>> {
        let Scheduler::Wfq(Wfq { excess }) = scheduler else { return None };
        let rate = self.scenario.cell_rate(site.link).bits_per_second();
        let minimum_rate =
            |vc| self.wiring.legs.of(vc).service().minimum_rate().map_or(0, Rate::bits_per_second);
        let minimum_rates: Vec<u64> = site.vcs.iter().map(|&vc| minimum_rate(vc)).collect();
        let members = site.classes.iter().filter(|&&one| one == class).count().max(1) as u64;
        let equal_part = rate.saturating_sub(minimum_rates.iter().sum()) / members;
        let share = match excess {
            Excess::ByMcr => 0,
            Excess::Equal => equal_part,
        };
        let weight = |minimum_rate: u64| match minimum_rate + share {
            0 => (rate / LEAST_PART).min(equal_part).max(1),
            weight => weight,
        };
        Some(minimum_rates.into_iter().map(weight).collect())
    }
}
