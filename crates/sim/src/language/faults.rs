//! Collected faults of one text, converted to errors in the order of the text.

use std::collections::BTreeSet;

use toml::de::DeTable;

use crate::language::fault::{Fault, Place, ScenarioError};
use crate::language::key_path::last_of;
use crate::language::keys::Key;

/// Faults found so far, where one does not hide the next.
#[derive(Default)]
pub(crate) struct Faults(Option<Fault>);

impl Faults {
    /// The value that was read; a fault is kept here instead.
    pub(crate) fn keep<T>(&mut self, read: Result<T, Fault>) -> Option<T> {
        read.map_err(|fault| self.add(fault)).ok()
    }

    pub(crate) fn add(&mut self, fault: Fault) {
        self.0 = Some(match self.0.take() {
            Some(first) => first.and(fault),
            None => fault,
        });
    }

    /// Fails if there are faults.
    pub(crate) fn none(self) -> Result<(), Fault> {
        self.0.map_or(Ok(()), Err)
    }
}

impl Extend<Fault> for Faults {
    fn extend<I: IntoIterator<Item = Fault>>(&mut self, faults: I) {
        for fault in faults {
            self.add(fault);
        }
    }
}

/// All values that were read, or all faults.
pub(crate) fn all<T>(read: impl IntoIterator<Item = Result<T, Fault>>) -> Result<Vec<T>, Fault> {
    let mut faults = Faults::default();
    let found: Vec<T> = read.into_iter().filter_map(|one| faults.keep(one)).collect();
    faults.none().map(|()| found)
}

/// Succeeds if all checks do; fails with all their faults.
pub(crate) fn check(checks: impl IntoIterator<Item = Result<(), Fault>>) -> Result<(), Fault> {
    let mut faults = Faults::default();
    for check in checks {
        faults.keep(check);
    }
    faults.none()
}

impl Fault {
    /// This fault and all others with their first bytes in `text`, a file with these `keys`, in the
    /// order of the bytes. A fault found twice stands once. Of the faults of a comparison only the
    /// first of a key stands, since the members of a family share their key.
    pub(crate) fn placed(self, text: &str, keys: &[Key]) -> Vec<(usize, Self)> {
        let root = DeTable::parse_recoverable(text).0;
        let mut seen = BTreeSet::new();
        let mut placed = Vec::new();
        for fault in self.each() {
            let (byte, is_new) = match &fault.place {
                Place::Bytes(at) => {
                    (at.start, seen.insert((at.start, Some(fault.message.clone()))))
                }
                Place::Keys(paths) => {
                    let byte = last_of(root.get_ref(), keys, paths).start;
                    (byte, seen.insert((byte, None)))
                }
            };
            if is_new {
                placed.push((byte, fault));
            }
        }
        placed.sort_by_key(|(at, _)| *at);
        placed
    }

    /// Error of these faults of a `text` without keys, with lines and columns.
    pub fn in_text(self, origin: &str, text: &str) -> ScenarioError {
        self.in_keys(origin, text, &[])
    }

    pub(crate) fn in_keys(self, origin: &str, text: &str, keys: &[Key]) -> ScenarioError {
        let mut lines = Lines::of(text);
        let errors = self.placed(text, keys).into_iter().map(|(at, fault)| {
            let (line, column) = lines.position(at);
            ScenarioError { line, column, ..fault.without_place(origin.to_owned()) }
        });
        ScenarioError::of(errors)
    }

    /// Error of this fault alone, without line and column.
    pub fn without_place(self, origin: String) -> ScenarioError {
        let Self { message, hint, .. } = self;
        ScenarioError { origin, line: 0, column: 0, message, hint, others: Vec::new() }
    }
}

impl ScenarioError {
    /// Error of the first, with the others.
    ///
    /// # Panics
    ///
    /// If there are no errors.
    pub(crate) fn of(errors: impl IntoIterator<Item = Self>) -> Self {
        let mut errors = errors.into_iter();
        let first = errors.next().expect("an error is of a fault");
        Self { others: errors.collect(), ..first }
    }
}

/// Lines and columns of ascending byte positions, in one pass: a text may have as many faults as
/// keys.
pub(crate) struct Lines<'t> {
    text: &'t str,
    byte: usize,
    line: usize,
    column: usize,
}

impl<'t> Lines<'t> {
    pub(crate) const fn of(text: &'t str) -> Self {
        Self { text, byte: 0, line: 1, column: 1 }
    }

    /// Line and column (in characters), both from 1.
    pub(crate) fn position(&mut self, byte: usize) -> (usize, usize) {
        let byte = byte.clamp(self.byte, self.text.len());
        let passed = &self.text[self.byte..byte];
        match passed.rfind('\n') {
            Some(newline) => {
                self.line += passed.matches('\n').count();
                self.column = passed[newline + 1..].chars().count() + 1;
            }
            None => self.column += passed.chars().count(),
        }
        self.byte = byte;
        (self.line, self.column)
    }
}

/// Line and column (in characters), both from 1, of a byte of the text.
pub fn position(text: &[u8], byte: usize) -> (usize, usize) {
    let before = &text[..byte.min(text.len())];
    let line_start =
        before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    let line = before.split(|&byte| byte == b'\n').count();
    (line, String::from_utf8_lossy(&before[line_start..]).chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        assert_eq!(position("a\nµ b".as_bytes(), 5), (2, 3));
        assert_eq!(position(b"", 0), (1, 1));
        assert_eq!(position(b"a\n", 99), (2, 1));
    }

    #[test]
    fn positions_that_do_not_go_back_are_those_of_their_own() {
        let text = "a\nµ b\n\nccc";
        let mut lines = Lines::of(text);
        for byte in [0, 1, 2, 5, 5, 6, 7, 8, 10, 99] {
            assert_eq!(lines.position(byte), position(text.as_bytes(), byte), "{byte}");
        }
    }

    #[test]
    fn faults_stand_in_the_order_of_the_text_and_once() {
        let fault = |at: usize, said: &str| Fault::new(&(at..at + 1), said);
        let found = fault(4, "b").and(fault(0, "a")).and(fault(4, "b").and(fault(4, "c")));
        let error = found.in_keys("x", "k=1\nl=2\n", &[]);
        let said: Vec<String> = error.to_string().lines().map(str::to_owned).collect();
        assert_eq!(said, ["x:1:1: a", "x:2:1: b", "x:2:1: c"]);
    }

    #[test]
    fn a_long_list_is_cut_when_it_is_shown() {
        let fault = (1..25).map(|at| Fault::new(&(at..at), format!("n{at}")));
        let error = fault.reduce(Fault::and).expect("24").in_keys("x", &"\n".repeat(30), &[]);
        assert_eq!(error.each().count(), 24);
        let said = error.to_string();
        assert_eq!(said.lines().count(), 21);
        assert!(said.ends_with("\nx: and 4 more"), "{said}");
    }
}
