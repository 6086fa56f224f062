//! VC segments: each part of a flow's path on which its units have one number, with counters of its
//! own.
//!
//! A flow has the numbers 2f for its data and 2f + 1 for its acknowledgements: its own VC, or its
//! packets if they never become cells. Shared circuits have the numbers after those, two each, and
//! the packets before and after the cells of a mixed path have the rest. Every unit sent under a
//! number by one node is delivered to exactly one other node, discarded, or still in the network.
//! The two directions of a circuit are an even number and the next.

use super::{ack_vc, data_vc};
use crate::pdu::CellHead;
use crate::scenario::{Flow, NodeRef, Scenario, Service, Ubr, Vc};

/// The meaning of one number.
#[derive(Clone, Copy, Debug)]
pub(super) struct VcSegment<'s> {
    pub(super) load: Load<'s>,
    pub(super) is_back: bool,
    /// Links from its origin to its termination; empty if the number is not used.
    pub(super) path: &'s [usize],
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Load<'s> {
    /// All units of a flow, or all of its cells.
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

/// All VC segments by number.
pub(super) struct VcSegments<'s> {
    scenario: &'s Scenario,
    of_vc: Vec<VcSegment<'s>>,
    /// Segments of each direction of a flow, in the order of the path.
    of_direction: Vec<Segments>,
}

/// Segments of packets, of cells and of packets again; a path with units of one kind has its only
/// segment in the middle.
type Segments = [Option<u32>; 3];

impl<'s> VcSegments<'s> {
    pub(super) fn new(scenario: &'s Scenario) -> Self {
        let mut segments = Self { scenario, of_vc: Vec::new(), of_direction: Vec::new() };
        for flow in &scenario.flows {
            for (is_back, path) in [(false, &flow.path), (true, &flow.reverse_path)] {
                let cells = scenario.cell_links(path);
                let path = match flow.vc {
                    Some(_) => &[],
                    None if cells.is_empty() => path.as_slice(),
                    None => cells,
                };
                segments.of_vc.push(VcSegment { load: Load::Flow(flow), is_back, path });
            }
        }
        for vc in &scenario.vcs {
            for (is_back, path) in [(false, &vc.path), (true, &vc.reverse_path)] {
                segments.of_vc.push(VcSegment { load: Load::Shared(vc), is_back, path });
            }
        }
        for index in 0..scenario.flows.len() {
            segments.add_paths(index);
        }
        assert!(
            segments.of_vc.len() <= CellHead::MAX_VCS,
            "the scenario was checked for its number of flows"
        );
        segments
    }

    fn add_paths(&mut self, index: usize) {
        let flow = &self.scenario.flows[index];
        for (is_back, path) in [(false, &flow.path), (true, &flow.reverse_path)] {
            let hops = self.scenario.cell_hops(path);
            let own = if is_back { ack_vc(index) } else { data_vc(index) };
            if hops.is_empty() || hops.len() == path.len() {
                self.of_direction.push([None, Some(own), None]);
                continue;
            }
            let circuit = flow.vc.map_or(own, |vc| self.shared_vc(vc, path[hops.start]));
            let before = self.add_packets(flow, Side::Before, is_back, &path[..hops.start]);
            let after = self.add_packets(flow, Side::After, is_back, &path[hops.end..]);
            self.of_direction.push([before, Some(circuit), after]);
        }
    }

    /// Number of the direction of a shared circuit that originates where `link` does.
    fn shared_vc(&self, vc: usize, link: usize) -> u32 {
        let begins =
            NodeRef::Edge(self.scenario.vcs[vc].edges[0]) == self.scenario.links[link].from;
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
        self.of_vc.push(VcSegment { load: Load::Packets(flow, side), is_back, path });
        Some(self.of_vc.len() as u32 - 1)
    }

    pub(super) fn count(&self) -> usize {
        self.of_vc.len()
    }

    pub(super) fn of(&self, vc: u32) -> &VcSegment<'s> {
        &self.of_vc[vc as usize]
    }

    /// Numbers in use with their segments, in order.
    pub(super) fn used(&self) -> impl Iterator<Item = (u32, &VcSegment<'s>)> {
        let used = self.of_vc.iter().enumerate().filter(|(_, segment)| !segment.path.is_empty());
        used.map(|(vc, segment)| (vc as u32, segment))
    }

    /// The segments of a direction of a flow, in the order of the path.
    pub(super) fn of_direction(&self, direction: u32) -> impl DoubleEndedIterator<Item = u32> + '_ {
        self.of_direction[direction as usize].iter().flatten().copied()
    }

    /// The number under which units leave their host.
    pub(super) fn first(&self, direction: u32) -> u32 {
        self.of_direction(direction).next().expect("a path has a segment")
    }

    /// The number under which units reach their host.
    pub(super) fn last(&self, direction: u32) -> u32 {
        self.of_direction(direction).next_back().expect("a path has a segment")
    }

    pub(super) fn directions(&self) -> u32 {
        self.of_direction.len() as u32
    }

    /// Names in the results, by number; `None` for unused numbers.
    pub(super) fn names(&self) -> Vec<Option<String>> {
        self.of_vc
            .iter()
            .map(|segment| (!segment.path.is_empty()).then(|| self.name(segment)))
            .collect()
    }

    pub(super) fn name_of(&self, vc: u32) -> String {
        self.name(self.of(vc))
    }

    /// Minimum cell rates of guaranteed circuits, by number, cells per second.
    pub(super) fn minimum_rates(&self) -> Vec<Option<f64>> {
        self.of_vc.iter().map(VcSegment::minimum_rate).collect()
    }

    /// Name in the results. ` back` marks the direction of acknowledgements; packets name the edge
    /// at which they become cells, or have been cells.
    pub(super) fn name(&self, segment: &VcSegment<'_>) -> String {
        let back = if segment.is_back { " back" } else { "" };
        let node = |node| self.scenario.name_of(node);
        match segment.load {
            Load::Flow(flow) => format!("{}{back}", flow.name),
            Load::Shared(vc) => format!("{}{back}", vc.name),
            Load::Packets(flow, Side::Before) => {
                let last = segment.path[segment.path.len() - 1];
                format!("{}{back} to {}", flow.name, node(self.scenario.links[last].to))
            }
            Load::Packets(flow, Side::After) => {
                format!(
                    "{}{back} from {}",
                    flow.name,
                    node(self.scenario.links[segment.path[0]].from)
                )
            }
        }
    }
}

impl VcSegment<'_> {
    /// Service of its cells; packets that become cells elsewhere have no service.
    pub(super) fn service(&self) -> Service {
        match self.load {
            Load::Flow(flow) => flow.service,
            Load::Shared(vc) => vc.service,
            Load::Packets(..) => Service::Ubr(Ubr::default()),
        }
    }

    /// True if its units are frames or packets, not raw cells.
    pub(super) fn has_frames(&self) -> bool {
        match self.load {
            Load::Flow(flow) => flow.sends_packets(),
            Load::Shared(_) | Load::Packets(..) => true,
        }
    }

    /// Minimum cell rate of a guaranteed circuit, cells per second.
    pub(super) fn minimum_rate(&self) -> Option<f64> {
        self.service().gfr().map(|gfr| gfr.mcr.cells_per_second_f64())
    }

    /// True if a pace applies: a flow's to its data, a shared circuit's to both directions.
    pub(super) fn is_paced(&self) -> bool {
        matches!(self.load, Load::Shared(_)) || !self.is_back
    }
}
