//! Virtual circuits that several flows share: their names, who joins them, and where they lead.

use std::collections::BTreeSet;

use crate::language::family::Named;
use crate::language::fault::{Fault, did_you_mean, nearest, one_of};
use crate::scenario::read::written::{Written, WrittenFlow};
use crate::scenario::resolve::expand::{Nodes, members};
use crate::scenario::resolved::{Flow, NodeRef, Scenario, Vc};
use crate::units::quoted;

/// The shared circuits; where they lead is known when a flow joins.
pub(super) fn vcs(written: &Written, nodes: &Nodes) -> Result<Vec<Vc>, Fault> {
    let flows: BTreeSet<String> = written.flows.iter().flat_map(members).collect();
    let mut vcs = Vec::new();
    for section in &written.vcs {
        let name = section.name.value.clone();
        if flows.contains(&name) {
            let message = format!(
                "there are a flow and a VC {}; expected every one to have its own name",
                quoted(&name)
            );
            return Err(Fault::new(&section.name.at, message));
        }
        let place = format!("vc.{name}.between");
        let [from, to] = &section.body.between;
        let between = [nodes.find_edge(from, &place)?, nodes.find_edge(to, &place)?];
        if between[0] == between[1] {
            let message =
                format!("`vc.{name}` joins an edge to itself; expected two different edges");
            return Err(Fault::new(&to.at, message));
        }
        let service = section.body.service.value;
        vcs.push(Vc { name, between, service, path: Vec::new(), reverse_path: Vec::new() });
    }
    Ok(vcs)
}

/// Which of the circuits a flow names. All flows of a section name the same.
pub(super) fn find(section: &Named<WrittenFlow>, vcs: &[Vc]) -> Result<Option<usize>, Fault> {
    let Some(written) = &section.body.vc else { return Ok(None) };
    vcs.iter().position(|vc| vc.name == written.value).map(Some).ok_or_else(|| {
        let known: Vec<&str> = vcs.iter().map(|vc| vc.name.as_str()).collect();
        let message = format!(
            "`flow.{}.vc`: unknown VC {}; expected {}",
            section.name.value,
            quoted(&written.value),
            one_of(&known)
        );
        Fault::new(&written.at, message)
            .with_hint(nearest(&written.value, &known).map(did_you_mean))
    })
}

/// Leads a flow through its shared circuit. The first to join decides where that lies; later ones
/// that would have gone another way between the same two edges go that way too.
pub(super) fn join(
    section: &Named<WrittenFlow>,
    flow: &mut Flow,
    vc: &mut Vc,
    scenario: &Scenario,
) -> Result<(), Fault> {
    flow.service = vc.service;
    let [first, second] = vc.between.map(NodeRef::Edge);
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
        _ => return Err(passes_by(section, flow, vc, scenario)),
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

fn passes_by(section: &Named<WrittenFlow>, flow: &Flow, vc: &Vc, scenario: &Scenario) -> Fault {
    let [first, second] = vc.between.map(|edge| &scenario.edges[edge].name);
    let message = format!(
        "`flow.{}` is not cells from `{first}` to `{second}`, which `vc.{}` joins, or the other \
         way round; expected a VC \
         between the edges where its packets become cells and packets again",
        flow.name, vc.name
    );
    let at = section.body.vc.as_ref().map_or(&section.name.at, |written| &written.at);
    Fault::new(at, message)
}

/// A circuit without flows leads nowhere.
pub(super) fn refuse_unused(written: &Written, vcs: &[Vc]) -> Result<(), Fault> {
    let mut both = written.vcs.iter().zip(vcs);
    let Some((section, vc)) = both.find(|(_, vc)| vc.path.is_empty()) else { return Ok(()) };
    let message =
        format!("no flow joins `vc.{0}`; expected `vc = \"{0}\"` in at least one flow", vc.name);
    Err(Fault::new(&section.name.at, message))
}
