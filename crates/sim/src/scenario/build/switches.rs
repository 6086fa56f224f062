//! Switches: routes, ports, buffers, their policies and allocators.

use super::PortName;
use super::buffer_management::Place;
use super::legs::Leg;
use super::wiring::Wiring;
use crate::atm::Class;
use crate::engine::LinkId;
use crate::result::{QueueRecorder, Recorder, Window};
use crate::scenario::{Buffer, Carries, NodeRef, Quantity, Room, Scenario, Service, Switch};
use crate::switch::{self, Pool, Port, PortPlan, PortRoom, QueuePlan, Route, SwitchPlan};

impl Scenario {
    pub(super) fn build_switch(
        &self,
        index: usize,
        wiring: &Wiring<'_>,
        names: &mut Vec<PortName>,
    ) -> switch::Switch {
        let node = NodeRef::Switch(index);
        let outgoing = wiring.outgoing(node);
        let mut routes = vec![Route::default(); wiring.legs.count()];
        let mut ports = Vec::with_capacity(outgoing.len());
        let mut allocations = Vec::with_capacity(outgoing.len());
        for (port, &link) in outgoing.iter().enumerate() {
            let vcs = wiring.vcs_of_link(link);
            let classes: Vec<Class> = vcs.iter().map(|&vc| class_of(wiring.legs.of(vc))).collect();
            for (slot, (&vc, &class)) in vcs.iter().zip(&classes).enumerate() {
                routes[vc as usize] = Route { port: port as u32, slot: slot as u32, class };
            }
            let name = format!("{}.{}", self.switches[index].name, self.links[link].name);
            let is_abr: Vec<bool> = classes.iter().map(|&class| class == Class::Abr).collect();
            allocations.push(self.allocation(&self.switches[index].rate_allocator, link, &name, &is_abr));
            let plan =
                self.port_plan(&self.switches[index], link, (vcs, &classes), (names.len(), &name), wiring);
            ports.push(Port::new(plan, &classes));
            names.push(PortName { name, unit: self.unit_of(link) });
        }
        if allocations.iter().all(Option::is_none) {
            allocations.clear();
        }
        let pool = shared_room(self.switches[index].buffer).map(|room| Pool::new(room, ports.len()));
        let inputs = wiring.incoming(node).iter().map(|&link| LinkId(link as u32)).collect();
        switch::Switch::new(SwitchPlan {
            inputs,
            routes,
            ports,
            allocations,
            pool,
            police: self.police(index, wiring),
        })
    }

    pub(super) fn unit_of(&self, link: usize) -> &'static str {
        match self.links[link].carries {
            Carries::Cells { .. } => "cell",
            Carries::Packets { .. } => "packet",
        }
    }

    pub(super) fn port_plan(
        &self,
        owner: &Switch,
        link: usize,
        (vcs, classes): (&[u32], &[Class]),
        (index, name): (usize, &str),
        wiring: &Wiring<'_>,
    ) -> PortPlan {
        let mut present = classes.to_vec();
        present.sort_unstable();
        present.dedup();
        if present.is_empty() {
            present.push(Class::default());
        }
        let unit = self.unit_of(link);
        let series = self.recorder(Quantity::Queue, &format!("{name}.queue"), unit);
        let of_all = QueueRecorder::wanted(series, self.window_of_port(name));
        let is_alone = present.len() == 1;
        let has_guaranteed = vcs.iter().any(|&vc| wiring.legs.of(vc).minimum_rate().is_some());
        let place = |class: Class| Place {
            drop: owner.drop,
            link,
            name,
            class,
            room: room(owner, class),
            shared: shared_room(owner.buffer),
        };
        let queues: Vec<QueuePlan> = present
            .into_iter()
            .map(|class| QueuePlan {
                class,
                room: room(owner, class),
                policy: self.policy(&place(class), vcs, wiring),
                weights: self.weights(owner.scheduler, link, class, (vcs, classes), wiring),
                recorder: if is_alone {
                    of_all.clone()
                } else {
                    let name = format!("{name}.{}_queue", class.word());
                    QueueRecorder::wanted(self.recorder(Quantity::Queue, &name, unit), None)
                },
                has_guaranteed,
                vc_recorders: self.vc_recorders((vcs, classes), class, (name, unit), wiring),
            })
            .collect();
        PortPlan {
            index,
            transmitter: self.transmitter(link),
            in_service: owner.in_service,
            vcs: vcs.to_vec(),
            queues,
            recorder: if is_alone { None } else { of_all },
        }
    }

    /// The measurement, if the port's distributions are counted.
    fn window_of_port(&self, name: &str) -> Option<Window> {
        let observe = self.observe.as_ref()?;
        observe.distributions.has_port(name).then(|| self.measurement())
    }

    /// By slot: of those VCs that are of the class; empty if series of single VCs are not wanted.
    fn vc_recorders(
        &self,
        (vcs, classes): (&[u32], &[Class]),
        class: Class,
        (port, unit): (&str, &'static str),
        wiring: &Wiring<'_>,
    ) -> Vec<Option<Recorder>> {
        let recorders = vcs.iter().zip(classes).map(|(&vc, &own)| {
            let name = wiring.legs.name(wiring.legs.of(vc));
            let wanted = self.recorder(Quantity::VcQueue, &format!("{port}.{name}.vc_queue"), unit);
            wanted.filter(|_| own == class)
        });
        let recorders: Vec<Option<Recorder>> = recorders.collect();
        if recorders.iter().all(Option::is_none) { Vec::new() } else { recorders }
    }
}

fn class_of(leg: &Leg<'_>) -> Class {
    match leg.service() {
        Service::Vbr | Service::Cbr => Class::Vbr,
        Service::Abr(_) => Class::Abr,
        Service::Ubr { .. } | Service::Gfr(_) => Class::Ubr,
    }
}

fn room(owner: &Switch, class: Class) -> PortRoom {
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

/// What all ports of a node have together, if they share it.
pub(super) fn shared_room(buffer: Buffer) -> Option<u64> {
    match buffer {
        Buffer::Shared(room) => Some(units_of(room)),
        Buffer::Infinite | Buffer::PerPort(_) | Buffer::PerVc(_) => None,
    }
}

fn units_of(room: Room) -> u64 {
    match room {
        Room::Cells(cells) => cells.0,
        Room::Packets(packets) => packets.0,
    }
}
