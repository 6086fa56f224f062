//! The run loop.

use std::vec::Drain;

use super::clocks::{Between, Clocks};
use super::next_arrival::NextArrival;
use super::{InPort, Io, Link, Loss, Losses, Memory, NodeId, Tournament};
use crate::pdu::{Arrival, Captured};
use crate::units::{Span, Time};

/// A node to which nothing is ever sent runs at most this far ahead, so that its cells stay in the
/// cache.
const RUN_AHEAD: Span = Span::from_milliseconds(5);
/// Run-ahead limit where every link in use carries trains: its trains are long and few.
const RUN_AHEAD_IN_TRAINS: Span = Span::from_milliseconds(20);
/// Longest span that a node runs ahead, so that memory is checked in time.
const LONGEST_TURN: Span = Span::from_milliseconds(100);

/// Turns and events inside them after which a run reports, however little simulated time they took.
/// It does so within some ten milliseconds.
const MAX_STEPS: u32 = 1 << 16;

/// Packets captured by a run after which it stops, so that they can be taken.
const MAX_CAPTURED: usize = 1 << 12;

/// Anything with ports. Dispatched statically, through one closed enum.
pub trait Node {
    /// The next instant at which this node has something to do; [`Time::MAX`]: only an arrival
    /// wakes it.
    fn next_event(&self) -> Time;
    /// The next instant at which it may send the last cell of a frame, or an RM cell, if nothing
    /// arrives; a bound may be earlier.
    fn next_end(&self) -> Time {
        self.next_event()
    }
    /// An incoming link got its first cell, or one that comes before all others.
    fn on_head(&mut self, port: InPort, at: Time);
    /// Does everything before `until` and nothing at it; less only if [`Io::ends_turn`]. Returns
    /// the next instant at which it has something to do.
    fn advance(&mut self, until: Time, io: &mut Io) -> Time;
}

/// Reason why a network has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// Every node is at the barrier.
    AtBarrier,
    /// It has taken many turns or done much in one, or captured many packets, and there is more to
    /// do; everything before this instant is done.
    OnTheWay(Time),
    /// Packets have arrived at external ends at this instant; everything before it is done.
    Arrival(Time),
    /// The run exceeds its memory limit: the network has stopped somewhere before the barrier, and
    /// the run is over.
    OutOfMemory,
}

/// Nodes, links and the frames between them.
#[derive(Debug)]
pub struct Network<N> {
    nodes: Vec<N>,
    io: Io,
    ready: Tournament,
    /// Span that each node may run past the earliest event of all other nodes.
    horizon: Vec<Span>,
    /// Shortest span after which an event of one node causes an event elsewhere: the smallest
    /// lookahead of all links. Zero with external ends, whose drivers act whenever they are asked.
    echo: Span,
    /// Ways to external ends; `None` without any.
    next_arrival: Option<Box<NextArrival>>,
    /// Clocks of the links; `None` where turns are as long as lookaheads allow.
    clocks: Option<Box<Clocks>>,
}

impl<N: Node> Network<N> {
    /// Assembles a network at time zero.
    pub fn new(nodes: Vec<N>, links: Vec<Link>) -> Self {
        let mut horizon = vec![Span::MAX; nodes.len()];
        for link in &links {
            let to = &mut horizon[link.to.0.0 as usize];
            *to = (*to).min(link.lookahead);
        }
        let echo = horizon.iter().copied().min().unwrap_or(Span::ZERO).min(LONGEST_TURN);
        let in_trains = links.iter().all(|link| link.carries_trains() || !link.is_passed());
        let run_ahead = if in_trains { RUN_AHEAD_IN_TRAINS } else { RUN_AHEAD };
        for span in &mut horizon {
            *span = if *span == Span::MAX { run_ahead } else { (*span).min(LONGEST_TURN) };
        }
        let ready = nodes.iter().map(Node::next_event).collect();
        let io = Io { links, ..Io::default() };
        Self { nodes, io, ready, horizon, echo, next_arrival: None, clocks: None }
    }

