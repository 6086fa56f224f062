//! Programs on the path of a scenario: the flows that are left to them, and the names by which they
//! reach the other hosts.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;

use cellway_sim::scenario::{Flow, Scenario};

use crate::kernel::{KernelPlan, plans_with};
use crate::record::MeasureError;

/// Keys that sockets of programs follow in part or not at all.
const PROGRAMS_DIFFER: [&str; 2] = [
    "window: buffers of about this window, unless a program sets its own",
    "send_buffer, nagle, pacing: a program's own affair",
];

/// Part that a program has in a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It runs beside the measurement, without a terminal, and is ended with it.
    Beside,
    /// It has the terminal of the caller, and the measurement ends with it.
    Shell,
}

/// A program at a host of the scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Name of the host.
    pub host: String,
    /// The program and its arguments.
    pub words: Vec<String>,
    /// Its part.
    pub role: Role,
}

impl Program {
    /// The words in one line.
    pub fn command(&self) -> String {
        self.words.join(" ")
    }
}

/// Programs of a measurement, in the order in which they start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Programs {
    /// The programs.
    pub programs: Vec<Program>,
    /// Names of the flows that are left to them. Without any these are all flows with `tcp` that
    /// start or end at a host of a program.
    pub flows: Vec<String>,
}

impl Programs {
    /// Numbers of the flows that are left to programs.
    pub(crate) fn left(&self, scenario: &Scenario) -> Result<BTreeSet<usize>, MeasureError> {
        let hosts = self.hosts(scenario)?;
        let mut left = BTreeSet::new();
        for (number, flow) in scenario.flows.iter().enumerate() {
            let is_named = self.flows.is_empty() || self.flows.contains(&flow.name);
            let is_there = hosts.contains(&flow.source) || hosts.contains(&flow.sink);
            if is_named && is_there && flow.tcp.is_some() {
                left.insert(number);
            }
        }
        for name in &self.flows {
            if !left.iter().any(|&number| scenario.flows[number].name == *name) {
                return refused(format!(
                    "no flow `{name}` with `tcp` starts or ends at a host of a program"
                ));
            }
        }
        let is_reached = |host: &usize| {
            let mut flows = left.iter().map(|&number| &scenario.flows[number]);
            flows.any(|flow| flow.source == *host || flow.sink == *host)
        };
        match hosts.iter().find(|host| !is_reached(host)) {
            None => Ok(left),
            Some(&host) => refused(format!(
                "no flow with `tcp` that is left to programs starts or ends at `{}`; expected a \
                 host of: {}",
                scenario.hosts[host].name,
                ends_of_tcp(scenario)
            )),
        }
    }

    /// Numbers of the hosts of the programs.
    fn hosts(&self, scenario: &Scenario) -> Result<BTreeSet<usize>, MeasureError> {
        let number = |program: &Program| {
            let found = scenario.hosts.iter().position(|host| host.name == program.host);
            found.map_or_else(
                || {
                    let known = ends_of_tcp(scenario);
                    refused(format!("no host `{}`; expected a host of: {known}", program.host))
                },
                Ok,
            )
        };
        self.programs.iter().map(number).collect()
    }
}

fn refused<T>(said: String) -> Result<T, MeasureError> {
    Err(MeasureError::Refused(vec![said]))
}

/// Hosts of flows with `tcp`, for messages.
fn ends_of_tcp(scenario: &Scenario) -> String {
    const FEW: usize = 8;
    let flows = scenario.flows.iter().filter(|flow| flow.tcp.is_some());
    let ends: BTreeSet<usize> = flows.flat_map(|flow| [flow.source, flow.sink]).collect();
    let names: Vec<&str> = ends.iter().map(|&host| scenario.hosts[host].name.as_str()).collect();
    match names.get(..FEW) {
        Some(first) if names.len() > FEW => {
            format!("{} and {} more", first.join(", "), names.len() - FEW)
        }
        _ => names.join(", "),
    }
}

/// Keys of each flow that the kernel follows in part or not at all, with `programs` at hosts.
pub fn differences_with(
    scenario: &Scenario,
    programs: &Programs,
) -> Result<Vec<(String, Vec<String>)>, MeasureError> {
    let left = programs.left(scenario)?;
    let left: BTreeSet<&str> =
        left.into_iter().map(|number| scenario.flows[number].name.as_str()).collect();
    let is_left = |flow: &Flow| left.contains(flow.name.as_str());
    let of_flow = |(flow, mut plan): (&Flow, KernelPlan)| {
        if is_left(flow) {
            plan.differs.extend(PROGRAMS_DIFFER.map(str::to_owned));
        }
        (flow.name.clone(), plan.differs)
    };
    Ok(plans_with(scenario, is_left)?.into_iter().map(of_flow).collect())
}

