//! Clocks of links.

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
