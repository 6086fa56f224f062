//! Changes from outside the file: `link.x.delay` = `10 ms`, for every link whose name matches
//! `link.taxi-*.delay`, or for one member of a family `flow.bulk[3].start`. Only keys of the
//! language can be set.

use toml::de::{DeTable, DeValue};
use toml_edit::{DocumentMut, InlineTable, Item, TableLike, Value};

use super::path;
use super::set_member::{no_such_member, targets};
use crate::language::fault::{Fault, ScenarioError, did_you_mean, nearest, one_of};
use crate::language::keys::{Body, Key, Kind, Variant};
use crate::units::quoted;

/// Returns the text of a file with these `keys` after every `(path, value)` of `sets` is set; later
/// ones replace earlier ones.
pub(crate) fn apply(
    text: &str,
    keys: &[Key],
    sets: &[(String, String)],
) -> Result<String, ScenarioError> {
    let mut document: DocumentMut = text
        .parse()
        .map_err(|error: toml_edit::TomlError| {
            complaint(error.message().lines().next().unwrap_or_default())
        })
        .map_err(|fault| fault.without_place("--set".to_owned()))?;
    let mut errors = Vec::new();
    for (path, value) in sets {
        let outcome = segments(path).and_then(|segments| {
            let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
            set_key(document.as_table_mut(), keys, &segments, "", &to_value(value))
        });
        errors.extend(outcome.map_err(|fault| fault.without_place(shown(path, value))).err());
    }
    if errors.is_empty() { Ok(document.to_string()) } else { Err(ScenarioError::of(errors)) }
}

/// The error of a fault at a byte of a changed text, which names the `--set` that covers that byte.
pub(crate) fn fault_of_set(
    fault: Fault,
    at: usize,
    changed: &str,
    sets: &[(String, String)],
) -> ScenarioError {
    let guilty = sets.iter().rev().find(|(path, _)| holds(changed, path, at));
    let origin = match (guilty, sets) {
        (Some((path, value)), _) | (None, [(path, value)]) => shown(path, value),
        _ => sets.iter().map(|(path, value)| shown(path, value)).collect::<Vec<_>>().join(" "),
    };
    fault.without_place(origin)
}

fn shown(path: &str, value: &str) -> String {
    let bare = |text: &str| quoted(text).trim_matches('`').to_owned();
    format!("--set {}={}", bare(path), bare(value))
}

/// True if the value at `path`, or at a path that its patterns match, covers a byte of the text.
fn holds(text: &str, path: &str, byte: usize) -> bool {
    let (Ok(root), Ok(segments)) = (DeTable::parse(text), segments(path)) else { return false };
    covers(root.get_ref(), &segments, byte)
}

fn covers(table: &DeTable<'_>, segments: &[String], byte: usize) -> bool {
    let [pattern, rest @ ..] = segments else { return false };
    let matching = table.iter().filter(|(name, _)| path::reaches(pattern, name.get_ref()));
    let mut values = matching.map(|(_, value)| value);
    values.any(|value| match value.get_ref() {
        _ if rest.is_empty() => value.span().contains(&byte),
        DeValue::Table(inner) => covers(inner, rest, byte),
        _ => false,
    })
}

fn segments(path: &str) -> Result<Vec<String>, Fault> {
    path::segments(path)
        .ok_or_else(|| complaint("not a dotted path; expected for instance `link.x.delay`"))
}

/// Reads a value as TOML if it is TOML, else as a string: quotes are a burden on a command line.
fn to_value(text: &str) -> Value {
    text.trim().parse().unwrap_or_else(|_| Value::from(text.trim()))
}

/// Sets `segments` below `table`, whose keys are `keys`.
fn set_key(
    table: &mut dyn TableLike,
    keys: &[Key],
    segments: &[&str],
    place: &str,
    value: &Value,
) -> Result<(), Fault> {
    let [name, rest @ ..] = segments else {
        return Err(complaint("an empty path; expected a key"));
    };
    let known: Vec<&str> = keys.iter().map(|key| key.name).collect();
    let Some(key) = keys.iter().find(|key| key.name == *name) else {
        return Err(unknown("key", name, place, &known));
    };
    let place = below(place, name);
    match (key.kind, rest) {
        (Kind::Named(keys), [name, inner @ ..]) => {
            set_named(table, key, keys, (name, inner), &place, value)
        }
        (Kind::Named(_) | Kind::Section(_), []) => set_section(table, name, &place, value),
        (Kind::Section(keys), _) => {
            set_key(table_at(table, name, &place)?, keys, rest, &place, value)
        }
        (_, []) => {
            replace(table, key, Item::Value(value.clone()));
            Ok(())
        }
        (kind, [inner, ..]) => match kind.choices() {
            Some(variants) => set_variant(table, name, variants, rest, &place, value),
            None => Err(complaint(&format!(
                "`{place}` has no keys; {} was to be set in it",
                quoted(inner)
            ))),
        },
    }
}

