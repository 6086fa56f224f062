//! ABR: the parameters of each direction of a VC, and the allocators of rates at the ports.

use super::legs::{Leg, Load};
use crate::atm::abr;
use crate::host::AbrPlan;
use crate::result::Recorder;
use crate::scenario::{Abr, Carries, Flow, Quantity, RateAllocation, Scenario, Service, Traffic};
use crate::switch::rate::{
    Allocation, AllocationProbes, Allocator, Efci, Erica, EricaPlus, RateAllocator, RelativeRate,
};
use crate::units::{CellRate, Span, Time};

impl Scenario {
    /// What a direction of an ABR VC is made from; `other` is the other one.
    pub(super) fn abr_plan(&self, leg: &Leg<'_>, other: &Leg<'_>, abr: &Abr) -> AbrPlan {
        let (name, endless) = match leg.load {
            Load::Flow(flow) | Load::Packets(flow, _) => (&flow.name, self.endless(flow, leg.is_back)),
            Load::Shared(vc) => (&vc.name, None),
        };
        let name = if leg.is_back { format!("{name} back.acr") } else { format!("{name}.acr") };
        AbrPlan {
            abr: self.abr_parameters(leg.path, other.path, abr),
            room: abr.buffer,
            endless,
            acr: self.recorder(Quantity::Acr, &name, "cell/s"),
        }
    }

    /// When a source that never runs out begins and ends, if the flow has one.
    fn endless(&self, flow: &Flow, is_back: bool) -> Option<(Time, Time)> {
        let never_runs_out = !is_back && flow.tcp.is_none() && flow.traffic == Traffic::Greedy;
        never_runs_out.then(|| (self.start_of(flow), self.stop_of(flow)))
    }

    /// The parameters of the direction of an ABR flow that its data take, every default filled in; `None` for other flows.
    pub(in crate::scenario) fn abr_of_flow(&self, flow: &Flow) -> Option<abr::Abr> {
        let Service::Abr(written) = flow.service else { return None };
        let [there, back] = [&flow.path, &flow.reverse_path].map(|path| self.cell_links(path));
        Some(self.abr_parameters(there, back, &written))
    }

    /// The parameters of one direction, every default filled in.
    fn abr_parameters(&self, path: &[usize], other: &[usize], written: &Abr) -> abr::Abr {
        let link = CellRate::of(self.cell_rate(path[0]));
        let pcr = written.pcr.map_or(link, |pcr| CellRate::of(pcr).min(link));
        let there_and_back = path.iter().chain(other);
        let propagation = there_and_back.fold(Span::ZERO, |sum, &link| sum + self.links[link].delay);
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
    pub(super) fn cell_rate(&self, link: usize) -> crate::units::Rate {
        match self.links[link].carries {
            Carries::Cells { cell_rate, .. } => cell_rate,
            Carries::Packets { .. } => {
                unreachable!("ABR VCs pass links of cells only: the scenario was checked for it")
            }
        }
    }

    /// The allocator of a port named `name` onto `link`, by slot `is_abr`.
    pub(super) fn allocation(
        &self,
        rate_allocation: &RateAllocation,
        link: usize,
        name: &str,
        is_abr: &[bool],
    ) -> Option<Allocation> {
        if !is_abr.contains(&true) {
            return None;
        }
        let rate = CellRate::of(self.cell_rate(link));
        let allocator = match *rate_allocation {
            RateAllocation::None => return None,
            RateAllocation::Efci { threshold } => Allocator::Efci(Efci { threshold: threshold.0 }),
            RateAllocation::RelativeRate { no_increase, congestion } => {
                Allocator::RelativeRate(RelativeRate { no_increase: no_increase.0, congestion: congestion.0 })
            }
            RateAllocation::Erica(plan) => Allocator::Erica(Box::new(Erica::new(plan, rate, is_abr))),
            RateAllocation::EricaPlus(plan) => {
                Allocator::EricaPlus(Box::new(EricaPlus::new(plan, rate, is_abr)))
            }
        };
        let record = |quantity, key: &str, unit| self.recorder(quantity, &format!("{name}.{key}"), unit);
        let probes = AllocationProbes {
            explicit_rate: record(Quantity::ExplicitRate, "er", "cell/s"),
            fair_share: record(Quantity::FairShare, "fair_share", "cell/s"),
            overload: record(Quantity::Overload, "overload", "1"),
            active: record(Quantity::Active, "active", "VC"),
            capacity: record(Quantity::AbrCapacity, "abr_capacity", "cell/s"),
        };
        // A rule that does not measure has nothing to record.
        let is_observed = self.observe.is_some() && allocator.view().is_some();
        Some(Allocation::new(allocator, is_observed.then(|| Box::new(probes))))
    }

    /// A recorder, if the quantity is observed.
    pub(super) fn recorder(&self, quantity: Quantity, name: &str, unit: &'static str) -> Option<Recorder> {
        let observe = self.observe.as_ref().filter(|observe| observe.series.contains(&quantity))?;
        Some(Recorder::new(name.to_owned(), unit, observe.sampling, observe.limit))
    }
}
