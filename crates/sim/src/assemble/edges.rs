//! Edges: routes of the flows' packets, outputs for packets, and interfaces for cells.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::parts::{Joined, Part};
use super::ports::PortSite;
use super::queue_rules::QueueRules;
use super::wiring::{Passing, Wiring};
use super::{Assembly, PortName, nics, ports};
use crate::edge::{Edge, EdgePlan, Output, Route};
use crate::host::{Attachment, Nic, Nics, Origin, Terminations};
use crate::scenario::{NodeRef, Scenario, Service};
use crate::switch::{Port, Ports};

/// Outputs and interfaces of a part of an edge, and what passes it.
#[derive(Default)]
struct PartPlan {
    ports: Vec<Port>,
    nics: Vec<Nic>,
    /// Routes by direction, in order.
    routes: Vec<(u32, Route)>,
    /// Origins of VCs.
    origins: Vec<Origin>,
}

/// Output onto each outgoing link of an edge: the number of its part, and the output there.
type OutputOfLink = Vec<(usize, Output)>;

/// The parts of an edge. It stays whole where its ports depend on one another, by shared memory or
/// an allocator of ABR VCs, whose RM cells return by the other direction.
pub(super) fn parts(
    scenario: &Scenario,
    wiring: &Wiring<'_>,
    edge: usize,
    joined: Option<&Joined>,
) -> Vec<Part> {
    let node = NodeRef::Edge(edge);
    let is_shared = QueueRules::of_edge(&scenario.edges[edge]).shared_size().is_some();
    let mut vcs = wiring.outgoing(node).iter().flat_map(|&link| wiring.vcs_of_link(link));
    let is_whole =
        is_shared || vcs.any(|&vc| matches!(wiring.segments.of(vc).service(), Service::Abr(_)));
    wiring.parts(node, joined.filter(|_| !is_whole))
}

/// The nodes of the parts of an edge.
pub(super) fn edge(assembly: &Assembly<'_>, index: usize, names: &mut Vec<PortName>) -> Vec<Edge> {
    let node = NodeRef::Edge(index);
    let rules = QueueRules::of_edge(&assembly.scenario.edges[index]);
    let first_port = names.len();
    let (mut plans, of_link) = outputs(assembly, index, &rules, names);
    add_routes(assembly, index, &of_link, &mut plans);
    let nic_of_link = |link: usize| match of_link[assembly.wiring.output_of_link(link)] {
        (_, Output::Cells { nic }) => nic,
        (_, Output::Packets { .. }) => unreachable!("RM cells travel on links of cells only"),
    };
    let made = plans.into_iter().zip(&assembly.edge_parts[index]).enumerate();
    let made = made.map(|(number, (plan, part))| {
        let place_of_vc = Arc::clone(&assembly.terminals.place_of_vc);
        let ends = assembly.terminals.of(node, number).iter();
        let ends = ends.map(|&vc| nics::termination(assembly, vc, None, &plan.nics, nic_of_link));
        Edge::new(EdgePlan {
            attachment: Attachment {
                inputs: nics::inputs(&part.inputs),
                terminations: Terminations::new(place_of_vc, ends.collect()),
                nics: Nics::new(plan.nics),
            },
            routes: plan.routes,
            origins: plan.origins,
            ports: Ports::new(plan.ports, rules.shared_size()),
            first_port,
        })
    });
    made.collect()
}

fn outputs(
    assembly: &Assembly<'_>,
    index: usize,
    rules: &QueueRules,
    names: &mut Vec<PortName>,
) -> (Vec<PartPlan>, OutputOfLink) {
    let outgoing = assembly.wiring.outgoing(NodeRef::Edge(index));
    let parts = &assembly.edge_parts[index];
    let mut plans: Vec<PartPlan> = parts.iter().map(|_| PartPlan::default()).collect();
    let mut part_of_output = vec![0; outgoing.len()];
    for (number, part) in parts.iter().enumerate() {
        let outputs = part.outputs.iter().map(|&link| assembly.wiring.output_of_link(link));
        outputs.for_each(|output| part_of_output[output] = number);
    }
    let mut of_link = OutputOfLink::new();
    for (&link, part) in outgoing.iter().zip(part_of_output) {
        let PartPlan { ports, nics, .. } = &mut plans[part];
        if assembly.scenario.links[link].is_of_cells() {
            of_link.push((part, Output::Cells { nic: nics.len() }));
            nics.push(nics::nic(assembly, link));
            continue;
        }
        let site = PortSite::new(assembly, &assembly.scenario.edges[index].name, link, names)
            .without_classes();
        of_link.push((part, Output::Packets { port: ports.len(), slot: 0 }));
        ports.push(ports::port(assembly, &site, rules));
        names.push(site.port_name());
    }
    (plans, of_link)
}

/// Adds the routes of the directions that pass an edge, in order, and the origins of VCs there.
fn add_routes(
    assembly: &Assembly<'_>,
    edge: usize,
    of_link: &OutputOfLink,
    plans: &mut [PartPlan],
) {
    // Flows of a shared circuit have one origin.
    let mut places = BTreeMap::new();
    for &Passing { direction, vc, hop } in assembly.wiring.passing(edge) {
        let link = assembly.wiring.segments.of(vc).path[hop];
        let (part, mut output) = of_link[assembly.wiring.output_of_link(link)];
        let PartPlan { routes, origins, .. } = &mut plans[part];
        if let Output::Packets { slot, .. } = &mut output {
            let found = assembly.wiring.vcs_of_link(link).binary_search(&vc);
            *slot = found.expect("the VC passes the link") as u32;
        }
        let origin = (hop == 0).then(|| {
            *places.entry(vc).or_insert_with(|| {
                origins.push(Origin::new(vc));
                origins.len() - 1
            })
        });
        routes.push((direction, Route { output, vc, origin }));
    }
}
