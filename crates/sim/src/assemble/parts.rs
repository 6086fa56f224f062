//! Parts of a switch that do not touch: no VC joins an input of one with an output of another. Each
//! is a node of its own, which runs ahead as far as its own incoming links allow.

use std::collections::BTreeMap;

use super::wiring::Wiring;
use crate::scenario::{NodeRef, Scenario};

/// Incoming and outgoing links of a part of a node, in the order of the node.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    pub(super) inputs: Vec<usize>,
    pub(super) outputs: Vec<usize>,
}

impl Part {
    /// A node with all its links.
    pub(super) fn whole(wiring: &Wiring<'_>, node: NodeRef) -> Self {
        Self { inputs: wiring.incoming(node).to_vec(), outputs: wiring.outgoing(node).to_vec() }
    }
}

/// Ends of links that VCs join at nodes, as a union-find. The end of a link at its receiving node
/// has an even number, that at its sending node the next.
pub(super) struct Joined {
    /// An end of the same set, which represents it or leads to the one that does.
    of: Vec<usize>,
}

impl Joined {
    pub(super) fn new(scenario: &Scenario, wiring: &Wiring<'_>) -> Self {
        let mut joined = Self { of: (0..2 * scenario.links.len()).collect() };
        for (_, segment) in wiring.segments.used() {
            for hop in segment.path.windows(2) {
                joined.join(input(hop[0]), output(hop[1]));
            }
        }
        joined
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.representative(one), self.representative(other));
        self.of[one.max(other)] = one.min(other);
    }

    /// The end that represents the set of `end`; the way to it becomes shorter.
    fn representative(&mut self, mut end: usize) -> usize {
        while self.of[end] != end {
            self.of[end] = self.of[self.of[end]];
            end = self.of[end];
        }
        end
    }

    /// Parts of a switch, in the order of their first outputs; at least one. Links that no VC
    /// passes are in the first.
    pub(super) fn parts(&mut self, wiring: &Wiring<'_>, switch: NodeRef) -> Vec<Part> {
        let mut parts = vec![Part::default()];
        let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
        let mut part_of = |link: usize, end: usize| {
            if wiring.vcs_of_link(link).is_empty() {
                return 0;
            }
            let next = numbers.len();
            *numbers.entry(self.representative(end)).or_insert(next)
        };
        for &link in wiring.outgoing(switch) {
            let part = part_of(link, output(link));
            if part == parts.len() {
                parts.push(Part::default());
            }
            parts[part].outputs.push(link);
        }
        for &link in wiring.incoming(switch) {
            parts[part_of(link, input(link))].inputs.push(link);
        }
        parts
    }
}

const fn input(link: usize) -> usize {
    2 * link
}

const fn output(link: usize) -> usize {
    2 * link + 1
}
