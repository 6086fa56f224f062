//! Drop policies from the scenario, each with its buffer, line, minimum cell rates and random
//! stream.

use std::collections::BTreeMap;

use super::ports::PortSite;
use super::queue_rules::QueueRules;
use super::segments::{Load, VcSegment};
use super::wiring::Wiring;
use super::{Assembly, own};
use crate::atm::Class;
use crate::engine::Stream;
use crate::scenario::{Buffer, NodeRef, Scenario};
use crate::switch::{BufferSize, Policy, Scheduler, Site, SiteFlow, SiteVc};

/// The drop policy of the queue of a class at a port, and its order if that is part of the policy.
pub(super) fn policy(
    assembly: &Assembly<'_>,
    site: &PortSite<'_>,
    rules: &QueueRules,
    class: Class,
) -> (Policy, Option<Scheduler>) {
    let guarded = guarded(assembly, site, rules, class);
    let own = own::policy(assembly, site, class, guarded.buffer);
    (own.unwrap_or_else(|| rules.drop.build(&guarded)), rules.drop.order(&guarded))
}

fn guarded(assembly: &Assembly<'_>, site: &PortSite<'_>, rules: &QueueRules, class: Class) -> Site {
    let guarded = rules.buffer_size(class);
    let buffer = match guarded {
        BufferSize::Infinite => None,
        BufferSize::PerPort(units) | BufferSize::PerVc(units) => Some(units),
        BufferSize::Shared => rules.shared_size(),
    };
    let name = format!("{}.{}.drop", site.name, class.word());
    Site {
        buffer,
        transmission: assembly.transmission(site.link),
        vcs: site.vcs.iter().map(|&vc| site_vc(&assembly.wiring, vc)).collect(),
        total_minimum_rate: total_minimum_rate(assembly, site.link, guarded),
        stream: Stream::new(assembly.scenario.run.seed, &name),
    }
}

/// Sum of the minimum rates of all VCs that may be in the buffer: those that pass the link or,
/// in shared memory, the node.
fn total_minimum_rate(assembly: &Assembly<'_>, link: usize, guarded: BufferSize) -> f64 {
    match guarded {
        BufferSize::Shared => assembly.shared_minimum_rates[&assembly.scenario.links[link].from],
        BufferSize::Infinite | BufferSize::PerPort(_) | BufferSize::PerVc(_) => {
            let vcs = assembly.wiring.vcs_of_link(link).iter();
            vcs.map(|&vc| site_vc(&assembly.wiring, vc).minimum_rate).sum()
        }
    }
}

fn site_vc(wiring: &Wiring<'_>, vc: u32) -> SiteVc {
    let segment = wiring.segments.of(vc);
    let service = segment.service();
    let gfr = service.gfr();
    let minimum_rate = gfr.map_or(0.0, |gfr| gfr.mcr.bits_per_second() as f64);
    SiteVc { minimum_rate, z: gfr.map_or(1.0, |gfr| gfr.z), flow: site_flow(segment) }
}

fn site_flow(segment: &VcSegment<'_>) -> SiteFlow {
    let (Load::Flow(flow) | Load::Packets(flow, _)) = segment.load else {
        return SiteFlow::default();
    };
    let [source, destination] = flow.addresses().map(|host| host as u32);
    let dscp = flow.dscp;
    if segment.is_back {
        SiteFlow { source: destination, destination: source, dscp }
    } else {
        SiteFlow { source, destination, dscp }
    }
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
