//! Connections: sources with their sinks and starts.
//!
//! A source and a sink of one block are a connection if each names the port of the other as its
//! peer. The one source and one sink that are left of two hosts are a connection too: scripts of
//! the manual name other ports at `peer` than at the `own` of the other end.

use std::ops::Range;

use crate::meaning::{Meant, Role, meaning};
use crate::script::{Block, Item, Mode, Script};
use cellway_sim::scenario::Fault;
use cellway_sim::units::Span;

/// Tests by number, connections between them, and the blocks that they stand in.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) tests: Vec<Meant>,
    pub(crate) connections: Vec<Connection>,
    pub(crate) root: Placed,
}

/// A source and its sink.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Connection {
    pub(crate) source: usize,
    pub(crate) sink: usize,
    pub(crate) start: Span,
}

/// A block with its tests.
#[derive(Debug)]
pub(crate) struct Placed {
    pub(crate) mode: Mode,
    pub(crate) at: Range<usize>,
    pub(crate) start: Span,
    pub(crate) tests: Range<usize>,
    pub(crate) blocks: Vec<Self>,
}

/// Instant of an end, or else the test whose end is not known.
type Over = Result<Span, Range<usize>>;

pub(crate) fn plan(script: &Script) -> Result<Plan, Fault> {
    let mut planner = Planner { tests: Vec::new(), connections: Vec::new() };
    let (root, _) = planner.place(&script.root, Span::ZERO)?;
    let Planner { tests, connections } = planner;
    if connections.is_empty() {
        let message =
            "the script has no connections; expected a source and its sink, each a `test`";
        return Err(Fault::new(&script.root.at, message));
    }
    Ok(Plan { tests, connections, root })
}

struct Planner {
    tests: Vec<Meant>,
    connections: Vec<Connection>,
}

impl Planner {
    fn place(&mut self, block: &Block, start: Span) -> Result<(Placed, Over), Fault> {
        let first = self.tests.len();
        for part in &block.parts {
            let Item::Test(test) = part else { continue };
            if block.mode == Mode::Serial {
                let message = "a test that stands in `serial` has no partner at its time; expected \
                               source and sink in a `cluster` there";
                return Err(Fault::new(&test.at, message));
            }
            self.tests.push(meaning(test)?);
        }
        let tests = first..self.tests.len();
        let mut over = self.connect(tests.clone(), start)?;
        let mut blocks = Vec::new();
        for part in &block.parts {
            let Item::Block(inner) = part else { continue };
            let begins = match (block.mode, &over) {
                (Mode::Serial, Ok(end)) => *end,
                (Mode::Serial, Err(test)) => return Err(endless(test)),
                _ => start,
            };
            let (placed, inner_over) = self.place(inner, begins)?;
            blocks.push(placed);
            over = later(over, inner_over);
        }
        let (mode, at) = (block.mode, block.at.clone());
        Ok((Placed { mode, at, start, tests, blocks }, over))
    }

    /// Finds the sinks of these tests' sources; returns the end of all of them.
    fn connect(&mut self, tests: Range<usize>, start: Span) -> Result<Over, Fault> {
        let is_sink = |&index: &usize| matches!(self.tests[index].role, Role::Sink);
        let (mut sinks, sources): (Vec<usize>, Vec<usize>) = tests.partition(is_sink);
        let mut left = Vec::new();
        let mut found = Vec::new();
        for source in sources {
            match sinks.iter().position(|&sink| self.is_pair(source, sink)) {
                Some(place) => found.push((source, sinks.remove(place))),
                None => left.push(source),
            }
        }
        for &source in &left {
            let rivals = left.iter().filter(|&&other| self.has_same_ends(source, other)).count();
            let of_hosts = |&&sink: &&usize| self.joins_hosts(source, sink);
            let candidates: Vec<usize> = sinks.iter().filter(of_hosts).copied().collect();
            match (rivals, &candidates[..]) {
                (1, &[sink]) => {
                    sinks.retain(|&other| other != sink);
                    found.push((source, sink));
                }
                _ => return Err(self.unpaired(source, "sink", "a `test` of type `sink`")),
            }
        }
        if let Some(&sink) = sinks.first() {
            return Err(self.unpaired(sink, "source", "a `test` of another type than `sink`"));
        }
        found.sort_unstable();
        let mut over = Ok(start);
        for (source, sink) in found {
            self.refuse_other_protocol(source, sink)?;
            self.connections.push(Connection { source, sink, start });
            over = later(over, self.over(source, start)?);
        }
        Ok(over)
    }

    fn is_pair(&self, source: usize, sink: usize) -> bool {
        let (source, sink) = (&self.tests[source], &self.tests[sink]);
        source.own.is(&sink.peer) && source.peer.is(&sink.own)
    }

    fn joins_hosts(&self, source: usize, sink: usize) -> bool {
        let (source, sink) = (&self.tests[source], &self.tests[sink]);
        source.own.host.text == sink.peer.host.text && source.peer.host.text == sink.own.host.text
    }

    fn has_same_ends(&self, one: usize, other: usize) -> bool {
        let (one, other) = (&self.tests[one], &self.tests[other]);
        one.own.host.text == other.own.host.text && one.peer.host.text == other.peer.host.text
    }

    fn unpaired(&self, test: usize, partner: &str, expected: &str) -> Fault {
        let Meant { own, peer, .. } = &self.tests[test];
        let message = format!(
            "no {partner} at `{}` in this block has `{}` as its peer; expected {expected} with \
             `own = {0}` and `peer = {1}`",
            peer.text(),
            own.text()
        );
        Fault::new(&peer.host.at, message)
    }

    fn refuse_other_protocol(&self, source: usize, sink: usize) -> Result<(), Fault> {
        let (source, sink) = (&self.tests[source], &self.tests[sink]);
        if source.protocol.is_tcp == sink.protocol.is_tcp {
            return Ok(());
        }
        let word = if source.protocol.is_tcp { "tcp" } else { "udp" };
        let message = format!("the source of this sink uses `{word}`; expected the same");
        Err(Fault::new(&sink.protocol_at, message))
    }

    fn over(&self, source: usize, start: Span) -> Result<Over, Fault> {
        let test = &self.tests[source];
        let Some(lasts) = test.role.lasts() else { return Ok(Err(test.type_at.clone())) };
        if lasts <= Span::LONGEST - start {
            return Ok(Ok(start + lasts));
        }
        let message = format!("it ends after more than {}; expected sooner", Span::LONGEST);
        Err(Fault::new(&test.type_at, message))
    }
}

/// The later of two ends, if both are known.
fn later(one: Over, other: Over) -> Over {
    Ok(one?.max(other?))
}

fn endless(test: &Range<usize>) -> Fault {
    let message = "the next block of `serial` begins when this test is over, which is not known; \
                   expected `duration`, in seconds, or `repeats` of one `period`";
    Fault::new(test, message)
}
