//! Interfaces onto links, of hosts and of edges, with the shapers of the VCs there.

use super::segments::VcSegment;
use super::{Assembly, pacing, rate_control};
use crate::engine::LinkId;
use crate::host::{AbrVc, Inputs, Nic, PacedVc, Pacer, Shaper, Termination};
use crate::scenario::{Pacing, Service};
use crate::units::Span;

/// The incoming links of a node.
pub(super) fn inputs(links: &[usize]) -> Inputs {
    Inputs::new(links.iter().map(|&link| LinkId(link as u32)).collect())
}

/// The interface onto an outgoing link: a FIFO if that gives exactly the same.
pub(super) fn nic(assembly: &Assembly<'_>, link: usize) -> Nic {
    let transmitter = assembly.transmitter(link);
    let vcs = assembly.wiring.vcs_of_link(link).iter();
    let shapers: Vec<Shaper> = vcs.map(|&vc| shaper(assembly, vc)).collect();
    let cell_times: Option<Vec<Span>> = shapers.iter().map(Shaper::cell_time).collect();
    match cell_times.as_deref() {
        Some(all) if all.iter().all(|cell_time| cell_time.is_zero()) => {
            Nic::fifo(transmitter, None)
        }
        Some([only]) => Nic::fifo(transmitter, Some(Pacer::new(*only))),
        _ => Nic::shaped(transmitter, shapers),
    }
}

fn shaper(assembly: &Assembly<'_>, vc: u32) -> Shaper {
    let segment = assembly.wiring.segments.of(vc);
    if let Some(paced) = pacing::paced(assembly, vc, segment) {
        return Shaper::Paced(Box::new(paced));
    }
    let pacing = match segment.service() {
        Service::Abr(abr) => {
            let plan = rate_control::abr_plan(assembly, vc, &abr);
            return Shaper::Abr(Box::new(AbrVc::new(vc, plan)));
        }
        Service::Ubr(ubr) => ubr.pace.filter(|_| segment.is_paced()),
        Service::Gfr(_) | Service::Vbr | Service::Cbr => None,
    };
    let cell_time = pacing.map_or(Span::ZERO, Pacing::cell_time);
    Shaper::Paced(Box::new(PacedVc::of_cells(vc, cell_time)))
}

/// The end of a VC. An ABR VC gets the origin of its other direction: the interface, by
/// `nic_of_link`, and the place there.
pub(super) fn termination(
    assembly: &Assembly<'_>,
    vc: u32,
    endpoint: Option<u32>,
    nics: &[Nic],
    nic_of_link: impl Fn(usize) -> usize,
) -> Termination {
    let other_direction = |segment: &VcSegment<'_>| {
        let Service::Abr(_) = segment.service() else { return None };
        let nic = nic_of_link(assembly.wiring.segments.of(vc ^ 1).path[0]);
        nics[nic].place_of(vc ^ 1).map(|place| (nic, place))
    };
    let other_direction = other_direction(assembly.wiring.segments.of(vc));
    Termination::new(vc, endpoint, other_direction.map(|(nic, place)| (nic as u32, place as u32)))
}
