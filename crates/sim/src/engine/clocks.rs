//! Clocks of links: how far a node may run ahead where its links allow more than the lookaheads.
//!
//! Nothing sent from now on arrives on a link before its *clock*: the later of its last arrival so
//! far, where it keeps the order of sending, and what its sender has done, plus lookahead. A sender
//! does nothing before the end of its last turn, nor before the earliest event of all nodes. One
//! that waits does nothing before its next event and the clocks of its own incoming links.

use super::{Link, NodeId, Tournament};
use crate::units::{Span, Time};

/// Shortest span: what is sent after a unit arrives so much after it, or later.
const INSTANT: Span = Span::from_picoseconds(1);

/// A link into a node.
#[derive(Clone, Copy, Debug)]
struct Input {
    link: usize,
    sender: usize,
    lookahead: Span,
}

/// Clocks of all links, as of the beginning of a turn.
#[derive(Debug)]
pub(super) struct Clocks {
    /// Links on which something may be sent, by the node that they lead to.
    inputs: Vec<Input>,
    /// Begin of each node's inputs among these, and the end of the last.
    begins: Vec<usize>,
    /// Input of each node that kept it from a longer turn the last time: it is asked first.
    strictest: Vec<usize>,
    /// Instant before which each node has done everything.
    done: Vec<Time>,
}

/// State of a network between two turns.
#[derive(Clone, Copy)]
pub(super) struct Between<'a> {
    pub(super) links: &'a [Link],
    /// Next events of the nodes.
    pub(super) ready: &'a Tournament,
    /// The earliest of them.
    pub(super) floor: Time,
}

impl Clocks {
    /// Clocks of a network of so many `nodes`. `senders` has the sending node of each link.
    pub(super) fn new(nodes: usize, links: &[Link], senders: &[NodeId]) -> Self {
        let mut of_node = vec![Vec::new(); nodes];
        for (index, (link, NodeId(sender))) in links.iter().zip(senders).enumerate() {
            if link.is_passed() {
                let lookahead = link.lookahead;
                let input = Input { link: index, sender: *sender as usize, lookahead };
                of_node[link.to.0.0 as usize].push(input);
            }
        }
        let mut begins = vec![0];
        begins.extend(of_node.iter().scan(0, |end, inputs| {
            *end += inputs.len();
            Some(*end)
        }));
        Self {
            inputs: of_node.into_iter().flatten().collect(),
            strictest: begins[..nodes].to_vec(),
            begins,
            done: vec![Time::ZERO; nodes],
        }
    }

    /// Notes that a node has done everything before `at`.
    #[inline]
    pub(super) fn note_done(&mut self, node: usize, at: Time) {
        self.done[node] = at;
    }

    /// Instant before which a node has done everything.
    pub(super) fn done(&self, node: usize) -> Time {
        self.done[node]
    }

    /// Instant before which nothing arrives at a node that is not on its way already, if that is
    /// later than `bound`; otherwise `bound`, as soon as one input says so.
    pub(super) fn nothing_before(&mut self, node: usize, bound: Time, now: Between<'_>) -> Time {
        let inputs = self.begins[node]..self.begins[node + 1];
        if inputs.is_empty() {
            return bound;
        }
        let mut least = self.clock(self.strictest[node], bound, now);
        if least <= bound {
            return bound;
        }
        for input in inputs {
            let clock = self.clock(input, bound, now);
            if clock <= bound {
                self.strictest[node] = input;
                return bound;
            }
            least = least.min(clock);
        }
        least
    }

    /// Clock of an input; it may be later than said if that is later than `bound`.
    #[inline]
    fn clock(&mut self, input: usize, bound: Time, now: Between<'_>) -> Time {
        let clock = self.clock_by_sender(input, now);
        let Input { sender, lookahead, .. } = self.inputs[input];
        let next = now.ready.key(sender).saturating_add(lookahead);
        if clock > bound || next <= bound {
            return clock;
        }
        self.clock_by_inputs(sender, bound - lookahead, now).saturating_add(lookahead).min(next)
    }

    /// Clock of an input, for what its sender has done.
    #[inline]
    fn clock_by_sender(&self, input: usize, now: Between<'_>) -> Time {
        let Input { link, sender, lookahead } = self.inputs[input];
        let done = self.done[sender].max(now.floor).saturating_add(lookahead);
        now.links[link].last_in_order().map_or(done, |last| done.max(last + INSTANT))
    }

    /// The least clock of a node's inputs, or one that is not later than `bound`.
    fn clock_by_inputs(&mut self, node: usize, bound: Time, now: Between<'_>) -> Time {
        let inputs = self.begins[node]..self.begins[node + 1];
        if inputs.is_empty() {
            return Time::MAX;
        }
        let mut least = self.clock_by_sender(self.strictest[node], now);
        if least <= bound {
            return least;
        }
        for input in inputs {
            least = least.min(self.clock_by_sender(input, now));
            if least <= bound {
                self.strictest[node] = input;
                return least;
            }
        }
        least
    }
}
