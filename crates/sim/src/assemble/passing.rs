//! VCs that pass each link, by name, for descriptions of a scenario that is not run.

use super::wiring::Wiring;
use crate::atm::Class;
use crate::scenario::Scenario;

/// A virtual circuit on a link.
pub(crate) struct PassingVc {
    /// Name as in the summary of a run.
    pub(crate) name: String,
    /// Service class of its cells.
    pub(crate) class: Class,
}

impl Scenario {
    /// VCs that pass each link, by link, in order of their numbers.
    pub(crate) fn vcs_of_links(&self) -> Vec<Vec<PassingVc>> {
        let wiring = Wiring::new(self);
        let passing = |&vc: &u32| PassingVc {
            name: wiring.segments.name_of(vc),
            class: wiring.segments.of(vc).service().class(),
        };
        (0..self.links.len())
            .map(|link| wiring.vcs_of_link(link).iter().map(passing).collect())
            .collect()
    }
}
