//! Facts of proxies: the connections that they read, and their buffers.

use serde::Serialize;

use crate::result::Shaped;
use crate::scenario::resolved::{Flow, Proxy, ProxyBuffer, Scenario};

/// Facts of a flow that relays others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Shaped)]
pub struct RelayFacts {
    /// The host at which it reads and writes.
    pub at: String,
    /// The flows whose bytes it relays.
    pub of: Vec<String>,
    /// The shared connection on which they arrive; absent if they arrive on their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<String>,
    /// Send buffer: bytes that it reads ahead of the other end's acknowledgements; absent without a
    /// limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds_bytes: Option<u64>,
    /// Sum of the receive buffers of the connections that it reads, in which bytes wait before the
    /// windows close.
    pub waits_bytes: u64,
}

pub(super) fn facts(scenario: &Scenario, flow: &Flow) -> Option<RelayFacts> {
    let relay = flow.relay.as_deref()?;
    let name = |flow: usize| scenario.flows[flow].name.clone();
    let read = relay.over.map_or_else(|| relay.of.clone(), |over| vec![over]);
    let buffer = |flow: usize| scenario.flows[flow].tcp.as_ref().map_or(0, |tcp| tcp.window.0);
    Some(RelayFacts {
        at: flow.from.clone(),
        of: relay.of.iter().map(|&flow| name(flow)).collect(),
        over: relay.over.map(name),
        holds_bytes: flow.tcp_at(true)?.send_buffer.map(|bytes| bytes.0),
        waits_bytes: read.into_iter().map(buffer).sum(),
    })
}

/// A line for each relay, and each proxy, without a limit of the bytes that it reads.
pub(super) fn warnings(scenario: &Scenario) -> Vec<String> {
    let is_endless = |flow: &&Flow| {
        let has_limit = flow.tcp.as_ref().is_some_and(|tcp| tcp.send_buffer.is_some());
        flow.relay.is_some() && flow.leg.is_none() && !has_limit
    };
    let has_no_limit = |proxy: &&Proxy| {
        let of_host = |flow: &&Flow| Some(flow.source) == proxy.host.map(|host| host.index);
        let no_limit = |flow: &Flow| flow.tcp_at(true).is_some_and(|tcp| tcp.send_buffer.is_none());
        proxy.buffer == ProxyBuffer::SendBuffer
            && scenario.flows.iter().filter(of_host).any(no_limit)
    };
    let proxies = scenario.proxies.iter().filter(has_no_limit).map(|proxy| {
        format!(
            "proxy.{} has no `buffer`: it holds whatever arrives, and the windows of the \
             connections that it reads never close",
            proxy.name
        )
    });
    let endless = scenario.flows.iter().filter(is_endless);
    let endless = endless.map(|flow| {
        format!(
            "flow.{} relays without `tcp.send_buffer`: its proxy holds whatever arrives, and the \
             windows of the connections that it reads never close",
            flow.name
        )
    });
    endless.chain(proxies).collect()
}
