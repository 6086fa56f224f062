//! `[lab]`: controls and pictures of a scenario's laboratory.
//!
//! The section is no part of the run: nothing of it is kept, written or in a result. Its keys are
//! those of the factors of a study; the reader of studies reads and judges them, not this crate.

use toml::de::DeValue;

use crate::language::part::prelude::*;
use crate::language::tree::wrong_type;

/// A section that is left to the laboratory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Laboratory;

impl Read for Laboratory {
    fn read(node: &Node<'_>, _kind: Kind, place: &str) -> Result<Self, Fault> {
        match node.get_ref() {
            DeValue::Table(_) => Ok(Self),
            _ => Err(wrong_type(node, "a table", place)),
        }
    }
}

impl Table for Laboratory {
    const KIND: Kind = Kind::Laboratory;

    fn of(section: &Section<'_>, key: &str) -> Result<Self, Fault> {
        section.written::<Self>(key).map(|_| Self)
    }

    fn write_tables(&self, _key: &str, _tables: &mut Vec<TableText>) {}
}
