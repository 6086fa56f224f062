//! Policers of switches for the GFR VCs that enter the network there.

use super::Assembly;
use crate::atm::gfr::{FrameGcra, Gcra, Marker};
use crate::engine::Stream;
use crate::scenario::{Gfr, Pme, Tagging};
use crate::switch::{CircuitPlan, Policer};

/// The policer of the VCs that enter by these inputs of a switch.
pub(super) fn policer(assembly: &Assembly<'_>, inputs: &[usize]) -> Option<Box<Policer>> {
    let inputs = inputs.iter().copied();
    let begins = |link: usize| {
        let vcs = assembly.wiring.vcs_of_link(link).iter().copied();
        vcs.filter(move |&vc| assembly.wiring.segments.of(vc).path[0] == link)
    };
    let mut plans: Vec<(u32, CircuitPlan)> = inputs
        .filter(|&link| assembly.scenario.links[link].is_of_cells())
        .flat_map(begins)
        .filter_map(|vc| {
            let service = assembly.wiring.segments.of(vc).service();
            Some((vc, circuit_plan(assembly, vc, service.gfr()?)))
        })
        .collect();
    plans.sort_by_key(|(vc, _)| *vc);
    Policer::new(plans)
}

fn circuit_plan(
    Assembly { scenario, wiring, .. }: &Assembly<'_>,
    vc: u32,
    gfr: &Gfr,
) -> CircuitPlan {
    let segments = &wiring.segments;
    let pcr = gfr.pcr.unwrap_or_else(|| scenario.cell_rate(segments.of(vc).path[0]));
    let marker = match gfr.tagging {
        Tagging::Pme(Pme { interval, step }) => {
            let name = format!("{}.marker", segments.name_of(vc));
            let stream = Stream::new(scenario.run.seed, &name);
            Some(Marker::new(gfr.mcr, interval, step, stream))
        }
        Tagging::None | Tagging::FGcra => None,
    };
    CircuitPlan {
        peak: Gcra::new(pcr, gfr.cdvt),
        mfs: gfr.mfs.0,
        non_conforming: gfr.non_conforming,
        guarantee: FrameGcra::new(gfr.mcr, pcr, gfr.mbs.0, gfr.cdvt),
        tags_excess: gfr.tagging == Tagging::FGcra,
        marker,
    }
}