/// A flow that is left to programs, with the addresses of its ends.
#[derive(Clone, Debug)]
pub(crate) struct LeftFlow<'s> {
    pub(crate) flow: &'s Flow,
    /// Number in the scenario.
    pub(crate) index: usize,
    pub(crate) plan: KernelPlan,
    /// Addresses of source and sink.
    pub(crate) addresses: [Ipv4Addr; 2],
}

/// Fails for flows whose settings of the kernel differ although they meet at a host: it has one
/// namespace.
pub(crate) fn require_alike(
    scenario: &Scenario,
    left: &[LeftFlow<'_>],
) -> Result<(), MeasureError> {
    let mut first_at: BTreeMap<usize, &LeftFlow<'_>> = BTreeMap::new();
    for one in left {
        for host in [one.flow.source, one.flow.sink] {
            let first = *first_at.entry(host).or_insert(one);
            let of_first = first.plan.sysctls.iter();
            let unlike = of_first.zip(one.plan.sysctls.iter()).find(|(of, other)| of != other);
            if let Some(((name, _), _)) = unlike {
                return refused(format!(
                    "flows `{}` and `{}` meet at `{}` and differ in `{name}`; expected equal \
                     settings where programs run, or only one of them left to programs",
                    first.flow.name, one.flow.name, scenario.hosts[host].name
                ));
            }
        }
    }
    Ok(())
}

/// A name under which a host is reached from another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// Address of the end of the flow.
    pub address: Ipv4Addr,
    /// Names, the shortest first.
    pub names: Vec<String>,
    /// Flow whose path leads there.
    pub flow: String,
}

