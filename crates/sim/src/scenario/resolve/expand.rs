//! Names: families become members, references become indices.

use std::collections::BTreeMap;

use crate::language::family::Named;
use crate::language::family::split_member;
use crate::language::fault::{At, Fault, did_you_mean, nearest, one_of};
use crate::scenario::read::written::Written;
use crate::scenario::resolved::NodeRef;
use crate::units::quoted;

/// Most hosts, switches, edges, links, VCs and flows in all: beyond it a count was mistyped.
const MOST_MEMBERS: u64 = 500_000;

/// The names of a family or of a single section, in order.
pub(crate) fn members<T>(section: &Named<T>) -> Vec<String> {
    let name = &section.name.value;
    match &section.count {
        Some(_) => section.numbers.clone().map(|number| format!("{name}[{number}]")).collect(),
        None => vec![name.clone()],
    }
}

/// Refuses names that could not be told apart or written in a reference.
pub(crate) fn check_names(written: &Written) -> Result<(), Fault> {
    let mut total = 0;
    check_section(&written.hosts, "host", &mut total)?;
    check_section(&written.switches, "switch", &mut total)?;
    check_section(&written.edges, "edge", &mut total)?;
    check_section(&written.links, "link", &mut total)?;
    check_section(&written.vcs, "vc", &mut total)?;
    check_section(&written.flows, "flow", &mut total)
}

fn check_section<T>(sections: &[Named<T>], kind: &str, total: &mut u64) -> Result<(), Fault> {
    for section in sections {
        check_name(section, kind)?;
        *total += section.numbers.end - section.numbers.start;
        if let (true, Some(written)) = (*total > MOST_MEMBERS, &section.count) {
            let message =
                format!("`{kind}.{}`: more than {MOST_MEMBERS} members in all", section.name.value);
            return Err(Fault::new(&written.at, message));
        }
    }
    Ok(())
}

fn check_name<T>(section: &Named<T>, kind: &str) -> Result<(), Fault> {
    let name = section.name.value.as_str();
    let base = match split_member(name) {
        Some((_, _)) if section.count.is_some() => {
            let message = format!(
                "`{kind}.{name}` is one member; expected no `count`, or a name without `[…]`"
            );
            return Err(Fault::new(&section.name.at, message));
        }
        Some((base, _)) => base,
        None => name,
    };
    let is_legal = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
    if base.is_empty() || !base.chars().all(is_legal) {
        let message = format!(
            "illegal name {} in `{kind}`; expected letters, digits, `_` and `-` only",
            quoted(name)
        );
        return Err(Fault::new(&section.name.at, message));
    }
    Ok(())
}

/// Every node by name.
pub(crate) struct Nodes {
    by_name: BTreeMap<String, NodeRef>,
    families: BTreeMap<String, u64>,
    hosts: usize,
}

impl Nodes {
    pub(crate) fn of(written: &Written) -> Result<Self, Fault> {
        let mut nodes = Self { by_name: BTreeMap::new(), families: BTreeMap::new(), hosts: 0 };
        let mut names: Vec<&At<String>> = Vec::new();
        for host in &written.hosts {
            nodes.hosts += nodes.add(host, NodeRef::Host(nodes.hosts))?;
            names.push(&host.name);
        }
        let mut switches = 0;
        for switch in &written.switches {
            nodes.refuse_same(switch, &names)?;
            switches += nodes.add(switch, NodeRef::Switch(switches))?;
        }
        names.extend(written.switches.iter().map(|switch| &switch.name));
        let mut edges = 0;
        for edge in &written.edges {
            nodes.refuse_same(edge, &names)?;
            edges += nodes.add(edge, NodeRef::Edge(edges))?;
        }
        Ok(nodes)
    }

    fn add<T>(&mut self, section: &Named<T>, first: NodeRef) -> Result<usize, Fault> {
        let names = members(section);
        let count = names.len();
        if let Some(family) = &section.count {
            self.families.insert(section.name.value.clone(), family.value);
        }
        for (offset, name) in names.into_iter().enumerate() {
            let node = match first {
                NodeRef::Host(index) => NodeRef::Host(index + offset),
                NodeRef::Switch(index) => NodeRef::Switch(index + offset),
                NodeRef::Edge(index) => NodeRef::Edge(index + offset),
            };
            if self.by_name.insert(name.clone(), node).is_some() {
                return Err(same_name(&section.name, &name));
            }
        }
        Ok(count)
    }

    fn refuse_same<T>(&self, section: &Named<T>, earlier: &[&At<String>]) -> Result<(), Fault> {
        let name = &section.name;
        let taken =
            self.by_name.contains_key(&name.value) || self.families.contains_key(&name.value);
        let is_later_piece = section.numbers.start > 1;
        if !taken || is_later_piece {
            return Ok(());
        }
        // The later one in the file is the mistake.
        let other = earlier.iter().find(|other| other.value == name.value);
        let later =
            other.filter(|other| other.at.start > name.at.start).map_or(name, |other| other);
        Err(same_name(later, &name.value))
    }

