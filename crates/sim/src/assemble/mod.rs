//! Construction of a network of nodes and links from a checked scenario.
//!
//! `segments` numbers the VCs. The processing delay of a switch or an
//! edge becomes part of its incoming links: it is the same for every cell.

mod buffer_management;
mod connections;
mod edges;
mod footprint;
mod hosts;
mod impairments;
mod nics;
mod node;
mod own;
mod pacing;
mod parts;
mod passing;
mod policer;
mod ports;
mod queue_rules;
mod rate_control;
mod relays;
mod scheduler;
mod segments;
mod sources;
mod switches;
mod wiring;

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::{LinkId, Losses, Memory, Network, NodeId};
use crate::link::{Transmission, Transmitter};
use crate::result::{Recorder, Recorders, Series, Window};
use crate::scenario::{Carries, NodeRef, Quantity, Scenario};
use crate::traffic::Asked;
use crate::units::{Span, Time};
use buffer_management::shared_minimum_rates;
use node::Listed;
use parts::{Joined, Part};
use relays::Read;
use wiring::{Ends, Terminals, Wiring};

pub(crate) use node::AnyNode;
pub(crate) use own::OwnRules;
pub use own::{FlowSite, QueueSite};
pub(crate) use passing::PassingVc;
pub(crate) use queue_rules::QueueRules;

/// Most losses of external flows that wait for their driver.
const MAX_EXTERNAL_LOSSES: usize = 1 << 20;

/// A network and the names of its parts.
#[derive(Debug)]
pub(crate) struct Assembled {
    /// The network, ready to run.
    pub(crate) network: Network<AnyNode>,
    /// Names of the ports, `switch.link`, by port index; those of edges come last.
    pub(crate) ports: Vec<PortName>,
    /// Names of the counters of every virtual circuit, by number; `None` for unused numbers.
    pub(crate) vcs: Vec<Option<String>>,
    /// Minimum cell rates of guaranteed virtual circuits, by number, cells per second.
    pub(crate) minimum_rates: Vec<Option<f64>>,
}

/// Name and unit of a port.
#[derive(Clone, Debug)]
pub(crate) struct PortName {
    /// Name as `switch.link` or `edge.link`.
    pub(crate) name: String,
    /// Unit that the port counts: `cell` or `packet`.
    pub(crate) unit: &'static str,
}

/// Number of the direction of a flow's data, and of the VC that carries all of them if it is the
/// only one.
const fn data_vc(flow: usize) -> u32 {
    2 * flow as u32
}

/// Number of the direction of a flow's acknowledgements, likewise.
const fn ack_vc(flow: usize) -> u32 {
    2 * flow as u32 + 1
}

/// Makes the network of a scenario at time zero, with its rules from outside. The traffic of the
/// flows `external`, in order of their numbers, is made outside.
pub(crate) fn assemble(scenario: &Scenario, external: &[usize], own: &OwnRules<'_>) -> Assembled {
    let assembly = Assembly::new(scenario, external, own);
    let Made { mut nodes, parts, ports } = assembly.nodes();
    let mut ends = Ends::new(scenario.links.len());
    parts.iter().enumerate().for_each(|(node, part)| ends.set(node, part));
    let links = wiring::links(&assembly, &nodes, &ends);
    for (node, part) in nodes.iter_mut().zip(&parts) {
        if let AnyNode::Switch(switch) = node {
            wiring::expect_trains(&assembly, switch, part, &links);
        }
    }
    let mut network = Network::new(nodes, links);
    network.limit_memory(assembly.memory.clone());
    if assembly.has_long_turns() {
        network.follow_clocks(&ends.senders);
    }
    let flows = external.iter().map(|&index| &scenario.flows[index]);
    let hosts: Vec<NodeId> =
        flows.flat_map(|flow| [flow.source, flow.sink]).map(host_node).collect();
    network.stop_at_arrivals(&hosts, &ends.senders);
    if let Some(losses) = assembly.losses() {
        network.observe_losses(losses);
    }
    if !external.is_empty() {
        network.observe_external_losses(assembly.external_losses());
    }
    Assembled {
        network,
        ports,
        vcs: assembly.wiring.segments.names(),
        minimum_rates: assembly.wiring.segments.minimum_rates(),
    }
}

