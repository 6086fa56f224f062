//! The parameters of the directions of ABR virtual circuits, every default filled in.

use super::resolved::{Abr, Flow, Scenario, Service};
use crate::atm::abr;
use crate::units::{CellRate, Rate, Span};

impl Scenario {
    /// The parameters of the forward direction of an ABR flow, every default filled in; `None` for
    /// other flows.
    pub(crate) fn abr_of_flow(&self, flow: &Flow) -> Option<abr::Abr> {
        let Service::Abr(written) = flow.service else { return None };
        let [there, back] = [&flow.path, &flow.reverse_path].map(|path| self.cell_links(path));
        Some(self.abr_parameters(there, back, &written))
    }

    /// The parameters of one direction, every default filled in.
    pub(crate) fn abr_parameters(
        &self,
        path: &[usize],
        other: &[usize],
        written: &Abr,
    ) -> abr::Abr {
        let link = CellRate::of(self.cell_rate(path[0]));
        let there_and_back = path.iter().chain(other);
        let propagation =
            there_and_back.fold(Span::ZERO, |sum, &link| sum + self.links[link].delay.max());
        written.parameters(link, propagation)
    }

    /// Rate of the whole cells on a link that ABR VCs pass.
    pub(crate) fn cell_rate(&self, link: usize) -> Rate {
        let rate = self.links[link].carries.cell_rate();
        rate.expect("ABR VCs pass links of cells only: the scenario was checked for it")
    }
}
