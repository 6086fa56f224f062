//! Settings of a node for the queues at its outputs.

use crate::atm::Class;
use crate::scenario::port_room::buffer_at;
use crate::scenario::{Buffer, Drop, Edge, InService, NodeRef, Scenario, Scheduler, Switch};
use crate::switch::{AckFilter, BufferSize};

/// Buffers, drop policy and scheduler of a switch, or of an edge onto links of packets.
#[derive(Clone, Copy)]
pub(crate) struct QueueRules {
    buffer: Buffer,
    vbr_buffer: Option<Buffer>,
    abr_buffer: Option<Buffer>,
    pub(crate) in_service: InService,
    pub(crate) drop: Drop,
    pub(crate) scheduler: Scheduler,
    pub(crate) ack_filter: AckFilter,
}

impl QueueRules {
    /// Rules of the output to `link`; `None` if it is an interface, of a host or of an edge onto
    /// cells.
    pub(crate) fn of_output(scenario: &Scenario, link: usize) -> Option<Self> {
        let rules = match scenario.links[link].from {
            NodeRef::Switch(index) => Self::of_switch(&scenario.switches[index]),
            NodeRef::Edge(index) if !scenario.links[link].is_of_cells() => {
                Self::of_edge(&scenario.edges[index])
            }
            NodeRef::Edge(_) | NodeRef::Host(_) => return None,
        };
        Some(rules.at(scenario, link))
    }

    /// Drop policy of the output to `link` alone: a buffer in bytes or milliseconds takes a look at
    /// every flow.
    pub(crate) fn drop_at(scenario: &Scenario, link: usize) -> Option<Drop> {
        match scenario.links[link].from {
            _ if scenario.leads_to_proxy(link) => Some(Switch::default().drop),
            NodeRef::Switch(index) => Some(scenario.switches[index].drop),
            NodeRef::Edge(index) if !scenario.links[link].is_of_cells() => {
                Some(scenario.edges[index].drop)
            }
            NodeRef::Edge(_) | NodeRef::Host(_) => None,
        }
    }

    /// The same rules with the buffer in the units that `link` carries. A link to a proxy stands
    /// for the inside of the node: nothing waits or is discarded there.
    pub(super) fn at(self, scenario: &Scenario, link: usize) -> Self {
        if scenario.leads_to_proxy(link) {
            return Self::of_switch(&Switch::default());
        }
        Self { buffer: buffer_at(scenario, self.buffer, link), ..self }
    }

    pub(super) fn of_switch(switch: &Switch) -> Self {
        Self {
            buffer: switch.buffer,
            vbr_buffer: switch.vbr_buffer,
            abr_buffer: switch.abr_buffer,
            in_service: switch.in_service,
            drop: switch.drop,
            scheduler: switch.scheduler,
            ack_filter: switch.ack_filter.unwrap_or(AckFilter::None),
        }
    }

    /// Rules of an edge: packets have no service class, so there is one queue.
    pub(super) fn of_edge(edge: &Edge) -> Self {
        Self {
            buffer: edge.buffer,
            vbr_buffer: None,
            abr_buffer: None,
            in_service: InService::Counted,
            drop: edge.drop,
            scheduler: edge.scheduler,
            ack_filter: edge.ack_filter.unwrap_or(AckFilter::None),
        }
    }

    /// The buffer of the queue of `class`.
    pub(crate) fn buffer_of(&self, class: Class) -> Buffer {
        let of_class = match class {
            Class::Vbr => self.vbr_buffer,
            Class::Abr => self.abr_buffer,
            Class::Ubr => None,
        };
        of_class.unwrap_or(self.buffer)
    }

    /// The buffer of the queue of `class`, as the model of a port has it.
    pub(super) fn buffer_size(&self, class: Class) -> BufferSize {
        self.buffer_of(class).at_port()
    }

    /// The buffer that all ports of the node share, if there is one.
    pub(super) fn shared_size(&self) -> Option<u64> {
        self.buffer.shared()
    }
}
