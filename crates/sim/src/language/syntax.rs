//! What the TOML parser objects to, in one line.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::language::fault::{Fault, position};
use crate::units::quoted;

/// The complaint of the parser about `text`.
pub(crate) fn fault(text: &str, error: &toml::de::Error) -> Fault {
    let at = error.span().unwrap_or(0..0);
    let message = error.message().lines().collect::<Vec<_>>().join(" ");
    match message.as_str() {
        "duplicate key" => Fault::new(&at, duplicate(text, &at)),
        _ => Fault::new(&at, format!("not valid TOML: {message}")),
    }
}

/// The key, as far as it is one, and where it stands first.
fn duplicate(text: &str, at: &Range<usize>) -> String {
    let key = text.get(at.clone()).unwrap_or_default().trim();
    let name = key.trim_matches(['"', '\'']);
    match first(text, at, name) {
        Some(byte) => {
            let (line, column) = position(text.as_bytes(), byte);
            format!(
                "duplicate key {}, which stands at {line}:{column} already; each name may stand \
                 once",
                quoted(name)
            )
        }
        None => format!("duplicate key {}; each name may stand once", quoted(name)),
    }
}

/// The byte at which `name` stands before `at` in the same table. The parser does not say which
/// table that is: with another key at this place, it is the one with both.
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
        fault(text, &DeTable::parse(text).expect_err("a key stands twice")).message
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
    fn a_third_key_hides_nothing() {
        assert!(said("a = 1\na = 2\na = 3\n").contains("stands at 1:1 already"));
    }
}
