//! The way in: text, settings and their errors.

use super::resolved::Scenario;
use crate::language::fault::{Fault, ScenarioError, position};
use crate::language::set;
use crate::language::tree::exact_place;
use crate::scenario::language::sections::SCENARIO;
use crate::scenario::read::written::Written;
use crate::scenario::resolve::resolve;

/// Largest file that is read as a scenario: a hand-written one is a thousandth of it.
pub const MAX_SCENARIO_BYTES: usize = 1 << 20;

/// A scenario's text and what to call it in messages.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The file's path, or whatever names the text.
    pub origin: &'a str,
    /// TOML.
    pub text: &'a str,
}

impl Scenario {
    /// Reads, changes by `sets` (dotted path and value), expands and checks a scenario.
    pub fn parse(source: Source<'_>, sets: &[(String, String)]) -> Result<Self, ScenarioError> {
        let Source { origin, text } = source;
        let in_file = |fault: Fault| exactly(fault, text).in_text(origin, text);
        let written = Written::read(text).map_err(in_file)?;
        if sets.is_empty() {
            return resolve(&written, stem(origin)).map_err(in_file);
        }
        let changed = set::apply(text, SCENARIO, sets)?;
        let outcome = Written::read(&changed).and_then(|written| resolve(&written, stem(origin)));
        outcome.map_err(|fault| match resolve(&written, stem(origin)) {
            // What was wrong before the sets and still is belongs to the file.
            Err(before) if before.message == fault.message => in_file(before),
            _ => set::blame(exactly(fault, &changed), &changed, sets),
        })
    }

    /// Like [`Scenario::parse`], from the bytes of a file, which need not be text and must not be
    /// huge.
    pub fn parse_bytes(
        origin: &str,
        bytes: &[u8],
        sets: &[(String, String)],
    ) -> Result<Self, ScenarioError> {
        check_length(origin, bytes.len())?;
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let (line, column) = position(bytes, error.valid_up_to());
            let message = "this byte is not UTF-8; expected a text file in UTF-8".to_owned();
            ScenarioError { origin: origin.to_owned(), line, column, message, hint: None }
        })?;
        Self::parse(Source { origin, text }, sets)
    }
}

fn exactly(fault: Fault, text: &str) -> Fault {
    if fault.below.is_empty() { fault } else { Fault { at: exact_place(text, &fault), ..fault } }
}

fn check_length(origin: &str, bytes: usize) -> Result<(), ScenarioError> {
    if bytes <= MAX_SCENARIO_BYTES {
        return Ok(());
    }
    let message = format!("the text has {bytes} bytes; expected at most {MAX_SCENARIO_BYTES}");
    Err(ScenarioError { origin: origin.to_owned(), line: 0, column: 0, message, hint: None })
}

/// `dir/rate-mismatch.toml` is the scenario `rate-mismatch`.
fn stem(origin: &str) -> &str {
    let file = origin.rsplit(['/', '\\']).next().unwrap_or(origin);
    file.strip_suffix(".toml").unwrap_or(file)
}