    /// The node that member `number` of `count` means by `reference`.
    pub(crate) fn find(
        &self,
        reference: &At<String>,
        number: u64,
        place: &str,
    ) -> Result<NodeRef, Fault> {
        let name = match reference.value.strip_suffix("[*]") {
            Some(base) => format!("{base}[{number}]"),
            None => reference.value.clone(),
        };
        self.by_name
            .get(&name)
            .copied()
            .ok_or_else(|| self.unknown(&reference.value, reference, place))
    }

    /// The host that `reference` means; a flow neither starts nor ends in a node that forwards.
    pub(crate) fn find_host(
        &self,
        reference: &At<String>,
        number: u64,
        place: &str,
    ) -> Result<usize, Fault> {
        match self.find(reference, number, place)? {
            NodeRef::Host(index) => Ok(index),
            node => {
                let hosts = self.suggestions(|node| matches!(node, NodeRef::Host(_)));
                let message = format!(
                    "`{place}`: {} is {}; expected a host, {}",
                    quoted(&reference.value),
                    kind_of(node),
                    one_of(&hosts)
                );
                Err(Fault::new(&reference.at, message))
            }
        }
    }

    /// The edge that `reference` means; only edges end virtual circuits that are shared.
    pub(crate) fn find_edge(&self, reference: &At<String>, place: &str) -> Result<usize, Fault> {
        self.check_star(reference, None, place)?;
        match self.find(reference, 1, place)? {
            NodeRef::Edge(index) => Ok(index),
            node => {
                let edges = self.suggestions(|node| matches!(node, NodeRef::Edge(_)));
                let message = format!(
                    "`{place}`: {} is {}; expected an edge, {}",
                    quoted(&reference.value),
                    kind_of(node),
                    one_of(&edges)
                );
                Err(Fault::new(&reference.at, message))
            }
        }
    }

    /// Whether `[*]` fits: only inside a counted section, and over a family of as many.
    pub(crate) fn check_star(
        &self,
        reference: &At<String>,
        count: Option<&At<u64>>,
        place: &str,
    ) -> Result<(), Fault> {
        let Some(base) = reference.value.strip_suffix("[*]") else { return Ok(()) };
        let Some(&size) = self.families.get(base) else {
            if self.by_name.contains_key(base) {
                let message = format!(
                    "`{place}`: `{base}` is no family; expected `{base}`, or a `count` in it"
                );
                return Err(Fault::new(&reference.at, message));
            }
            return Err(self.unknown(base, reference, place));
        };
        match count.map(|count| count.value) {
            None => {
                let message = format!(
                    "`{place}`: `{base}[*]` stands for all {size}; expected `count = {size}` \
                     beside it, or one \
                     member such as `{base}[1]`"
                );
                Err(Fault::new(&reference.at, message))
            }
            Some(count) if count != size => {
                let message = format!(
                    "`{place}`: `{base}` has {size} members and `count` is {count}; expected \
                     `count = {size}`"
                );
                Err(Fault::new(&reference.at, message))
            }
            Some(_) => Ok(()),
        }
    }

    fn unknown(&self, name: &str, reference: &At<String>, place: &str) -> Fault {
        if let Some(size) = self.families.get(name) {
            let message = format!(
                "`{place}`: `{name}` is a family of {size}; expected one member such as \
                 `{name}[1]`, or `{name}[*]` \
                 in a counted section"
            );
            return Fault::new(&reference.at, message);
        }
        let known = self.suggestions(|_| true);
        let message =
            format!("`{place}`: unknown node {}; expected {}", quoted(name), one_of(&known));
        Fault::new(&reference.at, message).with_hint(nearest(name, &known).map(did_you_mean))
    }

    /// Names in the order of their nodes, one member for each family.
    fn suggestions(&self, wanted: impl Fn(NodeRef) -> bool) -> Vec<&str> {
        let first = |name: &str| split_member(name).is_none_or(|(_, number)| number == 1);
        let mut known: Vec<(NodeRef, &str)> =
            self.by_name.iter().map(|(name, node)| (*node, name.as_str())).collect();
        known.retain(|(node, name)| wanted(*node) && first(name));
        known.sort_unstable();
        known.into_iter().map(|(_, name)| name).collect()
    }
}

const fn kind_of(node: NodeRef) -> &'static str {
    match node {
        NodeRef::Host(_) => "a host",
        NodeRef::Switch(_) => "a switch",
        NodeRef::Edge(_) => "an edge",
    }
}

fn same_name(at: &At<String>, name: &str) -> Fault {
    let message = format!(
        "there are two nodes {}; expected every host, switch and edge to have its own name",
        quoted(name)
    );
    Fault::new(&at.at, message)
}
