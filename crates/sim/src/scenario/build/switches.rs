//! Switches: routes, ports, buffers, their policies and allocators.

use super::wiring::Wiring;
use super::{PortName, transmission};
use crate::engine::LinkId;
use crate::scenario::{Buffer, Carries, Drop, NodeRef, Quantity, Room, Scenario};
use crate::switch::{
    Class, Epd, Policy, Pool, Port, PortPlan, PortRoom, Ppd, QueuePlan, Route, Switch, SwitchPlan, Tail,
};

impl Scenario {
    pub(super) fn build_switch(&self, index: usize, wiring: &Wiring, names: &mut Vec<PortName>) -> Switch {
        let node = NodeRef::Switch(index);
        let outgoing = wiring.outgoing(node);
        let mut routes = vec![Route::default(); 2 * self.flows.len()];
        let mut ports = Vec::with_capacity(outgoing.len());
        let mut allocations = Vec::with_capacity(outgoing.len());
        for (port, &link) in outgoing.iter().enumerate() {
            let vcs = wiring.vcs_of_link(link);
            let classes: Vec<Class> = vcs.iter().map(|&vc| self.class_of(vc)).collect();
            for (slot, (&vc, &class)) in vcs.iter().zip(&classes).enumerate() {
                routes[vc as usize] = Route { port: port as u32, slot: slot as u32, class };
            }
            let name = format!("{}.{}", self.switches[index].name, self.links[link].name);
            let is_abr: Vec<bool> = classes.iter().map(|&class| class == Class::Abr).collect();
            allocations.push(self.allocation(&self.switches[index].rate_allocator, link, &name, &is_abr));
            let plan = self.port_plan(index, link, (vcs, &classes), names.len(), &name);
            ports.push(Port::new(plan, &classes));
            names.push(PortName { name, unit: self.unit_of(link) });
        }
        if allocations.iter().all(Option::is_none) {
            allocations.clear();
        }
        let pool = match self.switches[index].buffer {
            Buffer::Shared(room) => Some(Pool::new(units_of(room), ports.len())),
            Buffer::Infinite | Buffer::PerPort(_) | Buffer::PerVc(_) => None,
        };
        let inputs = wiring.incoming(node).iter().map(|&link| LinkId(link as u32)).collect();
        Switch::new(SwitchPlan { inputs, routes, ports, allocations, pool })
    }

    fn class_of(&self, vc: u32) -> Class {
        self.flows[vc as usize / 2].service.class()
    }

    fn unit_of(&self, link: usize) -> &'static str {
        match self.links[link].carries {
            Carries::Cells { .. } => "cell",
            Carries::Packets { .. } => "packet",
        }
    }

    fn port_plan(
        &self,
        switch: usize,
        link: usize,
        (vcs, classes): (&[u32], &[Class]),
        index: usize,
        name: &str,
    ) -> PortPlan {
        let mut present = classes.to_vec();
        present.sort_unstable();
        present.dedup();
        if present.is_empty() {
            present.push(Class::default());
        }
        let unit = self.unit_of(link);
        let of_all = self.recorder(Quantity::Queue, &format!("{name}.queue"), unit);
        let is_alone = present.len() == 1;
        let queues: Vec<QueuePlan> = present
            .into_iter()
            .map(|class| QueuePlan {
                class,
                room: self.room(switch, class),
                policy: self.policy(switch, vcs.len()),
                recorder: if is_alone {
                    of_all.clone()
                } else {
                    self.recorder(Quantity::Queue, &format!("{name}.{}_queue", class.word()), unit)
                },
            })
            .collect();
        PortPlan {
            index,
            link: LinkId(link as u32),
            propagation: self.passage(link),
            transmission: transmission(self.links[link].carries),
            in_service: self.switches[switch].in_service,
            vcs: vcs.to_vec(),
            queues,
            recorder: if is_alone { None } else { of_all },
        }
    }

    fn room(&self, switch: usize, class: Class) -> PortRoom {
        let owner = &self.switches[switch];
        let of_class = match class {
            Class::Vbr => owner.vbr_buffer,
            Class::Abr => owner.abr_buffer,
            Class::Ubr => None,
        };
        match of_class.unwrap_or(owner.buffer) {
            Buffer::Infinite => PortRoom::Infinite,
            Buffer::PerPort(room) => PortRoom::PerPort(units_of(room)),
            Buffer::PerVc(room) => PortRoom::PerVc(units_of(room)),
            Buffer::Shared(_) => PortRoom::Shared,
        }
    }

    fn policy(&self, switch: usize, vcs: usize) -> Policy {
        match self.switches[switch].drop {
            Drop::Tail => Policy::Tail(Tail),
            Drop::Ppd => Policy::Ppd(Ppd::new(vcs)),
            Drop::Epd { threshold } => Policy::Epd(Epd::new(threshold.0, vcs)),
        }
    }
}

fn units_of(room: Room) -> u64 {
    match room {
        Room::Cells(cells) => cells.0,
        Room::Packets(packets) => packets.0,
    }
}
