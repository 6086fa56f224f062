//! Unknown names of nodes, in a file whose values could not all be read.
//!
//! All other comparisons between sections wait until all of them are read.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::language::family::{Named, split_member};
use crate::language::fault::Fault;
use crate::language::faults::check;
use crate::language::part::Part;
use crate::scenario::resolve::expand::Nodes;
use crate::scenario::resolve::place::{Owner, Reference};
use crate::scenario::resolved::ScenarioFile;

/// Refuses unknown names of nodes, unless an unknown section may be a misspelt one of nodes.
pub(in crate::scenario) fn dangling(root: &DeTable<'_>) -> Result<(), Fault> {
    let is_known = |name: &str| ScenarioFile::KEYS.iter().any(|key| key.name == name);
    if root.keys().any(|name| !is_known(name.get_ref())) {
        return Ok(());
    }
    let Some(host) = named(root, "host") else { return Ok(()) };
    let Some(switch) = named(root, "switch") else { return Ok(()) };
    let Some(edge) = named(root, "edge") else { return Ok(()) };
    let nodes = Nodes::of(&host, &switch, &edge)?;
    check(["link", "flow", "vc", "proxy"].into_iter().map(|kind| of_sections(root, kind, &nodes)))
}

/// The sections under a key, with a member of each family; `None` if they have a fault.
fn named(root: &DeTable<'_>, key: &str) -> Option<Vec<Named<()>>> {
    let Some(node) = root.get(key) else { return Some(Vec::new()) };
    let sections = node.get_ref().as_table()?.iter();
    let one = |name: &str, node: &Spanned<DeValue<'_>>| {
        let is_family = node.get_ref().as_table()?.contains_key("count");
        Some(Named::new(name, is_family.then_some(1), ()))
    };
    sections.map(|(name, node)| one(name.get_ref(), node)).collect()
}

fn of_sections(root: &DeTable<'_>, kind: &'static str, nodes: &Nodes) -> Result<(), Fault> {
    let sections = root.get(kind).and_then(|node| node.get_ref().as_table());
    let sections = sections.into_iter().flatten();
    check(sections.map(|(name, node)| match node.get_ref() {
        DeValue::Table(section) => of_section(section, Owner::new(kind, name.get_ref()), nodes),
        _ => Ok(()),
    }))
}

fn of_section(section: &DeTable<'_>, owner: Owner<'_>, nodes: &Nodes) -> Result<(), Fault> {
    let text = |node: Option<&Spanned<DeValue<'_>>>| Some(node?.get_ref().as_str()?.to_owned());
    let single = ["from", "to", "at"].map(|key| (key, None, text(section.get(key))));
    let pair = section.get("between");
    let pair =
        [0, 1].map(|at| ("between", Some(at), text(pair.and_then(|pair| pair.get_ref().get(at)))));
    check(single.into_iter().chain(pair).map(|(key, element, name)| match &name {
        Some(name) => of_reference(Reference { name, key: owner.key(key), element }, nodes),
        None => Ok(()),
    }))
}

fn of_reference(reference: Reference<'_>, nodes: &Nodes) -> Result<(), Fault> {
    let name = reference.name;
    let base = name.strip_suffix("[*]").or(split_member(name).map(|(base, _)| base));
    let is_there = [base, Some(name)].into_iter().flatten().any(|name| nodes.has(name));
    if is_there { Ok(()) } else { Err(nodes.unknown(base.unwrap_or(name), reference)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<String> {
        let root = DeTable::parse(text).expect("TOML").into_inner();
        let fault = dangling(&root).err().into_iter();
        let error = fault.map(|fault| fault.in_keys("x", text, ScenarioFile::KEYS).to_string());
        error.flat_map(|said| said.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
    }

    #[test]
    fn names_of_no_section_are_found_where_they_stand() {
        let text = "host = { ku = {}, tx = { count = 3 } }\nlink.x.between = [\"ku\", \"kv\"]\n\
                    link.y = { from = \"tx[7]\", to = \"ty[*]\" }\nflow.f.to = \"edc\"\n";
        let found = said(text);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].starts_with("x:2:25: `link.x.between`: unknown node `kv`"), "{found:?}");
        assert!(found[0].ends_with("did you mean `ku`?"), "{found:?}");
        assert!(found[1].starts_with("x:3:33: `link.y.to`: unknown node `ty`"), "{found:?}");
        assert!(found[2].starts_with("x:4:13: `flow.f.to`: unknown node `edc`"), "{found:?}");
    }

    #[test]
    fn a_misspelt_section_may_have_had_the_names() {
        assert_eq!(said("hots.ku = {}\nlink.x.from = \"ku\"\n"), [] as [&str; 0]);
        assert_eq!(said("host.ku = 3\nlink.x.from = \"ku\"\n"), [] as [&str; 0]);
    }
}
