//! Proxies: which connections of a host are read and written to others.

use std::collections::BTreeMap;

use super::Assembly;
use crate::host::{Endpoint, RelayInput, RelayOutput, RelayTo, Relays};
use crate::scenario::{Flow, FlowRelay};
use crate::traffic::AnyApplication;

impl Assembly<'_> {
    /// Those of a host with these ends; `None`: there are none.
    pub(super) fn relays(&self, host: usize, endpoints: &[Endpoint]) -> Option<Box<Relays>> {
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        // The input of every connection that is read by flow.
        let mut by_flow: BTreeMap<usize, usize> = BTreeMap::new();
        for (endpoint, end) in endpoints.iter().enumerate() {
            let flow = &self.scenario.flows[end.flow];
            let is_relay = matches!(end.application, Some(AnyApplication::Relay(_)));
            let Some(relay) = flow.relay.as_deref().filter(|_| is_relay && flow.from == host)
            else {
                continue;
            };
            let output = outputs.len();
            let end_of = |flow: usize| end_of(endpoints, flow, host, self);
            let from = if let Some(over) = relay.over {
                let Some(endpoint) = end_of(over) else { continue };
                let input = *by_flow.entry(over).or_insert_with(|| {
                    let to = RelayTo::ByFlow(BTreeMap::new());
                    inputs.push(RelayInput { endpoint, flow: over, to });
                    inputs.len() - 1
                });
                if let RelayTo::ByFlow(outputs) = &mut inputs[input].to {
                    outputs.extend(relay.of.iter().map(|&flow| (flow, output)));
                }
                vec![input]
            } else {
                let ends = relay.of.iter().filter_map(|&flow| Some((flow, end_of(flow)?)));
                let first = inputs.len();
                inputs.extend(ends.map(|(flow, endpoint)| RelayInput {
                    endpoint,
                    flow,
                    to: RelayTo::One(output),
                }));
                (first..inputs.len()).collect()
            };
            outputs.push(RelayOutput {
                endpoint,
                flow: end.flow,
                from,
                block: relay.block,
                is_shared: self.is_shared(end.flow),
                opens_on_data: relay.over.is_some(),
            });
        }
        (!outputs.is_empty()).then(|| Box::new(Relays::new(inputs, outputs)))
    }

    /// Whether a relay reads what arrives of a flow.
    pub(super) fn is_relayed(&self, flow: usize) -> bool {
        let reads = |relay: &FlowRelay| match relay.over {
            Some(over) => over == flow,
            None => relay.of.contains(&flow),
        };
        let end = self.scenario.flows[flow].to;
        let relays = self.wiring.flows_of_host(end).iter().map(|&index| (index, end));
        relays.into_iter().any(|(index, end)| {
            let relay = &self.scenario.flows[index];
            relay.from == end
                && relay.relay.as_deref().is_some_and(reads)
                && !self.is_external(index)
                && self.own_application(relay).is_none()
        })
    }

    /// Whether a flow's connection opens when its relay has the first byte for it.
    pub(super) fn opens_on_data(&self, flow: &Flow) -> bool {
        let has_over = flow.relay.as_ref().is_some_and(|relay| relay.over.is_some());
        has_over && self.own_application(flow).is_none()
    }

    /// Whether relays at the other end read a flow's bytes by whose they are.
    fn is_shared(&self, flow: usize) -> bool {
        let relays = self.scenario.flows.iter().filter_map(|flow| flow.relay.as_deref());
        relays.into_iter().any(|relay| relay.over == Some(flow))
    }
}

/// Which of the ends is where the connection of a flow ends.
fn end_of(
    endpoints: &[Endpoint],
    flow: usize,
    host: usize,
    assembly: &Assembly<'_>,
) -> Option<usize> {
    let is_end = assembly.scenario.flows[flow].to == host;
    endpoints.iter().position(|end| is_end && end.flow == flow)
}
