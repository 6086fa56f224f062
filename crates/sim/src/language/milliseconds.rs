//! Lists of instants in whole milliseconds, `[1, 1, 2, 5]`: none earlier than the one before.
//!
//! The list may stand in a file, one number per line (`list_file.rs`).

use std::sync::Arc;

use crate::language::fault::Fault;
use crate::language::keys::Kind;
use crate::language::part::{Typed, Value};
use crate::language::tree::{Node, Read, wrong_type};
use crate::units::Span;

/// Milliseconds, at least one of them above zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Milliseconds(pub Arc<[u64]>);

const LATEST: u64 = (Span::LONGEST.picoseconds() / 1_000_000_000) as u64;

impl Typed for Milliseconds {
    const KIND: Kind = Kind::Milliseconds;
}

impl Value for Milliseconds {
    fn write(&self) -> String {
        let numbers: Vec<String> = self.0.iter().map(u64::to_string).collect();
        format!("[{}]", numbers.join(", "))
    }
}

impl Read for Milliseconds {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let Some(entries) = node.get_ref().as_array() else {
            return Err(wrong_type(node, &kind.accepted(), place));
        };
        let mut instants: Vec<u64> = Vec::with_capacity(entries.len());
        for entry in entries {
            let next = instant(entry, place)?;
            if let Some(&last) = instants.last().filter(|&&last| next < last) {
                let message = format!(
                    "`{place}`: {next} stands after {last}; expected instants that do not go back"
                );
                return Err(Fault::new(&entry.span(), message));
            }
            instants.push(next);
        }
        if instants.last().is_none_or(|&last| last == 0) {
            let message = format!("`{place}` has no instant above 0; expected {}", kind.accepted());
            return Err(Fault::new(&node.span(), message));
        }
        Ok(Self(instants.into()))
    }
}

/// Reads a number, or the text of one: numbers in a file are text.
fn instant(entry: &Node<'_>, place: &str) -> Result<u64, Fault> {
    let kind = Kind::Integer { min: 0, max: LATEST };
    let of_file = entry.get_ref().as_str().filter(|text| text.bytes().all(|b| b.is_ascii_digit()));
    match of_file.map(str::parse) {
        Some(Ok(instant)) if instant <= LATEST => Ok(instant),
        _ => u64::read(entry, kind, place),
    }
}
