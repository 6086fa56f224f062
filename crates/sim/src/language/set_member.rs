//! `--set` of one member of a family: the member gets a section of its own, a copy of that of the
//! family, and this copy is changed.

use toml_edit::{Item, TableLike, Value};

use crate::language::family::split_member;
use crate::language::keys::{Key, Kind};
use crate::language::pattern::fits;

/// The names in `named` that `pattern` sets. Members among them that had no section of their own
/// get one. A value set for a family is set for every member, also for members that are written
/// out.
pub(super) fn targets(named: &mut dyn TableLike, keys: &[Key], pattern: &str) -> Vec<String> {
    let known: Vec<String> = named.iter().map(|(name, _)| name.to_owned()).collect();
    let mut members = Vec::new();
    let mut whole = Vec::new();
    for name in &known {
        let count = count_of(named, name);
        let matched: Vec<u64> =
            (1..=count).filter(|number| fits(pattern, &format!("{name}[{number}]"))).collect();
        if fits(pattern, name) || (count > 0 && matched.len() as u64 == count) {
            whole.push(name.clone());
        } else {
            let named_so = matched.iter().map(|number| (name.clone(), *number));
            members.extend(
                named_so.filter(|(base, number)| !known.contains(&format!("{base}[{number}]"))),
            );
        }
    }
    let is_target = |name: &String| {
        let base = split_member(name).map(|(base, _)| base);
        fits(pattern, name)
            || whole.contains(name)
            || base.is_some_and(|base| whole.iter().any(|whole| whole == base))
    };
    let mut targets: Vec<String> = known.iter().filter(|name| is_target(name)).cloned().collect();
    for (base, number) in members {
        targets.push(write_out(named, keys, &base, number));
    }
    targets
}

/// Reason why no name fits `pattern`, if it is a member of something that is there.
pub(super) fn no_such_member(named: &dyn TableLike, pattern: &str, place: &str) -> Option<String> {
    let (base, _) = split_member(pattern)?;
    named.get(base)?;
    Some(match count_of(named, base) {
        0 => {
            format!("`{place}.{base}` is no family; expected `{place}.{base}`, or a `count` in it")
        }
        count => format!(
            "`{place}.{base}` has {count} members; expected `{base}[1]` to `{base}[{count}]`"
        ),
    })
}

/// Number of members of a family; 0 for a single section. A count that is no number is reported
/// when the text is read.
fn count_of(named: &dyn TableLike, name: &str) -> u64 {
    let section = named.get(name).and_then(Item::as_table_like);
    let count = section.and_then(|section| section.get("count")).and_then(Item::as_integer);
    count
        .and_then(|count| u64::try_from(count).ok())
        .filter(|&count| count <= MOST_MEMBERS)
        .unwrap_or(0)
}

/// Maximum number of members: that of `count`.
const MOST_MEMBERS: u64 = 100_000;

fn write_out(named: &mut dyn TableLike, keys: &[Key], base: &str, number: u64) -> String {
    let name = format!("{base}[{number}]");
    let mut own = named.get(base).cloned().unwrap_or_default();
    if let Some(section) = own.as_table_like_mut() {
        section.remove("count");
        for key in keys.iter().filter(|key| matches!(key.kind, Kind::Node | Kind::Nodes)) {
            if let Some(value) = section.get_mut(key.name).and_then(Item::as_value_mut) {
                name_members(value, number);
            }
        }
    }
    named.insert(&name, own);
    name
}

/// Replaces `src[*]` by `src[3]` in the section of the third member.
fn name_members(value: &mut Value, number: u64) {
    match value {
        Value::String(reference) => {
            if let Some(base) = reference.value().strip_suffix("[*]") {
                *value = Value::from(format!("{base}[{number}]"));
            }
        }
        Value::Array(references) => references.iter_mut().for_each(|one| name_members(one, number)),
        _ => {}
    }
}
