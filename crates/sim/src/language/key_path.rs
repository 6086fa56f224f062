//! Paths from the root of a file to a value, and the place of the value in the text.
//!
//! A fault found after all values have been read knows keys and no places. Faults are rare, so the
//! text is read again to find the place.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::language::keys::{Key, Kind};
use crate::language::places::Step;

type Node<'d> = Spanned<DeValue<'d>>;

/// Path from the root: keys, names of the user's and elements of lists. Its text leaves out
/// elements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct KeyPath(Vec<Step>);

impl KeyPath {
    pub(crate) fn new(keys: &[&str]) -> Self {
        let mut path = Self::default();
        path.extend(keys);
        path
    }

    pub(crate) fn extend(&mut self, keys: &[&str]) {
        self.0.extend(keys.iter().map(|key| Step::Key((*key).to_owned())));
    }

    /// Extends the path by an element of the list there, from 0.
    pub(crate) fn element(mut self, index: usize) -> Self {
        self.0.push(Step::Index(index));
        self
    }
}

impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys = self.0.iter().filter_map(|step| match step {
            Step::Key(key) => Some(key.as_str()),
            Step::Index(_) => None,
        });
        f.write_str(&keys.collect::<Vec<_>>().join("."))
    }
}

/// The last of the places that `paths` lead to in a file with these `keys`. If none leads to its
/// end, the place that the first one reaches.
pub(super) fn last_of(root: &DeTable<'_>, keys: &[Key], paths: &[KeyPath]) -> Range<usize> {
    let found: Vec<Found> =
        paths.iter().map(|path| in_section(root, keys, &path.0, 0..0)).collect();
    let last = found.iter().filter(|found| found.is_whole).max_by_key(|found| found.at.start);
    last.or(found.first()).map_or(0..0, |found| found.at.clone())
}

/// Place that a path leads to, or the furthest that it reaches.
struct Found {
    at: Range<usize>,
    is_whole: bool,
}

/// Finds the place of a path. A section stands where it is named, a value where it is written. A
/// value that is not written stands where its section or the enclosing value does.
fn in_section(table: &DeTable<'_>, keys: &[Key], path: &[Step], header: Range<usize>) -> Found {
    let missing = Found { at: header.clone(), is_whole: false };
    let [first, rest @ ..] = path else { return Found { at: header, is_whole: true } };
    let Some((key, node)) = entry(table, first) else { return missing };
    let kind = keys.iter().find(|key| is_key(first, key.name)).map(|key| key.kind);
    match (kind, node.get_ref().as_table(), rest) {
        (Some(Kind::Section(keys)), Some(table), _) => in_section(table, keys, rest, key.span()),
        (Some(Kind::Named(keys)), Some(table), [name, rest @ ..]) => match entry(table, name) {
            Some((name, node)) => node
                .get_ref()
                .as_table()
                .map_or(missing, |table| in_section(table, keys, rest, name.span())),
            None => missing,
        },
        _ => match value_below(node, rest) {
            Some(value) => Found { at: value.span(), is_whole: true },
            None => Found { at: node.span(), is_whole: false },
        },
    }
}

fn is_key(step: &Step, name: &str) -> bool {
    matches!(step, Step::Key(key) if key == name)
}

fn entry<'t, 'd>(
    table: &'t DeTable<'d>,
    step: &Step,
) -> Option<(&'t Spanned<Cow<'d, str>>, &'t Node<'d>)> {
    match step {
        Step::Key(key) => table.get_key_value(key.as_str()),
        Step::Index(_) => None,
    }
}

fn value_below<'n, 'd>(node: &'n Node<'d>, path: &[Step]) -> Option<&'n Node<'d>> {
    path.iter().try_fold(node, |node, step| match step {
        Step::Key(key) => node.get_ref().get(key.as_str()),
        Step::Index(index) => node.get_ref().get(*index),
    })
}
