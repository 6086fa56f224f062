//! Paths with the fewest links, through switches and edges only; among equals the links that stand
//! first in the file.

use crate::scenario::resolved::{Link, NodeRef};

/// The links as a graph in which only switches and edges forward.
pub(super) struct Routes<'l> {
    links: &'l [Link],
    out_of_host: Vec<Vec<usize>>,
    switches: usize,
    /// Links from each forwarder, switches before edges, to other forwarders.
    between_forwarders: Vec<Vec<usize>>,
    into_host: Vec<Vec<usize>>,
    /// The search from the last entry point: flows of a family mostly enter at one place.
    last: Option<Search>,
}

/// Result of a search: the way to every forwarder from some first links.
struct Search {
    from: usize,
    first_hops: Vec<NodeRef>,
    /// Per forwarder: the order of its discovery, its distance and the link that led to it (none at
    /// the entry).
    reached: Vec<Option<Reached>>,
    /// Forwarders that are reached. Only these are cleared for the next search, so that the time of
    /// a search in a small network does not depend on the number of networks.
    found: Vec<usize>,
}

#[derive(Clone, Copy)]
struct Reached {
    order: usize,
    distance: usize,
    by: Option<usize>,
}

impl<'l> Routes<'l> {
    pub(super) fn new(links: &'l [Link], hosts: usize, (switches, edges): (usize, usize)) -> Self {
        let mut routes = Self {
            links,
            out_of_host: vec![Vec::new(); hosts],
            switches,
            between_forwarders: vec![Vec::new(); switches + edges],
            into_host: vec![Vec::new(); hosts],
            last: None,
        };
        for (index, link) in links.iter().enumerate() {
            match (link.from, routes.forwarder(link.from), routes.forwarder(link.to)) {
                (_, Some(from), Some(_)) => routes.between_forwarders[from].push(index),
                (NodeRef::Host(from), ..) => routes.out_of_host[from].push(index),
                _ => {}
            }
            if let NodeRef::Host(to) = link.to {
                routes.into_host[to].push(index);
            }
        }
        routes
    }

    /// Index of a node among the forwarders.
    fn forwarder(&self, node: NodeRef) -> Option<usize> {
        match node {
            NodeRef::Host(_) => None,
            NodeRef::Switch(index) => Some(index),
            NodeRef::Edge(index) => Some(self.switches + index),
        }
    }

    /// The links from host `from` to host `to`, or `None` if there is no way.
    pub(super) fn path(&mut self, from: usize, to: usize) -> Option<Vec<usize>> {
        if let Some(link) = self.direct(from, to) {
            return Some(vec![link]);
        }
        self.search_from(from);
        let search = self.last.as_ref().expect("the search was just made");
        let arrivals = self.into_host[to].iter().filter_map(|&link| {
            let reached = search.reached[self.forwarder(self.links[link].from)?]?;
            Some((reached.distance, reached.order, link))
        });
        let (_, _, last) = arrivals.min()?;
        Some(self.links_to(from, last))
    }

    /// A link that joins the two hosts, searched at the host with fewer links.
    fn direct(&self, from: usize, to: usize) -> Option<usize> {
        let (leaving, entering) = (&self.out_of_host[from], &self.into_host[to]);
        let candidates = if leaving.len() < entering.len() { leaving } else { entering };
        let joins = |link: &Link| link.from == NodeRef::Host(from) && link.to == NodeRef::Host(to);
        candidates.iter().copied().find(|&link| joins(&self.links[link]))
    }

    fn search_from(&mut self, from: usize) {
        if self.last.as_ref().is_some_and(|last| last.from == from) {
            return;
        }
        let first_hops: Vec<NodeRef> =
            self.out_of_host[from].iter().map(|&link| self.links[link].to).collect();
        if let Some(last) = self.last.as_mut().filter(|last| last.first_hops == first_hops) {
            last.from = from;
            return;
        }
        let (mut reached, mut found) = self.last.take().map_or_else(
            || (vec![None; self.between_forwarders.len()], Vec::new()),
            |last| (last.reached, last.found),
        );
        for forwarder in found.drain(..) {
            reached[forwarder] = None;
        }
        for &hop in &first_hops {
            if let Some(forwarder) = self.forwarder(hop) {
                discover(forwarder, 1, None, &mut reached, &mut found);
            }
        }
        let mut next = 0;
        while next < found.len() {
            let here = found[next];
            next += 1;
            let distance = reached[here].map_or(0, |reached: Reached| reached.distance) + 1;
            for &link in &self.between_forwarders[here] {
                if let Some(forwarder) = self.forwarder(self.links[link].to) {
                    discover(forwarder, distance, Some(link), &mut reached, &mut found);
                }
            }
        }
        self.last = Some(Search { from, first_hops, reached, found });
    }

