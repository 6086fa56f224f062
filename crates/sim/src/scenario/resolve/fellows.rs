//! Further connections of flows of pages: each becomes a flow of its own that follows the others,
//! with the path of the first.

use std::collections::BTreeSet;

use crate::language::family::split_member;
use crate::language::fault::Fault;
use crate::scenario::resolve::place::Owner;
use crate::scenario::resolved::{Flow, FlowSection, Scenario};
use crate::traffic::Traffic;

/// Adds the further connections of all flows, whose paths may have at most so many links in all.
pub(super) fn resolve(scenario: &mut Scenario, most_hops: usize) -> Result<(), Fault> {
    let relayed = relayed(scenario);
    let mut hops = 0;
    for of in 0..scenario.flows.len() {
        let flow = &scenario.flows[of];
        hops += flow.path.len() + flow.reverse_path.len();
        let connections = connections(flow);
        if connections == 1 {
            continue;
        }
        let family = split_member(&flow.name).map_or(flow.name.as_str(), |(family, _)| family);
        let owner = Owner::new("flow", family);
        if relayed.contains(&of) {
            let message = format!(
                "`{owner}.traffic.page.connections`: a relay reads `{owner}`, which is one \
                 connection for it; expected no `connections`, or a `[proxy]`"
            );
            return Err(owner.fault(message));
        }
        hops += (connections - 1) * (flow.path.len() + flow.reverse_path.len());
        if hops > most_hops {
            let message = format!("the paths of all flows have more than {most_hops} links");
            return Err(owner.fault(message));
        }
        let further: Vec<Flow> =
            (2..=connections).map(|number| further(flow, of, number)).collect();
        scenario.flows.extend(further);
    }
    Ok(())
}

/// Connections of a flow.
fn connections(flow: &Flow) -> usize {
    match &flow.traffic {
        Traffic::Page(pages) => pages.connections.unwrap_or(1) as usize,
        _ => 1,
    }
}

fn further(flow: &Flow, of: usize, number: usize) -> Flow {
    let name = match split_member(&flow.name) {
        Some((family, member)) => format!("{family} connection {number}[{member}]"),
        None => format!("{} connection {number}", flow.name),
    };
    let section = FlowSection { name, ..flow.section.clone() };
    Flow { section, first_connection: Some(of), ..flow.clone() }
}

/// Flows that relays read.
fn relayed(scenario: &Scenario) -> BTreeSet<usize> {
    let relays = scenario.flows.iter().filter_map(|flow| flow.relay.as_deref());
    relays.flat_map(|relay| relay.of.iter().copied().chain(relay.over)).collect()
}
