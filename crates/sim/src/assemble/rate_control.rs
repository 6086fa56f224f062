//! ABR: plans of sources, and the allocators of rates at the ports.

use super::Assembly;
use super::ports::PortSite;
use super::segments::{Load, VcSegment};
use crate::atm::Class;
use crate::host::{AbrPlan, ShaperProbe};
use crate::result::Recorders;
use crate::scenario::{Abr, Quantity, RateAllocation};
use crate::switch::rate::{Allocation, AllocationProbe, PortOfVcs, RateAllocator};
use crate::units::{CellRate, Span};

impl Assembly<'_> {
    /// Plan of a direction of an ABR VC; `other` is the other direction.
    pub(super) fn abr_plan(
        &self,
        segment: &VcSegment<'_>,
        other: &VcSegment<'_>,
        abr: &Abr,
    ) -> AbrPlan {
        let (name, endless) = match segment.load {
            Load::Flow(flow) | Load::Packets(flow, _) => {
                (&flow.name, self.endless(flow, segment.is_back))
            }
            Load::Shared(vc) => (&vc.name, None),
        };
        let name = if segment.is_back { format!("{name} back.acr") } else { format!("{name}.acr") };
        let acr = self.recorder(Quantity::Acr, &name, "cell/s");
        AbrPlan {
            abr: self.scenario.abr_parameters(segment.path, other.path, abr),
            capacity: abr.buffer,
            endless,
            recorders: Recorders(
                acr.map(|recorder| (ShaperProbe::Rate, recorder)).into_iter().collect(),
            ),
        }
    }

    /// Propagation delay of a VC there and back.
    fn round_trip(&self, vc: u32) -> Span {
        let directions = [vc, vc ^ 1].map(|vc| self.wiring.segments.of(vc).path);
        let links = directions.into_iter().flatten();
        links.fold(Span::ZERO, |sum, &link| sum + self.scenario.links[link].delay.max())
    }

    /// The allocator of a port, if ABR VCs pass.
    pub(super) fn allocation(
        &self,
        site: &PortSite<'_>,
        rule: &RateAllocation,
    ) -> Option<Allocation> {
        let is_abr: Vec<bool> = site.classes.iter().map(|&class| class == Class::Abr).collect();
        if !is_abr.contains(&true) {
            return None;
        }
        let link = CellRate::of(self.scenario.cell_rate(site.link));
        let round_trips: Vec<Span> = site.vcs.iter().map(|&vc| self.round_trip(vc)).collect();
        let port = PortOfVcs { link, is_abr: &is_abr, round_trips: &round_trips };
        let mut allocator = rule.build(&port)?;
        if let Some(capacity) = self.scenario.capacity_of(site.link, Span::ZERO) {
            allocator.follow(capacity);
        }
        let probes = [
            (AllocationProbe::ExplicitRate, Quantity::ExplicitRate, "er", "cell/s"),
            (AllocationProbe::FairShare, Quantity::FairShare, "fair_share", "cell/s"),
            (AllocationProbe::Overload, Quantity::Overload, "overload", "1"),
            (AllocationProbe::Active, Quantity::Active, "active", "VC"),
            (AllocationProbe::Capacity, Quantity::AbrCapacity, "abr_capacity", "cell/s"),
        ];
        // A rule without measurements has nothing to record.
        let of_rule = probes.into_iter().filter(|_| allocator.view().is_some());
        let recorders = of_rule.filter_map(|(probe, quantity, key, unit)| {
            Some((probe, self.recorder(quantity, &format!("{}.{key}", site.name), unit)?))
        });
        let recorders = Recorders(recorders.collect());
        Some(Allocation::new(allocator, recorders))
    }
}
