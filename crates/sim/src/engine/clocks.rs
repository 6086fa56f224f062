//! Clocks of links: how far a node may run ahead where its links allow more than the lookaheads.
//!
//! Nothing sent from now on arrives on a link before its *clock*: the later of its last arrival so
//! far, where it keeps the order of sending, and what its sender has done, plus lookahead. A sender
//! does nothing before the end of its last turn, nor before the earliest event of all nodes. One
//! that waits does nothing before the clocks of its own incoming links. One that holds a node back,
//! with something to do before them, is let on first: otherwise a switch that many hosts send to
//! would go on from the next event of one host to that of another, and look at the clocks of all
//! between.

use super::{Link, NodeId, Tournament};
use crate::units::{Span, Time};

/// Shortest span: what is sent after a unit arrives so much after it, or later.
const INSTANT: Span = Span::from_picoseconds(1);

/// Most turns of a node in a row for which its clocks are not looked at.
const LONGEST_PAUSE: u32 = 1023;

/// Clocks that may be looked at for each turn that is saved, by measurement.
const LOOKS_PER_TURN: i64 = 16;

/// A link into a node.
#[derive(Clone, Copy, Debug)]
struct Input {
    link: u32,
    sender: u32,
    lookahead: Span,
}

/// A node's part of the clocks, in one place: a turn reads all of it.
#[derive(Clone, Copy, Debug)]
struct OfNode {
    /// Instant before which the node has done everything.
    done: Time,
    /// First of its inputs, and the end of the last.
    inputs: (u32, u32),
    /// Input that kept it from a longer turn the last time: it is asked first.
    strictest: u32,
    /// Turns for which its clocks are not looked at.
    pause: Pause,
}

impl OfNode {
    fn count(&self) -> u32 {
        self.inputs.1 - self.inputs.0
    }

    /// Its inputs, the strictest one first.
    fn inputs(&self) -> impl Iterator<Item = usize> + use<> {
        let (inputs, strictest) = (self.inputs.0..self.inputs.1, self.strictest);
        let first = (!inputs.is_empty()).then_some(strictest);
        let others = inputs.filter(move |input| *input != strictest);
        first.into_iter().chain(others).map(|input| input as usize)
    }
}

/// Clocks of all links, as of the beginning of a turn.
#[derive(Debug)]
pub(super) struct Clocks {
    /// Links on which something may be sent, by the node that they lead to.
    inputs: Vec<Input>,
    nodes: Vec<OfNode>,
    /// Clocks looked at for the present turn.
    looks: u32,
    /// Senders that have something to do before the turn, and the instants before which they may
    /// do everything.
    held_back: Vec<(usize, Time)>,
}

/// Turns of a node for which its clocks are not looked at, since that was not worth it.
#[derive(Clone, Copy, Debug, Default)]
struct Pause {
    left: u32,
    length: u32,
}

