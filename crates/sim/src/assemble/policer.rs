//! Policers of switches for the GFR VCs that enter the network there.

use super::Assembly;
use super::segments::VcSegment;
use crate::atm::gfr::{FrameGcra, Gcra, Marker};
use crate::engine::Stream;
use crate::scenario::{Gfr, NodeRef, Pme, Service, Tagging};
use crate::switch::{CircuitPlan, Policer};

impl Assembly<'_> {
    pub(super) fn policer(&self, switch: usize) -> Option<Box<Policer>> {
        let inputs = self.wiring.incoming(NodeRef::Switch(switch)).iter().copied();
        let begins = |link: usize| {
            let vcs = self.wiring.vcs_of_link(link).iter().copied();
            vcs.filter(move |&vc| self.wiring.segments.of(vc).path[0] == link)
        };
        let mut plans: Vec<(u32, CircuitPlan)> = inputs
            .filter(|&link| self.scenario.links[link].is_of_cells())
            .flat_map(begins)
            .filter_map(|vc| {
                let segment = self.wiring.segments.of(vc);
                let Service::Gfr(gfr) = segment.service() else { return None };
                Some((vc, self.circuit_plan(&gfr, segment, &self.wiring.segments.name_of(vc))))
            })
            .collect();
        plans.sort_by_key(|(vc, _)| *vc);
        Policer::new(plans)
    }

    fn circuit_plan(&self, gfr: &Gfr, segment: &VcSegment<'_>, name: &str) -> CircuitPlan {
        let pcr = gfr.pcr.unwrap_or_else(|| self.scenario.cell_rate(segment.path[0]));
        let marker = match gfr.tagging {
            Tagging::Pme(Pme { interval, step }) => {
                let stream = Stream::new(self.scenario.run.seed, &format!("{name}.marker"));
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
}
