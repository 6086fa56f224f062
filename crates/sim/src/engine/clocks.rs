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
mod tests {
    use super::*;
    use crate::engine::{InPort, Io, LinkId, TrainOrder};
    use crate::pdu::{Cell, CellHead, Train};

    const SENDER: NodeId = NodeId(0);
    const OTHER: NodeId = NodeId(1);
    const RECEIVER: NodeId = NodeId(2);
    const FIRST: NodeId = NodeId(3);

    fn at(ps: i64) -> Time {
        Time::from_picoseconds(ps)
    }

    fn link(lookahead: i64, to: NodeId) -> Link {
        Link::new(Span::from_picoseconds(lookahead), (to, InPort(0)))
    }

    fn cell(ps: i64) -> Cell {
        Cell { at: at(ps), head: CellHead::raw(0) }
    }

    /// Links, and the next events and deeds of four nodes.
    struct State {
        io: Io,
        clocks: Clocks,
        ready: Tournament,
    }

    impl State {
        fn new(links: Vec<Link>, senders: &[NodeId], next: [i64; 4]) -> Self {
            let clocks = Clocks::new(4, &links, senders);
            let ready = next.into_iter().map(at).collect();
            Self { io: Io { links, ..Io::default() }, clocks, ready }
        }

        fn nothing_before(&mut self, bound: i64) -> i64 {
            let now = Between { links: &self.io.links, ready: &self.ready, floor: at(100) };
            self.clocks.least_clock(2, at(bound), now).picoseconds()
        }

        fn held_back(&mut self) -> Vec<(usize, Time)> {
            std::iter::from_fn(|| self.clocks.take_held_back()).collect()
        }

        fn nothing_before_unless_dear(&mut self, bound: i64) -> i64 {
            let now = Between { links: &self.io.links, ready: &self.ready, floor: at(100) };
            if self.clocks.is_pausing(2) {
                return bound;
            }
            self.clocks.nothing_before(2, at(bound), now).picoseconds()
        }
    }

    /// Two links into the receiver; nobody else receives anything.
    fn two_inputs(keeps_order: bool) -> State {
        let links = vec![link(10, RECEIVER).in_order(keeps_order), link(20, RECEIVER)];
        State::new(links, &[SENDER, OTHER], [130, 400, 100, 100])
    }

    #[test]
    fn the_least_clock_of_all_inputs_counts() {
        let mut state = two_inputs(true);
        // By the next event of the first sender, 130; the other does nothing before 400.
        assert_eq!(state.nothing_before(109), 140);
        assert_eq!(state.nothing_before(125), 140);
        assert_eq!(state.nothing_before(140), 140);
        state.clocks.note_done(0, at(150));
        assert_eq!(state.nothing_before(125), 160, "and not before what it has done");
        state.clocks.note_done(0, at(700));
        assert_eq!(state.nothing_before(125), 420);
        assert_eq!(state.nothing_before(430), 430);
        state.clocks.note_done(1, at(600));
        assert_eq!(state.nothing_before(430), 620);
    }

    #[test]
    fn what_is_on_a_link_in_order_comes_before_all_else() {
        for (keeps_order, expected) in [(true, 301), (false, 140)] {
            let mut state = two_inputs(keeps_order);
            state.io.send(LinkId(0), 0, cell(250));
            state.io.send(LinkId(0), 0, cell(300));
            assert_eq!(state.nothing_before(125), expected);
            state.io.links[0].take_alone();
            assert_eq!(state.nothing_before(125), expected, "the last one is there");
        }
    }

    /// A receiver takes a train when its first cell comes, and its other cells are under way.
    #[test]
    fn the_last_cell_of_a_train_counts_also_when_it_is_taken_or_grows() {
        let links = vec![link(10, RECEIVER).in_order(true).with_trains(TrainOrder::First)];
        let mut state = State::new(links, &[SENDER], [130, 400, 100, 100]);
        let train = |ps, count| Train::new(cell(ps), Span::from_picoseconds(10), count);
        state.io.send_train(LinkId(0), 0, train(200, 5));
        assert_eq!(state.nothing_before(125), 241);
        state.io.send_train(LinkId(0), 0, train(250, 3));
        assert_eq!(state.nothing_before(125), 271, "it has become longer");
        assert_eq!(state.io.links[0].take().map(|train| train.count), Some(8));
        assert_eq!(state.nothing_before(125), 271);
    }

