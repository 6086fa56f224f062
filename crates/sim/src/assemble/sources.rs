//! Sources of flows: a source of raw cells or of datagrams, an ABR source that never runs out, or
//! the application of a TCP connection.

use super::{Assembly, data_vc};
use crate::engine::Stream;
use crate::host::{DatagramEnd, Origin, RawSource};
use crate::scenario::{Flow, Traffic};
use crate::traffic::{AnyApplication, AnySpacing, DatagramSource, Instants, Site};
use crate::units::Time;

impl Assembly<'_> {
    pub(super) fn raw_source(&self, index: usize) -> RawSource {
        let flow = &self.scenario.flows[index];
        let start = self.scenario.start_of(flow);
        let stop = self.scenario.stop_of(flow);
        RawSource {
            vc: data_vc(index),
            nic: self.wiring.output_of_link(flow.path[0]),
            sends_trains: self.wiring.has_one_rate(),
            cells: Instants::new(self.spacing(flow, start), start, stop),
        }
    }

    /// The sending end of a flow of datagrams.
    pub(super) fn datagram_end(&self, index: usize) -> DatagramEnd {
        let flow = &self.scenario.flows[index];
        let (start, stop) = (self.scenario.start_of(flow), self.scenario.stop_of(flow));
        let instants = Instants::new(self.spacing(flow, start), start, stop);
        let stream = self.streams_of(flow);
        let site = Site { start, stop, send_buffer: None, stream: &stream };
        let sizes = flow.traffic.sizes(&site).expect("datagrams have sizes");
        DatagramEnd {
            flow: index,
            origin: Origin::new(self.wiring.segments.first(data_vc(index))),
            nic: self.wiring.output_of_link(flow.path[0]),
            source: DatagramSource::new(instants, sizes),
            counts_blocks: flow.traffic.counts_blocks(),
        }
    }

    /// The random streams of a flow, by name.
    fn streams_of(&self, flow: &Flow) -> impl Fn(&str) -> Stream {
        move |of| Stream::new(self.scenario.run.seed, &format!("flow {} {of}", flow.name))
    }

    fn spacing(&self, flow: &Flow, start: Time) -> AnySpacing {
        if let Some(own) = self.own_spacing(flow) {
            return own;
        }
        let (stop, stream) = (self.scenario.stop_of(flow), self.streams_of(flow));
        let site = Site { start, stop, send_buffer: send_buffer(flow), stream: &stream };
        let spacing = flow.traffic.spacing(&site);
        spacing.expect("a flow without a transport has a source: the scenario was checked for it")
    }

    /// Start and end of a source that never runs out, if the flow has one.
    pub(super) fn endless(&self, flow: &Flow, is_back: bool) -> Option<(Time, Time)> {
        let mut external = self.external.iter().map(|&index| &self.scenario.flows[index].name);
        let never_runs_out = !is_back
            && flow.tcp.is_none()
            && flow.traffic == Traffic::Greedy
            && external.all(|name| *name != flow.name);
        never_runs_out.then(|| (self.scenario.start_of(flow), self.scenario.stop_of(flow)))
    }

    /// The application at the receiving end of a flow's connection, if one writes there.
    pub(super) fn responder(&self, flow: &Flow) -> Option<AnyApplication> {
        let (start, stop) = (self.scenario.start_of(flow), self.scenario.stop_of(flow));
        let stream = self.streams_of(flow);
        let send_buffer = send_buffer(flow);
        flow.traffic.responder(&Site { start, stop, send_buffer, stream: &stream })
    }

    /// The application at the sending end of a flow's connection.
    pub(super) fn application(&self, flow: usize) -> AnyApplication {
        let flow = &self.scenario.flows[flow];
        if let Some(own) = self.own_application(flow) {
            return own;
        }
        let (start, stop) = (self.scenario.start_of(flow), self.scenario.stop_of(flow));
        let stream = self.streams_of(flow);
        let site = Site { start, stop, send_buffer: send_buffer(flow), stream: &stream };
        let application = flow.traffic.application(&site);
        application.expect("a source has no transport: the scenario was checked for it")
    }
}

/// Size of the send buffer of a flow's connection, if it has a limit.
fn send_buffer(flow: &Flow) -> Option<u64> {
    flow.tcp.as_ref()?.send_buffer.map(|bytes| bytes.0)
}
