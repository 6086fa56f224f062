//! Switches: routes, ports, allocators of rates, policers.

use super::ports::PortSite;
use super::queue_rules::QueueRules;
use super::{Assembly, PortName, policer, ports, rate_control};
use crate::engine::LinkId;
use crate::scenario::NodeRef;
use crate::switch::{Ports, Route, Routes, Switch, SwitchPlan};

pub(super) fn switch(assembly: &Assembly<'_>, index: usize, names: &mut Vec<PortName>) -> Switch {
    let node = NodeRef::Switch(index);
    let switch = &assembly.scenario.switches[index];
    let rules = QueueRules::of_switch(switch);
    let outgoing = assembly.wiring.outgoing(node);
    let mut routes = Vec::new();
    let mut ports = Vec::with_capacity(outgoing.len());
    let mut allocations = Vec::with_capacity(outgoing.len());
    for (port, &link) in outgoing.iter().enumerate() {
        let site = PortSite::new(assembly, &switch.name, link, names);
        for (slot, (&vc, &class)) in site.vcs.iter().zip(&site.classes).enumerate() {
            routes.push((vc, Route { port: port as u32, slot: slot as u32, class }));
        }
        allocations.push(rate_control::allocation(assembly, &site, &switch.rate_allocator));
        ports.push(ports::port(assembly, &site, &rules));
        names.push(site.port_name());
    }
    if allocations.iter().all(Option::is_none) {
        allocations.clear();
    }
    // A run without memory for the routes ends before it begins.
    if !assembly.memory.takes_table(Routes::bytes(&routes)) {
        routes.clear();
    }
    Switch::new(SwitchPlan {
        inputs: assembly.wiring.incoming(node).iter().map(|&link| LinkId(link as u32)).collect(),
        routes: Routes::of(&routes),
        ports: Ports::new(ports, rules.shared_size()),
        allocations,
        policer: policer::policer(assembly, index),
    })
}