impl Pause {
    /// Notes whether looking at the clocks was worth it; if not, twice as many turns are left out.
    fn note(&mut self, was_worth_it: bool) {
        self.length = if was_worth_it { 0 } else { (2 * self.length + 1).min(LONGEST_PAUSE) };
        self.left = self.length;
    }
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
        let mut inputs_of = vec![Vec::new(); nodes];
        for (index, (link, NodeId(sender))) in links.iter().zip(senders).enumerate() {
            if link.is_passed() {
                let lookahead = link.lookahead;
                let input = Input { link: index as u32, sender: *sender, lookahead };
                inputs_of[link.to.0.0 as usize].push(input);
            }
        }
        let mut begin = 0;
        let of_node = inputs_of.iter().map(|inputs| {
            let (first, end) = (begin, begin + inputs.len() as u32);
            begin = end;
            let (done, pause) = (Time::ZERO, Pause::default());
            OfNode { done, inputs: (first, end), strictest: first, pause }
        });
        let nodes = of_node.collect();
        Self {
            inputs: inputs_of.into_iter().flatten().collect(),
            nodes,
            looks: 0,
            held_back: Vec::new(),
        }
    }

    /// Notes that a node has done everything before `at`.
    #[inline]
    pub(super) fn note_done(&mut self, node: usize, at: Time) {
        self.nodes[node].done = at;
    }

    /// Instant before which a node has done everything.
    pub(super) fn done(&self, node: usize) -> Time {
        self.nodes[node].done
    }

    /// True if the clocks of a node are not looked at in this turn.
    #[inline]
    pub(super) fn is_pausing(&mut self, node: usize) -> bool {
        let left = &mut self.nodes[node].pause.left;
        let is_pausing = *left > 0;
        *left -= u32::from(is_pausing);
        is_pausing
    }

    /// Instant before which nothing arrives at a node that is not on its way already, if that is
    /// later than `bound` and not too dear to find; otherwise `bound`. It is so once the senders
    /// that [hold it back](Self::take_held_back) have had their turns.
    ///
    /// Where looking at clocks costs more than the turns that it saves, the node is left alone for
    /// a number of turns, which doubles: a node with a thousand inputs would look at most of them
    /// for a turn that is hardly longer.
    #[inline(never)]
    pub(super) fn nothing_before(&mut self, node: usize, bound: Time, now: Between<'_>) -> Time {
        self.looks = 0;
        let until = self.least_clock(node, bound, now);
        let turn = (bound - now.floor).picoseconds().max(1);
        let worth = (until - bound).picoseconds().saturating_mul(LOOKS_PER_TURN) / turn;
        self.nodes[node].pause.note(worth >= i64::from(self.looks));
        until
    }

    /// Takes one of the senders that hold back the node that was asked for last: before the end of
    /// its turn they have something to do, and nothing arrives before an instant.
    pub(super) fn take_held_back(&mut self) -> Option<(usize, Time)> {
        self.held_back.pop()
    }

    /// The least clock of a node's inputs, if it is later than `bound`; otherwise `bound`, as soon
    /// as one input says so.
    fn least_clock(&mut self, node: usize, bound: Time, now: Between<'_>) -> Time {
        self.held_back.clear();
        let mut least = None;
        for input in self.nodes[node].inputs() {
            let clock = self.clock(node, input, bound, now);
            if clock <= bound {
                self.nodes[node].strictest = input as u32;
                self.held_back.clear();
                return bound;
            }
            least = Some(least.map_or(clock, |least: Time| least.min(clock)));
        }
        least.unwrap_or(bound)
    }

    /// Clock of an input of a node when its sender has done all that it may; it may be later than
    /// said if that is later than `bound`. A sender without inputs, which would run far ahead, and
    /// one with more than the node has are not let on, and the latter is asked for its inputs only
    /// if the clock is no later than `bound` otherwise.
    #[inline]
    fn clock(&mut self, node: usize, input: usize, bound: Time, now: Between<'_>) -> Time {
        let clock = self.clock_by_sender(input, now);
        let Input { sender, lookahead, .. } = self.inputs[input];
        let sender = sender as usize;
        let next = now.ready.key(sender);
        let count = self.nodes[sender].count();
        if count == 0 {
            return clock.max(next.saturating_add(lookahead));
        }
        let goes_on = count <= self.nodes[node].count();
        if clock > bound && !goes_on {
            return clock;
        }
        let allowed = self.clock_by_inputs(sender, bound - lookahead, now);
        let is_held_back = next < allowed && allowed.saturating_add(lookahead) > clock;
        if is_held_back && goes_on {
            self.held_back.push((sender, allowed));
        }
        let done = if goes_on { allowed } else { allowed.min(next) };
        clock.max(done.saturating_add(lookahead))
    }

    /// Clock of an input, for what its sender has done.
    #[inline]
    fn clock_by_sender(&mut self, input: usize, now: Between<'_>) -> Time {
        self.looks += 1;
        let Input { link, sender, lookahead } = self.inputs[input];
        let done = self.nodes[sender as usize].done.max(now.floor).saturating_add(lookahead);
        now.links[link as usize].last_in_order().map_or(done, |last| done.max(last + INSTANT))
    }

    /// The least clock of a node's inputs, or one that is not later than `bound`.
    fn clock_by_inputs(&mut self, node: usize, bound: Time, now: Between<'_>) -> Time {
        let mut least = Time::MAX;
        for input in self.nodes[node].inputs() {
            least = least.min(self.clock_by_sender(input, now));
            if least <= bound {
                self.nodes[node].strictest = input as u32;
                return least;
            }
        }
        least
    }
}

#[cfg(test)]
mod tests;
