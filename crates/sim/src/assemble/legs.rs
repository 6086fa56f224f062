//! What travels where under one number: every leg of a flow's journey is a VC with books of its
//! own.
//!
//! A flow has the numbers 2f for its data and 2f + 1 for what comes back: its own VC, or its
//! packets if they never become cells. Shared circuits have the numbers after those, two each, and
//! the packets before and after the cells of a journey that changes have what follows. So whatever
//! begins under a number at one node ends at one other, is dropped or is inside. The two directions
//! of a circuit are an even number and the next.

use super::{ack_vc, data_vc};
use crate::pdu::CellHead;
use crate::scenario::{Flow, NodeRef, Scenario, Service, Ubr, Vc};

/// What one number stands for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg<'s> {
    pub(super) load: Load<'s>,
    pub(super) is_back: bool,
    /// Links from its beginning to its end; empty: the number is not used.
    pub(super) path: &'s [usize],
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Load<'s> {
    /// All of a flow, or all of its cells.
    Flow(&'s Flow),
    /// The cells of several flows.
    Shared(&'s Vc),
    /// The packets of a flow before or after its cells.
    Packets(&'s Flow, Side),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
}

/// All of them, by number.
pub(super) struct Legs<'s> {
    scenario: &'s Scenario,
    of_vc: Vec<Leg<'s>>,
    /// By way of a flow: its legs in the order of its journey.
    of_way: Vec<Journey>,
}

/// Packets, cells and packets again; a journey that does not change has its one leg in the middle.
type Journey = [Option<u32>; 3];

impl<'s> Legs<'s> {
    pub(super) fn new(scenario: &'s Scenario) -> Self {
        let mut legs = Self { scenario, of_vc: Vec::new(), of_way: Vec::new() };
        for flow in &scenario.flows {
            for (is_back, path) in [(false, &flow.path), (true, &flow.reverse_path)] {
                let cells = scenario.cell_links(path);
                let path = match flow.vc {
                    Some(_) => &[],
                    None if cells.is_empty() => path.as_slice(),
                    None => cells,
                };
                legs.of_vc.push(Leg { load: Load::Flow(flow), is_back, path });
            }
        }
        for vc in &scenario.vcs {
            for (is_back, path) in [(false, &vc.path), (true, &vc.reverse_path)] {
                legs.of_vc.push(Leg { load: Load::Shared(vc), is_back, path });
            }
        }
        for index in 0..scenario.flows.len() {
            legs.add_journeys(index);
        }
        assert!(
            legs.of_vc.len() <= CellHead::MAX_VCS,
            "the scenario was checked for its number of flows"
        );
        legs
    }

    fn add_journeys(&mut self, index: usize) {
        let flow = &self.scenario.flows[index];
        for (is_back, path) in [(false, &flow.path), (true, &flow.reverse_path)] {
            let hops = self.scenario.cell_hops(path);
            let own = if is_back { ack_vc(index) } else { data_vc(index) };
            if hops.is_empty() || hops.len() == path.len() {
                self.of_way.push([None, Some(own), None]);
                continue;
            }
            let circuit = flow.vc.map_or(own, |vc| self.shared_vc(vc, path[hops.start]));
            let before = self.add_packets(flow, Side::Before, is_back, &path[..hops.start]);
            let after = self.add_packets(flow, Side::After, is_back, &path[hops.end..]);
            self.of_way.push([before, Some(circuit), after]);
        }
    }

    /// The direction of a shared circuit that begins at the beginning of `link`.
    fn shared_vc(&self, vc: usize, link: usize) -> u32 {
        let begins =
            NodeRef::Edge(self.scenario.vcs[vc].between[0]) == self.scenario.links[link].from;
        (2 * (self.scenario.flows.len() + vc) + usize::from(!begins)) as u32
    }

    fn add_packets(
        &mut self,
        flow: &'s Flow,
        side: Side,
        is_back: bool,
        path: &'s [usize],
    ) -> Option<u32> {
        if path.is_empty() {
            return None;
        }
        self.of_vc.push(Leg { load: Load::Packets(flow, side), is_back, path });
        Some(self.of_vc.len() as u32 - 1)
    }

    pub(super) fn count(&self) -> usize {
        self.of_vc.len()
    }

    pub(super) fn of(&self, vc: u32) -> &Leg<'s> {
        &self.of_vc[vc as usize]
    }

    /// Every number in use with its leg, in order.
    pub(super) fn used(&self) -> impl Iterator<Item = (u32, &Leg<'s>)> {
        let used = self.of_vc.iter().enumerate().filter(|(_, leg)| !leg.path.is_empty());
        used.map(|(vc, leg)| (vc as u32, leg))
    }

    /// The legs of a way of a flow, in the order of the journey.
    pub(super) fn of_way(&self, way: u32) -> impl DoubleEndedIterator<Item = u32> + '_ {
        self.of_way[way as usize].iter().flatten().copied()
    }

    /// The number under which a way leaves its host.
    pub(super) fn first(&self, way: u32) -> u32 {
        self.of_way(way).next().expect("a journey has a leg")
    }

    /// The number under which a way comes to its host.
    pub(super) fn last(&self, way: u32) -> u32 {
        self.of_way(way).next_back().expect("a journey has a leg")
    }

    pub(super) fn ways(&self) -> u32 {
        self.of_way.len() as u32
    }

    /// By number: what the books call it; `None`: it is not used.
    pub(super) fn names(&self) -> Vec<Option<String>> {
        self.of_vc.iter().map(|leg| (!leg.path.is_empty()).then(|| self.name(leg))).collect()
    }

    pub(super) fn name_of(&self, vc: u32) -> String {
        self.name(self.of(vc))
    }

    /// By number: the minimum cell rate of a guaranteed circuit, cells per second.
    pub(super) fn minimum_rates(&self) -> Vec<Option<f64>> {
        self.of_vc.iter().map(Leg::minimum_rate).collect()
    }

    /// ` back` is the way of acknowledgements; packets say at which edge they become cells, or have
    /// been.
    pub(super) fn name(&self, leg: &Leg<'_>) -> String {
        let back = if leg.is_back { " back" } else { "" };
        let node = |node| self.scenario.name_of(node);
        match leg.load {
            Load::Flow(flow) => format!("{}{back}", flow.name),
            Load::Shared(vc) => format!("{}{back}", vc.name),
            Load::Packets(flow, Side::Before) => {
                let last = leg.path[leg.path.len() - 1];
                format!("{}{back} to {}", flow.name, node(self.scenario.links[last].to))
            }
            Load::Packets(flow, Side::After) => {
                format!("{}{back} from {}", flow.name, node(self.scenario.links[leg.path[0]].from))
            }
        }
    }
}

impl Leg<'_> {
    /// How the network carries it; packets that become cells elsewhere know no service.
    pub(super) fn service(&self) -> Service {
        match self.load {
            Load::Flow(flow) => flow.service,
            Load::Shared(vc) => vc.service,
            Load::Packets(..) => Service::Ubr(Ubr::default()),
        }
    }

    /// Of a guaranteed circuit, cells per second.
    pub(super) fn minimum_rate(&self) -> Option<f64> {
        self.service().gfr().map(|gfr| gfr.mcr.cells_per_second_f64())
    }

    /// Whether a pace is for it: a flow's is for its data, a shared circuit's for both ways.
    pub(super) fn is_paced(&self) -> bool {
        matches!(self.load, Load::Shared(_)) || !self.is_back
    }
}
