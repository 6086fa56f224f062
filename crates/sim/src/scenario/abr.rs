//! The parameters of the directions of ABR virtual circuits, every default filled in.

use super::resolved::{Abr, Carries, Flow, Scenario, Service};
use crate::atm::abr;
use crate::units::{CellRate, Rate, Span};

impl Scenario {
    /// The parameters of the direction of an ABR flow that its data take, every default filled in;
    /// `None` for other flows.
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
        let pcr = written.pcr.map_or(link, |pcr| CellRate::of(pcr).min(link));
        let there_and_back = path.iter().chain(other);
        let propagation =
            there_and_back.fold(Span::ZERO, |sum, &link| sum + self.links[link].delay);
        let frtt = written.frtt.unwrap_or(propagation).seconds_f64();
        let exposure = if frtt > 0.0 { CellRate(written.tbe.0 as f64 / frtt) } else { pcr };
        let mcr = CellRate::of(written.mcr);
        abr::Abr {
            pcr,
            mcr,
            icr: written.icr.map_or(pcr, CellRate::of).min(exposure).min(pcr).max(mcr),
            rif: written.rif.value(),
            rdf: written.rdf.value(),
            nrm: written.nrm,
            mrm: 2,
            trm: written.trm,
            crm: written.crm.unwrap_or_else(|| written.tbe.0.div_ceil(u64::from(written.nrm))),
            cdf: written.cdf.value(),
            adtf: written.adtf,
            tcr: CellRate::of(written.tcr),
            use_it_or_lose_it: written.use_it_or_lose_it,
            quantised: written.quantised,
        }
    }

    /// Bits of whole cells of a link that ABR VCs pass.
    pub(crate) fn cell_rate(&self, link: usize) -> Rate {
        match self.links[link].carries {
            Carries::Cells { cell_rate, .. } => cell_rate,
            Carries::Packets { .. } => {
                unreachable!("ABR VCs pass links of cells only: the scenario was checked for it")
            }
        }
    }
}
