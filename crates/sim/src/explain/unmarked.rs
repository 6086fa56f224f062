//! ECN at one place alone: connections whose ends react to marks where no port marks, and ports
//! that mark where no connection reacts.

use std::collections::BTreeMap;

use super::data_links;
use super::oversights::named;
use super::ungranted::follows;
use crate::assemble::QueueRules;
use crate::scenario::resolved::{Drop, Flow, NodeRef, RateAllocation, Scenario, Service};

/// A line for all such connections, and one for each switch or edge.
pub(super) fn warnings(scenario: &Scenario) -> Vec<String> {
    let policies: Vec<Option<Drop>> = (0..scenario.links.len())
        .map(|link| QueueRules::drop_at(scenario, link).filter(|drop| drop.facts().marks))
        .collect();
    let mut found: Vec<String> = without_marks(scenario, &policies).into_iter().collect();
    found.extend(without_reaction(scenario, &policies));
    found
}

/// A line for all flows with `tcp.ecn` on paths without marks. Those of ABC have a line of their
/// own.
fn without_marks(scenario: &Scenario, policies: &[Option<Drop>]) -> Option<String> {
    let flows = scenario.flows.iter().filter(|flow| reacts(flow) && !follows(flow, "abc"));
    let unmarked = flows.filter(|flow| {
        !data_links(flow).any(|&link| policies[link].is_some() || sets_efci(scenario, flow, link))
    });
    let names: Vec<&str> = unmarked.map(|flow| flow.name.as_str()).collect();
    let (has, passes) = if names.len() == 1 { ("has", "passes") } else { ("have", "pass") };
    (!names.is_empty()).then(|| {
        format!(
            "{} {has} `tcp.ecn` and {passes} no port that marks: losses alone tell of congestion; \
             `drop.step` marks, and with `ecn = true` `drop.red`, `drop.codel` and others",
            named("flow", &names)
        )
    })
}

/// Lines for nodes that mark, of whose flows none has `tcp.ecn`. Nodes without data of connections
/// have none.
fn without_reaction(scenario: &Scenario, policies: &[Option<Drop>]) -> Vec<String> {
    let mut nodes: BTreeMap<NodeRef, (&Drop, bool)> = BTreeMap::new();
    for flow in scenario.flows.iter().filter(|flow| flow.tcp.is_some()) {
        for &link in data_links(flow) {
            let Some(drop) = &policies[link] else { continue };
            let node = scenario.links[link].from;
            nodes.entry(node).or_insert((drop, false)).1 |= reacts(flow);
        }
    }
    let unanswered = nodes.into_iter().filter(|(_, (_, is_answered))| !is_answered);
    let line = |(node, (drop, _)): (NodeRef, (&Drop, bool))| {
        let kind = if matches!(node, NodeRef::Edge(_)) { "edge" } else { "switch" };
        format!(
            "{kind}.{}.drop is `{}`, which marks, but no flow that passes has `tcp.ecn`: nothing \
             is marked; `ecn = true` in the `tcp` of a flow lets its packets be marked",
            scenario.name_of(node),
            drop.word()
        )
    };
    unanswered.map(line).collect()
}

fn reacts(flow: &Flow) -> bool {
    flow.tcp.as_ref().is_some_and(|tcp| tcp.ecn)
}

/// True if the port sets EFCI in the flow's cells, which is a mark on its packets.
fn sets_efci(scenario: &Scenario, flow: &Flow, link: usize) -> bool {
    let NodeRef::Switch(switch) = scenario.links[link].from else { return false };
    let allocator = &scenario.switches[switch].rate_allocator;
    matches!(flow.service, Service::Abr(_)) && matches!(allocator, RateAllocation::Efci(_))
}

#[cfg(test)]
mod tests {
    use crate::explain::explain;
    use crate::scenario::{Scenario, Source};

    const TEXT: &str = r#"
run = { duration = "1 s" }
host = { a = {}, b = {} }
switch.s = { buffer.per_port = "100 packet", drop = DROP }
[link]
in = { between = ["a", "s"], rate = "1 Gbit/s of line", carries = "packets", delay = "1 ms" }
out = { between = ["s", "b"], rate = "9 Mbit/s of line", carries = "packets", delay = "1 ms" }
[flow.near]
from = "a"
to = "b"
traffic = "greedy"
tcp = { ecn = ECN }
[flow.far]
from = "b"
to = "a"
traffic = "greedy"
tcp = {}
"#;

    fn warnings(drop: &str, ecn: &str) -> Vec<String> {
        let text = TEXT.replace("DROP", drop).replace("ECN", ecn);
        let scenario = Scenario::parse(Source { origin: "it", text: &text }, &[]).expect("good");
        let found = explain(&scenario).warnings;
        found.into_iter().filter(|line| line.contains("mark")).collect()
    }

    #[test]
    fn ends_that_react_where_no_port_marks_are_told() {
        assert_eq!(
            warnings("{ codel = {} }", "true"),
            ["flow near has `tcp.ecn` and passes no port that marks: losses alone tell of \
                 congestion; `drop.step` marks, and with `ecn = true` `drop.red`, `drop.codel` and \
                 others"]
        );
        let marks = ["{ codel = { ecn = true } }", "{ step = { threshold = 0.5 } }"];
        for drop in marks.into_iter().chain(["{ fq_pie = { ecn = true } }", "\"dual_pi2\""]) {
            assert_eq!(warnings(drop, "true"), [""; 0], "{drop}");
        }
    }

    #[test]
    fn ports_that_mark_where_no_end_reacts_are_told() {
        let line = "switch.s.drop is `codel`, which marks, but no flow that passes has `tcp.ecn`: \
                    nothing is marked; `ecn = true` in the `tcp` of a flow lets its packets be \
                    marked";
        assert_eq!(warnings("{ codel = { ecn = true } }", "false"), [line]);
        assert_eq!(warnings("{ codel = {} }", "false"), [""; 0]);
    }
}
