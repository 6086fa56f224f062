//! Points of capture: flows at hosts.

use std::collections::BTreeMap;
use std::sync::Arc;

use thiserror::Error;

use super::layer::Layer;
use crate::host::Tap;
use crate::language::fault::one_of;
use crate::language::pattern::fits;
use crate::scenario::{Flow, Scenario};
use crate::units::quoted;

/// Error of a capture that would have no packets.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("nothing to capture: {0}")]
pub struct CaptureError(String);

/// An interface of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// The host, by its number in the scenario.
    pub host: usize,
    /// Layer at which its units are shown.
    pub(super) layer: Layer,
    /// Name as `host.link`.
    pub name: String,
}

/// The interfaces at which packets are captured, with their flows.
#[derive(Clone, Debug)]
pub struct CapturePoints {
    pub(super) interfaces: Vec<Interface>,
    /// Interfaces of links of cells.
    of_cells: Vec<bool>,
    pub(crate) tap: Arc<Tap>,
}

impl CapturePoints {
    /// Captures every flow at its sending host: each packet at one interface.
    pub fn at_senders(scenario: &Scenario) -> Result<Self, CaptureError> {
        Self::where_asked(scenario, |flow, host| flow.source == host)
    }

    /// Captures every flow at those of its hosts that these names or patterns match. A packet that
    /// is sent and received at two of them is captured twice.
    pub fn at_hosts<S: AsRef<str>>(scenario: &Scenario, hosts: &[S]) -> Result<Self, CaptureError> {
        let names = || scenario.hosts.iter().map(|host| host.name.as_str());
        for pattern in hosts.iter().map(S::as_ref) {
            if !names().any(|name| fits(pattern, name)) {
                let known: Vec<&str> = names().collect();
                let message = format!("no host {}; expected {}", quoted(pattern), one_of(&known));
                return Err(CaptureError(message));
            }
        }
        let is_asked: Vec<bool> =
            names().map(|name| hosts.iter().any(|pattern| fits(pattern.as_ref(), name))).collect();
        Self::where_asked(scenario, |_, host| is_asked[host])
    }

    /// Shows the packets of links of cells at this layer.
    #[must_use]
    pub fn shown_at(mut self, layer: Layer) -> Self {
        for (interface, is_of_cells) in self.interfaces.iter_mut().zip(&self.of_cells) {
            interface.layer = if *is_of_cells { layer } else { Layer::Ip };
        }
        let has_rm_cells = layer == Layer::Erf;
        self.tap = Arc::new(Tap { has_rm_cells, ..(*self.tap).clone() });
        self
    }

    /// Index of an interface's host.
    pub(crate) fn host_of(&self, interface: u32) -> usize {
        self.interfaces[interface as usize].host
    }

    fn where_asked(
        scenario: &Scenario,
        is_asked: impl Fn(&Flow, usize) -> bool,
    ) -> Result<Self, CaptureError> {
        let passages = || scenario.flows.iter().enumerate().flat_map(passages);
        let asked = || passages().filter(|passage| is_asked(passage.flow, passage.host));
        let name = |passage: &Passage<'_>| (passage.host, &*scenario.links[passage.link].name);
        let mut numbers: BTreeMap<(usize, &str), u32> =
            asked().map(|passage| (name(&passage), 0)).collect();
        let of_cells: BTreeMap<(usize, &str), bool> = asked()
            .map(|passage| {
                let carries = &scenario.links[passage.link].carries;
                (name(&passage), carries.is_of_cells())
            })
            .collect();
        if numbers.is_empty() {
            let message = "no packets pass there; expected a host that a flow of TCP or of \
                           datagrams comes from or leads to";
            return Err(CaptureError(message.to_owned()));
        }
        numbers.values_mut().zip(0..).for_each(|(number, next)| *number = next);
        let directions = 2 * scenario.flows.len();
        let mut tap = Tap {
            sent: vec![None; directions],
            received: vec![None; directions],
            has_rm_cells: false,
        };
        for passage in asked() {
            let interfaces = if passage.is_sent { &mut tap.sent } else { &mut tap.received };
            interfaces[passage.direction] = Some(numbers[&name(&passage)]);
        }
        let interface = |&(host, link): &(usize, &str)| Interface {
            host,
            layer: Layer::Ip,
            name: format!("{}.{link}", scenario.hosts[host].name),
        };
        let interfaces = numbers.keys().map(interface).collect();
        let of_cells = of_cells.into_values().collect();
        Ok(Self { interfaces, of_cells, tap: Arc::new(tap) })
    }
}

/// One direction of a flow at one of its hosts.
struct Passage<'s> {
    flow: &'s Flow,
    direction: usize,
    host: usize,
    link: usize,
    is_sent: bool,
}

/// The passages of a flow whose packets a host makes, at most four.
fn passages((index, flow): (usize, &Flow)) -> impl Iterator<Item = Passage<'_>> {
    let ways =
        [(&flow.path, [flow.source, flow.sink]), (&flow.reverse_path, [flow.sink, flow.source])];
    ways.into_iter().enumerate().flat_map(move |(way, (path, [from, to]))| {
        let ends = [(from, path.first(), true), (to, path.last(), false)];
        ends.into_iter().filter_map(move |(host, link, is_sent)| {
            let link = *link.filter(|_| flow.sends_packets())?;
            Some(Passage { flow, direction: 2 * index + way, host, link, is_sent })
        })
    })
}