/// Hosts that are reached from `host`: the end of every flow that is left to programs. The first
/// flow to a host has its name; where there are several, each has that of host and flow together.
pub(crate) fn reached(scenario: &Scenario, left: &[LeftFlow<'_>], host: usize) -> Vec<Reached> {
    let ends = left.iter().filter_map(|one| match host {
        _ if host == one.flow.source => Some((one, one.flow.sink, one.addresses[1])),
        _ if host == one.flow.sink => Some((one, one.flow.source, one.addresses[0])),
        _ => None,
    });
    let ends: Vec<_> = ends.collect();
    let mut known = BTreeSet::new();
    let reach = |&(one, far, address): &(&LeftFlow<'_>, usize, Ipv4Addr)| {
        let name = &scenario.hosts[far].name;
        let flow = &one.flow.name;
        let number = ends.iter().filter(|(_, other, _)| *other == far).count();
        let mut names = Vec::new();
        if known.insert(far) {
            names.extend(spellings(name));
        }
        if number > 1 {
            names.extend(spellings(&format!("{name}.{flow}")));
        }
        Reached { address, names, flow: flow.clone() }
    };
    ends.iter().map(reach).collect()
}

/// A name as programs take it, and the name itself: `src-3` and `src[3]`.
fn spellings(name: &str) -> Vec<String> {
    let plain = name.replace('[', "-").replace(']', "");
    if plain == name { vec![plain] } else { vec![plain, name.to_owned()] }
}

/// Content of `/etc/hosts` at `host`.
pub(crate) fn table_of_hosts(
    scenario: &Scenario,
    left: &[LeftFlow<'_>],
    host: usize,
    machine: &str,
) -> String {
    let own = &scenario.hosts[host].name;
    let mut lines = vec![format!("127.0.0.1 localhost {machine}")];
    let line = |address: &Ipv4Addr, names: &[String]| format!("{address} {}", names.join(" "));
    let addresses = left.iter().filter_map(|one| match host {
        _ if host == one.flow.source => Some(one.addresses[0]),
        _ if host == one.flow.sink => Some(one.addresses[1]),
        _ => None,
    });
    lines.extend(addresses.map(|address| line(&address, &spellings(own))));
    lines.extend(reached(scenario, left, host).iter().map(|to| line(&to.address, &to.names)));
    lines.push(String::new());
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use cellway_sim::scenario::Source;

    use super::*;

    /// Two flows from each of two sources to a sink; the second one of each has no SACK.
    fn scenario() -> Scenario {
        let text = r#"
            run.duration = "1 s"
            host = { src = { count = 2 }, sink = {}, alone = {} }
            switch.s = {}
            link.in = { count = 2, between = ["src[*]", "s"], rate = "OC-3c", delay = "1 ms" }
            link.out = { between = ["s", "sink"], rate = "OC-3c", delay = "1 ms" }
            link.off = { between = ["s", "alone"], rate = "OC-3c", delay = "1 ms" }
            [flow.up]
            count = 2
            from = "src[*]"
            to = "sink"
            traffic = "greedy"
            tcp.recovery = "sack"
            [flow.web]
            count = 2
            from = "src[*]"
            to = "sink"
            traffic.request_response = { request = "1 kB", response = "1 kB" }
            tcp = { recovery = "new_reno", reader.paced.rate = "1 Mbit/s of payload" }
        "#;
        Scenario::parse(Source { origin: "paths", text }, &[]).expect("a scenario")
    }

    fn at(host: &str, flows: &[&str]) -> Programs {
        let words = vec!["true".to_owned()];
        Programs {
            programs: vec![Program { host: host.to_owned(), words, role: Role::Beside }],
            flows: flows.iter().map(|&flow| flow.to_owned()).collect(),
        }
    }

    fn left(scenario: &Scenario, programs: &Programs) -> Result<Vec<String>, String> {
        let left = programs.left(scenario).map_err(|refused| refused.to_string())?;
        Ok(left.into_iter().map(|number| scenario.flows[number].name.clone()).collect())
    }

    #[test]
    fn flows_at_the_hosts_of_programs_are_left_to_them() {
        let scenario = scenario();
        assert_eq!(left(&scenario, &at("src[2]", &[])).expect("flows"), ["up[2]", "web[2]"]);
        assert_eq!(left(&scenario, &at("sink", &["up[1]"])).expect("flows"), ["up[1]"]);
        for (host, flows, said) in [
            ("src", &[][..], "no host `src`; expected a host of: src[1], src[2], sink"),
            ("src[1]", &["up[2]"], "no flow `up[2]` with `tcp` starts or ends at a host of a"),
            ("alone", &[], "no flow with `tcp` that is left to programs starts or ends at `alone`"),
        ] {
            let refused = left(&scenario, &at(host, flows)).expect_err("refused");
            assert!(refused.starts_with(said), "{refused}");
        }
    }

    /// Traffic and reader count, but not those of flows that are left.
    #[test]
    fn only_flows_with_traffic_of_their_own_need_one_that_is_measured() {
        let scenario = scenario();
        let differs = |flows: &[&str]| differences_with(&scenario, &at("sink", flows));
        assert_eq!(differs(&[]).expect("all are left").len(), 4);
        let refused = differs(&["up[1]", "web[1]"]).expect_err("web[2] is not").to_string();
        assert!(refused.starts_with("`flow.web[2].tcp.reader`: the receiver"), "{refused}");
    }

    fn flows(scenario: &Scenario) -> Vec<LeftFlow<'_>> {
        let plans = plans_with(scenario, |_| true).expect("plans");
        let place = |(number, (flow, plan)): (usize, _)| LeftFlow {
            flow,
            index: number,
            plan,
            addresses: [1, 2].map(|end| Ipv4Addr::new(10, 0, number as u8, end)),
        };
        plans.into_iter().enumerate().map(place).collect()
    }

    #[test]
    fn hosts_have_their_names_and_each_flow_one_of_its_own() {
        let scenario = scenario();
        let left = flows(&scenario);
        let number = |name: &str| scenario.hosts.iter().position(|host| host.name == name);
        let from = |name: &str, left: &[LeftFlow<'_>]| {
            table_of_hosts(&scenario, left, number(name).expect("a host"), "vm")
        };
        assert_eq!(
            from("src[2]", &left),
            "127.0.0.1 localhost vm\n10.0.1.1 src-2 src[2]\n10.0.3.1 src-2 src[2]\n\
             10.0.1.2 sink sink.up-2 sink.up[2]\n10.0.3.2 sink.web-2 sink.web[2]\n"
        );
        assert_eq!(
            from("sink", &left[..1]),
            "127.0.0.1 localhost vm\n10.0.0.2 sink\n10.0.0.1 src-1 src[1]\n"
        );
    }

    #[test]
    fn flows_with_unlike_settings_do_not_meet_at_a_host() {
        let scenario = scenario();
        let left = flows(&scenario);
        assert!(require_alike(&scenario, &left[..2]).is_ok());
        let refused = require_alike(&scenario, &left).expect_err("refused").to_string();
        let said = "flows `up[1]` and `web[1]` meet at `src[1]` and differ in `tcp_sack`;";
        assert!(refused.starts_with(said), "{refused}");
    }
}
