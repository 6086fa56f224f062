//! The simulation of a scenario and the ends of its flows that stacks take, before the run.

use std::net::SocketAddr;

use cellway_sim::capture::sockets;
use cellway_sim::engine::Stream;
use cellway_sim::pdu::{HEADER_BYTES, IpVersion};
use cellway_sim::result::{DelayDistribution, Recorder, Sampling, Window};
use cellway_sim::scenario::{Flow, Observe, Quantity, Scenario, Traffic};
use cellway_sim::tcp::Config;
use cellway_sim::traffic::Asked;
use cellway_sim::units::{Span, Time};
use cellway_sim::{RunError, Simulation};

use crate::application::Writer;
use crate::driver::Ends;
use crate::end::End;
use crate::record::DriveError;
use crate::segments::Segments;
use crate::stack::{Greeting, Role, State};

/// Number of seeds of stacks.
const SEEDS: f64 = (1_u64 << 53) as f64;

/// A simulation and the ends of its flows.
pub(crate) struct Cast<'a> {
    pub(crate) simulation: Simulation<'a>,
    /// Ends in the order of flows, origins first.
    pub(crate) ends: Vec<End<'a>>,
}

/// Makes both for these stacks.
pub(crate) fn cast<'a>(
    scenario: &'a Scenario,
    stacks: Vec<Ends<'a>>,
) -> Result<Cast<'a>, DriveError> {
    let names: Vec<&str> = stacks.iter().map(|ends| ends.flow.as_str()).collect();
    for name in &names {
        tcp_of(scenario, name)?;
        if names.iter().filter(|other| *other == name).count() > 1 {
            return Err(DriveError::Refused(format!("flow `{name}` has two pairs of stacks")));
        }
    }
    let simulation = Simulation::builder(scenario).external(&names).start()?;
    let mut made: Vec<(usize, [End<'a>; 2])> = Vec::new();
    for Ends { flow, origin, destination } in stacks {
        let places = simulation.ends(&flow);
        let [from, to] = places.map_err(|fault| RunError::UnknownName(fault.to_string()))?;
        let said = &scenario.flows[from.flow()];
        let (start, stop) = scenario.times_of(said);
        let mut sending = End::new(format!("{flow}.origin"), from, origin, start);
        let mut receiving = End::new(format!("{flow}.destination"), to, destination, Time::ZERO);
        equip(scenario, said, [&mut sending, &mut receiving], stop);
        made.push((from.flow(), [sending, receiving]));
    }
    made.sort_by_key(|(flow, _)| *flow);
    Ok(Cast { simulation, ends: made.into_iter().flat_map(|(_, ends)| ends).collect() })
}

/// Gives both ends their applications and recorders.
fn equip(scenario: &Scenario, flow: &Flow, [from, to]: [&mut End<'_>; 2], stop: Time) {
    let run = &scenario.run;
    let window = Window { from: Time::ZERO + run.warm_up, until: Time::ZERO + run.duration };
    let requests = Asked::default();
    from.writer = scenario.application_of(flow, &requests).map(|it| Writer::new(it, stop));
    if let Some(server) = scenario.responder_of(flow, &requests) {
        to.writer = Some(Writer::new(server, Time::MAX));
        from.response_times = Some(Box::new(DelayDistribution::new(window)));
    }
    from.segments = Segments::of(scenario, flow).map(Box::new);
    let acked = Quantity::Acked.word();
    let is_observed = |observe: &Observe| observe.series.contains(&Quantity::Acked);
    let is_told = from.stack.states().iter().any(|state| state.name == acked);
    if scenario.observe.as_ref().is_some_and(is_observed) && !is_told {
        from.acked = recorder(scenario, format!("{}.{acked}", flow.name), "byte");
    }
    for (end, prefix) in [(from, ""), (to, ".destination")] {
        let name = |state: &State| format!("{}{prefix}.{}", flow.name, state.name);
        let of = |state: State| recorder(scenario, name(&state), state.unit);
        end.recorders = end.stack.states().into_iter().map(of).collect();
    }
}

/// A recorder of a series of a flow: on the grid of the scenario, or where it records changes every
/// thousandth of the run. `None` if nothing is recorded.
fn recorder(scenario: &Scenario, name: String, unit: &'static str) -> Option<Recorder> {
    let observe = scenario.observe.as_ref()?;
    let duration = scenario.run.duration;
    let interval = match observe.sampling(duration) {
        Sampling::Every(interval) => interval,
        Sampling::OnChange => (duration / 1000).max(Span::from_milliseconds(1)),
    };
    Some(Recorder::new(name, unit, Sampling::Every(interval), observe.limit))
}

/// Number, flow and TCP keys of the flow with this name.
fn tcp_of<'s>(
    scenario: &'s Scenario,
    name: &str,
) -> Result<(usize, &'s Flow, &'s Config), DriveError> {
    let mut flows = scenario.flows.iter().enumerate();
    let found = flows.find(|(_, flow)| flow.name == name);
    let Some((number, flow)) = found else {
        let with_tcp = scenario.flows.iter().filter(|flow| flow.tcp.is_some());
        let names: Vec<&str> = with_tcp.map(|flow| flow.name.as_str()).collect();
        return Err(DriveError::Refused(format!(
            "no flow `{name}` in the scenario; expected one of {}, alone or with .origin or \
             .destination",
            names.join(", ")
        )));
    };
    let Some(tcp) = &flow.tcp else {
        return Err(DriveError::Refused(format!(
            "flow `{name}` has no `tcp`, and so no path back for a stack"
        )));
    };
    if flow.ip == IpVersion::V6 {
        return Err(DriveError::Refused(format!(
            "flow `{name}` is over IPv6, and stacks get packets of IPv4; expected no `ip`"
        )));
    }
    let is_relay = |other: &Flow| matches!(other.traffic, Traffic::Relay(_));
    let is_relayed = |other: &Flow| is_relay(other) && other.source == flow.sink;
    if is_relay(flow) || scenario.flows.iter().any(is_relayed) {
        return Err(DriveError::Refused(format!(
            "flow `{name}` is relayed; expected one whose own hosts write and read"
        )));
    }
    Ok((number, flow, tcp))
}

/// The greeting of an end of a flow.
///
/// # Errors
///
/// `Refused` if there is no such flow with `tcp`.
pub fn greeting(scenario: &Scenario, name: &str, role: Role) -> Result<Greeting, DriveError> {
    let (number, flow, tcp) = tcp_of(scenario, name)?;
    let mut stream = Stream::new(scenario.run.seed, &format!("flow {name} stack {}", role.name()));
    let [SocketAddr::V4(from), SocketAddr::V4(to)] = sockets(number, flow) else {
        unreachable!("flows over IPv6 are refused before")
    };
    let (own, peer) = if role == Role::Origin { (from, to) } else { (to, from) };
    Ok(Greeting {
        seed: (SEEDS * stream.unit()) as u64,
        role,
        own,
        peer,
        mtu: (tcp.mss.0 + HEADER_BYTES) as u32,
        window: tcp.window.0,
        flow: flow.name.clone(),
    })
}
