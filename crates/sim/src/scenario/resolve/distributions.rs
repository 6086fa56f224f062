//! Ports and flows whose distributions are counted: every pattern must stand for one at least.

use crate::language::fault::{Fault, did_you_mean, nearest, one_of};
use crate::language::key_path::KeyPath;
use crate::language::pattern::fits;
use crate::scenario::resolved::{NodeRef, Scenario};
use crate::units::quoted;

pub(super) fn check(scenario: &Scenario) -> Result<(), Fault> {
    let Some(observe) = &scenario.observe else { return Ok(()) };
    refuse_strangers(&observe.distributions.ports, "ports", &ports(scenario))?;
    let with_packets = scenario.flows.iter().filter(|flow| flow.sends_packets());
    let flows: Vec<String> = with_packets.map(|flow| flow.name.clone()).collect();
    refuse_strangers(&observe.distributions.flows, "flows", &flows)
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

fn refuse_strangers(patterns: &[String], key: &str, names: &[String]) -> Result<(), Fault> {
    let is_strange = |pattern: &str| !names.iter().any(|name| fits(pattern, name));
    let mut patterns = patterns.iter().enumerate();
    let Some((at, stranger)) = patterns.find(|(_, pattern)| is_strange(pattern)) else {
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
        quoted(stranger)
    );
    let path = KeyPath::new(&["observe", "distributions", key]).element(at);
    Err(Fault::at_key(path, message).with_hint(nearest(stranger, &known).map(did_you_mean)))
}
