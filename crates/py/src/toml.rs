//! Where keys and values stand in a TOML text; the values themselves are Python's to read.

use cellway_sim::scenario::{Step, places};
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
