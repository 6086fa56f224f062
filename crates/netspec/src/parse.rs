//! Parser from text to script.
//!
//! ```text
//! block     = ("cluster" | "serial" | "parallel") "{" {block | test} "}"
//! test      = "test" [host] "{" {statement} "}"
//! statement = name "=" value ";"
//! value     = word ["(" [name "=" value {"," name "=" value}] ")"]
//! ```

use crate::script::{Block, Item, Mode, Named, Script, Test, Value};
use crate::text::{Reader, Word};
use cellway_sim::scenario::Source;
use cellway_sim::scenario::{Fault, ScenarioError, did_you_mean, nearest};
use cellway_sim::units::quoted;

/// Maximum depth of nesting; nobody nests deeper.
const MOST_LEVELS: usize = 40;

/// Maximum number of arguments; nothing takes as many.
const MOST_ARGUMENTS: usize = 20;

const STATEMENTS: [&str; 4] = ["type", "protocol", "own", "peer"];

impl Script {
    /// Parses a script; the meaning of its words is not checked yet.
    pub fn parse(source: Source<'_>) -> Result<Self, ScenarioError> {
        let Source { origin, text } = source;
        script(text).map_err(|fault| fault.in_text(origin, text))
    }
}

pub(crate) fn script(text: &str) -> Result<Script, Fault> {
    let mut reader = Reader::new(text);
    let first =
        reader.word().ok_or_else(|| reader.unexpected("a block such as `cluster { … }`"))?;
    let mode = mode(&first)?;
    let root = block(mode, &first, &mut reader, 1)?;
    if reader.is_at_end() {
        return Ok(Script { root });
    }
    Err(reader.unexpected("the end: a script is one block, which may hold others"))
}

fn mode(word: &Word) -> Result<Mode, Fault> {
    let known = Mode::ALL.into_iter().find(|mode| mode.word() == word.text);
    known.ok_or_else(|| {
        let what = format!("block {}", quoted(&word.text));
        Fault::unknown(&word.at, &what, &word.text, &Mode::WORDS)
    })
}

fn block(mode: Mode, word: &Word, reader: &mut Reader<'_>, level: usize) -> Result<Block, Fault> {
    refuse_deep(word, level)?;
    open(reader, mode.word())?;
    let mut parts = Vec::new();
    while !reader.takes('}') {
        let expected = format!("`test`, a block, or `}}` of `{}`", mode.word());
        let next = reader.word().ok_or_else(|| reader.unexpected(&expected))?;
        parts.push(match Mode::ALL.into_iter().find(|mode| mode.word() == next.text) {
            Some(mode) => Item::Block(block(mode, &next, reader, level + 1)?),
            None if next.text == "test" => Item::Test(test(&next, reader)?),
            None => {
                let words = ["test", "cluster", "serial", "parallel"];
                let message = format!("found {}; expected {expected}", quoted(&next.text));
                let hint = nearest(&next.text, &words).map(did_you_mean);
                return Err(Fault::new(&next.at, message).with_hint(hint));
            }
        });
    }
    Ok(Block { mode, parts, at: word.at.clone() })
}

fn refuse_deep(word: &Word, level: usize) -> Result<(), Fault> {
    if level <= MOST_LEVELS {
        return Ok(());
    }
    let message =
        format!("{} is more than {MOST_LEVELS} levels deep; expected fewer", quoted(&word.text));
    Err(Fault::new(&word.at, message))
}

fn open(reader: &mut Reader<'_>, word: &str) -> Result<(), Fault> {
    if reader.takes('{') {
        return Ok(());
    }
    Err(reader.unexpected(&format!("`{{` behind `{word}`")))
}

fn test(word: &Word, reader: &mut Reader<'_>) -> Result<Test, Fault> {
    let host = reader.word();
    open(reader, "test")?;
    let mut statements: Vec<Named> = Vec::new();
    while !reader.takes('}') {
        let name =
            reader.word().ok_or_else(|| reader.unexpected("a statement, or `}` of `test`"))?;
        if !STATEMENTS.contains(&name.text.as_str()) {
            let what = format!("statement {} in `test`", quoted(&name.text));
            return Err(Fault::unknown(&name.at, &what, &name.text, &STATEMENTS));
        }
        refuse_again(&statements, &name, "`test`")?;
        let statement = named(name, reader, 1)?;
        // A script of the manual has no `;` behind the arguments of a statement.
        if !reader.takes(';') && statement.value.arguments.is_empty() {
            return Err(reader.unexpected(&format!("`;` behind `{}`", statement.name.text)));
        }
        statements.push(statement);
    }
    Ok(Test { host, statements, at: word.at.clone() })
}

fn refuse_again(earlier: &[Named], name: &Word, place: &str) -> Result<(), Fault> {
    if earlier.iter().all(|other| other.name.text != name.text) {
        return Ok(());
    }
    let message = format!("{} stands twice in {place}; expected it once", quoted(&name.text));
    Err(Fault::new(&name.at, message))
}

/// Reads the value that follows a name.
fn named(name: Word, reader: &mut Reader<'_>, level: usize) -> Result<Named, Fault> {
    if !reader.takes('=') {
        return Err(reader.unexpected(&format!("`=` behind {}", quoted(&name.text))));
    }
    refuse_deep(&name, level)?;
    let word = reader.word();
    let word =
        word.ok_or_else(|| reader.unexpected(&format!("a value of {}", quoted(&name.text))))?;
    let arguments = arguments(&word, reader, level)?;
    Ok(Named { name, value: Value { word, arguments } })
}

fn arguments(of: &Word, reader: &mut Reader<'_>, level: usize) -> Result<Vec<Named>, Fault> {
    let mut found = Vec::new();
    if !reader.takes('(') || reader.takes(')') {
        return Ok(found);
    }
    loop {
        let expected = format!("an argument of {}", quoted(&of.text));
        let name = reader.word().ok_or_else(|| reader.unexpected(&expected))?;
        if found.len() == MOST_ARGUMENTS {
            let of = quoted(&of.text);
            let message = format!("{of} has more than {MOST_ARGUMENTS} arguments; expected fewer");
            return Err(Fault::new(&name.at, message));
        }
        refuse_again(&found, &name, &quoted(&of.text))?;
        found.push(named(name, reader, level + 1)?);
        if reader.takes(')') {
            return Ok(found);
        }
        if !reader.takes(',') {
            return Err(
                reader.unexpected(&format!("`,` or `)` in the arguments of {}", quoted(&of.text)))
            );
        }
    }
}