impl Assembled {
    /// Takes the recorded series of hosts, of switches by port, and of edges.
    pub(crate) fn take_series(&mut self) -> impl Iterator<Item = Series> {
        let nodes = self.network.nodes_mut().iter_mut();
        let mut series: Vec<(Listed, Series)> = nodes.flat_map(AnyNode::take_series).collect();
        series.sort_by_key(|(place, _)| *place);
        series.into_iter().map(|(_, series)| series)
    }
}

/// Nodes with their links, in the same order, and the names of their ports.
#[derive(Default)]
struct Made {
    nodes: Vec<AnyNode>,
    parts: Vec<Part>,
    ports: Vec<PortName>,
}

/// Memory of a scenario, if it exceeds the limit before any part is made.
pub(crate) fn lacking(scenario: &Scenario) -> Option<Memory> {
    Some(footprint::memory_of(scenario)).filter(Memory::is_exceeded)
}

/// Node number of a host; hosts are the first nodes.
pub(crate) fn host_node(host: usize) -> NodeId {
    NodeId(host as u32)
}

/// Inputs of the construction of every part: the scenario, and its wiring.
struct Assembly<'s> {
    scenario: &'s Scenario,
    own: &'s OwnRules<'s>,
    wiring: Wiring<'s>,
    /// Links that are joined at nodes; `None` where nodes are not divided.
    joined: Option<Joined>,
    /// Parts of each edge.
    edge_parts: Vec<Vec<Part>>,
    terminals: Terminals,
    read: Read,
    /// Sum of the minimum rates of all VCs that pass a node, by node.
    shared_minimum_rates: BTreeMap<NodeRef, f64>,
    external: &'s [usize],
    /// Requests of each flow, which its two ends share.
    asked: Vec<Asked>,
    memory: Memory,
}

impl<'s> Assembly<'s> {
    fn new(scenario: &'s Scenario, external: &'s [usize], own: &'s OwnRules<'s>) -> Self {
        let wiring = Wiring::new(scenario);
        let is_divided = external.is_empty() && !own.has_short_turns;
        let joined = is_divided.then(|| Joined::new(scenario, &wiring));
        let edges = 0..scenario.edges.len();
        let edge_parts: Vec<Vec<Part>> =
            edges.map(|edge| edges::parts(scenario, &wiring, edge, joined.as_ref())).collect();
        let terminals = Terminals::new(scenario, &wiring.segments, &edge_parts);
        let memory = footprint::memory_of(scenario);
        let read = Read::new(scenario);
        let shared_minimum_rates = shared_minimum_rates(scenario, &wiring);
        let asked = sources::requests(&scenario.flows);
        Self {
            scenario,
            own,
            wiring,
            joined,
            edge_parts,
            terminals,
            read,
            shared_minimum_rates,
            external,
            asked,
            memory,
        }
    }

    /// True if turns may be as long as the clocks of links allow, and switches and edges are
    /// divided into parts that do not touch. One does not pay without the other. Drivers of
    /// external flows act at any instant, whatever the clocks say.
    fn has_long_turns(&self) -> bool {
        self.joined.is_some()
    }

    /// All nodes: hosts, parts of switches, parts of edges.
    fn nodes(&self) -> Made {
        let Scenario { hosts, switches, edges, .. } = self.scenario;
        let mut made = Made::default();
        for host in 0..hosts.len() {
            made.nodes.push(AnyNode::Host(Box::new(hosts::host(self, host))));
            made.parts.push(Part::whole(&self.wiring, NodeRef::Host(host)));
        }
        for switch in 0..switches.len() {
            for (part, switch) in switches::switch(self, switch, &mut made.ports) {
                made.nodes.push(AnyNode::Switch(Box::new(switch)));
                made.parts.push(part);
            }
        }
        for edge in 0..edges.len() {
            let parts = edges::edge(self, edge, &mut made.ports);
            made.nodes.extend(parts.into_iter().map(|part| AnyNode::Edge(Box::new(part))));
            made.parts.extend_from_slice(&self.edge_parts[edge]);
        }
        made
    }

