//! Networks of nodes in one order.

use super::*;
use crate::engine::LinkId;
use crate::pdu::{Cell, CellHead};

const LOOKAHEAD: Span = Span::from_picoseconds(10);

/// A sender of a cell each 1000 ps that has no more than one event in a turn, and a receiver
/// with an event each 100 ps that notes where its turns end, and if cells count.
#[derive(Debug)]
enum End {
    Sender(Time),
    Receiver(Time, Vec<(Time, bool)>),
}

impl Node for End {
    fn next_event(&self) -> Time {
        match self {
            Self::Sender(next) | Self::Receiver(next, _) => *next,
        }
    }

    fn on_head(&mut self, _port: InPort, _at: Time) {}

    fn advance(&mut self, until: Time, io: &mut Io) -> Time {
        match self {
            Self::Sender(next) => {
                let cell = Cell { at: *next + LOOKAHEAD, head: CellHead::raw(0) };
                io.send(LinkId(0), 0, cell);
                *next += Span::from_picoseconds(1000);
            }
            Self::Receiver(next, ends) => {
                ends.push((until, io.counts_cells));
                while *next < until {
                    *next += Span::from_picoseconds(100);
                }
            }
        }
        self.next_event()
    }
}

/// Turns of the receiver.
fn turns(follows_clocks: bool) -> Vec<(Time, bool)> {
    let link = Link::new(LOOKAHEAD, (NodeId(1), InPort(0))).in_order(true);
    let nodes = vec![End::Sender(Time::ZERO), End::Receiver(Time::ZERO, Vec::new())];
    let mut network = Network::new(nodes, vec![link]);
    if follows_clocks {
        network.follow_clocks(&[NodeId(0)]);
    }
    network.run_until(Time::from_picoseconds(5000));
    let End::Receiver(_, ends) = &network.nodes[1] else { unreachable!("it is the second") };
    ends.clone()
}

/// Turns of a receiver of a node that receives from a third one. This one comes first, then the
/// receiver, at time zero.
fn turns_behind(first: End, second: End) -> Vec<Vec<(Time, bool)>> {
    let link = |node| Link::new(LOOKAHEAD, (NodeId(node), InPort(0))).in_order(true);
    let nodes = vec![first, End::Receiver(Time::ZERO, Vec::new()), second];
    let mut network = Network::new(nodes, vec![link(1), link(2)]);
    network.follow_clocks(&[NodeId(2), NodeId(0)]);
    network.run_until(Time::from_picoseconds(5000));
    let ends = |node: &End| match node {
        End::Receiver(_, ends) => ends.clone(),
        End::Sender(_) => Vec::new(),
    };
    network.nodes.iter().map(ends).collect()
}

#[test]
fn a_sender_that_holds_a_node_back_goes_on_first() {
    let with_events_from = |at| End::Receiver(Time::from_picoseconds(at), Vec::new());
    let ends = turns_behind(with_events_from(900), with_events_from(0));
    let first = Time::ZERO + LOOKAHEAD;
    assert_eq!(ends[2][0], (first, true), "all before what may come from the first one");
    assert_eq!(ends[1][0], (first + LOOKAHEAD, true), "and all before what may follow");
}

/// The second node has one event in a turn, although it may have all before the barrier.
#[test]
fn a_sender_that_ends_its_turn_early_holds_its_receiver_back() {
    let ends = turns_behind(End::Receiver(Time::ZERO, Vec::new()), End::Sender(Time::ZERO));
    assert_eq!(ends[1][0], (Time::ZERO + LOOKAHEAD, false));
}

/// A node that ends its turn early has not done what it was asked to.
#[test]
fn a_turn_that_ends_early_lets_nobody_run_past_it() {
    let first = Time::from_picoseconds(1000) + LOOKAHEAD;
    assert_eq!(turns(true)[0], (first, true), "when the second cell comes");
}

#[test]
fn cells_count_in_turns_longer_than_lookaheads_allow() {
    assert!(turns(false).iter().all(|(_, counts)| !counts));
    assert!(turns(true).iter().all(|(_, counts)| *counts));
}
