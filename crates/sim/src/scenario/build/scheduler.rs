//! Weights of VCs, from their minimum cell rates.

use super::wiring::Wiring;
use crate::scenario::{Excess, Scenario, Scheduler, Wfq};
use crate::switch::Class;
use crate::units::Rate;

/// Which part of a link is the weight of a VC that nothing gives one.
const LEAST_PART: u64 = 1000;

impl Scenario {
    /// By slot, bits per second: the minimum cell rate, and with [`Excess::Equal`] the part of the link that no minimum rate is for, divided
    /// by the VCs of the class. A VC to which that gives nothing has a thousandth of the link, so that it is served at all, but no more than
    /// that equal part: what is guaranteed comes first.
    pub(super) fn weights(
        &self,
        scheduler: Scheduler,
        link: usize,
        class: Class,
        (vcs, classes): (&[u32], &[Class]),
        wiring: &Wiring<'_>,
    ) -> Option<Vec<u64>> {
        let Scheduler::Wfq(Wfq { excess }) = scheduler else { return None };
        let rate = self.cell_rate(link).bits_per_second();
        let minimum_rate = |vc| wiring.legs.of(vc).service().minimum_rate().map_or(0, Rate::bits_per_second);
        let minimum_rates: Vec<u64> = vcs.iter().map(|&vc| minimum_rate(vc)).collect();
        let members = classes.iter().filter(|&&one| one == class).count().max(1) as u64;
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
