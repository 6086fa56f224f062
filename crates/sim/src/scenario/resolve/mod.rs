//! From a file to a [`Scenario`]: families expanded, names connected, paths found, sections
//! compared.

mod buffer_management;
mod capacity;
mod checks;
mod circuits;
mod dangling;
mod distributions;
mod expand;
mod fellows;
mod impairments;
mod outputs;
mod pacing;
mod place;
mod proxies;
mod relays;
mod route;
mod shared;
mod span;
mod split;

use std::sync::Arc;
use std::{iter, mem};

pub(super) use dangling::dangling;

use crate::language::family::{Named, member_of};
use crate::language::fault::Fault;
use crate::language::faults::{Faults, check};
use crate::scenario::resolve::expand::{Nodes, check_names};
use crate::scenario::resolve::place::{KeyOf, Owner, Reference};
use crate::scenario::resolve::route::Routes;
use crate::scenario::resolved::{
    Carriage, Edge, Ends, Flow, FlowSection, Host, Link, LinkSection, Observe, Scenario,
    ScenarioFile, Service, Switch, Traffic, Ubr, Vc,
};

/// Maximum number of links on all paths together; beyond it the paths would not fit into memory.
const MOST_HOPS: usize = 10_000_000;

/// Place of the flows of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FlowsIn {
    /// In the file of the scenario, at least one.
    File,
    /// In the file or in a script.
    Script,
}

pub(super) fn resolve(
    file: &ScenarioFile,
    name: &str,
    flows_in: FlowsIn,
) -> Result<Scenario, Fault> {
    let nodes = nodes(file, flows_in)?;
    let mut faults = Faults::default();
    faults.keep(file.run.check());
    faults.keep(capacity::check(file));
    let links = faults.keep(expand_all(&file.link, |link, number, name, out| {
        expand_link(link, number, name, &nodes, out)
    }));
    let vcs = faults.keep(shared::vcs(file, &nodes));
    let flows = faults.keep(expand_all(&file.flow, |flow, number, name, out| {
        unrouted(flow, number, name, (&nodes, vcs.as_deref())).map(|flow| out.push(flow))
    }));
    faults.none()?;
    let (Some(links), Some(vcs), Some(flows)) = (links, vcs, flows) else {
        unreachable!("what is missing has a fault")
    };
    let observe = file.observe.as_ref().map(|observe| {
        let interval = Some(observe.sampling(file.run.duration));
        Observe { interval, ..observe.clone() }
    });
    let mut scenario = Scenario {
        name: name.to_owned(),
        run: file.run.clone(),
        hosts: each(&file.host, |host, name| Host { name, ..host.clone() }),
        switches: each(&file.switch, |switch, name| Switch { name, ..switch.clone() }),
        edges: each(&file.edge, |edge, name| Edge { name, ..edge.clone() }),
        links,
        vcs,
        flows,
        proxies: Vec::new(),
        observe,
    };
    faults_of_paths(file, &mut scenario).none()?;
    fellows::resolve(&mut scenario, MOST_HOPS)?;
    proxies::resolve(file, &nodes, &mut scenario)?;
    Ok(scenario)
}

/// All nodes by name, once all names have been checked.
fn nodes(file: &ScenarioFile, flows_in: FlowsIn) -> Result<Nodes, Fault> {
    check([checks::something(file, flows_in), check_names(file)])?;
    Nodes::of(&file.host, &file.switch, &file.edge)
}

/// Finds the paths and compares everything with them.
fn faults_of_paths(file: &ScenarioFile, scenario: &mut Scenario) -> Faults {
    let mut faults = Faults::default();
    faults.keep(checks::links(file, scenario));
    if faults.keep(connect(file, scenario)).is_none() {
        return faults;
    }
    faults.keep(checks::flows(file, scenario));
    faults.keep(impairments::check(file, scenario));
    faults.keep(span::check(scenario));
    if !scenario.flows.is_empty() {
        faults.keep(shared::refuse_unused(&scenario.vcs));
        faults.keep(distributions::check(scenario));
    }
    faults
}

/// The members of all sections, with their names.
fn each<T>(sections: &[Named<T>], member: impl Fn(&T, String) -> T) -> Vec<T> {
    let mut all = Vec::new();
    for section in sections {
        all.extend(section.members().into_iter().map(|name| member(&section.body, name)));
    }
    all
}

