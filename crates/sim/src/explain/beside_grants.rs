//! Ports that write grants into headers of packets, and flows there whose packets have no such
//! header: the port counts their traffic and their queue, and grants them nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::data_links;
use super::oversights::named;
use super::ungranted::{follows, is_of};
use crate::scenario::resolved::Scenario;

/// Laws with a header; the policy of a port that writes into it has the same word.
const LAWS: [&str; 2] = ["xcp", "rcp"];

/// Flows with data at a port: those with the header, and connections without it.
type Passing = [Vec<usize>; 2];

/// A line for all ports of each policy that pass flows of both kinds.
pub(super) fn warnings(scenario: &Scenario) -> Vec<String> {
    LAWS.into_iter().filter_map(|word| warning(scenario, word)).collect()
}

fn warning(scenario: &Scenario, word: &str) -> Option<String> {
    let shared: BTreeMap<usize, Passing> = (passing(scenario, word).into_iter())
        .filter(|(_, kinds)| kinds.iter().all(|flows| !flows.is_empty()))
        .collect();
    let ports: Vec<String> = shared.keys().map(|&link| port(scenario, link)).collect();
    let ports: Vec<&str> = ports.iter().map(String::as_str).collect();
    let flows = |kind: usize| {
        let all: BTreeSet<usize> = shared.values().flat_map(|kinds| kinds[kind].clone()).collect();
        all.into_iter().map(|flow| scenario.flows[flow].name.as_str()).collect::<Vec<_>>()
    };
    let (granted, others) = (flows(0), flows(1));
    let pass = if others.len() == 1 { "passes" } else { "pass" };
    // XCP shares out what is left of the line, RCP waits until the queue of all is gone.
    let fills = if word == "xcp" { "where it fills the buffer, as `cubic` does, " } else { "" };
    (!ports.is_empty()).then(|| {
        format!(
            "{} {pass} {} without a header of `{word}`: `drop.{word}` counts this traffic and its \
             queue and grants nothing to it; {fills}little of the line is left to {}; ports of \
             their own keep them apart",
            named("flow", &others),
            named("port", &ports),
            named("flow", &granted)
        )
    })
}

/// Flows with data by link, where its port has the policy.
fn passing(scenario: &Scenario, word: &str) -> BTreeMap<usize, Passing> {
    let mut passing: BTreeMap<usize, Passing> = BTreeMap::new();
    if !scenario.flows.iter().any(|flow| follows(flow, word)) {
        return passing;
    }
    for (index, flow) in scenario.flows.iter().enumerate().filter(|(_, flow)| flow.tcp.is_some()) {
        let kind = usize::from(!follows(flow, word));
        for &link in data_links(flow).filter(|link| is_of(scenario, **link, word)) {
            passing.entry(link).or_default()[kind].push(index);
        }
    }
    passing
}

fn port(scenario: &Scenario, link: usize) -> String {
    let link = &scenario.links[link];
    format!("{}.{}", scenario.name_of(link.from), link.name)
}

#[cfg(test)]
mod tests {
    use crate::explain::explain;
    use crate::scenario::{Scenario, Source};

    const TEXT: &str = r#"
run = { duration = "1 s" }
host = { a = {}, b = {} }
switch.s = { buffer.per_port = "100 packet", drop = "DROP" }
[link]
in = { between = ["a", "s"], rate = "1 Gbit/s of line", carries = "packets", delay = "1 ms" }
out = { between = ["s", "b"], rate = "9 Mbit/s of line", carries = "packets", delay = "1 ms" }
[flow.near]
from = "a"
to = "b"
traffic = "greedy"
tcp = { congestion = "LAW" }
[flow.far]
from = "FROM"
to = "TO"
traffic = TRAFFIC
tcp = { congestion = "OTHER" }
"#;
    const GREEDY: &str = "\"greedy\"";
    const RESPONSES: &str = "{ request_response = { request = \"1 kB\", response = \"1 MB\" } }";

    fn warnings(drop: &str, law: &str, other: &str, [from, to, traffic]: [&str; 3]) -> Vec<String> {
        let text = TEXT.replace("DROP", drop).replace("LAW", law).replace("OTHER", other);
        let text = text.replace("FROM", from).replace("TO", to);
        let text = &text.replace("TRAFFIC", traffic);
        let scenario = Scenario::parse(Source { origin: "it", text }, &[]).expect("good");
        let found = explain(&scenario).warnings;
        found.into_iter().filter(|line| line.contains("without a header")).collect()
    }

    #[test]
    fn a_flow_without_a_header_beside_one_that_has_it_is_told() {
        assert_eq!(
            warnings("xcp", "xcp", "cubic", ["a", "b", GREEDY]),
            ["flow far passes port s.out without a header of `xcp`: `drop.xcp` counts this \
                 traffic and its queue and grants nothing to it; where it fills the buffer, as \
                 `cubic` does, little of the line is left to flow near; ports of their own keep \
                 them apart"]
        );
        assert_eq!(warnings("rcp", "rcp", "xcp", ["a", "b", GREEDY]).len(), 1, "another header");
        assert_eq!(warnings("xcp", "xcp", "cubic", ["b", "a", RESPONSES]).len(), 1, "responses");
    }

    /// ACKs of a flow the other way are no matter, nor is a port without grants.
    #[test]
    fn flows_that_do_not_share_a_port_of_grants_are_not() {
        for (drop, law, other, ends) in [
            ("xcp", "xcp", "xcp", ["a", "b", GREEDY]),
            ("xcp", "reno", "cubic", ["a", "b", GREEDY]),
            ("tail", "xcp", "cubic", ["a", "b", GREEDY]),
            ("xcp", "xcp", "cubic", ["b", "a", GREEDY]),
        ] {
            assert_eq!(warnings(drop, law, other, ends), [""; 0], "{drop} {law} {other}");
        }
    }
}