/// Sets a key below every name of the user's that `pattern` matches, members of families included;
/// one must be there already.
fn set_named(
    table: &mut dyn TableLike,
    key: &Key,
    keys: &[Key],
    (pattern, inner): (&str, &[&str]),
    place: &str,
    value: &Value,
) -> Result<(), Fault> {
    let named = table.get_mut(key.name).and_then(Item::as_table_like_mut);
    let Some(named) = named else {
        return Err(complaint(&format!("there is no `[{place}.…]` to set {} in", quoted(pattern))));
    };
    let matching = targets(named, keys, pattern);
    if matching.is_empty() {
        let known: Vec<String> = named.iter().map(|(name, _)| name.to_owned()).collect();
        let member = no_such_member(named, pattern, place);
        return Err(
            member.map_or_else(|| no_such_name(pattern, place, &known), |said| complaint(&said))
        );
    }
    for name in &matching {
        let place = below(place, name);
        if inner.is_empty() {
            set_section(named, name, &place, value)?;
            continue;
        }
        let Some(section) = named.get_mut(name).and_then(Item::as_table_like_mut) else {
            return Err(complaint(&format!("`{place}` is not a table")));
        };
        set_key(section, keys, inner, &place, value)?;
    }
    Ok(())
}

/// Sets a whole section to a table, whether the section is written or not.
fn set_section(
    table: &mut dyn TableLike,
    name: &str,
    place: &str,
    value: &Value,
) -> Result<(), Fault> {
    let Some(whole) = value.as_inline_table() else {
        return Err(complaint(&format!(
            "`{place}` is a section; expected the path of a key in it, or a table of its keys \
             such as `{{}}`"
        )));
    };
    if let Some(Item::Table(section)) = table.get_mut(name) {
        // The section stays where it is: the order of sections in the text counts.
        let mut whole = whole.clone().into_table();
        whole.set_position(section.position());
        whole.set_dotted(section.is_dotted());
        *section = whole;
    } else {
        table.insert(name, Item::Value(value.clone()));
    }
    Ok(())
}

/// Sets a key below a variant; another variant that is named there is replaced.
fn set_variant(
    table: &mut dyn TableLike,
    key: &str,
    variants: &[Variant],
    segments: &[&str],
    place: &str,
    value: &Value,
) -> Result<(), Fault> {
    let [name, rest @ ..] = segments else { unreachable!("the caller saw a segment") };
    let Some(variant) = variants.iter().find(|variant| variant.name == *name) else {
        let known: Vec<&str> = variants.iter().map(|variant| variant.name).collect();
        return Err(unknown("variant", name, place, &known));
    };
    let same = table
        .get(key)
        .and_then(Item::as_table_like)
        .is_some_and(|chosen| chosen.contains_key(name));
    if !same {
        table.insert(key, Item::Value(InlineTable::new().into()));
    }
    let choice = table_at(table, key, place)?;
    match (variant.body, rest) {
        (_, []) => {
            choice.insert(name, Item::Value(value.clone()));
            Ok(())
        }
        (Body::Keys(keys), _) => {
            let place = below(place, name);
            set_key(table_at(choice, name, &place)?, keys, rest, &place, value)
        }
        (Body::Value(..), _) => Err(complaint(&format!("`{}` has no keys", below(place, name)))),
    }
}

fn replace(table: &mut dyn TableLike, key: &Key, item: Item) {
    // `from` alone does not say what `between` says, so only a full equivalent is removed.
    if let (Some(excludes), false) = (key.excludes, matches!(key.kind, Kind::Node | Kind::Nodes)) {
        table.remove(excludes);
    }
    table.insert(key.name, item);
}

/// The table under `key`, made if it is missing.
fn table_at<'t>(
    table: &'t mut dyn TableLike,
    key: &str,
    place: &str,
) -> Result<&'t mut dyn TableLike, Fault> {
    if !table.contains_key(key) {
        table.insert(key, Item::Value(InlineTable::new().into()));
    }
    let found = table.get_mut(key).and_then(Item::as_table_like_mut);
    found.ok_or_else(|| complaint(&format!("`{place}` is not a table")))
}

fn below(place: &str, name: &str) -> String {
    let name = quoted(name);
    let name = name.trim_matches('`');
    if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") }
}

fn unknown(what: &str, name: &str, place: &str, known: &[&str]) -> Fault {
    let place = if place.is_empty() { String::new() } else { format!(" in `{place}`") };
    complaint(&format!("unknown {what} {}{place}; expected {}", quoted(name), one_of(known)))
        .with_hint(nearest(name, known).map(did_you_mean))
}

fn no_such_name(pattern: &str, place: &str, known: &[String]) -> Fault {
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    if pattern.contains('*') {
        return complaint(&format!(
            "no name in `{place}` matches {}; expected a pattern that matches {}",
            quoted(pattern),
            one_of(&known)
        ));
    }
    unknown("name", pattern, place, &known)
}

fn complaint(message: &str) -> Fault {
    Fault::new(&(0..0), message)
}
