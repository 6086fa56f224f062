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

/// Fails for flows whose settings of the kernel differ although they meet at a host, which has one
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
/// flow to a host has its name; all have the name of host and flow together where there are several.
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