    /// Advances every node to `barrier`, turn by turn: then everything before it is done, and
    /// nothing at it. It stops at the first instant at which a packet arrives at an external end.
    ///
    /// Let *floor* be the earliest event of all nodes, at node v, and h the smallest lookahead of
    /// v's incoming links. What others have to do reaches v no earlier than h after the earliest
    /// event of the others. What they will do because of v they do no earlier than an *echo*, the
    /// smallest lookahead of all links, after floor, and that reaches v h later. So v may do
    /// everything before the earlier of the two in one go, or everything before the clocks of its
    /// incoming links, if they are later.
    ///
    /// No node with external ends is past the instant of an arrival: such a node has a turn only
    /// when its next event is the earliest of all, and does what is due at that instant alone
    /// ([`stop_at_arrivals`](Self::stop_at_arrivals)). So what its driver answers at that instant
    /// is not late.
    pub fn run_until(&mut self, barrier: Time) -> Halt {
        let known = self.io.arrivals.len();
        self.io.barrier = barrier;
        self.io.steps_left = MAX_STEPS;
        self.io.captured_limit = self.io.captured.len() + MAX_CAPTURED;
        while !self.io.ends_turn() {
            let (floor, index) = self.ready.min();
            if floor >= barrier {
                return Halt::AtBarrier;
            }
            let others = self.ready.wins_until(index) - Span::from_picoseconds(1);
            let others = others.min(floor.saturating_add(self.echo)).max(floor);
            let bound = barrier.min(others.saturating_add(self.horizon[index]));
            let until = self.later(index, bound, floor);
            self.turn(index, until, until > bound);
            if let Some(first) = self.io.arrivals.get(known) {
                return Halt::Arrival(first.at);
            }
        }
        if self.io.memory.is_exceeded() {
            return Halt::OutOfMemory;
        }
        Halt::OnTheWay(self.ready.min().0)
    }

    /// `bound`, or the end of a longer turn of a node if the clocks of its links allow one.
    #[inline]
    fn later(&mut self, node: usize, bound: Time, floor: Time) -> Time {
        let Some(clocks) = &mut self.clocks else { return bound };
        let latest = self.io.barrier.min(floor.saturating_add(LONGEST_TURN));
        if bound >= latest || clocks.is_pausing(node) {
            return bound;
        }
        let now = Between { links: &self.io.links, ready: &self.ready, floor };
        let until = clocks.nothing_before(node, bound, now).min(latest);
        if self.lets_senders_go_on(latest) { until } else { bound }
    }

    /// Lets senders that hold back the node asked for last do all that they may before `latest`.
    /// False if one of them ends its turn early.
    #[inline]
    fn lets_senders_go_on(&mut self, latest: Time) -> bool {
        while let Some(clocks) = &mut self.clocks
            && let Some((sender, allowed)) = clocks.take_held_back()
        {
            let until = allowed.min(latest);
            if self.ready.key(sender) < until {
                if self.io.ends_turn() {
                    return false;
                }
                self.turn(sender, until, true);
                if self.ready.key(sender) < until {
                    return false;
                }
            }
        }
        true
    }

    /// Lets a node do everything before `until`.
    #[expect(clippy::inline_always, reason = "every turn")]
    #[inline(always)]
    fn turn(&mut self, index: usize, until: Time, is_long: bool) {
        self.io.counts_cells = is_long;
        let next = self.nodes[index].advance(until, &mut self.io);
        self.ready.set(index, next);
        if let Some(clocks) = &mut self.clocks {
            clocks.note_done(index, until.min(next));
        }
        self.wake();
    }

    /// Makes turns as long as the clocks of links allow. `senders` has the sending node of each
    /// link.
    pub fn follow_clocks(&mut self, senders: &[NodeId]) {
        let clocks = Clocks::new(self.nodes.len(), &self.io.links, senders);
        self.clocks = Some(Box::new(clocks));
    }

    /// Keeps the nodes with external ends from running ahead of the others. `senders` has the
    /// sending node of each link.
    pub fn stop_at_arrivals(&mut self, external: &[NodeId], senders: &[NodeId]) {
        if external.is_empty() {
            return;
        }
        for node in external {
            self.horizon[node.0 as usize] = Span::from_picoseconds(1);
        }
        self.echo = Span::ZERO;
        let ways = NextArrival::new(self.nodes.len(), &self.io.links, senders, external);
        self.next_arrival = Some(Box::new(ways));
    }

