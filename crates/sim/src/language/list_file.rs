//! Lists that stand in files of their own: `{ file = "delays.csv" }` where a list is expected.
//!
//! No file is opened here: a driver gives the text of a path. The file has a line for each pair,
//! separators between its fields, and comments from `#` on. The fields are quantities, as in the
//! scenario: `15 s, 25 ms`. If the first line names units in brackets, `time [s], delay [ms]`, the
//! fields below are numbers of these units. `columns.rs` reads files with more columns. The pairs
//! stand in the tree as if they had been written in the scenario, so that their checks are those of
//! every list.

use std::borrow::Cow;
use std::cell::RefCell;

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use crate::language::columns::Columns;
use crate::language::fault::{Fault, Place, ScenarioError};
use crate::language::faults::{Lines, check, position};
use crate::language::keys::{Body, Key, Kind};
use crate::language::tree::{FIRST_OF_FILES, Node, wrong_type};
use crate::units::quoted;

/// Gives the text of the file at a path, which is as in the scenario and relative to it, or the
/// reason why there is none.
pub type ReadFile<'a> = dyn Fn(&str) -> Result<String, String> + 'a;

/// The files that one scenario names, each read once.
pub(crate) struct Files<'a> {
    /// Path of the scenario.
    origin: &'a str,
    read: &'a ReadFile<'a>,
    found: RefCell<Vec<ListFile>>,
}

struct ListFile {
    path: String,
    text: String,
    /// Position of its first byte in faults, which count the bytes of all texts.
    start: usize,
}

impl<'a> Files<'a> {
    pub(crate) fn new(origin: &'a str, read: &'a ReadFile<'a>) -> Self {
        Self { origin, read, found: RefCell::default() }
    }

    /// Puts the pairs of files into a table with these keys, in the place of their names.
    pub(crate) fn place(&self, table: &mut DeTable<'_>, keys: &[Key]) -> Result<(), Fault> {
        check(table.iter_mut().map(|(name, node)| {
            let key = keys.iter().find(|key| key.name == name.get_ref());
            key.map_or(Ok(()), |key| self.place_in(node, key.kind, key.name))
        }))
    }

    /// The errors of a fault and its others: first those in the scenario, a `text` with these
    /// `keys`, then those in the files.
    pub(crate) fn errors(&self, fault: Fault, text: &str, keys: &[Key]) -> ScenarioError {
        let mut lines = Lines::of(text);
        ScenarioError::of(fault.placed(text, keys).into_iter().map(|(at, fault)| {
            self.error_at(at, &fault).unwrap_or_else(|| {
                let (line, column) = lines.position(at);
                ScenarioError { line, column, ..fault.without_place(self.origin.to_owned()) }
            })
        }))
    }

    /// The error of a fault in one of the files, without its others; `None` for one in the
    /// scenario.
    pub(crate) fn error_of(&self, fault: &Fault) -> Option<ScenarioError> {
        let Place::Bytes(at) = &fault.place else { return None };
        self.error_at(at.start, fault)
    }

    fn error_at(&self, byte: usize, fault: &Fault) -> Option<ScenarioError> {
        let found = self.found.borrow();
        let file = found.iter().rfind(|file| file.start <= byte)?;
        let (line, column) = position(file.text.as_bytes(), byte - file.start);
        let origin = format!("{}{}", self.folder_of(&file.path), file.path);
        Some(ScenarioError { line, column, ..fault.clone().without_place(origin) })
    }

    fn place_in(&self, node: &mut Node<'_>, kind: Kind, name: &str) -> Result<(), Fault> {
        match kind {
            Kind::Schedule { holds, .. } => return self.place_list(node, name, Some(holds)),
            Kind::Milliseconds => return self.place_list(node, name, None),
            _ => {}
        }
        let DeValue::Table(table) = node.get_mut() else { return Ok(()) };
        match kind {
            Kind::Section(keys) => self.place(table, keys),
            Kind::Named(keys) => check(table.iter_mut().map(|(_, node)| match node.get_mut() {
                DeValue::Table(table) => self.place(table, keys),
                _ => Ok(()),
            })),
            _ => check(table.iter_mut().map(|(word, node)| {
                let variants = kind.choices().unwrap_or_default();
                match variants.iter().find(|variant| variant.name == word.get_ref()) {
                    Some(variant) => self.place_behind(node, variant.body, variant.name),
                    None => Ok(()),
                }
            })),
        }
    }

