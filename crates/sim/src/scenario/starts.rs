//! Start and end of flows in a run: draws of streams of their own.

use super::resolved::{Carries, Flow, Phase, Scenario};
use crate::engine::Stream;
use crate::units::{CELL_BITS, Span, Time};

impl Scenario {
    /// Start and end of the flow's traffic in this run, for a driver that makes it; [`Time::MAX`]
    /// without an end. A flow that starts at the end of the run never starts.
    pub fn times_of(&self, flow: &Flow) -> (Time, Time) {
        times_of(self, flow)
    }
}

/// Start of the flow's traffic in this run, one draw of a stream of its own. A flow whose start
/// is at or after the end of the run never starts.
pub(crate) fn drawn_start(scenario: &Scenario, flow: &Flow) -> Span {
    let flow = whole(scenario, flow);
    flow.start.draw(&mut Stream::new(scenario.run.seed, &format!("flow {} drawn start", flow.name)))
}

/// End of the flow's traffic, drawn likewise; earlier if its traffic ends earlier by itself.
pub(crate) fn drawn_stop(scenario: &Scenario, flow: &Flow) -> Option<Span> {
    let first = flow.first_connection.filter(|_| !flow.is_from_proxy());
    let flow = first.map_or(flow, |first| &scenario.flows[first]);
    let stream = || Stream::new(scenario.run.seed, &format!("flow {} drawn stop", flow.name));
    let stop = flow.stop.map(|stop| stop.draw(&mut stream()));
    let Some(lasts) = flow.traffic.lasts() else { return stop };
    let end = drawn_start(scenario, flow).min(Span::LONGEST - lasts) + lasts;
    Some(stop.map_or(end, |stop| stop.min(end)))
}

/// Start and end of the flow's traffic on the clock of the run.
pub(crate) fn times_of(scenario: &Scenario, flow: &Flow) -> (Time, Time) {
    let stop = drawn_stop(scenario, flow).map_or(Time::MAX, |stop| Time::ZERO + stop);
    (start_of(scenario, flow), stop)
}

/// The flow's start and, unless phases are off, a random part of the time from one of its cells
/// or datagrams to the next.
pub(crate) fn start_of(scenario: &Scenario, flow: &Flow) -> Time {
    let flow = whole(scenario, flow);
    let start = drawn_start(scenario, flow).min(scenario.run.duration);
    let phase = match scenario.run.phase {
        Phase::None => Span::ZERO,
        Phase::Random => {
            let mut stream = Stream::new(scenario.run.seed, &format!("flow {} start", flow.name));
            stream.span_below(cell_time_of(scenario, flow))
        }
    };
    Time::ZERO + start + phase.min(scenario.run.duration - start)
}

/// The flow that a connection belongs to: all connections of one that proxies split have its start,
/// and so have those of one that has several.
fn whole<'s>(scenario: &'s Scenario, flow: &'s Flow) -> &'s Flow {
    let flow = flow.leg.as_ref().map_or(flow, |leg| &scenario.flows[leg.of]);
    flow.first_connection.map_or(flow, |first| &scenario.flows[first])
}

/// Time from one cell or datagram to the next. A source with a rate sends at that rate, an ABR
/// source that always has a cell at its initial rate, all others at the rate of their link.
fn cell_time_of(scenario: &Scenario, flow: &Flow) -> Span {
    match (flow.load(), scenario.links[flow.path[0]].carries) {
        (Some(load), _) if !load.is_random => load.interval,
        (None, Carries::Cells { cell_rate, .. }) if flow.tcp.is_none() => {
            let initial = scenario.abr_of_flow(flow).map(|abr| abr.icr.spacing());
            initial.unwrap_or(cell_rate.cell_time())
        }
        (_, Carries::Cells { cell_rate, .. }) => cell_rate.cell_time(),
        (_, Carries::Packets { line_rate, .. }) => line_rate.span_of_bits(CELL_BITS),
    }
}