    /// Links backwards from the last one to the entry, then the host's own first link to that node.
    fn links_to(&self, from: usize, last: usize) -> Vec<usize> {
        let search = self.last.as_ref().expect("a path was found by a search");
        let mut path = vec![last];
        let mut at = self.links[last].from;
        while let Some(forwarder) = self.forwarder(at) {
            let Some(link) = search.reached[forwarder].and_then(|reached| reached.by) else {
                break;
            };
            path.push(link);
            at = self.links[link].from;
        }
        let entry = self.out_of_host[from].iter().find(|&&link| self.links[link].to == at);
        path.push(*entry.expect("the search began with the host's links"));
        path.reverse();
        path
    }
}

fn discover(
    forwarder: usize,
    distance: usize,
    by: Option<usize>,
    reached: &mut [Option<Reached>],
    found: &mut Vec<usize>,
) {
    if reached[forwarder].is_none() {
        reached[forwarder] = Some(Reached { order: found.len(), distance, by });
        found.push(forwarder);
    }
}

/// A link of a loop among `members`, if there is one.
pub(super) fn find_loop(links: &[Link], members: &[usize]) -> Option<usize> {
    let mut nodes: Vec<NodeRef> =
        members.iter().flat_map(|&link| [links[link].from, links[link].to]).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let number = |node: NodeRef| nodes.binary_search(&node).expect("every end is listed");
    let mut outgoing = vec![Vec::new(); nodes.len()];
    let mut incoming = vec![0_usize; nodes.len()];
    for &link in members {
        outgoing[number(links[link].from)].push(number(links[link].to));
        incoming[number(links[link].to)] += 1;
    }
    // Nodes without incoming links are in no loop. Their repeated removal leaves loops and the
    // nodes behind them.
    let mut free: Vec<usize> = (0..nodes.len()).filter(|&node| incoming[node] == 0).collect();
    while let Some(node) = free.pop() {
        for &next in &outgoing[node] {
            incoming[next] -= 1;
            if incoming[next] == 0 {
                free.push(next);
            }
        }
    }
    members.iter().copied().find(|&link| incoming[number(links[link].from)] > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::resolved::{Carries, LinkSection};
    use crate::units::{Framing, Rate, Span};

    fn link(from: NodeRef, to: NodeRef) -> Link {
        let line_rate = Rate::from_bits_per_second(1);
        let carries = Carries::Packets { line_rate, framing: Framing::NONE };
        Link { section: LinkSection::between("a", "b", carries, Span::ZERO).into(), from, to }
    }

    #[test]
    fn the_shorter_way_wins_and_then_the_earlier_link() {
        use NodeRef::{Host, Switch};
        let links = [
            link(Host(0), Switch(0)),
            link(Switch(0), Switch(2)),
            link(Switch(0), Switch(1)),
            link(Switch(1), Host(1)),
            link(Switch(2), Host(1)),
            link(Switch(2), Host(1)),
        ];
        assert_eq!(Routes::new(&links, 2, (3, 0)).path(0, 1), Some(vec![0, 1, 4]));
        assert_eq!(Routes::new(&links, 2, (3, 0)).path(1, 0), None);
    }

    #[test]
    fn edges_forward_as_switches_do() {
        use NodeRef::{Edge, Host, Switch};
        let links = [
            link(Host(0), Edge(1)),
            link(Edge(1), Switch(0)),
            link(Switch(0), Edge(0)),
            link(Edge(0), Host(1)),
        ];
        assert_eq!(Routes::new(&links, 2, (1, 2)).path(0, 1), Some(vec![0, 1, 2, 3]));
    }

    #[test]
    fn hosts_do_not_forward() {
        use NodeRef::{Host, Switch};
        let links = [link(Host(0), Host(1)), link(Host(1), Host(2)), link(Switch(0), Host(2))];
        assert_eq!(Routes::new(&links, 3, (1, 0)).path(0, 2), None);
        assert_eq!(Routes::new(&links, 3, (1, 0)).path(0, 1), Some(vec![0]));
    }

    #[test]
    fn a_chain_is_no_loop() {
        use NodeRef::{Host, Switch};
        let links = [
            link(Host(0), Switch(0)),
            link(Switch(0), Switch(1)),
            link(Switch(1), Switch(2)),
            link(Switch(2), Switch(1)),
        ];
        assert_eq!(find_loop(&links, &[0, 1, 2]), None);
        assert_eq!(find_loop(&links, &[0, 1, 2, 3]), Some(2));
    }
}
