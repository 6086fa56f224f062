//! Result of a script.

use serde::Serialize;

/// A script that was played against a stack.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// Name that the stack gives itself.
    pub stack: String,
    /// Statements that were played, in order; the last one failed if there is a fault.
    pub rows: Vec<Row>,
    /// Statements that lie outside the language.
    pub skipped: Vec<Skipped>,
    /// Packets that no statement expected before the script ended or failed, as text.
    pub unexpected: Vec<Packet>,
    /// Line of the statement that failed, and why.
    pub fault: Option<(usize, String)>,
}

impl Report {
    /// True if all that was played came as expected.
    pub fn passes(&self) -> bool {
        self.fault.is_none()
    }
}

/// A statement beside what happened.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Line of the script.
    pub line: usize,
    /// The statement as it is written.
    pub expected: String,
    /// Instant at which it happened, seconds; `None` if it did not.
    pub at: Option<f64>,
    /// Packet or values that came, in the words of a script; empty for an event of the script.
    pub actual: String,
}

/// A packet and its instant.
#[derive(Clone, Debug, Serialize)]
pub struct Packet {
    /// Instant, seconds.
    pub at: f64,
    /// The packet in the words of a script.
    pub text: String,
}

/// A statement that is not played.
#[derive(Clone, Debug, Serialize)]
pub struct Skipped {
    /// Line of the script.
    pub line: usize,
    /// The statement.
    pub text: String,
    /// The reason.
    pub why: String,
}
