//! Edges: routes of the flows' packets, outputs for packets, and interfaces for cells.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::ports::PortSite;
use super::queue_rules::QueueRules;
use super::wiring::Passing;
use super::{Assembly, PortName, nics, ports};
use crate::edge::{Edge, EdgePlan, Output, Route};
use crate::host::{Attachment, Nic, Nics, Origin, Terminations};
use crate::scenario::NodeRef;
use crate::switch::{Port, Ports};

/// Outputs and interfaces of an edge onto its outgoing links.
#[derive(Default)]
struct Outputs {
    ports: Vec<Port>,
    nics: Vec<Nic>,
    /// Outputs by position among the outgoing links.
    of_link: Vec<Output>,
}

pub(super) fn edge(assembly: &Assembly<'_>, index: usize, names: &mut Vec<PortName>) -> Edge {
    let node = NodeRef::Edge(index);
    let rules = QueueRules::of_edge(&assembly.scenario.edges[index]);
    let outputs = edge_outputs(assembly, index, &rules, names);
    let (routes, origins) = routes(assembly, index, &outputs.of_link);
    let nic_of_link = |link: usize| match outputs.of_link[assembly.wiring.output_of_link(link)] {
        Output::Cells { nic } => nic,
        Output::Packets { .. } => unreachable!("RM cells travel on links of cells only"),
    };
    let place_of_vc = Arc::clone(&assembly.terminals.place_of_vc);
    let ends = assembly.terminals.of(node).iter();
    let ends = ends.map(|&vc| nics::termination(assembly, vc, None, &outputs.nics, nic_of_link));
    Edge::new(EdgePlan {
        attachment: Attachment {
            inputs: nics::inputs(assembly, node),
            terminations: Terminations::new(place_of_vc, ends.collect()),
            nics: Nics::new(outputs.nics),
        },
        routes,
        origins,
        ports: Ports::new(outputs.ports, rules.shared_size()),
    })
}

fn edge_outputs(
    assembly: &Assembly<'_>,
    index: usize,
    rules: &QueueRules,
    names: &mut Vec<PortName>,
) -> Outputs {
    let mut outputs = Outputs::default();
    for &link in assembly.wiring.outgoing(NodeRef::Edge(index)) {
        if assembly.scenario.links[link].is_of_cells() {
            outputs.of_link.push(Output::Cells { nic: outputs.nics.len() });
            outputs.nics.push(nics::nic(assembly, link));
            continue;
        }
        let site = PortSite::new(assembly, &assembly.scenario.edges[index].name, link, names)
            .without_classes();
        outputs.of_link.push(Output::Packets { port: outputs.ports.len(), slot: 0 });
        outputs.ports.push(ports::port(assembly, &site, rules));
        names.push(site.port_name());
    }
    outputs
}

/// Routes by direction that passes an edge, in order; and the origins of VCs there.
fn routes(
    assembly: &Assembly<'_>,
    edge: usize,
    output_of_link: &[Output],
) -> (Vec<(u32, Route)>, Vec<Origin>) {
    // Flows of a shared circuit have one origin.
    let mut places = BTreeMap::new();
    let mut origins = Vec::new();
    let routes = assembly.wiring.passing(edge).iter().map(|&Passing { direction, vc, hop }| {
        let link = assembly.wiring.segments.of(vc).path[hop];
        let mut output = output_of_link[assembly.wiring.output_of_link(link)];
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
        (direction, Route { output, vc, origin })
    });
    (routes.collect(), origins)
}
