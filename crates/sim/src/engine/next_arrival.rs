//! A lower bound of the next arrival at an external end: until then its driver may sleep.
//!
//! A packet arrives with the last cell of its frame. That cell waits at a node, which says when it
//! may send such a cell, or is on a link, or is not sent yet and follows from an event of another
//! node; an RM cell may be such an event, other cells of frames are none. From there it takes at
//! least the lookaheads of the links to an external end, on the shortest way.

use super::{Io, Link, Node, NodeId, Tournament};
use crate::units::{Span, Time};

/// Ways to the nodes with external ends.
#[derive(Debug)]
pub(super) struct NextArrival {
    /// Least span from an event of each node to an arrival that follows from it; [`Span::MAX`] if
    /// none does.
    spans: Vec<Span>,
    is_external: Vec<bool>,
    /// Links into each node.
    incoming: Vec<Vec<usize>>,
}

impl NextArrival {
    /// Finds the ways in a network of so many `nodes`. `senders` has the sending node of each link.
    pub(super) fn new(
        nodes: usize,
        links: &[Link],
        senders: &[NodeId],
        external: &[NodeId],
    ) -> Self {
        let mut ways = Self {
            spans: vec![Span::MAX; nodes],
            is_external: vec![false; nodes],
            incoming: vec![Vec::new(); nodes],
        };
        for NodeId(node) in external {
            ways.is_external[*node as usize] = true;
        }
        for (index, link) in links.iter().enumerate().filter(|(_, link)| link.is_passed()) {
            ways.incoming[link.to.0.0 as usize].push(index);
        }
        while ways.are_shortened(links, senders) {}
        ways
    }

    /// True if a way over one link more is shorter than those known before.
    fn are_shortened(&mut self, links: &[Link], senders: &[NodeId]) -> bool {
        let mut is_shortened = false;
        for (link, NodeId(sender)) in links.iter().zip(senders).filter(|(link, _)| link.is_passed())
        {
            let rest = self.rest(link.to.0.0 as usize);
            let known = &mut self.spans[*sender as usize];
            if rest < Span::MAX && link.lookahead + rest < *known {
                *known = link.lookahead + rest;
                is_shortened = true;
            }
        }
        is_shortened
    }

    /// Least span from the arrival of a frame at a node to that at an external end.
    fn rest(&self, node: usize) -> Span {
        if self.is_external[node] { Span::ZERO } else { self.spans[node] }
    }

    /// The bound; `ready` has the next event of each node.
    pub(super) fn bound<N: Node>(&self, nodes: &[N], ready: &Tournament, io: &Io) -> Time {
        let bound = |node: usize, most: Time| {
            let own = nodes[node].next_end().saturating_add(self.spans[node]);
            let incoming = self.incoming[node].iter();
            incoming.fold(most.min(own), |most, &link| self.on_link(&io.links[link], most))
        };
        ready.least_bound(&bound, Time::MAX)
    }

    /// `most`, or less if the contents of a link arrive before; they are in order of first cells.
    fn on_link(&self, link: &Link, most: Time) -> Time {
        let node = link.to.0.0 as usize;
        let (after_frame, after_event) = (self.rest(node), self.spans[node]);
        let mut least = most;
        for train in link.trains() {
            if train.first.at.saturating_add(after_frame) >= least {
                break;
            }
            if train.end().is_some() {
                least = least.min(train.last().saturating_add(after_frame));
            } else if train.first.head.is_rm() {
                least = least.min(train.first.at.saturating_add(after_event));
            }
        }
        least
    }
}
