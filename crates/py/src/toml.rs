//! Where keys and values stand in a TOML text; the values themselves are Python's to read.

use cellway_sim::scenario::{Step, duplicate_keys, places};
use pyo3::prelude::*;

/// One step of a path, as Python has it: a key or an index.
#[derive(IntoPyObject)]
pub(crate) enum Word {
    Key(String),
    Index(usize),
}

/// A line and a column, both from 1.
type Place = (usize, usize);

/// For every key and element of TOML `text`: its path from the root, the place of its key and of
/// its value.
///
/// Empty when `text` is not TOML.
#[pyfunction]
pub(crate) fn toml_places(text: &str) -> Vec<(Vec<Word>, Place, Place)> {
    let word = |step| match step {
        Step::Key(key) => Word::Key(key),
        Step::Index(index) => Word::Index(index),
    };
    let found = places(text).into_iter();
    found
        .map(|placed| (placed.path.into_iter().map(word).collect(), placed.key, placed.value))
        .collect()
}

/// The keys of `text` that stand twice: line, column and what is said of each. `None`: it is no
/// TOML for another reason, or nothing is wrong with it.
#[pyfunction]
pub(crate) fn toml_duplicates(text: &str) -> Option<Vec<(usize, usize, String)>> {
    let error = duplicate_keys(text)?;
    Some(error.each().map(|fault| (fault.line, fault.column, fault.message.clone())).collect())
}
