//! Parts of a switch or edge that do not touch: no VC, and at an edge no flow, joins an input of
//! one with an output of another. Each is a node of its own, which runs ahead as far as its own
//! incoming links allow.

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

/// Ends of links that VCs and flows join at nodes, as a union-find. The end of a link at its
/// receiving node has an even number, that at its sending node the next.
pub(super) struct Joined {
    /// The end that represents the set of an end; while sets are joined, an end of the same set.
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
        for direction in 0..wiring.segments.directions() {
            let segments = wiring.segments.of_direction(direction);
            let paths: Vec<&[usize]> = segments.map(|vc| wiring.segments.of(vc).path).collect();
            for pair in paths.windows(2) {
                joined.join(input(pair[0][pair[0].len() - 1]), output(pair[1][0]));
            }
        }
        // In order of their numbers: an end that represents a set has the least one.
        for end in 0..joined.of.len() {
            joined.of[end] = joined.of[joined.of[end]];
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

    /// Parts of a node, in the order of their first outputs; at least one. Links that no VC passes
    /// are in the first, and those whose VCs end here and are joined with no output.
    pub(super) fn parts(&self, wiring: &Wiring<'_>, node: NodeRef) -> Vec<Part> {
        let mut parts = vec![Part::default()];
        let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
        for &link in wiring.outgoing(node) {
            let mut part = 0;
            if !wiring.vcs_of_link(link).is_empty() {
                let next = numbers.len();
                part = *numbers.entry(self.of[output(link)]).or_insert(next);
            }
            if part == parts.len() {
                parts.push(Part::default());
            }
            parts[part].outputs.push(link);
        }
        for &link in wiring.incoming(node) {
            let part = numbers.get(&self.of[input(link)]).copied().unwrap_or_default();
            parts[part].inputs.push(link);
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

#[cfg(test)]
mod tests {
    use crate::assemble::{AnyNode, Assembled, OwnRules, assemble};
    use crate::scenario::{Scenario, Source};

    /// The network of three hosts at a switch, or one of them behind another, with these flows.
    fn made(
        switch: &str,
        flows: &[(&str, &str, &str)],
        external: &[usize],
        far: bool,
    ) -> Assembled {
        let keys = "rate = \"OC-3c\", delay = \"1 ms\"";
        let behind = if far { "t" } else { "s" };
        let mut lines = vec![
            "run.duration = \"1 s\"\nhost = { a = {}, b = {}, c = {} }".to_owned(),
            "observe = { series = [\"queue\"] }".to_owned(),
            format!("switch.s = {{ {switch} }}\nswitch.t = {{}}"),
        ];
        for (one, other) in [("a", "s"), ("b", "s"), ("c", behind), ("s", "t")] {
            lines.push(format!("link.{one} = {{ between = [\"{one}\", \"{other}\"], {keys} }}"));
        }
        for (index, (from, to, keys)) in flows.iter().enumerate() {
            let keys = format!("traffic = \"greedy\", tcp = {{}}, {keys}");
            lines.push(format!("flow.f{index} = {{ from = \"{from}\", to = \"{to}\", {keys} }}"));
        }
        let text = lines.join("\n");
        let scenario = Scenario::parse(Source { origin: "parts", text: &text }, &[]);
        let scenario = scenario.unwrap_or_else(|error| panic!("{error}\n{text}"));
        assemble(&scenario, external, &OwnRules::default())
    }

    /// Number of parts of both switches, of which the second has no flow.
    fn parts(switch: &str, flows: &[(&str, &str, &str)], external: &[usize]) -> usize {
        count(&made(switch, flows, external, false)) - 1
    }

    fn count(made: &Assembled) -> usize {
        made.network.nodes().iter().filter(|node| matches!(node, AnyNode::Switch(_))).count()
    }

    #[test]
    fn what_vcs_join_is_one_part_and_unused_links_make_none() {
        assert_eq!(parts("", &[("a", "b", "")], &[]), 2, "there and back; nothing to c");
        assert_eq!(parts("", &[("a", "b", ""), ("b", "a", "")], &[]), 2);
        assert_eq!(parts("", &[("a", "b", ""), ("a", "c", "")], &[]), 2, "one source");
        assert_eq!(parts("", &[("a", "b", ""), ("c", "b", "")], &[]), 2, "one destination");
        let all = [("a", "b", ""), ("b", "c", ""), ("c", "a", "")];
        assert_eq!(parts("", &all, &[]), 1);
        assert_eq!(count(&made("", &[("a", "c", "")], &[], true)), 4, "at each of two switches");
    }

    #[test]
    fn outputs_that_depend_on_each_other_are_one_part() {
        let one = [("a", "b", "")];
        assert_eq!(parts("buffer = { shared = \"90 cell\" }", &one, &[]), 1);
        let guaranteed = "service.gfr = { mcr = \"1 Mbit/s of cell\" }";
        assert_eq!(parts("", &[("a", "b", guaranteed)], &[]), 2, "each with its policer");
        let available = [("a", "b", "service.abr = {}")];
        assert_eq!(parts("", &available, &[]), 2);
        assert_eq!(parts("rate_allocator = \"erica\"", &available, &[]), 1);
        assert_eq!(parts("", &one, &[0]), 1, "a driver acts at any instant");
    }

    /// Parts of two edges between which a circuit carries two flows of hosts behind them.
    fn parts_of_edges(edge: &str, service: &str) -> usize {
        let cells = "rate = \"OC-3c\", delay = \"1 ms\"";
        let packets = "rate = \"10 Mbit/s of line\", carries = \"packets\", delay = \"1 ms\"";
        let flow = "from = \"a[*]\", to = \"b[*]\", traffic = \"greedy\", tcp = {}, vc = \"v\"";
        let text = format!(
            "run.duration = \"1 s\"\nhost = {{ a = {{ count = 2 }}, b = {{ count = 2 }} }}
             edge = {{ w = {{ {edge} }}, e = {{}} }}
             link.a = {{ count = 2, between = [\"a[*]\", \"w\"], {packets} }}
             link.v = {{ between = [\"w\", \"e\"], {cells} }}
             link.b = {{ count = 2, between = [\"e\", \"b[*]\"], {packets} }}
             vc.v = {{ between = [\"w\", \"e\"], {service} }}
             flow.f = {{ count = 2, {flow} }}"
        );
        let scenario = Scenario::parse(Source { origin: "parts", text: &text }, &[]);
        let scenario = scenario.unwrap_or_else(|error| panic!("{error}\n{text}"));
        let made = assemble(&scenario, &[], &OwnRules::default());
        made.network.nodes().iter().filter(|node| matches!(node, AnyNode::Edge(_))).count()
    }

    #[test]
    fn both_directions_of_an_edge_are_parts_unless_one_depends_on_the_other() {
        assert_eq!(parts_of_edges("", ""), 4);
        assert_eq!(parts_of_edges("buffer = { shared = \"90 packet\" }", ""), 3);
        assert_eq!(parts_of_edges("", "service.abr = {}"), 2, "RM cells return");
    }

    /// Acknowledgements leave to a and c, in one part, and data to b between them.
    #[test]
    fn series_are_listed_as_those_of_a_whole_switch() {
        let mut made = made("", &[("a", "b", ""), ("c", "b", "")], &[], false);
        assert_eq!(count(&made), 3);
        let names: Vec<String> = made.ports.iter().map(|port| port.name.clone()).collect();
        let queues = names.iter().map(|name| format!("{name}.queue"));
        assert!(made.take_series().map(|series| series.name).eq(queues));
    }
}