/// Expands the members of all sections by `expand`, which may add several for each; or returns the
/// first fault of each section.
fn expand_all<T, U>(
    sections: &[Named<T>],
    expand: impl Fn(&Named<T>, u64, String, &mut Vec<U>) -> Result<(), Fault>,
) -> Result<Vec<U>, Fault> {
    let mut expanded = Vec::new();
    let expand_section = |section: &Named<T>| {
        let mut members = section.numbers.clone().zip(section.members());
        members.try_for_each(|(number, name)| expand(section, number, name, &mut expanded))
    };
    check(sections.iter().map(expand_section))?;
    Ok(expanded)
}

fn expand_link(
    section: &Named<LinkSection>,
    number: u64,
    name: String,
    nodes: &Nodes,
    links: &mut Vec<Link>,
) -> Result<(), Fault> {
    let link = &section.body;
    refuse_copies(section)?;
    let references = ends_of(section);
    let mut faults = Faults::default();
    let [from, to] = references.map(|reference| {
        let starred = nodes.check_star(reference, section.count);
        faults.keep(starred.and_then(|()| nodes.find(reference, number)))
    });
    faults.none()?;
    let (Some(from), Some(to)) = (from, to) else { unreachable!("there was no fault") };
    if from == to {
        let message =
            format!("`link.{name}` leads from a node to itself; expected two different nodes");
        return Err(references[1].fault(message));
    }
    let member = Arc::new(LinkSection { name, ends: link.ends.of_member(number), ..link.clone() });
    let back = matches!(link.ends, Ends::Between(_)).then_some((to, from));
    let ways = iter::once((from, to)).chain(back);
    links.extend(ways.map(|(from, to)| Link { section: member.clone(), from, to }));
    Ok(())
}

fn ends_of(section: &Named<LinkSection>) -> [Reference<'_>; 2] {
    let owner = Owner::new("link", &section.name);
    match &section.body.ends {
        Ends::Between(names) => owner.key("between").elements(names),
        Ends::FromTo([from, to]) => {
            [owner.key("from").reference(from), owner.key("to").reference(to)]
        }
    }
}

/// Refuses a link with a count and without `[*]`: paths would use one of the copies.
fn refuse_copies(section: &Named<LinkSection>) -> Result<(), Fault> {
    let has_star = section.body.ends.names().iter().any(|end| end.ends_with("[*]"));
    if section.count.is_none() || has_star {
        return Ok(());
    }
    let owner = Owner::new("link", &section.name);
    let message = format!(
        "`{owner}` is a family between the same two nodes; expected `[*]` behind one of its ends"
    );
    Err(owner.key("count").fault(message))
}

/// Finds the paths of all flows from sender to receiver, through their circuits; or returns the
/// first fault of each section.
fn connect(file: &ScenarioFile, scenario: &mut Scenario) -> Result<(), Fault> {
    let (mut flows, mut vcs) = (mem::take(&mut scenario.flows), mem::take(&mut scenario.vcs));
    let outcome = lead(file, scenario, &mut flows, &mut vcs);
    (scenario.flows, scenario.vcs) = (flows, vcs);
    outcome
}

fn lead(
    file: &ScenarioFile,
    scenario: &Scenario,
    flows: &mut [Flow],
    vcs: &mut [Vc],
) -> Result<(), Fault> {
    let mut paths = Paths::new(scenario);
    let mut rest = &mut *flows;
    check(file.flow.iter().map(|section| {
        let count = section.numbers.clone().count();
        let (members, others) = mem::take(&mut rest).split_at_mut(count);
        rest = others;
        members.iter_mut().try_for_each(|flow| paths.lead(section, flow, vcs))
    }))?;
    relays::resolve(file, flows)?;
    pacing::resolve(file, flows, scenario)
}

/// Paths of flows over the links of a scenario.
struct Paths<'s> {
    scenario: &'s Scenario,
    /// Forward and backward searches start from different hosts; each keeps its own last search.
    routes: [Routes<'s>; 2],
    hops: usize,
}