    /// True if the traffic of a flow is made outside.
    fn is_external(&self, flow: usize) -> bool {
        self.external.binary_search(&flow).is_ok()
    }

    /// The transmitter onto a link.
    fn transmitter(&self, link: usize) -> Transmitter {
        self.transmitter_with_memory(link, Span::ZERO)
    }

    /// The same with a path of its rate that can be asked for so much of the past.
    fn transmitter_with_memory(&self, link: usize, memory: Span) -> Transmitter {
        Transmitter::new(LinkId(link as u32), self.scenario.passage(link), self.transmission(link))
            .varying(self.scenario.capacity_of(link, memory))
            .impaired_by(
                impairments::impairments(self, link),
                self.scenario.links[link].delay.excess(),
                self.measurement(),
            )
    }

    /// The losses of the flows whose segments are recorded.
    fn losses(&self) -> Option<Losses> {
        let observe = self.scenario.observe.as_ref()?;
        let segments = observe.segments.as_ref()?;
        let flows = self.scenario.flows.iter().enumerate();
        let directions: BTreeSet<u32> = flows
            .filter(|(_, flow)| flow.tcp.is_some() && segments.has_flow(flow.observed_as()))
            .map(|(index, _)| data_vc(index))
            .collect();
        let window = segments.window(self.scenario.run.duration);
        Some(self.losses_of(directions, window, observe.limit))
    }

    /// The losses of external flows, in both directions.
    fn external_losses(&self) -> Losses {
        let ways = self.external.iter().flat_map(|&flow| [data_vc(flow), ack_vc(flow)]);
        let always = (Time::ZERO, Time::MAX);
        self.losses_of(ways.collect(), always, MAX_EXTERNAL_LOSSES).of_all_packets()
    }

    fn losses_of(&self, directions: BTreeSet<u32>, window: (Time, Time), limit: usize) -> Losses {
        let of = &self.wiring.segments;
        let vcs = directions.iter().flat_map(|&direction| of.of_direction(direction)).collect();
        Losses::new(directions, vcs, window, limit)
    }

    /// Transmission times of units on a link.
    fn transmission(&self, link: usize) -> Transmission {
        let link = &self.scenario.links[link];
        let constant = match link.carries {
            Carries::Cells { cell_rate, .. } => Transmission::Cells(cell_rate.cell_time()),
            Carries::Packets { line_rate, framing } => Transmission::Packets { line_rate, framing },
        };
        if link.capacity.is_some() { constant.varying(link.carries.rate()) } else { constant }
    }

    /// The time in which the delays of a queue or a flow are counted; its memory is reserved.
    fn counting(&self) -> Window {
        self.memory.recorded().add(footprint::bytes_of_delays(self.scenario.run.duration));
        self.measurement()
    }

    /// The time in which distributions are counted.
    fn measurement(&self) -> Window {
        let run = &self.scenario.run;
        Window { from: Time::ZERO + run.warm_up, until: Time::ZERO + run.duration }
    }

    /// A recorder, if the quantity is recorded.
    fn recorder(&self, quantity: Quantity, name: &str, unit: &'static str) -> Option<Recorder> {
        let observe =
            self.scenario.observe.as_ref().filter(|observe| observe.series.contains(&quantity))?;
        let duration = self.scenario.run.duration;
        let recorder =
            Recorder::new(name.to_owned(), unit, observe.sampling(duration), observe.limit);
        Some(recorder.counted(self.memory.recorded(), duration))
    }

    /// Recorders of those quantities of `owner` that are recorded.
    fn recorders<P, const N: usize>(
        &self,
        owner: &str,
        probes: [(P, Quantity, &'static str); N],
    ) -> Recorders<P> {
        let recorders = probes.into_iter().filter_map(|(probe, quantity, unit)| {
            let name = format!("{owner}.{}", quantity.word());
            Some((probe, self.recorder(quantity, &name, unit)?))
        });
        Recorders(recorders.collect())
    }
}
