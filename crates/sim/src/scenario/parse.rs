//! Parsing of scenarios: text, settings and their errors.

use std::collections::BTreeSet;

use super::resolved::{Scenario, ScenarioFile};
use crate::language::fault::{Fault, ScenarioError};
use crate::language::faults::position;
use crate::language::list_file::{Files, ReadFile};
use crate::language::part::Part;
use crate::language::set;
use crate::language::syntax;
use crate::language::tree::Section;
use crate::scenario::resolve::{FlowsIn, dangling, resolve};

/// Maximum size of a file that is read as a scenario: hand-written ones have a thousandth of it.
pub const MAX_SCENARIO_BYTES: usize = 1 << 20;

/// A scenario's text and its name in messages.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Path of the file, or another name of the text.
    pub origin: &'a str,
    /// Text as TOML.
    pub text: &'a str,
}

impl<'a> Source<'a> {
    /// Makes a source of the bytes of a file, which need not be text and must not be huge.
    pub fn of_bytes(origin: &'a str, bytes: &'a [u8]) -> Result<Self, ScenarioError> {
        check_length(origin, bytes.len())?;
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let (line, column) = position(bytes, error.valid_up_to());
            let message = "this byte is not UTF-8; expected a text file in UTF-8".to_owned();
            ScenarioError { line, column, ..without_place(origin, message) }
        })?;
        Ok(Self { origin, text })
    }
}

impl Scenario {
    /// Reads, changes by `sets` (dotted path and value), expands and checks a scenario.
    pub fn parse(source: Source<'_>, sets: &[(String, String)]) -> Result<Self, ScenarioError> {
        Self::parse_with(source, sets, &NO_FILES)
    }

    /// Like [`Scenario::parse`]; `read_file` returns the text of the file with a list, given its
    /// path in the scenario.
    ///
    /// ```
    /// use cellway_sim::scenario::{Scenario, Source};
    ///
    /// let text = r#"
    ///     run.duration = "1 s"
    ///     host = { ground = {}, ship = {} }
    ///     flow.mail = { from = "ground", to = "ship", traffic = "greedy", tcp = {} }
    ///     [link.sky]
    ///     between = ["ground", "ship"]
    ///     rate = "OC-3c"
    ///     delay.steps.file = "delays.csv"
    /// "#;
    /// let read_file = |path: &str| {
    ///     assert_eq!(path, "delays.csv");
    ///     Ok("time [s], delay [ms]\n0, 20\n15, 25\n".to_owned())
    /// };
    /// let source = Source { origin: "sky.toml", text };
    /// let scenario = Scenario::parse_with(source, &[], &read_file)?;
    /// assert!(scenario.to_toml().contains(r#"["15 s", "25 ms"]"#));
    /// # Ok::<(), cellway_sim::scenario::ScenarioError>(())
    /// ```
    pub fn parse_with(
        source: Source<'_>,
        sets: &[(String, String)],
        read_file: &ReadFile<'_>,
    ) -> Result<Self, ScenarioError> {
        Self::parse_where(source, sets, read_file, FlowsIn::File)
    }

    /// Like [`Scenario::parse_with`], where the flows come from elsewhere, as from a script: the
    /// scenario may have no flows of its own, though its run would do nothing.
    pub fn parse_for_script(
        source: Source<'_>,
        sets: &[(String, String)],
        read_file: &ReadFile<'_>,
    ) -> Result<Self, ScenarioError> {
        Self::parse_where(source, sets, read_file, FlowsIn::Script)
    }

