//! Circuits of `[vc.NAME]`, which several flows share: names, flows, and the path of the first
//! flow for all.

use std::collections::BTreeSet;

use crate::language::family::Named;
use crate::language::fault::{Fault, did_you_mean, nearest, one_of};
use crate::language::faults::{all, check};
use crate::scenario::resolve::expand::Nodes;
use crate::scenario::resolve::place::Owner;
use crate::scenario::resolved::{
    Carriage, Flow, FlowSection, NodeRef, Scenario, ScenarioFile, Vc, VcSection,
};
use crate::units::quoted;

/// Circuits of the file, checked. Their paths are empty until the first flow joins.
pub(super) fn vcs(file: &ScenarioFile, nodes: &Nodes) -> Result<Vec<Vc>, Fault> {
    let flows: BTreeSet<String> = file.flow.iter().flat_map(Named::members).collect();
    all(file.vc.iter().map(|section| {
        let name = section.name.clone();
        let owner = Owner::new("vc", &section.name);
        if flows.contains(&name) {
            let message = format!(
                "there are a flow and a VC {}; expected every one to have its own name",
                quoted(&name)
            );
            return Err(owner.fault(message));
        }
        let [from, to] = owner.key("between").elements(&section.body.between);
        let edges = all([nodes.find_edge(from), nodes.find_edge(to)])?;
        let edges = [edges[0], edges[1]];
        if edges[0] == edges[1] {
            let message =
                format!("`{owner}` joins an edge to itself; expected two different edges");
            return Err(to.fault(message));
        }
        let section = VcSection { name, ..section.body.clone() };
        Ok(Vc { section, edges, path: Vec::new(), reverse_path: Vec::new() })
    }))
}

/// Index of the circuit that a flow section names; `None` if its flows have circuits of their own.
pub(super) fn find(section: &Named<FlowSection>, vcs: &[Vc]) -> Result<Option<usize>, Fault> {
    let Carriage::Shared(name) = &section.body.carried else { return Ok(None) };
    vcs.iter().position(|vc| vc.name == *name).map(Some).ok_or_else(|| {
        let known: Vec<&str> = vcs.iter().map(|vc| vc.name.as_str()).collect();
        let key = Owner::new("flow", &section.name).key("vc");
        let message = format!("`{key}`: unknown VC {}; expected {}", quoted(name), one_of(&known));
        key.fault(message).with_hint(nearest(name, &known).map(did_you_mean))
    })
}

/// Leads a flow through its shared circuit, and gives it the circuit's service. The path of the
/// first flow becomes the circuit's; later flows take it between the two edges, in either
/// direction, even if theirs was another.
pub(super) fn join(
    section: &Named<FlowSection>,
    flow: &mut Flow,
    vc: &mut Vc,
    scenario: &Scenario,
) -> Result<(), Fault> {
    flow.service = vc.service;
    let [first, second] = vc.edges.map(NodeRef::Edge);
    let ends = |path: &[usize]| {
        let links = scenario.cell_links(path);
        Some((scenario.links[*links.first()?].from, scenario.links[*links.last()?].to))
    };
    let (there, back) = match (ends(&flow.path), ends(&flow.reverse_path)) {
        (Some(there), Some(back)) if there == (first, second) && back == (second, first) => {
            (&mut vc.path, &mut vc.reverse_path)
        }
        (Some(there), Some(back)) if there == (second, first) && back == (first, second) => {
            (&mut vc.reverse_path, &mut vc.path)
        }
        _ => return Err(not_between_edges(section, flow, vc, scenario)),
    };
    for (path, shared) in [(&mut flow.path, there), (&mut flow.reverse_path, back)] {
        let hops = scenario.cell_hops(path);
        if shared.is_empty() {
            shared.extend_from_slice(&path[hops]);
        } else {
            path.splice(hops, shared.iter().copied());
        }
    }
    Ok(())
}

/// Fault of a flow whose cells do not run between the edges of its circuit.
fn not_between_edges(
    section: &Named<FlowSection>,
    flow: &Flow,
    vc: &Vc,
    scenario: &Scenario,
) -> Fault {
    let [first, second] = vc.edges.map(|edge| &scenario.edges[edge].name);
    let message = format!(
        "`flow.{}` does not carry cells between `{first}` and `{second}`, the edges of `vc.{}`; \
         expected a VC between the edges where its packets become cells and packets again",
        flow.name, vc.name
    );
    Owner::new("flow", &section.name).key("vc").fault(message)
}

/// Refuses a circuit without flows, which has no path.
pub(super) fn refuse_unused(vcs: &[Vc]) -> Result<(), Fault> {
    check(vcs.iter().filter(|vc| vc.path.is_empty()).map(|vc| {
        let name = &vc.name;
        let message =
            format!("no flow joins `vc.{name}`; expected `vc = \"{name}\"` in at least one flow");
        Err(Owner::new("vc", name).fault(message))
    }))
}
