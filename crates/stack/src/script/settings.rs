//! Lines of a script in front of its statements: `--tcp KEY = VALUE` and `--tolerance_usecs=N`.
//!
//! Keys are those of `flow.NAME.tcp` of a scenario. Without `preset` they stand on that of RFC
//! 5681, 6298, 6675, 7323 and 9293.

use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::units::Span;

use super::error::Fault;
use super::report::Skipped;
use super::scan::Scanner;

/// Name of the flow that a script's connection is.
pub(super) const FLOW: &str = "script";
/// Tolerance of packetdrill, in microseconds.
const TOLERANCE: u32 = 4000;
/// The scenario before the keys of the script.
const SCENARIO: &str = r#"
run = { duration = "1000 s", seed = 1 }
host = { peer = {}, tested = {} }
link.wire = { between = ["peer", "tested"], rate = "OC-3c", delay = "1 ms" }
[flow.script]
from = "tested"
to = "peer"
traffic = "greedy"
[flow.script.tcp]
"#;
const PRESET: &str = "preset = \"rfc\"";

/// Settings of a script.
#[derive(Debug, Default)]
pub(super) struct Settings {
    /// Keys of TCP with their places.
    keys: Vec<(usize, String)>,
    tolerance: Option<u32>,
}

impl Settings {
    /// Reads a line behind `--`; one that is skipped comes back.
    pub(super) fn read(&mut self, scanner: &mut Scanner<'_>) -> Result<Option<String>, Fault> {
        let name =
            scanner.take_while(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter));
        match name {
            "tcp" => {
                scanner.skip_spaces();
                let at = scanner.at();
                let key = scanner.line().trim();
                if !key.contains('=') {
                    return Err(Fault {
                        at,
                        message: "no key of TCP; expected `--tcp KEY = VALUE` with a key of \
                                  `flow.NAME.tcp`"
                            .to_owned(),
                    });
                }
                self.keys.push((at, key.to_owned()));
            }
            "tolerance_usecs" => {
                scanner.require("=", "`=` and microseconds")?;
                self.tolerance = Some(scanner.number("microseconds")?);
                scanner.end_line()?;
            }
            _ => {
                scanner.line();
                return Ok(Some(format!(
                    "--{name} is no setting; --tcp and --tolerance_usecs are"
                )));
            }
        }
        Ok(None)
    }

    pub(super) fn tolerance(&self) -> Span {
        Span::from_microseconds(self.tolerance.unwrap_or(TOLERANCE).into())
    }

    /// The scenario of these keys; a fault of it is at the key.
    pub(super) fn scenario(&self) -> Result<Scenario, Fault> {
        let is_preset = |(_, key): &(usize, String)| key.starts_with("preset");
        let preset = if self.keys.iter().any(is_preset) { "" } else { PRESET };
        let keys: Vec<&str> = self.keys.iter().map(|(_, key)| key.as_str()).collect();
        let text = format!("{SCENARIO}{preset}\n{}\n", keys.join("\n"));
        let first = SCENARIO.lines().count() + 2;
        Scenario::parse(Source { origin: FLOW, text: &text }, &[]).map_err(|fault| {
            let key = fault.line.checked_sub(first).and_then(|index| self.keys.get(index));
            let within = if key.is_some() { fault.column.saturating_sub(1) } else { 0 };
            let hint = fault.hint.map(|hint| format!("; {hint}")).unwrap_or_default();
            Fault {
                at: key.map_or(0, |(at, _)| at + within),
                message: format!("{}{hint}", fault.message),
            }
        })
    }
}

/// A line that is skipped, at this place.
pub(super) fn skipped(line: usize, text: &str, why: String) -> Skipped {
    Skipped { line, text: text.trim().to_owned(), why }
}
