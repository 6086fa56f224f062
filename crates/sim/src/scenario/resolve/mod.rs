//! From what was written to a [`Scenario`]: families expanded, names connected, paths found,
//! everything compared.

mod buffer_management;
mod capacity;
mod checks;
mod circuits;
mod distributions;
mod expand;
mod impairments;
mod outputs;
mod pacing;
mod place;
mod relays;
mod route;
mod shared;
mod span;

use crate::language::family::Named;
use crate::language::fault::Fault;
use crate::scenario::resolve::expand::{Nodes, check_names};
use crate::scenario::resolve::place::{KeyOf, Owner, Reference};
use crate::scenario::resolve::route::Routes;
use crate::scenario::resolved::{
    Carriage, Edge, Ends, Flow, FlowSection, Host, Link, LinkSection, NodeRef, Observe, Scenario,
    ScenarioFile, Service, Switch, Traffic, Ubr, Vc,
};

/// Most links on the paths of all flows together; beyond it the paths would not fit into memory.
const MOST_HOPS: usize = 10_000_000;

/// Where flows stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FlowsIn {
    /// In the file of the scenario, at least one.
    File,
    /// Perhaps in a script alone.
    Script,
}

pub(super) fn resolve(
    file: &ScenarioFile,
    name: &str,
    flows_in: FlowsIn,
) -> Result<Scenario, Fault> {
    checks::run(file, flows_in)?;
    check_names(file)?;
    let nodes = Nodes::of(file)?;
    let links = expand_all(&file.link, |link, number, name, out| {
        expand_link(link, number, name, &nodes, out)
    })?;
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
        vcs: Vec::new(),
        flows: Vec::new(),
        observe,
    };
    checks::links(file, &scenario)?;
    let mut vcs = shared::vcs(file, &nodes)?;
    scenario.flows = flows(file, &scenario, &nodes, &mut vcs)?;
    let has_flows = !scenario.flows.is_empty();
    if has_flows {
        shared::refuse_unused(&vcs)?;
    }
    scenario.vcs = vcs;
    checks::flows(file, &scenario)?;
    capacity::check(file)?;
    impairments::check(file, &scenario)?;
    span::check(&scenario)?;
    if has_flows {
        distributions::check(&scenario)?;
    }
    Ok(scenario)
}

/// Every member of every section, with its name.
fn each<T>(sections: &[Named<T>], member: impl Fn(&T, String) -> T) -> Vec<T> {
    let mut all = Vec::new();
    for section in sections {
        all.extend(section.members().into_iter().map(|name| member(&section.body, name)));
    }
    all
}

/// Every member of every section, through `expand`, which may add several.
fn expand_all<T, U>(
    sections: &[Named<T>],
    expand: impl Fn(&Named<T>, u64, String, &mut Vec<U>) -> Result<(), Fault>,
) -> Result<Vec<U>, Fault> {
    let mut expanded = Vec::new();
    for section in sections {
        for (number, name) in section.numbers.clone().zip(section.members()) {
            expand(section, number, name, &mut expanded)?;
        }
    }
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
    let mut ends = [NodeRef::Host(0); 2];
    for (end, reference) in ends.iter_mut().zip(references) {
        nodes.check_star(reference, section.count)?;
        *end = nodes.find(reference, number)?;
    }
    let [from, to] = ends;
    if from == to {
        let message =
            format!("`link.{name}` leads from a node to itself; expected two different nodes");
        return Err(references[1].fault(message));
    }
    let (delay, impairments) = (link.delay.clone(), link.impairments.clone());
    let capacity = link.capacity.clone();
    let there = Link { name, from, to, delay, carries: link.carries, capacity, impairments };
    let is_duplex = matches!(link.ends, Ends::Between(_));
    let back = is_duplex.then(|| Link { from: to, to: from, ..there.clone() });
    links.push(there);
    links.extend(back);
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

/// A counted link without `[*]` would be that many copies, of which paths use one.
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

fn flows(
    file: &ScenarioFile,
    scenario: &Scenario,
    nodes: &Nodes,
    vcs: &mut [Vc],
) -> Result<Vec<Flow>, Fault> {
    let forwarders = (scenario.switches.len(), scenario.edges.len());
    let mut routes = Routes::new(&scenario.links, scenario.hosts.len(), forwarders);
    // Forward and backward searches start from different hosts; each keeps its own last search.
    let mut routes_back = Routes::new(&scenario.links, scenario.hosts.len(), forwarders);
    let mut hops = 0;
    let mut flows = Vec::new();
    for section in &file.flow {
        let vc = shared::find(section, vcs)?;
        for (number, name) in section.numbers.clone().zip(section.members()) {
            let mut flow = unrouted(section, number, name, nodes)?;
            let owner = Owner::new("flow", &section.name);
            flow.path = routes
                .path(flow.from, flow.to)
                .ok_or_else(|| no_path(owner.key("to"), &flow, (flow.from, flow.to), scenario))?;
            // A circuit has two directions, whoever joins it.
            if flow.is_two_way() || vc.is_some() {
                flow.reverse_path = routes_back.path(flow.to, flow.from).ok_or_else(|| {
                    no_path(owner.key("from"), &flow, (flow.to, flow.from), scenario)
                })?;
            }
            circuits::path(section, &flow, scenario)?;
            flow.vc = vc;
            if let Some(vc) = vc {
                shared::join(section, &mut flow, &mut vcs[vc], scenario)?;
                if !flow.is_two_way() {
                    flow.reverse_path.clear();
                }
            }
            hops += flow.path.len() + flow.reverse_path.len();
            if hops > MOST_HOPS {
                let message = format!("the paths of all flows have more than {MOST_HOPS} links");
                return Err(owner.fault(message));
            }
            flows.push(flow);
        }
    }
    relays::resolve(file, &mut flows, scenario)?;
    pacing::resolve(file, &mut flows, scenario)?;
    Ok(flows)
}

fn unrouted(
    section: &Named<FlowSection>,
    number: u64,
    name: String,
    nodes: &Nodes,
) -> Result<Flow, Fault> {
    let flow = &section.body;
    let owner = Owner::new("flow", &section.name);
    let end = |reference: Reference<'_>| {
        nodes.check_star(reference, section.count)?;
        nodes.find_host(reference, number)
    };
    let from = end(owner.key("from").reference(&flow.from))?;
    let to = end(owner.key("to").reference(&flow.to))?;
    if from == to {
        let message =
            format!("`flow.{name}` leads from a host to itself; expected two different hosts");
        return Err(owner.key("to").fault(message));
    }
    Ok(Flow {
        name,
        from,
        to,
        start: flow.start,
        stop: flow.stop,
        traffic: match traffic_of(flow) {
            Traffic::Relay(plan) => Traffic::Relay(plan.of_member(number)),
            traffic => traffic,
        },
        service: match flow.carried {
            Carriage::Own(service) => service,
            // That of the circuit, once the path is known and the flow has joined it.
            Carriage::Shared(_) => Service::Ubr(Ubr { pace: None }),
        },
        vc: None,
        tcp: flow.tcp.clone(),
        pacing: None,
        relay: None,
        path: Vec::new(),
        reverse_path: Vec::new(),
    })
}

/// Without a transport, what would be written to it is datagrams.
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
