//! Flows whose traffic a driver makes: what it may send, and what it knows of its packets.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::assemble::{AnyNode, Assembled};
use crate::engine::{Loss, Place};
use crate::pdu::{CapturedUnit, FlowEnd, Frame, LostPacket, Packet};
use crate::result::{FlowCounters, Ledger};
use crate::scenario::{Flow, Scenario};
use crate::tcp::Config;
use crate::units::Time;

/// A flow that is to be external and is not in the scenario, or is not external.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("no flow `{name}` {place}; expected one of {flows}")]
pub struct NoFlow {
    name: String,
    place: &'static str,
    flows: String,
}

impl NoFlow {
    fn new(name: &str, place: &'static str, flows: impl Iterator<Item = String>) -> Self {
        Self { name: name.to_owned(), place, flows: flows.collect::<Vec<_>>().join(", ") }
    }
}

/// Reason why a packet is not sent.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SendError {
    /// The instant is past.
    #[error("a packet for {} s is late: the simulation is at {} s", .at.seconds_f64(),
        .now.seconds_f64())]
    Late {
        /// Instant at which it was to be sent.
        at: Time,
        /// Present instant of the simulation.
        now: Time,
    },
    /// The simulation makes the traffic of this flow.
    #[error("{0:?} is no end of an external flow")]
    NotExternal(FlowEnd),
    /// A flow without a transport has one direction.
    #[error("{0:?} cannot send: its flow has no `tcp`, and so no path back")]
    OneDirection(FlowEnd),
    /// No IP packet has this length, or the interface does not take it.
    #[error(
        "a packet of {bytes} bytes is not possible: from {min} to {max}",
        min = Packet::MIN_IP_BYTES
    )]
    Length {
        /// Length of the packet, bytes.
        bytes: u32,
        /// Largest length: the MTU of the flow.
        max: u32,
    },
}

/// Numbers of the flows with these names, in order.
pub(super) fn numbers_of(scenario: &Scenario, flows: &[&str]) -> Result<Vec<usize>, NoFlow> {
    let all = || scenario.flows.iter();
    let number = |name: &&str| {
        let names = all().map(|flow| flow.name.clone());
        let found = all().position(|flow| flow.name == **name);
        let found = found.ok_or_else(|| NoFlow::new(name, "in the scenario", names))?;
        let whole = || all().filter(|flow| flow.leg.is_none()).map(|flow| flow.name.clone());
        match all().nth(found) {
            Some(Flow { leg: Some(_), .. }) => {
                Err(NoFlow::new(name, "without a proxy that splits it", whole()))
            }
            _ => Ok(found),
        }
    };
    let mut numbers = flows.iter().map(number).collect::<Result<Vec<usize>, _>>()?;
    numbers.sort_unstable();
    numbers.dedup();
    Ok(numbers)
}

/// Flows whose traffic is made outside.
#[derive(Debug, Default)]
pub(super) struct ExternalFlows {
    /// Numbers, in order.
    numbers: Vec<usize>,
    /// Counters at the end of the warm-up and at the end, by number.
    counters: BTreeMap<usize, [FlowCounters; 2]>,
}

impl ExternalFlows {
    pub(super) fn new(numbers: Vec<usize>) -> Self {
        Self { numbers, counters: BTreeMap::new() }
    }

    /// The ends of a flow: where it comes from, and where it leads to.
    pub(super) fn ends(&self, scenario: &Scenario, name: &str) -> Result<[FlowEnd; 2], NoFlow> {
        let is_it = |&&flow: &&usize| scenario.flows[flow].name == name;
        let Some(&flow) = self.numbers.iter().find(is_it) else {
            let names = self.numbers.iter().map(|&flow| scenario.flows[flow].name.clone());
            return Err(NoFlow::new(name, "whose traffic is made outside", names));
        };
        Ok([FlowEnd::Origin(flow), FlowEnd::Destination(flow)])
    }

    pub(super) fn set_counters(&mut self, flow: usize, counters: [FlowCounters; 2]) {
        self.counters.insert(flow, counters);
    }

