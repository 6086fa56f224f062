//! Faults of scripts, at their places.

use thiserror::Error;

/// A fault of a script, with what would be accepted.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{origin}:{line}:{column}: {message}")]
pub struct ScriptError {
    /// Name of the file.
    pub origin: String,
    /// Line from 1.
    pub line: usize,
    /// Column in characters from 1.
    pub column: usize,
    /// Description of the fault and of what would be accepted.
    pub message: String,
}

/// A fault at an octet of the text.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) message: String,
}

impl Fault {
    /// Makes the fault for a reader of the file.
    pub(super) fn placed(self, origin: &str, text: &str) -> ScriptError {
        let (line, column) = place_of(text, self.at);
        ScriptError { origin: origin.to_owned(), line, column, message: self.message }
    }
}

/// Line and column, both from 1, of an octet of the text.
pub(super) fn place_of(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}
