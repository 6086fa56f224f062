//! Proxies: connections of a host that are read and written to others.

use std::collections::{BTreeMap, BTreeSet};

use super::{Assembly, own};
use crate::host::{Endpoint, PathWindows, RelayInput, RelayOutput, RelayTo, Relays};
use crate::scenario::{Flow, Proxy, ProxyBuffer, Scenario};
use crate::traffic::AnyApplication;

/// Connections that relays read, found in one pass over all flows.
pub(super) struct Read {
    /// Relays that read a connection, in order; both are flows by number.
    readers: BTreeMap<usize, Vec<usize>>,
    /// Connections over which relays of several flows read, each its own bytes.
    shared: BTreeSet<usize>,
}

impl Read {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let mut read = Self { readers: BTreeMap::new(), shared: BTreeSet::new() };
        for (index, flow) in scenario.flows.iter().enumerate() {
            let Some(relay) = flow.relay.as_deref() else { continue };
            read.shared.extend(relay.over);
            // A shared connection has as many readers as flows; any of them is enough here.
            let of = relay.over.as_ref().map_or(relay.of.as_slice(), std::slice::from_ref);
            for &of in of {
                read.readers.entry(of).or_default().push(index);
            }
        }
        read
    }
}

/// The relays of a host with these ends; `None` if it has none.
pub(super) fn relays(
    assembly: &Assembly<'_>,
    host: usize,
    endpoints: &[Endpoint],
) -> Option<Box<Relays>> {
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    let ends = endpoints.iter().enumerate();
    let ends = ends.filter(|(_, end)| assembly.scenario.flows[end.flow].sink == host);
    let ends: BTreeMap<usize, usize> = ends.map(|(place, end)| (end.flow, place)).collect();
    // Inputs of connections that are read by flow.
    let mut by_flow: BTreeMap<usize, usize> = BTreeMap::new();
    for (endpoint, end) in endpoints.iter().enumerate() {
        let flow = &assembly.scenario.flows[end.flow];
        let is_relay = matches!(end.application, Some(AnyApplication::Relay(_)));
        let Some(relay) = flow.relay.as_deref().filter(|_| is_relay && flow.source == host) else {
            continue;
        };
        let output = outputs.len();
        let end_of = |flow: usize| ends.get(&flow).copied();
        let from = if let Some(over) = relay.over {
            let Some(endpoint) = end_of(over) else { continue };
            let input = *by_flow.entry(over).or_insert_with(|| {
                let to = RelayTo::ByFlow(BTreeMap::new());
                inputs.push(RelayInput { endpoint, to });
                inputs.len() - 1
            });
            if let RelayTo::ByFlow(outputs) = &mut inputs[input].to {
                outputs.extend(relay.of.iter().map(|&flow| (flow, output)));
            }
            vec![input]
        } else {
            let read = relay.of.iter().filter_map(|&flow| end_of(flow));
            let first = inputs.len();
            inputs.extend(read.map(|endpoint| RelayInput { endpoint, to: RelayTo::One(output) }));
            (first..inputs.len()).collect()
        };
        outputs.push(RelayOutput {
            endpoint,
            from,
            block: relay.block,
            is_shared: assembly.read.shared.contains(&end.flow),
            opens_on_data: relay.opens_on_data,
            answers_of: None,
        });
        if let Some(into) = relay.of.first().and_then(|&of| end_of(of)).filter(|_| relay.answers) {
            let to = RelayTo::One(outputs.len());
            let from = vec![inputs.len()];
            inputs.push(RelayInput { endpoint, to });
            outputs.push(RelayOutput {
                endpoint: into,
                from,
                block: relay.block,
                is_shared: false,
                opens_on_data: false,
                answers_of: Some(end.flow),
            });
        }
    }
    let proxy = proxy(assembly.scenario, host);
    let mut relays = Relays::new(inputs, outputs, proxy.and_then(pool));
    relays.set_windows(proxy.and_then(|proxy| windows(proxy, assembly.scenario, host, endpoints)));
    relays.has_outputs().then(|| Box::new(relays))
}

/// The proxy that a host is.
fn proxy(scenario: &Scenario, host: usize) -> Option<&Proxy> {
    scenario.proxies.iter().find(|proxy| proxy.host.is_some_and(|place| place.index == host))
}

/// State that the connections of a proxy leave to each other, if they do.
fn windows(
    proxy: &Proxy,
    scenario: &Scenario,
    host: usize,
    endpoints: &[Endpoint],
) -> Option<PathWindows> {
    let other = |end: &Endpoint| {
        let flow = &scenario.flows[end.flow];
        if flow.source == host { flow.sink } else { flow.source }
    };
    let sharing = proxy.windows?;
    Some(PathWindows::new(sharing, endpoints.iter().map(other).collect()))
}

/// Memory that all connections of a proxy share, if it has one.
fn pool(proxy: &Proxy) -> Option<u64> {
    match proxy.buffer {
        ProxyBuffer::Shared(bytes) => Some(bytes.0),
        ProxyBuffer::SendBuffer | ProxyBuffer::PerConnection(_) => None,
    }
}

/// True if a relay of the simulator reads the bytes that arrive of a flow. External flows and
/// applications from outside read for themselves.
pub(super) fn is_relayed(assembly: &Assembly<'_>, flow: usize) -> bool {
    let end = assembly.scenario.flows[flow].sink;
    assembly.read.readers.get(&flow).into_iter().flatten().any(|&index| {
        let relay = &assembly.scenario.flows[index];
        relay.source == end
            && !assembly.is_external(index)
            && own::application(assembly, relay).is_none()
    })
}

/// True if the connection of a flow opens with the first byte that arrives for it.
pub(super) fn opens_on_data(assembly: &Assembly<'_>, flow: &Flow) -> bool {
    let waits = flow.relay.as_ref().is_some_and(|relay| relay.opens_on_data);
    waits && own::application(assembly, flow).is_none()
}