    #[test]
    fn a_sender_that_waits_is_as_far_as_its_own_links() {
        let links = vec![link(10, RECEIVER), link(50, SENDER).in_order(true)];
        let never = Time::MAX.picoseconds();
        let mut state = State::new(links, &[SENDER, FIRST], [never, 400, 100, 190]);
        assert_eq!(state.nothing_before(125), 100 + 50 + 10, "one link behind it is enough");
        state.clocks.note_done(3, at(170));
        assert_eq!(state.nothing_before(125), 170 + 50 + 10);
        assert_eq!(state.nothing_before(230), 230);
        state.io.send(LinkId(1), 0, cell(330));
        assert_eq!(state.nothing_before(230), 331 + 10, "nothing overtakes what comes at 330");
        assert_eq!(state.held_back(), []);
        state.ready.set(0, at(331));
        assert_eq!(state.nothing_before(230), 331 + 10);
        assert_eq!(state.held_back(), [], "what it does at 331 comes later");
        state.ready.set(0, at(330));
        assert_eq!(state.nothing_before(230), 331 + 10);
        assert_eq!(state.held_back(), [(0, at(331))], "it has something to do before");
        assert_eq!(state.nothing_before(341), 341);
        assert_eq!(state.held_back(), [], "that would not be enough");
    }

    /// A host that receives from a switch and the switch, which receives from two.
    #[test]
    fn a_sender_with_more_inputs_is_asked_for_them_if_it_must_be_and_not_let_on() {
        let links = vec![link(50, RECEIVER), link(20, SENDER), link(20, SENDER)];
        let never = Time::MAX.picoseconds();
        let mut state = State::new(links, &[SENDER, FIRST, OTHER], [130, never, 100, never]);
        assert_eq!(state.nothing_before(140), 100 + 50, "the end of its turn is enough");
        assert_eq!(state.held_back(), []);
        state.clocks.note_done(1, at(170));
        state.clocks.note_done(3, at(180));
        assert_eq!(state.nothing_before(155), 130 + 50, "to its next event");
        assert_eq!(state.held_back(), []);
        state.ready.set(0, Time::MAX);
        assert_eq!(state.nothing_before(155), 170 + 20 + 50, "or what may come to it");
    }

    #[test]
    fn a_sender_that_waits_is_as_far_as_the_least_of_its_own_links() {
        let links = vec![link(10, RECEIVER), link(90, SENDER), link(70, SENDER)];
        let never = Time::MAX.picoseconds();
        let senders = [SENDER, FIRST, OTHER];
        let mut state = State::new(links, &senders, [never, 100, 100, 100]);
        assert_eq!(state.nothing_before(125), 100 + 70 + 10);
        state.clocks.note_done(1, at(700));
        assert_eq!(state.nothing_before(125), 100 + 90 + 10);
    }

    #[test]
    fn links_that_carry_nothing_and_nodes_without_links_bound_nothing() {
        let mut unused = link(1, RECEIVER);
        unused.lookahead = Span::MAX;
        let mut state = State::new(vec![unused], &[SENDER], [100; 4]);
        assert_eq!(state.nothing_before(125), 125);
    }

    /// A look is worth a sixteenth of a turn, here of 25 ps: two of them 3.1 ps.
    #[test]
    fn clocks_that_bring_little_are_looked_at_ever_more_seldom() {
        let mut state = two_inputs(false);
        state.ready.set(0, at(116));
        for pause in [1, 3, 7] {
            assert_eq!(state.nothing_before_unless_dear(125), 126, "1 ps more is not worth it");
            for _ in 0..pause {
                assert_eq!(state.nothing_before_unless_dear(125), 125);
            }
        }
        state.ready.set(0, at(300));
        for _ in 0..3 {
            assert!(state.nothing_before_unless_dear(125) > 200, "always");
        }
        state.ready.set(0, at(116));
        assert_eq!(state.nothing_before_unless_dear(125), 126);
        assert_eq!(state.nothing_before_unless_dear(125), 125);
        assert_eq!(state.nothing_before_unless_dear(125), 126, "it begins anew with one turn");
    }
}
