//! Places of keys and values in a TOML text; Python reads the values themselves.

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

/// Path from the root of every key and element of TOML `text`, with the places of its key and of
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

/// Duplicate keys of `text`: line, column and message of each. `None` if there are none, or if it
/// is no TOML for another reason.
#[pyfunction]
pub(crate) fn toml_duplicates(text: &str) -> Option<Vec<(usize, usize, String)>> {
    let error = duplicate_keys(text)?;
    Some(error.each().map(|fault| (fault.line, fault.column, fault.message.clone())).collect())
}