impl<'s> Paths<'s> {
    fn new(scenario: &'s Scenario) -> Self {
        let forwarders = (scenario.switches.len(), scenario.edges.len());
        let routes =
            [(); 2].map(|()| Routes::new(&scenario.links, scenario.hosts.len(), forwarders));
        Self { scenario, routes, hops: 0 }
    }

    fn lead(
        &mut self,
        section: &Named<FlowSection>,
        flow: &mut Flow,
        vcs: &mut [Vc],
    ) -> Result<(), Fault> {
        let Self { scenario, routes: [there, back], hops } = self;
        let owner = Owner::new("flow", &section.name);
        flow.path = there
            .path(flow.source, flow.sink)
            .ok_or_else(|| no_path(owner.key("to"), flow, (flow.source, flow.sink), scenario))?;
        // A circuit has two directions, whichever flows join it.
        if flow.is_two_way() || flow.vc.is_some() {
            flow.reverse_path = back.path(flow.sink, flow.source).ok_or_else(|| {
                no_path(owner.key("from"), flow, (flow.sink, flow.source), scenario)
            })?;
        }
        circuits::path(section, flow, scenario)?;
        if let Some(vc) = flow.vc {
            shared::join(section, flow, &mut vcs[vc], scenario)?;
            if !flow.is_two_way() {
                flow.reverse_path.clear();
            }
        }
        *hops += flow.path.len() + flow.reverse_path.len();
        if *hops <= MOST_HOPS {
            return Ok(());
        }
        let message = format!("the paths of all flows have more than {MOST_HOPS} links");
        Err(owner.fault(message))
    }
}

fn unrouted(
    section: &Named<FlowSection>,
    number: u64,
    name: String,
    (nodes, vcs): (&Nodes, Option<&[Vc]>),
) -> Result<Flow, Fault> {
    let flow = &section.body;
    let owner = Owner::new("flow", &section.name);
    let end = |reference: Reference<'_>| {
        nodes.check_star(reference, section.count)?;
        nodes.find_host(reference, number)
    };
    let mut faults = Faults::default();
    let source = faults.keep(end(owner.key("from").reference(&flow.from)));
    let sink = faults.keep(end(owner.key("to").reference(&flow.to)));
    // If the circuits have faults, a flow that joins one is not at fault.
    let vc = vcs.and_then(|vcs| faults.keep(shared::find(section, vcs))).flatten();
    let traffic = traffic_of(flow);
    faults.keep(checks::refuse_long_datagrams(owner, &traffic));
    faults.none()?;
    let (Some(source), Some(sink)) = (source, sink) else { unreachable!("there was no fault") };
    if source == sink {
        let message =
            format!("`flow.{name}` leads from a host to itself; expected two different hosts");
        return Err(owner.key("to").fault(message));
    }
    let mut section = FlowSection {
        name,
        from: member_of(&flow.from, number),
        to: member_of(&flow.to, number),
        traffic: match traffic {
            Traffic::Relay(plan) => Traffic::Relay(plan.of_member(number)),
            traffic => traffic,
        },
        ..flow.clone()
    };
    if let Some(tcp) = &mut section.tcp {
        tcp.ip = section.ip;
    }
    Ok(Flow {
        source,
        sink,
        vc,
        pace: None,
        relay: None,
        leg: None,
        first_connection: None,
        path: Vec::new(),
        reverse_path: Vec::new(),
        service: match section.carried {
            Carriage::Own(service) => service,
            // The service of the circuit follows once the path is known and the flow has joined it.
            Carriage::Shared(_) => Service::Ubr(Ubr { pace: None }),
        },
        section,
    })
}

/// The traffic of a flow; without a transport, blocks are sent as datagrams.
pub(super) fn traffic_of(flow: &FlowSection) -> Traffic {
    let traffic = flow.traffic.clone();
    if flow.tcp.is_none() { traffic.without_transport() } else { traffic }
}

fn no_path(key: KeyOf<'_>, flow: &Flow, (from, to): (usize, usize), scenario: &Scenario) -> Fault {
    let [from, to] = [from, to].map(|host| &scenario.hosts[host].name);
    let message = format!(
        "`flow.{}`: no path from `{from}` to `{to}`; expected links that connect them through \
         switches or edges (hosts do not forward)",
        flow.name
    );
    key.fault(message)
}
