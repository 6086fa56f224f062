//! Groups of alike flows: the same parameters, the same path and the same numbers, except for the
//! numbers of members in names. Members are compared with those of their family, other flows with
//! each other.
//!
//! Flows are grouped by one text each ([`Likeness`]); the texts of parts that follow equal ones are
//! copied. By name the parts are compared only for a new group.

mod likeness;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value as Json;

use self::likeness::{Likeness, Texts};
use super::FlowFacts;
use crate::language::family::{ranges, split_member};
use crate::language::part::{Entries, Part};
use crate::result::Shaped;
use crate::scenario::resolved::{Flow, FlowPacing, FlowSection, Host, NodeRef, Scenario, Tcp};

/// A group of alike flows of one family, or of flows that are no members.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Shaped)]
pub struct AlikeFlows {
    /// Name of the family, or of the first flow.
    pub name: String,
    /// Their names, in file order.
    pub flows: Vec<String>,
    /// Differences from the first of their family, if they have one: keys such as `tcp.window` or
    /// `from.cpu_per_segment`, parts of the path such as `link access[*]`, else numbers such as
    /// `tcp.fair_share_bits_per_second`. Empty for the first.
    pub differ_in: Vec<String>,
}

/// All groups of alike flows, in the order of their first flows.
pub(super) fn all(scenario: &Scenario, facts: &[FlowFacts]) -> Vec<AlikeFlows> {
    let mut groups: Vec<AlikeFlows> = Vec::new();
    let mut texts = Texts::of(scenario);
    let mut known: BTreeMap<(Option<&str>, Likeness), usize> = BTreeMap::new();
    let mut first: BTreeMap<&str, ComparedProperties> = BTreeMap::new();
    let mut before: Option<(Option<&str>, &Flow, &FlowFacts, usize)> = None;
    for (flow, facts) in scenario.flows.iter().zip(facts) {
        let family = split_member(&flow.name).map(|(family, _)| family);
        // Flows between the same hosts need no comparison by text, which takes ten times as long.
        if let Some((of, flow_before, facts_before, group)) = before
            && of == family
            && are_equal((flow_before, facts_before), (flow, facts))
        {
            groups[group].flows.push(flow.name.clone());
            continue;
        }
        let new = match known.entry((family, texts.likeness(flow, facts))) {
            Entry::Vacant(new) => new,
            Entry::Occupied(group) => {
                groups[*group.get()].flows.push(flow.name.clone());
                before = Some((family, flow, facts, *group.get()));
                continue;
            }
        };
        before = Some((family, flow, facts, groups.len()));
        let properties = ComparedProperties::of(scenario, flow, facts);
        let name = family.unwrap_or(flow.name.as_str());
        let of_first = first.entry(name).or_insert_with(|| properties.clone());
        groups.push(AlikeFlows {
            name: name.to_owned(),
            flows: vec![flow.name.clone()],
            differ_in: properties.differs_in(of_first),
        });
        new.insert(groups.len() - 1);
    }
    groups
}

/// True if two flows differ in nothing but their names; then their hosts and links are the same.
fn are_equal(one: (&Flow, &FlowFacts), other: (&Flow, &FlowFacts)) -> bool {
    if (one.0.source, one.0.sink) != (other.0.source, other.0.sink) {
        return false;
    }
    let mut flow = one.0.clone();
    flow.section.name.clone_from(&other.0.name);
    let facts = FlowFacts { name: other.1.name.clone(), ..one.1.clone() };
    flow == *other.0 && facts == *other.1
}

/// Compared properties of a flow, as text by name.
#[derive(Clone)]
struct ComparedProperties {
    /// Keys of the flow and of the parts of its path.
    said: BTreeMap<String, String>,
    /// Numbers that `explain` gives for it.
    found: BTreeMap<String, String>,
}

impl ComparedProperties {
    fn of(scenario: &Scenario, flow: &Flow, facts: &FlowFacts) -> Self {
        let facts = serde_json::to_value(FlowFacts { name: String::new(), ..facts.clone() });
        let mut found = BTreeMap::new();
        flatten("", &facts.expect("numbers and names are JSON"), &mut found);
        Self { said: said(scenario, flow), found }
    }

    fn differs_in(&self, other: &Self) -> Vec<String> {
        let said = differing(&self.said, &other.said);
        if said.is_empty() { differing(&self.found, &other.found) } else { said }
    }
}

fn differing(one: &BTreeMap<String, String>, other: &BTreeMap<String, String>) -> Vec<String> {
    let names = one.keys().chain(other.keys().filter(|name| !one.contains_key(*name)));
    names.filter(|name| one.get(*name) != other.get(*name)).cloned().collect()
}

/// Collects numbers by dotted names, lists as a whole.
fn flatten(name: &str, value: &Json, found: &mut BTreeMap<String, String>) {
    let Json::Object(entries) = value else {
        found.insert(name.to_owned(), without_numbers(&value.to_string()));
        return;
    };
    for (key, value) in entries {
        let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
        flatten(&name, value, found);
    }
}

