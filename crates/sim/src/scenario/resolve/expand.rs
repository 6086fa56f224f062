//! Names: families become members, references become indices.

use std::collections::BTreeMap;

use crate::language::family::{Named, member_of, split_member};
use crate::language::fault::{Fault, did_you_mean, nearest, one_of};
use crate::language::faults::{Faults, check};
use crate::scenario::resolve::place::{Owner, Reference};
use crate::scenario::resolved::{NodeRef, ScenarioFile};
use crate::units::quoted;

/// Maximum number of hosts, switches, edges, links, VCs and flows together: a count beyond it was
/// mistyped.
const MOST_MEMBERS: u64 = 500_000;

/// Refuses names that could not be distinguished or written in a reference.
pub(super) fn check_names(file: &ScenarioFile) -> Result<(), Fault> {
    let mut total = 0;
    check([
        check_section(&file.host, "host", &mut total),
        check_section(&file.switch, "switch", &mut total),
        check_section(&file.edge, "edge", &mut total),
        check_section(&file.link, "link", &mut total),
        check_section(&file.vc, "vc", &mut total),
        check_section(&file.flow, "flow", &mut total),
        check_section(&file.proxy, "proxy", &mut total),
    ])
}

fn check_section<T>(
    sections: &[Named<T>],
    kind: &'static str,
    total: &mut u64,
) -> Result<(), Fault> {
    check(sections.iter().map(|section| {
        let owner = Owner::new(kind, &section.name);
        check_name(owner, section.count)?;
        let before = *total;
        *total += section.numbers.end - section.numbers.start;
        if before <= MOST_MEMBERS && *total > MOST_MEMBERS {
            let message = format!("`{owner}`: more than {MOST_MEMBERS} members in all");
            return Err(owner.key("count").fault(message));
        }
        Ok(())
    }))
}

