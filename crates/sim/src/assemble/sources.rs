//! Sources of flows: a source of raw cells or of datagrams, an ABR source that never runs out, or
//! the application of a TCP connection.

use super::{Assembly, data_vc, own, relays};
use crate::engine::Stream;
use crate::host::{DatagramEnd, Origin, RawSource};
use crate::scenario::journey::origin;
use crate::scenario::starts::times_of;
use crate::scenario::{Flow, Scenario, Traffic};
use crate::traffic::{AnyApplication, AnySpacing, Asked, DatagramSource, Fetcher, Instants, Site};
use crate::units::Time;

pub(super) fn raw_source(assembly: &Assembly<'_>, index: usize) -> RawSource {
    let flow = &assembly.scenario.flows[index];
    let (start, stop) = times_of(assembly.scenario, flow);
    RawSource {
        vc: data_vc(index),
        nic: assembly.wiring.output_of_link(flow.path[0]),
        sends_trains: assembly.wiring.has_one_rate(),
        cells: Instants::new(spacing(assembly, flow), start, stop),
    }
}

/// The sending end of a flow of datagrams.
pub(super) fn datagram_end(assembly: &Assembly<'_>, index: usize) -> DatagramEnd {
    let flow = &assembly.scenario.flows[index];
    let (start, stop) = times_of(assembly.scenario, flow);
    let instants = Instants::new(spacing(assembly, flow), start, stop);
    let stream = streams_of(assembly.scenario, flow);
    let asked = &assembly.asked[index];
    let site = Site { start, stop, send_buffer: None, asked, stream: &stream };
    let sizes = flow.traffic.sizes(&site).expect("datagrams have sizes");
    DatagramEnd {
        flow: index,
        origin: Origin::new(assembly.wiring.segments.first(data_vc(index))),
        nic: assembly.wiring.output_of_link(flow.path[0]),
        source: DatagramSource::new(instants, sizes, flow.ip),
        counts_blocks: flow.traffic.counts_blocks(),
    }
}

/// Requests of each flow; those of its further connections are for objects of the same list.
pub(super) fn requests(flows: &[Flow]) -> Vec<Asked> {
    let mut asked: Vec<Asked> = Vec::with_capacity(flows.len());
    for flow in flows {
        let first = flow.first_connection.map(|first| asked[first].of_further());
        asked.push(first.unwrap_or_default());
    }
    asked
}

/// The random streams of a flow, by name.
fn streams_of(scenario: &Scenario, flow: &Flow) -> impl Fn(&str) -> Stream {
    move |of| Stream::new(scenario.run.seed, &format!("flow {} {of}", flow.name))
}

/// Makes traffic of a flow from its times, its send buffer and its random streams.
fn with_site<T>(
    scenario: &Scenario,
    flow: &Flow,
    asked: &Asked,
    make: impl FnOnce(&Site<'_>) -> T,
) -> T {
    let (start, stop) = times_of(scenario, flow);
    let stream = streams_of(scenario, flow);
    make(&Site { start, stop, send_buffer: send_buffer(flow), asked, stream: &stream })
}

impl Scenario {
    /// Makes the application at the sending end of a flow, for a driver that writes on a connection
    /// of its own; `None` for raw cells and datagrams. Both ends of a flow get the same list of
    /// requests, which is empty at first.
    pub fn application_of(&self, flow: &Flow, asked: &Asked) -> Option<AnyApplication> {
        with_site(self, flow, asked, |site| flow.traffic.application(site))
    }

    /// Makes the application at the receiving end of a flow likewise; `None` where nothing is
    /// written there.
    pub fn responder_of(&self, flow: &Flow, asked: &Asked) -> Option<AnyApplication> {
        with_site(self, flow, asked, |site| flow.traffic.responder(site))
    }
}

fn spacing(assembly: &Assembly<'_>, flow: &Flow) -> AnySpacing {
    if let Some(own) = own::spacing(assembly, flow) {
        return own;
    }
    let no_requests = Asked::default();
    let spacing =
        with_site(assembly.scenario, flow, &no_requests, |site| flow.traffic.spacing(site));
    spacing.expect("a flow without a transport has a source: the scenario was checked for it")
}

/// Start and end of a source that never runs out, if the flow has one.
pub(super) fn endless(assembly: &Assembly<'_>, flow: &Flow, is_back: bool) -> Option<(Time, Time)> {
    let mut external = assembly.external.iter().map(|&index| &assembly.scenario.flows[index].name);
    let never_runs_out = !is_back
        && flow.tcp.is_none()
        && flow.traffic == Traffic::Greedy
        && external.all(|name| *name != flow.name);
    never_runs_out.then(|| times_of(assembly.scenario, flow))
}

/// The application at the receiving end of a flow's connection, if one writes there: behind the
/// last proxy that of the flow that they relay.
pub(super) fn responder(assembly: &Assembly<'_>, index: usize) -> Option<AnyApplication> {
    if relays::is_relayed(assembly, index) {
        return None;
    }
    let flows = &assembly.scenario.flows;
    let index = origin(flows, index);
    assembly.scenario.responder_of(&flows[index], &assembly.asked[index])
}

/// The application at the sending end of a flow's connection.
pub(super) fn application(assembly: &Assembly<'_>, index: usize) -> AnyApplication {
    let flow = &assembly.scenario.flows[index];
    if let Some(own) = own::application(assembly, flow) {
        return own;
    }
    if flow.first_connection.is_some() && flow.relay.is_none() {
        return AnyApplication::Fetcher(Box::new(Fetcher::new(&assembly.asked[index])));
    }
    assembly
        .scenario
        .application_of(flow, &assembly.asked[index])
        .expect("a source has no transport: the scenario was checked for it")
}

/// Size of the send buffer of a flow's connection, if it has a limit.
fn send_buffer(flow: &Flow) -> Option<u64> {
    flow.tcp.as_ref()?.send_buffer.map(|bytes| bytes.0)
}
