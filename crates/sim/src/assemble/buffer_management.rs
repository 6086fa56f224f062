//! Drop policies from the scenario, each with its buffer, line, minimum cell rates and random
//! stream.

use std::collections::BTreeMap;

use super::Assembly;
use super::ports::PortSite;
use super::queue_rules::QueueRules;
use super::wiring::Wiring;
use crate::atm::Class;
use crate::engine::Stream;
use crate::scenario::{Buffer, NodeRef, Scenario};
use crate::switch::{BufferSize, Policy, Scheduler, Site, SiteVc};

impl Assembly<'_> {
    /// The drop policy of the queue of a class at a port.
    pub(super) fn policy(&self, site: &PortSite<'_>, rules: &QueueRules, class: Class) -> Policy {
        let guarded = self.guarded(site, rules, class);
        let own = self.own_policy(site, class, guarded.buffer);
        own.unwrap_or_else(|| rules.drop.build(&guarded))
    }

    /// The order in which the drop policy serves that queue, if the order is part of it.
    pub(super) fn order_of_policy(
        &self,
        site: &PortSite<'_>,
        rules: &QueueRules,
        class: Class,
    ) -> Option<Scheduler> {
        rules.drop.order(&self.guarded(site, rules, class))
    }

    fn guarded(&self, site: &PortSite<'_>, rules: &QueueRules, class: Class) -> Site {
        let guarded = rules.buffer_size(class);
        let buffer = match guarded {
            BufferSize::Infinite => None,
            BufferSize::PerPort(units) | BufferSize::PerVc(units) => Some(units),
            BufferSize::Shared => rules.shared_size(),
        };
        let name = format!("{}.{}.drop", site.name, class.word());
        Site {
            buffer,
            transmission: self.transmission(site.link),
            vcs: self.site_vcs(site.vcs),
            total_minimum_rate: self.total_minimum_rate(site.link, guarded),
            stream: Stream::new(self.scenario.run.seed, &name),
        }
    }

    /// Sum of the minimum rates of all VCs that may be in the buffer: those that pass the link or,
    /// in shared memory, the node.
    fn total_minimum_rate(&self, link: usize, guarded: BufferSize) -> f64 {
        match guarded {
            BufferSize::Shared => self.shared_minimum_rates[&self.scenario.links[link].from],
            BufferSize::Infinite | BufferSize::PerPort(_) | BufferSize::PerVc(_) => {
                let vcs = self.wiring.vcs_of_link(link).iter();
                vcs.map(|&vc| site_vc(&self.wiring, vc).minimum_rate).sum()
            }
        }
    }

    fn site_vcs(&self, vcs: &[u32]) -> Vec<SiteVc> {
        vcs.iter().map(|&vc| site_vc(&self.wiring, vc)).collect()
    }
}

fn site_vc(wiring: &Wiring<'_>, vc: u32) -> SiteVc {
    let service = wiring.segments.of(vc).service();
    let gfr = service.gfr();
    let minimum_rate = gfr.map_or(0.0, |gfr| gfr.mcr.bits_per_second() as f64);
    SiteVc { minimum_rate, z: gfr.map_or(1.0, |gfr| gfr.z) }
}

/// Sum of the minimum rates of the VCs that pass each node whose ports share memory, calculated
/// once instead of for every port.
pub(super) fn shared_minimum_rates(
    scenario: &Scenario,
    wiring: &Wiring<'_>,
) -> BTreeMap<NodeRef, f64> {
    let switches = scenario.switches.iter().map(QueueRules::of_switch).enumerate();
    let switches = switches.map(|(index, rules)| (NodeRef::Switch(index), rules));
    let edges = scenario.edges.iter().map(QueueRules::of_edge).enumerate();
    let edges = edges.map(|(index, rules)| (NodeRef::Edge(index), rules));
    let has_shared = |rules: &QueueRules| {
        let classes = [Class::Vbr, Class::Abr, Class::Ubr].into_iter();
        classes.map(|class| rules.buffer_of(class)).any(|size| matches!(size, Buffer::Shared(_)))
    };
    let nodes = switches.chain(edges).filter(|(_, rules)| has_shared(rules));
    let total = |(node, _)| {
        let vcs = wiring.outgoing(node).iter().flat_map(|&link| wiring.vcs_of_link(link));
        (node, vcs.map(|&vc| site_vc(wiring, vc).minimum_rate).sum())
    };
    nodes.map(total).collect()
}