fn check_name(owner: Owner<'_>, count: Option<u64>) -> Result<(), Fault> {
    let Owner { kind, name } = owner;
    let base = match split_member(name) {
        Some((_, _)) if count.is_some() => {
            let message =
                format!("`{owner}` is one member; expected no `count`, or a name without `[…]`");
            return Err(owner.fault(message));
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
        return Err(owner.fault(message));
    }
    Ok(())
}

/// Nodes by name.
pub(super) struct Nodes {
    by_name: BTreeMap<String, NodeRef>,
    families: BTreeMap<String, u64>,
    hosts: usize,
}

impl Nodes {
    pub(super) fn of<H, S, E>(
        host: &[Named<H>],
        switch: &[Named<S>],
        edge: &[Named<E>],
    ) -> Result<Self, Fault> {
        let mut nodes = Self { by_name: BTreeMap::new(), families: BTreeMap::new(), hosts: 0 };
        let mut earlier = Vec::new();
        let mut faults = Faults::default();
        for host in host {
            let added = nodes.add(host, "host", NodeRef::Host(nodes.hosts));
            nodes.hosts += faults.keep(added).unwrap_or(0);
            earlier.push(Owner::new("host", &host.name));
        }
        let mut switches = 0;
        for switch in switch {
            let added = nodes
                .refuse_same(switch, "switch", &earlier)
                .and_then(|()| nodes.add(switch, "switch", NodeRef::Switch(switches)));
            switches += faults.keep(added).unwrap_or(0);
        }
        earlier.extend(switch.iter().map(|switch| Owner::new("switch", &switch.name)));
        let mut edges = 0;
        for edge in edge {
            let added = nodes
                .refuse_same(edge, "edge", &earlier)
                .and_then(|()| nodes.add(edge, "edge", NodeRef::Edge(edges)));
            edges += faults.keep(added).unwrap_or(0);
        }
        faults.none().map(|()| nodes)
    }

    /// True if a node or a family has this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name) || self.families.contains_key(name)
    }

    fn add<T>(
        &mut self,
        section: &Named<T>,
        kind: &'static str,
        first: NodeRef,
    ) -> Result<usize, Fault> {
        let names = section.members();
        let count = names.len();
        if let Some(family) = section.count {
            self.families.insert(section.name.clone(), family);
        }
        for (offset, name) in names.into_iter().enumerate() {
            let node = match first {
                NodeRef::Host(index) => NodeRef::Host(index + offset),
                NodeRef::Switch(index) => NodeRef::Switch(index + offset),
                NodeRef::Edge(index) => NodeRef::Edge(index + offset),
            };
            if self.by_name.insert(name.clone(), node).is_some() {
                return Err(Owner::new(kind, &section.name).fault(same_name(&name)));
            }
        }
        Ok(count)
    }

    fn refuse_same<T>(
        &self,
        section: &Named<T>,
        kind: &'static str,
        earlier: &[Owner<'_>],
    ) -> Result<(), Fault> {
        let name = &section.name;
        let is_taken = self.has(name);
        let is_later_piece = section.numbers.start > 1;
        if !is_taken || is_later_piece {
            return Ok(());
        }
        let fault = Owner::new(kind, name).fault(same_name(name));
        // The fault is reported at the later one in the file.
        Err(match earlier.iter().find(|other| other.name == name) {
            Some(other) => fault.or_at_key(other.path()),
            None => fault,
        })
    }

    /// The node that member `number` of `count` means by `reference`.
    pub(super) fn find(&self, reference: Reference<'_>, number: u64) -> Result<NodeRef, Fault> {
        let name = member_of(reference.name, number);
        self.by_name.get(&name).copied().ok_or_else(|| self.unknown(reference.name, reference))
    }

    /// The host that `reference` means; a flow neither starts nor ends at a node that forwards.
    pub(super) fn find_host(&self, reference: Reference<'_>, number: u64) -> Result<usize, Fault> {
        match self.find(reference, number)? {
            NodeRef::Host(index) => Ok(index),
            node => {
                let hosts = self.suggestions(|node| matches!(node, NodeRef::Host(_)));
                let message = format!(
                    "`{}`: {} is {}; expected a host, {}",
                    reference.key,
                    quoted(reference.name),
                    kind_of(node),
                    one_of(&hosts)
                );
                Err(reference.fault(message))
            }
        }
    }

    /// The edge that `reference` means; shared virtual circuits end at edges only.
    pub(super) fn find_edge(&self, reference: Reference<'_>) -> Result<usize, Fault> {
        self.check_star(reference, None)?;
        match self.find(reference, 1)? {
            NodeRef::Edge(index) => Ok(index),
            node => {
                let edges = self.suggestions(|node| matches!(node, NodeRef::Edge(_)));
                let message = format!(
                    "`{}`: {} is {}; expected an edge, {}",
                    reference.key,
                    quoted(reference.name),
                    kind_of(node),
                    one_of(&edges)
                );
                Err(reference.fault(message))
            }
        }
    }

    /// Checks `[*]`: it fits only inside a section with a count, and over a family with the same
    /// count.
    pub(super) fn check_star(
        &self,
        reference: Reference<'_>,
        count: Option<u64>,
    ) -> Result<(), Fault> {
        let Some(base) = reference.name.strip_suffix("[*]") else { return Ok(()) };
        let place = reference.key;
        let Some(&size) = self.families.get(base) else {
            if self.by_name.contains_key(base) {
                let message = format!(
                    "`{place}`: `{base}` is no family; expected `{base}`, or a `count` in it"
                );
                return Err(reference.fault(message));
            }
            return Err(self.unknown(base, reference));
        };
        match count {
            None => {
                let message = format!(
                    "`{place}`: `{base}[*]` stands for all {size}; expected `count = {size}` \
                     beside it, or one \
                     member such as `{base}[1]`"
                );
                Err(reference.fault(message))
            }
            Some(count) if count != size => {
                let message = format!(
                    "`{place}`: `{base}` has {size} members and `count` is {count}; expected \
                     `count = {size}`"
                );
                Err(reference.fault(message))
            }
            Some(_) => Ok(()),
        }
    }

    pub(super) fn unknown(&self, name: &str, reference: Reference<'_>) -> Fault {
        let place = reference.key;
        if let Some(size) = self.families.get(name) {
            let message = format!(
                "`{place}`: `{name}` is a family of {size}; expected one member such as \
                 `{name}[1]`, or `{name}[*]` \
                 in a counted section"
            );
            return reference.fault(message);
        }
        let known = self.suggestions(|_| true);
        let message =
            format!("`{place}`: unknown node {}; expected {}", quoted(name), one_of(&known));
        reference.fault(message).with_hint(nearest(name, &known).map(did_you_mean))
    }

    /// Known names in the order of their nodes, one member for each family.
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

fn same_name(name: &str) -> String {
    format!(
        "there are two nodes {}; expected every host, switch and edge to have its own name",
        quoted(name)
    )
}
