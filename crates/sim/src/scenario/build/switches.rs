//! Switches: routes, ports, buffers and their policies.

use super::wiring::Wiring;
use super::{PortName, transmission};
use crate::engine::LinkId;
use crate::result::Recorder;
use crate::scenario::{Buffer, Carries, Drop, NodeRef, Quantity, Room, Scenario};
use crate::switch::{Epd, Policy, Pool, Port, PortPlan, PortRoom, Ppd, Route, Switch, Tail};

impl Scenario {
    pub(super) fn build_switch(&self, index: usize, wiring: &Wiring, names: &mut Vec<PortName>) -> Switch {
        let node = NodeRef::Switch(index);
        let outgoing = wiring.outgoing(node);
        let mut routes = vec![Route::default(); 2 * self.flows.len()];
        let mut ports = Vec::with_capacity(outgoing.len());
        for (port, &link) in outgoing.iter().enumerate() {
            let vcs = wiring.vcs_of_link(link);
            for (slot, &vc) in vcs.iter().enumerate() {
                routes[vc as usize] = Route { port: port as u32, slot: slot as u32 };
            }
            ports.push(Port::new(self.port_plan(index, link, vcs.to_vec(), names)));
        }
        let pool = match self.switches[index].buffer {
            Buffer::Shared(room) => Some(Pool::new(units_of(room), ports.len())),
            Buffer::Infinite | Buffer::PerPort(_) | Buffer::PerVc(_) => None,
        };
        let inputs = wiring.incoming(node).iter().map(|&link| LinkId(link as u32)).collect();
        Switch::new(inputs, routes, ports, pool)
    }

    fn port_plan(&self, switch: usize, link: usize, vcs: Vec<u32>, names: &mut Vec<PortName>) -> PortPlan {
        let owner = &self.switches[switch];
        let unit = match self.links[link].carries {
            Carries::Cells { .. } => "cell",
            Carries::Packets { .. } => "packet",
        };
        let name = format!("{}.{}", owner.name, self.links[link].name);
        let recorder = self
            .observe
            .as_ref()
            .filter(|observe| observe.series.contains(&Quantity::Queue))
            .map(|observe| Recorder::new(format!("{name}.queue"), unit, observe.sampling, observe.limit));
        let index = names.len();
        names.push(PortName { name, unit });
        PortPlan {
            index,
            link: LinkId(link as u32),
            propagation: self.passage(link),
            transmission: transmission(self.links[link].carries),
            room: match owner.buffer {
                Buffer::Infinite => PortRoom::Infinite,
                Buffer::PerPort(room) => PortRoom::PerPort(units_of(room)),
                Buffer::PerVc(room) => PortRoom::PerVc(units_of(room)),
                Buffer::Shared(_) => PortRoom::Shared,
            },
            in_service: owner.in_service,
            policy: match owner.drop {
                Drop::Tail => Policy::Tail(Tail),
                Drop::Ppd => Policy::Ppd(Ppd::new(vcs.len())),
                Drop::Epd { threshold } => Policy::Epd(Epd::new(threshold.0, vcs.len())),
            },
            vcs,
            recorder,
        }
    }
}

fn units_of(room: Room) -> u64 {
    match room {
        Room::Cells(cells) => cells.0,
        Room::Packets(packets) => packets.0,
    }
}