    fn place_behind(&self, node: &mut Node<'_>, body: Body, name: &str) -> Result<(), Fault> {
        match (body, node.get_mut()) {
            (Body::Value(kind, _), _) => self.place_in(node, kind, name),
            (Body::Keys(keys), DeValue::Table(table)) => self.place(table, keys),
            (Body::Keys(_), _) => Ok(()),
        }
    }

    /// Replaces the name of a file by its list. `holds` is `None` for a list of numbers; in a list
    /// of pairs it is true if each value holds until the next.
    fn place_list(
        &self,
        node: &mut Node<'_>,
        name: &str,
        holds: Option<bool>,
    ) -> Result<(), Fault> {
        let DeValue::Table(table) = node.get_ref() else { return Ok(()) };
        let columns = Columns::read(table, node, name)?;
        let Some(path) = table.get("file").filter(|_| holds.is_some() || table.len() == 1) else {
            let message = format!("`{name}` is a table; expected `{{ file = \"NAME\" }}`");
            return Err(Fault::new(&node.span(), message));
        };
        let Some(text) = path.get_ref().as_str() else {
            return Err(wrong_type(path, "a path such as `\"delays.csv\"`", name));
        };
        let file = self.found(text).map_err(|reason| {
            let message = format!("`{name}`: {} cannot be read: {reason}", quoted(text));
            Fault::new(&path.span(), message)
        })?;
        let file = &self.found.borrow()[file];
        *node = match holds {
            Some(holds) => columns.list(&file.text, file.start, name, holds)?,
            None => numbers(file),
        };
        Ok(())
    }

    /// The index of the file at `path`.
    fn found(&self, path: &str) -> Result<usize, String> {
        let known = self.found.borrow().iter().position(|file| file.path == path);
        if let Some(known) = known {
            return Ok(known);
        }
        let text = (self.read)(path)?;
        let mut found = self.found.borrow_mut();
        let start = found.last().map_or(FIRST_OF_FILES, |last| last.start + last.text.len() + 1);
        found.push(ListFile { path: path.to_owned(), text, start });
        Ok(found.len() - 1)
    }

    /// The folder of the scenario, which paths are relative to.
    fn folder_of(&self, path: &str) -> &str {
        let end = self.origin.rfind(['/', '\\']).map_or(0, |slash| slash + 1);
        if path.starts_with('/') { "" } else { &self.origin[..end] }
    }
}

