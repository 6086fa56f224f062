//! A scenario with the flows of a script, and the places of its tests.

use serde::Serialize;

use crate::connections::{Placed, Plan, plan};
use crate::flows::with_flows;
use crate::meaning::{Meant, Role};
use crate::parse::script;
use cellway_sim::scenario::position;
use cellway_sim::scenario::{Fault, ScenarioError};
use cellway_sim::scenario::{Scenario, ScenarioFile, Source};

/// The scenario of a script and its plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Workload {
    /// The scenario with the flows of the script; it could have been written so.
    pub scenario: Scenario,
    /// The outermost block.
    pub root: PlannedBlock,
}

/// A block of the script.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlannedBlock {
    /// Kind: `cluster`, `serial` or `parallel`.
    pub mode: &'static str,
    /// Line in the script.
    pub line: usize,
    /// Start, seconds.
    pub start_s: f64,
    /// Tests in this block, in order.
    pub tests: Vec<PlannedTest>,
    /// Blocks in this block, in order.
    pub blocks: Vec<PlannedBlock>,
}

/// A test of the script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlannedTest {
    /// Host on which it runs.
    pub host: String,
    /// Type: `full`, `burst`, `burstq` or `sink`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Protocol: `tcp` or `udp`.
    pub protocol: &'static str,
    /// Its end of the connection, host and port.
    pub own: String,
    /// The other end.
    pub peer: String,
    /// Name of its connection's flow in the scenario and its results.
    pub flow: String,
    /// Line in the script.
    pub line: usize,
}

impl Workload {
    /// Makes flows of a script on the hosts of a scenario.
    ///
    /// ```
    /// use cellway_netspec::Workload;
    /// use cellway_sim::scenario::{Scenario, Source};
    ///
    /// let text = r#"
    ///     run.duration = "1 s"
    ///     host = { ku = {}, edc = {} }
    ///     link.x = { between = ["ku", "edc"], rate = "OC-3c", delay = "1 ms" }
    ///     flow.like = { from = "ku", to = "edc", traffic = "greedy", tcp = {} }
    /// "#;
    /// let script = "cluster {
    ///     test { type = burst (blocksize = 43750, period = 10000); own = ku:1; peer = edc:1; }
    ///     test { type = sink; own = edc:1; peer = ku:1; }
    /// }";
    /// let scenario = Scenario::parse(Source { origin: "x.toml", text }, &[])?;
    /// let workload = Workload::of(&scenario, Source { origin: "x.nspec", text: script })?;
    /// assert_eq!(workload.scenario.flows[0].name, "ku-edc-1");
    /// # Ok::<(), cellway_sim::scenario::ScenarioError>(())
    /// ```
    pub fn of(scenario: &Scenario, source: Source<'_>) -> Result<Self, ScenarioError> {
        let Source { origin, text } = source;
        let in_text = |fault: Fault| fault.in_text(origin, text);
        let plan = script(text).and_then(|script| plan(&script)).map_err(in_text)?;
        let (file, names) = with_flows(&plan, scenario).map_err(in_text)?;
        let scenario = file
            .resolve(&scenario.name)
            .map_err(|error| in_script(&error, &file, (&plan, &names), source))?;
        let flow_of = flows_of_tests(&plan, &names);
        Ok(Self { scenario, root: block(&plan.root, &plan, &flow_of, text) })
    }
}

/// Names of the flows, by number of the test.
fn flows_of_tests(plan: &Plan, names: &[String]) -> Vec<String> {
    let mut flow_of = vec![String::new(); plan.tests.len()];
    for (connection, name) in plan.connections.iter().zip(names) {
        flow_of[connection.source].clone_from(name);
        flow_of[connection.sink].clone_from(name);
    }
    flow_of
}

fn block(placed: &Placed, plan: &Plan, flow_of: &[String], text: &str) -> PlannedBlock {
    let line = |at: usize| position(text.as_bytes(), at).0;
    let planned = |index: usize| {
        let Meant { role, protocol, own, peer, at, .. } = &plan.tests[index];
        PlannedTest {
            host: own.host.text.clone(),
            kind: role.word(),
            protocol: if protocol.is_tcp { "tcp" } else { "udp" },
            own: own.text(),
            peer: peer.text(),
            flow: flow_of[index].clone(),
            line: line(at.start),
        }
    };
    PlannedBlock {
        mode: placed.mode.word(),
        line: line(placed.at.start),
        start_s: placed.start.seconds_f64(),
        tests: placed.tests.clone().map(planned).collect(),
        blocks: placed.blocks.iter().map(|inner| block(inner, plan, flow_of, text)).collect(),
    }
}

/// Reports an error at its test if it is of a flow that a script has made; any other error has the
/// keys in its message.
fn in_script(
    error: &ScenarioError,
    file: &ScenarioFile,
    (plan, names): (&Plan, &[String]),
    source: Source<'_>,
) -> ScenarioError {
    let written = file.to_toml();
    let lines: Vec<&str> = written.lines().take(error.line).collect();
    let header = lines.iter().rfind(|line| line.starts_with('[')).copied().unwrap_or_default();
    let key = lines.last().and_then(|line| line.split(' ').next()).unwrap_or_default();
    let is_of = |name: &String| {
        let rest = header.strip_prefix(&format!("[flow.\"{name}\""));
        rest.is_some_and(|rest| rest.starts_with([']', '.']))
    };
    let fault = names.iter().position(is_of).map(|place| {
        let connection = plan.connections[place];
        let [source, sink] = [connection.source, connection.sink].map(|test| &plan.tests[test]);
        let at = match key {
            _ if header.contains(".tcp") => &source.protocol_at,
            "from" => &source.own.host.at,
            "to" => &sink.own.host.at,
            "traffic" => &source.type_at,
            _ => &source.at,
        };
        debug_assert!(!matches!(source.role, Role::Sink), "a flow has a source");
        Fault::new(at, error.message.clone()).with_hint(error.hint.clone())
    });
    if let Some(fault) = fault {
        return fault.in_text(source.origin, source.text);
    }
    let message = format!("with the flows of this script: {}", error.message);
    Fault::new(&(0..0), message).without_place(source.origin.to_owned())
}