fn said(scenario: &Scenario, flow: &Flow) -> BTreeMap<String, String> {
    let mut said = BTreeMap::new();
    let mut say = |key: &str, value: String| {
        said.insert(key.to_owned(), without_numbers(&value));
    };
    let mut entries = Entries::new();
    <FlowSection as Part>::write(flow, &mut entries);
    for (key, value) in entries {
        say(key, value);
    }
    say("service", format!("{:?}", flow.service));
    say("vc", format!("{:?}", flow.vc));
    let pacing = |pacing: &FlowPacing| (pacing.rate, pacing.paces);
    say("pacing", format!("{:?}", flow.pace.as_deref().map(pacing)));
    let mut entries = Entries::new();
    if let Some(tcp) = &flow.tcp {
        <Tcp as Part>::write(tcp, &mut entries);
    }
    for (key, value) in entries {
        say(&format!("tcp.{key}"), value);
    }
    for (end, host) in [("from", flow.source), ("to", flow.sink)] {
        let host = &scenario.hosts[host];
        let mut entries = Entries::new();
        <Host as Part>::write(host, &mut entries);
        for (key, value) in entries {
            say(&format!("{end}.{key}"), value);
        }
    }
    for &link in flow.path.iter().chain(&flow.reverse_path) {
        for (name, value) in settings_of_hop(scenario, link) {
            say(&name, value);
        }
    }
    said
}

/// Settings of a link, and of its receiving node.
fn settings_of_hop(scenario: &Scenario, link: usize) -> impl Iterator<Item = (String, String)> {
    let link = &scenario.links[link];
    let of_link = (link.carries, &link.delay, &link.capacity, &link.impairments);
    let node = without_numbers(scenario.name_of(link.to));
    let of_node = match link.to {
        NodeRef::Host(_) => None,
        NodeRef::Switch(at) => {
            Some((format!("switch {node}"), format!("{:?}", scenario.switches[at])))
        }
        NodeRef::Edge(at) => Some((format!("edge {node}"), format!("{:?}", scenario.edges[at]))),
    };
    let of_link = (format!("link {}", without_numbers(&link.name)), format!("{of_link:?}"));
    std::iter::once(of_link).chain(of_node)
}

/// Merges lines that differ only in numbers of members: `flow.page[1..100] relays`.
pub(super) fn folded(lines: Vec<String>) -> Vec<String> {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for line in lines {
        let shape = without_numbers(&line);
        let group = *known.entry(shape.clone()).or_insert(groups.len());
        if group == groups.len() {
            groups.push((shape, Vec::new()));
        }
        groups[group].1.push(line);
    }
    groups.iter().map(|(shape, lines)| in_one(shape, lines)).collect()
}

/// Merges `lines` of one `shape`, with the numbers that stand at each of its stars.
fn in_one(shape: &str, lines: &[String]) -> String {
    if let [line] = lines {
        return line.clone();
    }
    let parts: Vec<&str> = shape.split("[*]").collect();
    let mut rests: Vec<&str> = lines.iter().map(String::as_str).collect();
    let mut folded = parts[0].to_owned();
    for pair in parts.windows(2) {
        let mut numbers = BTreeSet::new();
        for rest in &mut rests {
            // A star of the text itself is no number.
            let (number, behind) =
                rest[pair[0].len() + 1..].split_once(']').expect("the line has the shape");
            numbers.extend(number.parse::<u64>());
            *rest = behind;
        }
        let numbers: Vec<u64> = numbers.into_iter().collect();
        let shown = if numbers.is_empty() { "*".to_owned() } else { ranges(&numbers) };
        folded.extend(["[", &shown, "]", pair[1]]);
    }
    folded
}

/// Replaces the numbers of members: `src[3]` becomes `src[*]`.
fn without_numbers(text: &str) -> String {
    let mut parts = text.split('[');
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        shown.push('[');
        if digits > 0 && part[digits..].starts_with(']') {
            shown.push('*');
            shown.push_str(&part[digits..]);
        } else {
            shown.push_str(part);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_members_are_left_out() {
        assert_eq!(without_numbers("src[3] > an[12].x[1] [a] [2"), "src[*] > an[*].x[*] [a] [2");
        assert_eq!(without_numbers("plain"), "plain");
    }

    #[test]
    fn lines_that_differ_in_numbers_of_members_are_one() {
        let follows = |number: u64| format!("pep[{number}] follows line[2] of web[{number}]");
        let lines = [1, 2, 5].map(follows).into_iter();
        let lines = lines.chain(["no flow".to_owned(), "pep[*] is alone".to_owned()]).collect();
        assert_eq!(
            folded(lines),
            ["pep[1..2, 5] follows line[2] of web[1..2, 5]", "no flow", "pep[*] is alone"]
        );
    }
}
