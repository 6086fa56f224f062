//! Errors of the TOML parser, in one line each.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::language::fault::{Fault, ScenarioError};
use crate::language::faults::{Faults, position};
use crate::units::quoted;

/// Maximum number of duplicate keys whose first place is searched: each reads the text again.
const MOST_LOOKED_FOR: usize = 20;

/// Parses `text` with the errors of the parser. Duplicate keys are all reported, and the first of
/// each counts. Any other error ends the parse at its first place, since little can be made of the
/// text behind it. The parser finds lexical errors before syntax errors.
pub(crate) fn parse(text: &str) -> Result<(DeTable<'_>, Faults), Fault> {
    let (root, errors) = DeTable::parse_recoverable(text);
    let invalid = errors.iter().filter(|error| error.message() != DUPLICATE);
    if let Some(first) = invalid.min_by_key(|error| error.span().map_or(0, |at| at.start)) {
        return Err(fault(text, first));
    }
    let mut faults = Faults::default();
    let mut looked_for = 0..MOST_LOOKED_FOR;
    for error in in_tables_of_their_own(text, &errors) {
        let at = error.span().unwrap_or(0..0);
        faults.add(match looked_for.next() {
            Some(_) => fault(text, error),
            None => Fault::new(&at, format!("duplicate key {}; {EACH_ONCE}", key(text, &at))),
        });
    }
    Ok((root.into_inner(), faults))
}

/// Errors of the duplicate keys of `text`, for readers of other files; `None` if there are none, or
/// if the text is no TOML for another reason.
pub fn duplicate_keys(text: &str) -> Option<ScenarioError> {
    let (_, faults) = parse(text).ok()?;
    faults.none().err().map(|fault| fault.in_keys("", text, &[]))
}

/// Duplicate keys, without those in a table whose own header is a duplicate.
fn in_tables_of_their_own<'e>(
    text: &str,
    errors: &'e [toml::de::Error],
) -> impl Iterator<Item = &'e toml::de::Error> {
    let mut again = 0..0;
    errors.iter().filter(move |error| {
        let at = error.span().unwrap_or(0..0).start;
        if again.contains(&at) {
            return false;
        }
        let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        if text[line..].starts_with('[') {
            let next = text[at..].find("\n[").map_or(text.len(), |newline| at + newline + 1);
            again = at..next;
        }
        true
    })
}

const EACH_ONCE: &str = "each name may stand once";

fn key(text: &str, at: &Range<usize>) -> String {
    quoted(text.get(at.clone()).unwrap_or_default().trim().trim_matches(['"', '\'']))
}

const DUPLICATE: &str = "duplicate key";

/// The fault that the parser found in `text`.
fn fault(text: &str, error: &toml::de::Error) -> Fault {
    let at = error.span().unwrap_or(0..0);
    let message = error.message().lines().collect::<Vec<_>>().join(" ");
    match message.as_str() {
        DUPLICATE => Fault::new(&at, duplicate(text, &at)),
        _ => Fault::new(&at, format!("not valid TOML: {message}")),
    }
}

/// Message of a duplicate key: the key, as far as it is one, and the place of the first.
fn duplicate(text: &str, at: &Range<usize>) -> String {
    let name = text.get(at.clone()).unwrap_or_default().trim().trim_matches(['"', '\'']);
    let key = key(text, at);
    match first(text, at, name) {
        Some(byte) => {
            let (line, column) = position(text.as_bytes(), byte);
            format!("duplicate key {key}, which stands at {line}:{column} already; {EACH_ONCE}")
        }
        None => format!("duplicate key {key}; {EACH_ONCE}"),
    }
}

/// The byte at which `name` stands before `at` in the same table. The parser does not say which
/// table that is, so another key is put at this place: the table is the one with both.
fn first(text: &str, at: &Range<usize>, name: &str) -> Option<usize> {
    let stand_in = (0..text.len())
        .map(|n| format!("stand-in-{n}"))
        .find(|key| !text.contains(key.as_str()))?;
    let changed = format!("{}{stand_in}{}", text.get(..at.start)?, text.get(at.end..)?);
    let (root, _) = DeTable::parse_recoverable(&changed);
    first_beside(root.get_ref(), &stand_in, name)
}

fn first_beside(table: &DeTable<'_>, stand_in: &str, name: &str) -> Option<usize> {
    if table.contains_key(stand_in) {
        let (key, _) = table.get_key_value(name)?;
        return Some(key.span().start);
    }
    table.iter().find_map(|(_, value)| first_inside(value, stand_in, name))
}

fn first_inside(value: &Spanned<DeValue<'_>>, stand_in: &str, name: &str) -> Option<usize> {
    match value.get_ref() {
        DeValue::Table(table) => first_beside(table, stand_in, name),
        DeValue::Array(elements) => {
            elements.iter().find_map(|element| first_inside(element, stand_in, name))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> String {
        let (_, faults) = parse(text).expect("but for keys that stand twice it is TOML");
        let fault = faults.none().expect_err("a key stands twice");
        fault.each().map(|fault| fault.message).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn every_key_that_stands_twice_is_named() {
        let said = said("[a]\nx = 1\nx = 2\ny = 1\n[b]\ny = 1\ny = 2\n[a]\nx = 3\n");
        let keys: Vec<&str> = said.lines().filter_map(|line| line.split('`').nth(1)).collect();
        assert_eq!(keys, ["x", "y", "a"], "{said}");
    }

    #[test]
    fn the_first_of_two_keys_is_that_of_the_same_table() {
        let of_two = "[link.up]\ndelay = \"1 ms\"\n[link.down]\nrate = 1\n delay = 2\ndelay = 3\n";
        assert!(said(of_two).starts_with("duplicate key `delay`, which stands at 5:2 already"));
        let headers = "[flow.a]\n[link.a]\n[flow.b]\n[link.a]\n";
        assert!(said(headers).starts_with("duplicate key `a`, which stands at 2:7 already"));
        let inline = "a = 1\nb = [{ a = 2 }, { c = 1, a = 3, \"a\" = 4 }]\n";
        assert!(said(inline).starts_with("duplicate key `a`, which stands at 2:26 already"));
        let dotted = "x.y.z = 1\nx.y.w = 1\nx.y.z = 2\n";
        assert!(said(dotted).starts_with("duplicate key `z`, which stands at 1:5 already"));
    }

    #[test]
    fn of_two_places_that_are_no_toml_the_first_is_told() {
        let told = |text: &str| {
            let fault = parse(text).map(|_| ()).expect_err("no TOML");
            fault.in_keys("x", text, &[]).to_string()
        };
        assert!(told("name = \"a\\qb\"\nfoo\n").starts_with("x:1:11: not valid TOML"));
        assert!(told("foo\nname = \"a\\qb\"\n").starts_with("x:1:4: not valid TOML"));
    }

    #[test]
    fn a_third_key_hides_nothing() {
        assert!(said("a = 1\na = 2\na = 3\n").contains("stands at 1:1 already"));
    }
}
