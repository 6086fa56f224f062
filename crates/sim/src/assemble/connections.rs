//! Connections of flows, for hosts and for drivers with connections of their own.

use crate::engine::Stream;
use crate::scenario::{Flow, Phase, Scenario, Tcp, Timers};
use crate::tcp::congestion::{Congestion, Rule};
use crate::tcp::{BsdTimers, Connection, Role, TickPhases};

impl Scenario {
    /// Makes a closed connection for one end of `flow`, for a driver that has an interface of its
    /// own: with the ticks of its host and the random numbers that the flow would have. `tcp` is
    /// the flow's, or what is left of it after both ends have agreed.
    pub fn connection_of(&self, flow: &Flow, tcp: &Tcp, role: Role) -> Connection {
        let (host, end) = match role {
            Role::Active => (flow.source, "sender"),
            Role::Passive => (flow.sink, "receiver"),
        };
        let phases = tick_phases(self, host)(tcp);
        Connection::with_rule(tcp, seeded(self, flow, Rule::new(tcp), end), role, phases)
    }
}

/// The phase of a host's ticks: drawn once per host for each pair of tick lengths that its
/// connections use.
pub(super) fn tick_phases(scenario: &Scenario, host: usize) -> impl Fn(&Tcp) -> TickPhases {
    let Scenario { run, hosts, .. } = scenario;
    let stream = Stream::new(run.seed, &format!("host {} timers", hosts[host].name));
    let phase = run.phase;
    move |tcp| match (phase, tcp.timers) {
        (Phase::Random, Timers::Bsd(BsdTimers { slow, fast, .. })) => {
            let mut stream = stream.clone();
            TickPhases { slow: stream.span_below(slow), fast: stream.span_below(fast) }
        }
        _ => TickPhases::default(),
    }
}

/// The rule of one end, with a random stream if its law asks for one.
pub(super) fn seeded(scenario: &Scenario, flow: &Flow, mut rule: Rule, end: &str) -> Rule {
    if rule.needs().random {
        let name = format!("flow {} law {end}", flow.name);
        rule.seed(Stream::new(scenario.run.seed, &name));
    }
    rule
}
