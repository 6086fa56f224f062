//! Impairments of links, for each direction of a duplex link separately.

use super::{Assembly, ack_vc, data_vc};
use crate::engine::Stream;
use crate::link::{Impairment, Passing, Site};

/// The impairments of a link, in order.
pub(super) fn impairments(assembly: &Assembly<'_>, link: usize) -> Vec<Box<dyn Impairment>> {
    let Some(impairments) = &assembly.scenario.links[link].impairments else { return Vec::new() };
    let name = &assembly.scenario.links[link].name;
    let direction = if assembly.scenario.is_second_direction(link) { "back" } else { "there" };
    let stream = |of: &str| {
        Stream::new(assembly.scenario.run.seed, &format!("link {name} {direction} {of}"))
    };
    let site = Site {
        stream: &stream,
        transmission: assembly.transmission(link),
        flow: &|flow| passing(assembly, flow, link),
    };
    impairments.0.iter().map(|plan| plan.build(&site)).collect()
}

/// Passage of the flow with this name over a link, if it takes the link.
fn passing(assembly: &Assembly<'_>, flow: &str, link: usize) -> Option<Passing> {
    let index = assembly.scenario.flows.iter().position(|one| one.name == flow)?;
    let flow = &assembly.scenario.flows[index];
    let is_data = flow.path.contains(&link);
    let passes = is_data || flow.reverse_path.contains(&link);
    passes.then(|| Passing {
        direction: if is_data { data_vc(index) } else { ack_vc(index) },
        is_data,
        has_transport: flow.tcp.is_some(),
        // As cells, a flow has the number of its direction, unless it shares a circuit.
        vc: flow.vc.is_none().then(|| data_vc(index)),
    })
}