/// The lines of a file as a list of numbers, as text, one number per line.
fn numbers(file: &ListFile) -> Node<'static> {
    let mut numbers = DeArray::new();
    let mut at = file.start;
    for line in file.text.split_inclusive('\n') {
        let content = line.split('#').next().unwrap_or_default().trim_end();
        let number = content.trim_start();
        let span = at + (content.len() - number.len())..at + content.len();
        if !number.is_empty() {
            numbers.push(Spanned::new(span, DeValue::String(Cow::Owned(number.to_owned()))));
        }
        at += line.len();
    }
    Spanned::new(file.start..at, DeValue::Array(numbers))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::family::Named;
    use crate::language::part::prelude::*;
    use crate::language::schedule::Schedule;
    use crate::units::Span;

    part! {
        #[derive(Clone, Debug, PartialEq)]
        struct Network {
            /// Links.
            link: Vec<Named<Link>> = section("no links", "{}"),
        }
    }
    part! {
        #[derive(Clone, Debug, PartialEq)]
        struct Link {
            /// Propagation delay.
            delay: Delay = required("{ fixed = \"1 ms\" }"),
        }
    }
    variants! {
        #[derive(Clone, Debug, PartialEq)]
        enum Delay {
            /// Always this delay.
            Fixed(Span) = "fixed" value("\"1 ms\"") as ANY_TIME,
            /// Another delay from each time on.
            Steps(Schedule<Span>) = "steps" value("[[\"0 s\", \"1 ms\"]]")
                as Kind::Schedule { value: &ANY_TIME, holds: true },
        }
    }

    /// The steps of a link whose list is the file `csv`.
    fn steps(csv: &str) -> Result<Schedule<Span>, String> {
        delay("[link.up]\ndelay = { steps = { file = \"leo.csv\" } }\n", csv)
    }

    fn delay(text: &str, csv: &str) -> Result<Schedule<Span>, String> {
        let read_file = |path: &str| match path {
            "leo.csv" => Ok(csv.to_owned()),
            _ => Err("no such file".to_owned()),
        };
        let files = Files::new("sat/path.toml", &read_file);
        let mut root = DeTable::parse(text).expect("TOML").into_inner();
        let read = files.place(&mut root, Network::KEYS).and_then(|()| {
            Network::read_whole(&Section::of_table(&root, Network::KEYS, "", &(0..0)))
        });
        let network = read.map_err(|fault| files.errors(fault, text, Network::KEYS).to_string())?;
        match &network.link[0].body.delay {
            Delay::Steps(steps) => Ok(steps.clone()),
            Delay::Fixed(_) => unreachable!("steps were written"),
        }
    }

    fn milliseconds(pairs: &[(i64, i64)]) -> Schedule<Span> {
        let span = Span::from_milliseconds;
        Schedule::new(pairs.iter().map(|&(at, delay)| (span(at), span(delay))))
    }

    #[test]
    fn lines_are_pairs_of_quantities() {
        let csv = "# a pass\n\n0 s, 20 ms\r\n  15 s,25 ms # hand-over\n";
        assert_eq!(steps(csv).expect(csv), milliseconds(&[(0, 20), (15_000, 25)]));
    }

    #[test]
    fn units_may_stand_in_the_first_line() {
        let csv = "# a pass\ntime [s], delay [ms]\n0,20\n1.5,25\n";
        assert_eq!(steps(csv).expect(csv), milliseconds(&[(0, 20), (1500, 25)]));
        let mixed = steps("time, delay [ms]\n0 s, 20\n");
        assert_eq!(mixed.expect("valid"), milliseconds(&[(0, 20)]));
    }

    #[test]
    fn faults_stand_at_the_line_of_the_file() {
        for (csv, said) in [
            ("0 s, 1 ms\n2 s, 1 ms\n 1 s, 1 ms", "leo.csv:3:2: `link.up.delay.steps`: 1 s stands"),
            ("0 s, 1 ms # so\n1 s, 1 KiB", "leo.csv:2:6: `link.up.delay.steps`"),
            (
                "time [s], d [ms]\n0, 1\n\n1, x",
                "leo.csv:4:4: `link.up.delay.steps`: expected a time here",
            ),
            ("0 s, 1 ms\n1 s\n", "leo.csv:2:1: `link.up.delay.steps` has a pair of length 1"),
            (
                "0 s, 1 ms\n 1 s, 1 ms, 1",
                "leo.csv:2:2: `steps`: a row of 3 fields; expected two, or the columns that count",
            ),
            ("1 s, 1 ms", "leo.csv:1:1: `link.up.delay.steps`: the first time is 1 s"),
            ("# nothing\n", "leo.csv:1:1: `link.up.delay.steps` is empty"),
        ] {
            let error = steps(csv).expect_err(csv);
            assert!(error.starts_with(&format!("sat/{said}")), "{error}");
        }
    }

    /// The scenario of a stranger may name any file of the user who runs it.
    #[test]
    fn what_stands_in_a_file_is_not_shown() {
        for csv in
            ["root:x:0:0", "root:x:0:0, 1 ms", "0 s, root:x", "0 s, 1 root:x", "a [root:x]\n0"]
        {
            let error = steps(csv).expect_err(csv);
            assert!(error.starts_with("sat/leo.csv:") && !error.contains("root"), "{error}");
        }
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named_where_it_is_asked_for() {
        let of = |value: &str| {
            delay(&format!("[link.up]\ndelay = {{ steps = {value} }}\n"), "").expect_err(value)
        };
        let missing = of("{ file = \"geo.csv\" }");
        assert!(
            missing
                .starts_with("sat/path.toml:2:28: `steps`: `geo.csv` cannot be read: no such file")
        );
        for value in ["{ file = \"leo.csv\", sep = 1 }", "{ path = \"leo.csv\" }", "{}"] {
            assert!(of(value).contains(":2:19: `steps` is a table; expected `{ file"), "{value}");
        }
        assert!(of("{ file = 3 }").contains(":2:28: `steps` is the integer `3`; expected a path"));
    }

    #[test]
    fn what_stands_in_a_file_is_written_out() {
        let inline = "[link.up]\ndelay = { steps = [[\"0 s\", \"1 ms\"]] }\n";
        let read = steps("time [s], delay [us]\n0, 1000\n");
        assert_eq!(delay(inline, ""), read);
        assert_eq!(read.expect("valid").write(), "[[\"0 ps\", \"1 ms\"]]");
    }
}
