//! Ports and flows whose distributions are counted: every pattern must stand for one at least.

use crate::language::fault::{At, Fault, did_you_mean, nearest, one_of};
use crate::language::pattern::fits;
use crate::scenario::read::written::Written;
use crate::scenario::resolved::{NodeRef, Scenario};
use crate::units::quoted;

pub(super) fn check(written: &Written, scenario: &Scenario) -> Result<(), Fault> {
    refuse_strangers(&written.distributions.ports, "ports", &ports(scenario))?;
    let with_packets = scenario.flows.iter().filter(|flow| flow.tcp.is_some());
    let flows: Vec<String> = with_packets.map(|flow| flow.name.clone()).collect();
    refuse_strangers(&written.distributions.flows, "flows", &flows)
}

/// As the summary names them.
fn ports(scenario: &Scenario) -> Vec<String> {
    let named = scenario.links.iter().filter_map(|link| match link.from {
        NodeRef::Switch(index) => Some(format!("{}.{}", scenario.switches[index].name, link.name)),
        NodeRef::Edge(index) if !link.is_of_cells() => {
            Some(format!("{}.{}", scenario.edges[index].name, link.name))
        }
        NodeRef::Edge(_) | NodeRef::Host(_) => None,
    });
    named.collect()
}

fn refuse_strangers(patterns: &[At<String>], key: &str, names: &[String]) -> Result<(), Fault> {
    let Some(stranger) =
        patterns.iter().find(|pattern| !names.iter().any(|name| fits(&pattern.value, name)))
    else {
        return Ok(());
    };
    let known: Vec<&str> = names.iter().map(String::as_str).collect();
    let accepted = match (key, known.as_slice()) {
        ("ports", []) => "none, for there are no switch ports".to_owned(),
        (_, []) => "none, for no flow has packets".to_owned(),
        ("flows", known) => format!("a flow of packets, {}, or a pattern with `*`", one_of(known)),
        (_, known) => format!("{}, or a pattern with `*`", one_of(known)),
    };
    let message = format!(
        "`observe.distributions.{key}`: {} stands for nothing; expected {accepted}",
        quoted(&stranger.value)
    );
    Err(Fault::new(&stranger.at, message)
        .with_hint(nearest(&stranger.value, &known).map(did_you_mean)))
}