    fn parse_where(
        source: Source<'_>,
        sets: &[(String, String)],
        read_file: &ReadFile<'_>,
        flows: FlowsIn,
    ) -> Result<Self, ScenarioError> {
        let Source { origin, text } = source;
        let resolve = |file: &ScenarioFile| resolve(file, stem(origin), flows);
        let keys = ScenarioFile::KEYS;
        let files = Files::new(origin, read_file);
        let in_file = |fault: Fault| files.errors(fault, text, keys);
        let file = read(text, &files).map_err(in_file)?;
        if sets.is_empty() {
            return resolve(&file).map_err(in_file);
        }
        let changed = set::apply(text, keys, sets)?;
        let outcome = read(&changed, &files).and_then(|changed| resolve(&changed));
        outcome.map_err(|fault| {
            let before = resolve(&file).err().map(in_file);
            let before: Vec<&ScenarioError> = before.iter().flat_map(ScenarioError::each).collect();
            let placed = fault.placed(&changed, keys).into_iter().map(|(at, fault)| {
                // A fault that was there before the sets belongs to the file.
                match before.iter().find(|before| before.message == fault.message) {
                    Some(&before) => ScenarioError { others: Vec::new(), ..before.clone() },
                    None => files
                        .error_of(&fault)
                        .unwrap_or_else(|| set::fault_of_set(fault, at, &changed, sets)),
                }
            });
            let mut blamed = BTreeSet::new();
            // A pattern makes the same fault in many places.
            let is_first =
                |error: &ScenarioError| error.line > 0 || blamed.insert(error.origin.clone());
            ScenarioError::of(placed.filter(is_first))
        })
    }

    /// Like [`Scenario::parse`], for the bytes of a file, which need not be text and must not be
    /// huge.
    pub fn parse_bytes(
        origin: &str,
        bytes: &[u8],
        sets: &[(String, String)],
    ) -> Result<Self, ScenarioError> {
        Self::parse(Source::of_bytes(origin, bytes)?, sets)
    }
}

impl ScenarioFile {
    /// Reads a file; its sections are not compared with each other yet.
    pub fn parse(source: Source<'_>) -> Result<Self, ScenarioError> {
        let Source { origin, text } = source;
        let files = Files::new(origin, &NO_FILES);
        read(text, &files).map_err(|fault| files.errors(fault, text, Self::KEYS))
    }

    /// Checks the file as a scenario of this name, as if it had been read: values in range,
    /// families expanded, names connected, paths found, sections compared. Places of errors are in
    /// [`ScenarioFile::to_toml`].
    pub fn resolve(&self, name: &str) -> Result<Scenario, ScenarioError> {
        Scenario::parse(Source { origin: name, text: &self.to_toml() }, &[])
    }
}

const NO_FILES: fn(&str) -> Result<String, String> =
    |_| Err("no files are read here; expected the pairs themselves".to_owned());

fn read(text: &str, files: &Files<'_>) -> Result<ScenarioFile, Fault> {
    let (mut root, mut faults) = syntax::parse(text)?;
    let lists = files.place(&mut root, ScenarioFile::KEYS);
    let file = ScenarioFile::read_whole(&Section::of_table(&root, ScenarioFile::KEYS, "", &(0..0)));
    let is_read = file.is_ok();
    let lists: Vec<Fault> = lists.err().into_iter().flat_map(Fault::each).collect();
    // If a list could not be read, its value is still the name of a file, which is no second fault.
    let is_of_list = |fault: &Fault| lists.iter().any(|list| list.is_inside(fault));
    let of_values = file.as_ref().err().cloned().into_iter().flat_map(Fault::each);
    faults.extend(of_values.filter(|fault| !is_of_list(fault)));
    faults.extend(lists);
    if !is_read {
        faults.keep(dangling(&root));
    }
    faults.none()?;
    file
}

fn check_length(origin: &str, bytes: usize) -> Result<(), ScenarioError> {
    if bytes <= MAX_SCENARIO_BYTES {
        return Ok(());
    }
    let message = format!("the text has {bytes} bytes; expected at most {MAX_SCENARIO_BYTES}");
    Err(without_place(origin, message))
}

fn without_place(origin: &str, message: String) -> ScenarioError {
    Fault::new(&(0..0), message).without_place(origin.to_owned())
}

/// The name of a scenario: `rate-mismatch` for `dir/rate-mismatch.toml`.
fn stem(origin: &str) -> &str {
    let file = origin.rsplit(['/', '\\']).next().unwrap_or(origin);
    file.strip_suffix(".toml").unwrap_or(file)
}
