//! ABR: plans of sources, and the allocators of rates at the ports.

use super::ports::PortSite;
use super::segments::Load;
use super::{Assembly, sources};
use crate::atm::Class;
use crate::host::{AbrPlan, ShaperProbe};
use crate::scenario::{Abr, Quantity, RateAllocation};
use crate::switch::rate::{Allocation, AllocationProbe, PortOfVcs, RateAllocator};
use crate::units::{CellRate, Span};

/// Plan of a direction of an ABR VC.
pub(super) fn abr_plan(assembly: &Assembly<'_>, vc: u32, abr: &Abr) -> AbrPlan {
    let [segment, other] = [vc, vc ^ 1].map(|vc| assembly.wiring.segments.of(vc));
    let (name, endless) = match segment.load {
        Load::Flow(flow) | Load::Packets(flow, _) => {
            (&flow.name, sources::endless(assembly, flow, segment.is_back))
        }
        Load::Shared(vc) => (&vc.name, None),
    };
    let name = if segment.is_back { format!("{name} back") } else { name.clone() };
    AbrPlan {
        abr: assembly.scenario.abr_parameters(segment.path, other.path, abr),
        capacity: abr.buffer,
        endless,
        recorders: assembly.recorders(&name, [(ShaperProbe::Rate, Quantity::Acr, "cell/s")]),
    }
}

/// Propagation delay of a VC there and back.
fn round_trip(assembly: &Assembly<'_>, vc: u32) -> Span {
    let directions = [vc, vc ^ 1].map(|vc| assembly.wiring.segments.of(vc).path);
    let links = directions.into_iter().flatten();
    links.fold(Span::ZERO, |sum, &link| sum + assembly.scenario.links[link].delay.max())
}

/// The allocator of a port, if ABR VCs pass.
pub(super) fn allocation(
    assembly: &Assembly<'_>,
    site: &PortSite<'_>,
    rule: &RateAllocation,
) -> Option<Allocation> {
    let is_abr: Vec<bool> = site.classes.iter().map(|&class| class == Class::Abr).collect();
    if !is_abr.contains(&true) {
        return None;
    }
    let link = CellRate::of(assembly.scenario.cell_rate(site.link));
    let round_trips: Vec<Span> = site.vcs.iter().map(|&vc| round_trip(assembly, vc)).collect();
    let port = PortOfVcs { link, is_abr: &is_abr, round_trips: &round_trips };
    let mut allocator = rule.build(&port)?;
    if let Some(capacity) = assembly.scenario.capacity_of(site.link, Span::ZERO) {
        allocator.follow(capacity);
    }
    let probes = [
        (AllocationProbe::ExplicitRate, Quantity::ExplicitRate, "cell/s"),
        (AllocationProbe::FairShare, Quantity::FairShare, "cell/s"),
        (AllocationProbe::Overload, Quantity::Overload, "1"),
        (AllocationProbe::Active, Quantity::Active, "VC"),
        (AllocationProbe::Capacity, Quantity::AbrCapacity, "cell/s"),
    ];
    // A rule without measurements has nothing to record.
    let recorders = allocator.view().map(|_| assembly.recorders(&site.name, probes));
    Some(Allocation::new(allocator, recorders.unwrap_or_default()))
}
