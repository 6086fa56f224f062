//! Switches: routes, ports, allocators of rates, policers, and their parts.

use std::sync::Arc;

use super::parts::Part;
use super::ports::PortSite;
use super::queue_rules::QueueRules;
use super::{Assembly, PortName, policer, ports, rate_control};
use crate::engine::LinkId;
use crate::scenario::NodeRef;
use crate::switch::rate::Allocation;
use crate::switch::{Port, Ports, Route, Routes, Switch, SwitchPlan};

/// Outputs of a switch before it is divided, by position among its outgoing links.
#[derive(Default)]
struct Outputs {
    ports: Vec<Port>,
    allocations: Vec<Option<Allocation>>,
    vcs: Vec<(u32, Route)>,
}

/// The parts of a switch. It stays whole where its ports depend on one another, by shared memory or
/// an allocator, which reads the port of the other direction.
pub(super) fn switch(
    assembly: &Assembly<'_>,
    index: usize,
    names: &mut Vec<PortName>,
) -> Vec<(Part, Switch)> {
    let node = NodeRef::Switch(index);
    let rules = QueueRules::of_switch(&assembly.scenario.switches[index]);
    let outputs = outputs(assembly, index, &rules, names);
    let is_whole = rules.shared_size().is_some() || !outputs.allocations.is_empty();
    let parts = assembly.wiring.parts(node, assembly.joined.as_ref().filter(|_| !is_whole));
    let (of_parts, routes) = divided(assembly, outputs.ports, outputs.vcs, &parts);
    let mut allocations = Some(outputs.allocations);
    let made = parts.into_iter().zip(of_parts).map(|(part, ports)| {
        let switch = Switch::new(SwitchPlan {
            inputs: part.inputs.iter().map(|&link| LinkId(link as u32)).collect(),
            routes: Arc::clone(&routes),
            ports: Ports::new(ports, rules.shared_size()),
            allocations: allocations.take().unwrap_or_default(),
            policer: policer::policer(assembly, &part.inputs),
        });
        (part, switch)
    });
    made.collect()
}

/// Ports and allocators of a switch, and its routes by position of the port.
fn outputs(
    assembly: &Assembly<'_>,
    index: usize,
    rules: &QueueRules,
    names: &mut Vec<PortName>,
) -> Outputs {
    let switch = &assembly.scenario.switches[index];
    let mut outputs = Outputs::default();
    for (port, &link) in assembly.wiring.outgoing(NodeRef::Switch(index)).iter().enumerate() {
        let site = PortSite::new(assembly, &switch.name, link, names);
        for (slot, (&vc, &class)) in site.vcs.iter().zip(&site.classes).enumerate() {
            outputs.vcs.push((vc, Route { port: port as u32, slot: slot as u32, class }));
        }
        outputs.allocations.push(rate_control::allocation(assembly, &site, &switch.rate_allocator));
        outputs.ports.push(ports::port(assembly, &site, rules));
        names.push(site.port_name());
    }
    if outputs.allocations.iter().all(Option::is_none) {
        outputs.allocations.clear();
    }
    outputs
}

/// The ports of each part, and the routes that all parts share: a VC has one output, so each route
/// has the position of its port in its part.
fn divided(
    assembly: &Assembly<'_>,
    outputs: Vec<Port>,
    mut routes: Vec<(u32, Route)>,
    parts: &[Part],
) -> (Vec<Vec<Port>>, Arc<Routes>) {
    let mut places = vec![(0, 0); outputs.len()];
    for (number, part) in parts.iter().enumerate() {
        for (position, &link) in part.outputs.iter().enumerate() {
            places[assembly.wiring.output_of_link(link)] = (number, position);
        }
    }
    let mut of_parts: Vec<Vec<Port>> = parts.iter().map(|_| Vec::new()).collect();
    for (port, &(part, _)) in outputs.into_iter().zip(&places) {
        of_parts[part].push(port);
    }
    for (_, route) in &mut routes {
        route.port = places[route.port as usize].1 as u32;
    }
    // A run without memory for the routes ends before it begins.
    if !assembly.memory.takes_table(Routes::bytes(&routes)) {
        routes.clear();
    }
    (of_parts, Arc::new(Routes::of(&routes)))
}