    /// A lower bound of the next arrival at an external end, if their drivers send nothing;
    /// [`Time::MAX`] without external ends.
    pub fn next_arrival(&self) -> Time {
        let bound = |ways: &NextArrival| ways.bound(&self.nodes, &self.ready, &self.io);
        self.next_arrival.as_deref().map_or(Time::MAX, bound)
    }

    /// Changes a node while none is advanced. This may change its next event.
    pub fn change(&mut self, node: NodeId, change: impl FnOnce(&mut N)) {
        let NodeId(index) = node;
        change(&mut self.nodes[index as usize]);
        self.ready.set(index as usize, self.nodes[index as usize].next_event());
    }

    /// The earliest instant at which anything happens.
    pub fn next_event(&self) -> Time {
        self.ready.min().0
    }

    /// Takes what has arrived at external ends, in order.
    pub fn take_arrivals(&mut self) -> Drain<'_, Arrival> {
        self.io.arrivals.drain(..)
    }

    /// Takes the packets captured before `until`, in order of time; everything before `until` must
    /// be done. Packets of one instant are in the order of their hosts; `host_of` maps an interface
    /// to its host.
    pub fn take_captured(
        &mut self,
        until: Time,
        host_of: impl Fn(u32) -> usize,
    ) -> Drain<'_, Captured> {
        let captured = &mut self.io.captured;
        captured.sort_by_key(|packet| (packet.at, host_of(packet.interface)));
        let count = captured.partition_point(|packet| packet.at < until);
        captured.drain(..count)
    }

    /// Sets the memory that the run takes at the beginning, and its limit.
    pub fn limit_memory(&mut self, memory: Memory) {
        self.io.memory = memory;
    }

    /// Starts to observe the losses of some flows.
    pub fn observe_losses(&mut self, losses: Losses) {
        self.io.losses = Some(Box::new(losses));
    }

    /// Starts to observe the losses of external flows.
    pub fn observe_external_losses(&mut self, losses: Losses) {
        self.io.external_losses = Some(Box::new(losses));
    }

    /// Takes the losses of external flows before `until`, in order of time; everything before it
    /// must be done.
    pub fn take_external_losses(&mut self, until: Time) -> Vec<Loss> {
        self.io.external_losses.as_mut().map_or_else(Vec::new, |losses| losses.take(until))
    }

    /// Takes the losses that were observed, in order of time.
    pub fn take_losses(&mut self) -> Vec<Loss> {
        self.io.losses.take().map_or_else(Vec::new, |losses| losses.finish())
    }

    /// Nodes, while all are at a barrier. Their next events must not be changed.
    pub fn nodes_mut(&mut self) -> &mut [N] {
        &mut self.nodes
    }

    /// Visits every node while all are at a barrier; a port may catch up and send what begins at
    /// that instant.
    pub fn visit(&mut self, mut visit: impl FnMut(&mut N, &mut Io)) {
        for index in 0..self.nodes.len() {
            visit(&mut self.nodes[index], &mut self.io);
            self.wake();
        }
    }

    /// The nodes, for reports.
    pub fn nodes(&self) -> &[N] {
        &self.nodes
    }

    /// Links and the contents of their cells, for reports.
    pub fn io(&self) -> &Io {
        &self.io
    }

    /// Tells the receivers of links whose next cell has changed.
    #[expect(clippy::inline_always, reason = "every turn, most of which fill a link or none")]
    #[inline(always)]
    fn wake(&mut self) {
        while let Some(link) = self.io.newly_filled.pop() {
            let link = &self.io.links[link.0 as usize];
            let (NodeId(node), port) = link.to;
            let at = link.head();
            debug_assert!(
                self.clocks.as_ref().is_none_or(|clocks| clocks.done(node as usize) <= at),
                "nothing arrives in the past of its receiver"
            );
            self.nodes[node as usize].on_head(port, at);
            self.ready.lower(node as usize, at);
        }
    }
}

#[cfg(test)]
mod tests;
