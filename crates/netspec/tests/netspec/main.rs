//! Scripts of Netspec on the hosts of a scenario.

mod errors;
#[path = "../../../sim/tests/common/golden.rs"]
mod golden;
mod text;
mod workloads;

use cellway_netspec::Workload;
use cellway_sim::scenario::{Scenario, ScenarioError, Source};

/// A source and its sink: `type`, `protocol` and the port of both ends.
fn connection(kind: &str, protocol: &str, port: u16) -> String {
    format!(
        "test ku {{ type = {kind}; protocol = {protocol}; own = ku:{port}; peer = edc:{port}; }}\n\
         test edc {{ type = sink; protocol = {protocol}; own = edc:{port}; peer = ku:{port}; }}\n"
    )
}

/// Hosts on one switch, with flows to be like and one more.
const HOSTS: &str = include_str!("hosts.toml");

fn scenario(duration: &str) -> Scenario {
    let text = format!("run = {{ duration = \"{duration}\", phase = \"none\" }}\n{HOSTS}");
    match Scenario::parse(Source { origin: "test.toml", text: &text }, &[]) {
        Ok(scenario) => scenario,
        Err(error) => panic!("{error}"),
    }
}

fn workload(duration: &str, script: &str) -> Result<Workload, ScenarioError> {
    Workload::of(&scenario(duration), Source { origin: "test.nspec", text: script })
}

/// One that must be right.
fn planned(duration: &str, script: &str) -> Workload {
    workload(duration, script).unwrap_or_else(|error| panic!("{error}"))
}
