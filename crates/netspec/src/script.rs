//! A script as it is written: blocks, tests, statements, values with arguments.

use std::fmt;
use std::ops::Range;

use crate::text::Word;

/// Order in time of the parts of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Cluster,
    Serial,
    Parallel,
}

impl Mode {
    pub(crate) const ALL: [Self; 3] = [Self::Cluster, Self::Serial, Self::Parallel];
    pub(crate) const WORDS: [&str; 3] = ["cluster", "serial", "parallel"];

    pub(crate) const fn word(self) -> &'static str {
        Self::WORDS[self as usize]
    }
}

/// A script that was read; written, it reads back to the same.
#[derive(Clone, Debug)]
pub struct Script {
    pub(crate) root: Block,
}

#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) mode: Mode,
    pub(crate) parts: Vec<Item>,
    pub(crate) at: Range<usize>,
}

#[derive(Clone, Debug)]
pub(crate) enum Item {
    Block(Block),
    Test(Test),
}

#[derive(Clone, Debug)]
pub(crate) struct Test {
    /// Host on which it runs; it may be left to `own`.
    pub(crate) host: Option<Word>,
    pub(crate) statements: Vec<Named>,
    pub(crate) at: Range<usize>,
}

/// `name = value`: a statement, or an argument of one.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) name: Word,
    pub(crate) value: Value,
}

/// A word with its arguments, perhaps none.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) word: Word,
    pub(crate) arguments: Vec<Named>,
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.root.write(0, f)
    }
}

impl Block {
    fn write(&self, depth: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let indent = "    ".repeat(depth);
        writeln!(f, "{indent}{} {{", self.mode.word())?;
        for part in &self.parts {
            match part {
                Item::Block(block) => block.write(depth + 1, f)?,
                Item::Test(test) => test.write(depth + 1, f)?,
            }
        }
        writeln!(f, "{indent}}}")
    }
}

impl Test {
    fn write(&self, depth: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let indent = "    ".repeat(depth);
        match &self.host {
            Some(host) => writeln!(f, "{indent}test {} {{", host.text)?,
            None => writeln!(f, "{indent}test {{")?,
        }
        for statement in &self.statements {
            writeln!(f, "{indent}    {statement};")?;
        }
        writeln!(f, "{indent}}}")
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.name.text, self.value)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.word.text)?;
        let arguments: Vec<String> = self.arguments.iter().map(Named::to_string).collect();
        if arguments.is_empty() { Ok(()) } else { write!(f, " ({})", arguments.join(", ")) }
    }
}