    /// Adds the drivers' counters to those of the network, which knows delays and losses.
    pub(super) fn count(&mut self, before: &mut Ledger, after: &mut Ledger) {
        for (flow, counters) in std::mem::take(&mut self.counters) {
            for (ledger, own) in [&mut *before, &mut *after].into_iter().zip(counters) {
                let known = &mut ledger.flows[flow];
                let network = std::mem::take(known);
                *known = FlowCounters {
                    one_way: network.one_way,
                    handed_segments: network.handed_segments,
                    inside_segments: network.inside_segments,
                    ..own
                };
            }
            self.numbers.retain(|number| *number != flow);
        }
    }

    /// Flows that the summary leaves out.
    pub(super) fn uncounted(&self) -> &[usize] {
        &self.numbers
    }

    /// Host of an external end.
    pub(super) fn host_of(&self, scenario: &Scenario, end: FlowEnd) -> Option<usize> {
        self.numbers.binary_search(&end.flow()).ok()?;
        let flow = &scenario.flows[end.flow()];
        Some(if matches!(end, FlowEnd::Origin(_)) { flow.source } else { flow.sink })
    }

    /// Host that a packet leaves from, or the reason why it cannot leave.
    pub(super) fn sender(
        &self,
        scenario: &Scenario,
        from: FlowEnd,
        packet: Packet,
    ) -> Result<usize, SendError> {
        let host = self.host_of(scenario, from).ok_or(SendError::NotExternal(from))?;
        let flow = &scenario.flows[from.flow()];
        let mtu = |tcp: &Config| (tcp.mss.0 + tcp.ip.tcp_headers()) as u32;
        let max = flow.tcp.as_ref().map_or(Packet::MAX_IP_BYTES, mtu);
        if !(Packet::MIN_IP_BYTES..=max).contains(&packet.ip_bytes) {
            return Err(SendError::Length { bytes: packet.ip_bytes, max });
        }
        let path = match from {
            FlowEnd::Origin(_) => &flow.path,
            FlowEnd::Destination(_) => &flow.reverse_path,
        };
        if path.is_empty() { Err(SendError::OneDirection(from)) } else { Ok(host) }
    }

    /// Packets that are to be sent, or on their way at `now`.
    pub(super) fn packets<'a>(
        &'a self,
        assembled: &'a Assembled,
        now: Time,
    ) -> impl Iterator<Item = (FlowEnd, u64)> + 'a {
        let (nodes, io) = (assembled.network.nodes(), assembled.network.io());
        let held = nodes.iter().flat_map(AnyNode::frames);
        let captured = io.captured.iter().filter_map(|captured| match &captured.unit {
            CapturedUnit::Frame(frame) => Some(frame),
            CapturedUnit::Rm { .. } => None,
        });
        let on_way = io.frames.all().chain(io.lost_after(now)).chain(held).chain(captured);
        let sent =
            on_way.map(|frame: &Frame| (FlowEnd::that_sends(frame.direction), frame.segment.seq));
        let waiting = nodes.iter().filter_map(|node| match node {
            AnyNode::Host(host) => Some(host.packets_to_send()),
            _ => None,
        });
        let all = sent.chain(waiting.flatten());
        all.filter(|(end, _)| self.numbers.binary_search(&end.flow()).is_ok())
    }
}

/// A loss as the driver is told of it.
pub(super) fn lost_packet(loss: &Loss) -> LostPacket {
    let Loss { at, place, direction, seq } = *loss;
    LostPacket { at, from: FlowEnd::that_sends(direction), index: seq, place }
}

/// Name of a place of losses, as in the names of series.
pub(super) fn name_of(scenario: &Scenario, assembled: &Assembled, place: Place) -> String {
    match place {
        Place::Port(index) => format!("lost_at.{}", assembled.ports[index as usize].name),
        Place::Policer => "lost_at.policer".to_owned(),
        Place::Reassembly => "lost_at.reassembly".to_owned(),
        Place::Input => "lost_at.input".to_owned(),
        Place::Link(link) => {
            let index = link.0 as usize;
            format!("lost_on.{}", scenario.name_of_link(index))
        }
    }
}
