//! From what was written to a [`Scenario`]: families expanded, names connected, paths found,
//! everything compared.

mod buffer_management;
pub(super) mod checks;
pub(super) mod circuits;
mod distributions;
mod expand;
mod route;
mod shared;
mod span;

use crate::language::family::Named;
use crate::language::fault::{At, Fault};
use crate::scenario::read::written::{Written, WrittenFlow, WrittenLink};
use crate::scenario::resolve::expand::{Nodes, check_names, members};
use crate::scenario::resolve::route::Routes;
use crate::scenario::resolved::{Edge, Flow, Host, Link, NodeRef, Scenario, Switch, Vc};

/// Most links on the paths of all flows together; beyond it the paths would not fit into memory.
const MOST_HOPS: usize = 10_000_000;

pub(crate) fn resolve(written: &Written, name: &str) -> Result<Scenario, Fault> {
    checks::run(written)?;
    check_names(written)?;
    let nodes = Nodes::of(written)?;
    let links = expand_all(&written.links, |link, number, name, out| {
        expand_link(link, number, name, &nodes, out)
    })?;
    let mut scenario = Scenario {
        name: name.to_owned(),
        run: written.run.clone(),
        hosts: hosts(written),
        switches: switches(written),
        edges: edges(written),
        links,
        vcs: Vec::new(),
        flows: Vec::new(),
        observe: written.observe.clone(),
    };
    checks::links(written, &scenario)?;
    let mut vcs = shared::vcs(written, &nodes)?;
    scenario.flows = flows(written, &scenario, &nodes, &mut vcs)?;
    shared::refuse_unused(written, &vcs)?;
    scenario.vcs = vcs;
    checks::flows(written, &scenario)?;
    span::check(written, &scenario)?;
    distributions::check(written, &scenario)?;
    Ok(scenario)
}

fn hosts(written: &Written) -> Vec<Host> {
    let all = written.hosts.iter();
    all.flat_map(|host| members(host).into_iter().map(|name| Host { name, ..host.body.clone() }))
        .collect()
}

fn switches(written: &Written) -> Vec<Switch> {
    let all = written.switches.iter();
    all.flat_map(|one| {
        members(one).into_iter().map(|name| Switch { name, ..one.body.switch.clone() })
    })
    .collect()
}

fn edges(written: &Written) -> Vec<Edge> {
    let all = written.edges.iter();
    all.flat_map(|one| members(one).into_iter().map(|name| Edge { name, ..one.body.edge.clone() }))
        .collect()
}

/// Every member of every section, through `expand`, which may add several.
fn expand_all<T, U>(
    sections: &[Named<T>],
    expand: impl Fn(&Named<T>, u64, String, &mut Vec<U>) -> Result<(), Fault>,
) -> Result<Vec<U>, Fault> {
    let mut expanded = Vec::new();
    for section in sections {
        for (number, name) in section.numbers.clone().zip(members(section)) {
            expand(section, number, name, &mut expanded)?;
        }
    }
    Ok(expanded)
}

fn expand_link(
    section: &Named<WrittenLink>,
    number: u64,
    name: String,
    nodes: &Nodes,
    links: &mut Vec<Link>,
) -> Result<(), Fault> {
    let link = &section.body;
    refuse_copies(section)?;
    let keys = if link.duplex { ["between", "between"] } else { ["from", "to"] };
    let mut ends = [NodeRef::Host(0); 2];
    for ((end, written), key) in ends.iter_mut().zip(&link.ends).zip(keys) {
        let place = format!("link.{}.{key}", section.name.value);
        nodes.check_star(written, section.count.as_ref(), &place)?;
        *end = nodes.find(written, number, &place)?;
    }
    let [from, to] = ends;
    if from == to {
        let message =
            format!("`link.{name}` leads from a node to itself; expected two different nodes");
        return Err(Fault::new(&link.ends[1].at, message));
    }
    let there = Link { name, from, to, delay: link.delay.value, carries: link.carries };
    let back = link.duplex.then(|| Link { from: to, to: from, ..there.clone() });
    links.push(there);
    links.extend(back);
    Ok(())
}

/// A counted link without `[*]` would be that many copies, of which paths use one.
fn refuse_copies(section: &Named<WrittenLink>) -> Result<(), Fault> {
    let Some(count) = &section.count else { return Ok(()) };
    if section.body.ends.iter().any(|end| end.value.ends_with("[*]")) {
        return Ok(());
    }
    let message = format!(
        "`link.{}` is a family between the same two nodes; expected `[*]` behind one of its ends",
        section.name.value
    );
    Err(Fault::new(&count.at, message))
}

fn flows(
    written: &Written,
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
    for section in &written.flows {
        let vc = shared::find(section, vcs)?;
        for (number, name) in section.numbers.clone().zip(members(section)) {
            let mut flow = unrouted(section, number, name, nodes)?;
            flow.path =
                route(&mut routes, &flow, (flow.from, flow.to), &section.body.to, scenario)?;
            if flow.is_two_way() {
                let way_back = (flow.to, flow.from);
                flow.reverse_path =
                    route(&mut routes_back, &flow, way_back, &section.body.from, scenario)?;
            }
            circuits::path(section, &flow, scenario)?;
            flow.vc = vc;
            if let Some(vc) = vc {
                shared::join(section, &mut flow, &mut vcs[vc], scenario)?;
            }
            hops += flow.path.len() + flow.reverse_path.len();
            if hops > MOST_HOPS {
                let message = format!("the paths of all flows have more than {MOST_HOPS} links");
                return Err(Fault::new(&section.name.at, message));
            }
            flows.push(flow);
        }
    }
    Ok(flows)
}

fn unrouted(
    section: &Named<WrittenFlow>,
    number: u64,
    name: String,
    nodes: &Nodes,
) -> Result<Flow, Fault> {
    let flow = &section.body;
    let end = |reference: &At<String>, key: &str| {
        let place = format!("flow.{}.{key}", section.name.value);
        nodes.check_star(reference, section.count.as_ref(), &place)?;
        nodes.find_host(reference, number, &place)
    };
    let (from, to) = (end(&flow.from, "from")?, end(&flow.to, "to")?);
    if from == to {
        let message =
            format!("`flow.{name}` leads from a host to itself; expected two different hosts");
        return Err(Fault::new(&flow.to.at, message));
    }
    Ok(Flow {
        name,
        from,
        to,
        start: flow.start.value,
        stop: flow.stop.as_ref().map(|stop| stop.value),
        traffic: flow.traffic.value,
        service: flow.service.value,
        vc: None,
        tcp: flow.tcp.as_ref().map(|tcp| tcp.value.clone()),
        path: Vec::new(),
        reverse_path: Vec::new(),
    })
}

fn route(
    routes: &mut Routes<'_>,
    flow: &Flow,
    (from, to): (usize, usize),
    at: &At<String>,
    scenario: &Scenario,
) -> Result<Vec<usize>, Fault> {
    routes.path(from, to).ok_or_else(|| {
        let [from, to] = [from, to].map(|host| &scenario.hosts[host].name);
        let message = format!(
            "`flow.{}`: no path from `{from}` to `{to}`; expected links that connect them through \
             switches or edges \
             (hosts do not forward)",
            flow.name
        );
        Fault::new(&at.at, message)
    })
}
