//! A proxy: connections that end at a host are read and written to others that begin there.
//!
//! Source: the proxies of Shakkottai et al. 2001, figure 2, with the behaviour of programs that
//! copy between two sockets: the split connections of RFC 3135. A connection is read as soon as its
//! bytes are there, but only as far as the next connection's send buffer has room. Unread bytes
//! take space of the receive buffer, so that the advertised window closes and the previous sender
//! waits. Where several connections wait for the room of one they are read in turn, at most `block`
//! bytes each time.
//!
//! A shared connection ([`SharedStreams`]) is read in the order of its bytes: while the next byte's
//! connection has no room, the bytes behind it wait, too.
//!
//! A connection with `over` opens when its first byte has arrived, the others when their flow
//! starts. A FIN is passed on where one connection is relayed to one other. A connection that
//! several write to stays open.
//!
//! **Answers.** Where a connection is relayed to one other, bytes that come back on that one are
//! written to the first likewise: both ends of the proxy read and write.
//!
//! A proxy may have one memory for all that it has written and that is not acknowledged. While it
//! is full nothing is read; room that comes free goes in turn to the connections that wait for it.
//!
//! At one instant bytes are read and written before anything is sent; then the connection of the
//! event sends, and after it the others in the order of their numbers.
//!
//! Departures: marking the flow of a byte takes no bytes of a shared connection, where a real
//! protocol has headers of some bytes; copying takes no time except that of the host's CPU for
//! segments.

use std::collections::{BTreeMap, BTreeSet};

use super::{Endpoint, PathWindows};
use crate::engine::{FlowBytes, SharedStreams};
use crate::result::{Carried, Ledger, RelayCounters};
use crate::units::Time;

/// A connection that is read.
#[derive(Clone, Debug)]
pub struct RelayInput {
    /// Its end at this host, by number.
    pub endpoint: usize,
    /// Destination of its bytes.
    pub to: RelayTo,
}

/// Destination of the bytes of a connection, by numbers of outputs.
#[derive(Clone, Debug)]
pub enum RelayTo {
    /// All bytes to one output.
    One(usize),
    /// Each byte to the output of its flow.
    ByFlow(BTreeMap<usize, usize>),
}

/// A connection that is written to.
#[derive(Clone, Debug)]
pub struct RelayOutput {
    /// Its end at this host, by number.
    pub endpoint: usize,
    /// The connections that it is written from, by numbers of inputs.
    pub from: Vec<usize>,
    /// Maximum of one read.
    pub block: u64,
    /// True if its other end must know the flow of each byte.
    pub is_shared: bool,
    /// True if its first byte opens it.
    pub opens_on_data: bool,
    /// The flow that answers come back on; `None` for bytes on their way from its origin.
    pub answers_of: Option<usize>,
}

/// The connections of one host that are relayed.
#[derive(Clone, Debug, Default)]
pub struct Relays {
    inputs: Vec<RelayInput>,
    outputs: Vec<RelayOutput>,
    /// Parts of each endpoint.
    parts: BTreeMap<usize, Parts>,
    /// Turn and held bytes of each output.
    turns: Vec<Turn>,
    max_held: Vec<u64>,
    pool: Option<Pool>,
    /// State that connections between the same hosts leave to each other.
    windows: Option<PathWindows>,
}

/// Memory that all outputs of a host share.
#[derive(Clone, Debug)]
struct Pool {
    /// Bytes that may be written and not acknowledged.
    size: u64,
    /// Outputs that have found it full, by number.
    waiting: BTreeSet<usize>,
    /// The output that is asked first when room comes free.
    next: usize,
}

/// Turn of one output among the connections that are read for it.
#[derive(Clone, Copy, Debug, Default)]
struct Turn {
    /// Index of the connection among them.
    of: usize,
    /// Bytes read in this turn.
    used: u64,
}

/// Input and output of one end, by number.
#[derive(Clone, Copy, Debug, Default)]
struct Parts {
    input: Option<usize>,
    output: Option<usize>,
}

impl Relays {
    /// Makes relays that have read nothing, with a shared memory of so many bytes.
    pub fn new(inputs: Vec<RelayInput>, outputs: Vec<RelayOutput>, pool: Option<u64>) -> Self {
        let mut parts: BTreeMap<usize, Parts> = BTreeMap::new();
        for (number, input) in inputs.iter().enumerate() {
            parts.entry(input.endpoint).or_default().input = Some(number);
        }
        for (number, output) in outputs.iter().enumerate() {
            parts.entry(output.endpoint).or_default().output = Some(number);
        }
        Self {
            parts,
            turns: vec![Turn::default(); outputs.len()],
            max_held: vec![0; outputs.len()],
            pool: pool.map(|size| Pool { size, waiting: BTreeSet::new(), next: 0 }),
            windows: None,
            inputs,
            outputs,
        }
    }

    /// True if some connection is written to.
    pub fn has_outputs(&self) -> bool {
        !self.outputs.is_empty()
    }

    /// Lets connections between the same hosts leave each other the state of their path.
    pub fn set_windows(&mut self, windows: Option<PathWindows>) {
        self.windows = windows;
    }

    /// Reads and writes all that an event at one end allows. Returns the ends that may send because
    /// of it, in order.
    pub fn carry(
        &mut self,
        now: Time,
        at: usize,
        endpoints: &mut [Endpoint],
        shared_streams: &mut SharedStreams,
    ) -> BTreeSet<usize> {
        let mut round = RelayRound { now, endpoints, shared_streams, changed: BTreeSet::new() };
        let Parts { input, output } = self.parts.get(&at).copied().unwrap_or_default();
        if let Some(input) = input {
            self.read_all(input, &mut round);
        }
        match (output, &mut self.pool) {
            // The output that frees a room of all has no precedence there.
            (Some(output), Some(pool)) => {
                pool.waiting.insert(output);
                self.fill_waiting(&mut round);
            }
            (Some(output), None) => self.fill(output, &mut round),
            (None, _) => {}
        }
        round.changed.remove(&at);
        round.changed
    }

    /// Lets the outputs that wait for the shared memory read, each once, in turn.
    fn fill_waiting(&mut self, round: &mut RelayRound<'_>) {
        let Some(Pool { waiting, next, .. }) = &mut self.pool else { return };
        let (first, then): (Vec<usize>, Vec<usize>) =
            std::mem::take(waiting).into_iter().partition(|output| output >= next);
        for output in first.into_iter().chain(then) {
            self.fill(output, round);
        }
        if let Some(pool) = &mut self.pool {
            let after = pool.waiting.range(pool.next + 1..).next();
            pool.next = after.or(pool.waiting.first()).copied().unwrap_or(0);
        }
    }

    /// Reads all of one connection that finds room; no other connection waits for that room.
    fn read_all(&mut self, input: usize, round: &mut RelayRound<'_>) {
        while self.read(input, u64::MAX, round) > 0 {}
        self.pass_on_end(input, round);
    }

    /// Reads as much as an output has room for, from the connections that lead there in turn. A
    /// turn that ends for lack of room goes on when there is some.
    fn fill(&mut self, output: usize, round: &mut RelayRound<'_>) {
        let RelayOutput { endpoint, block, ref from, .. } = self.outputs[output];
        let (from, mut without_any) = (from.clone(), 0);
        while without_any < from.len() {
            let Turn { of, used } = self.turns[output];
            let read = self.read(from[of], block - used, round);
            self.pass_on_end(from[of], round);
            if read == 0 && round.endpoints[endpoint].room() == 0 {
                return;
            }
            without_any = if read > 0 { 0 } else { without_any + 1 };
            self.turns[output] = if read > 0 && used + read < block {
                Turn { of, used: used + read }
            } else {
                Turn { of: (of + 1) % from.len(), used: 0 }
            };
        }
    }

    /// Reads at most so many bytes of one connection; returns their number.
    fn read(&mut self, input: usize, most: u64, round: &mut RelayRound<'_>) -> u64 {
        let RelayInput { endpoint: from, ref to } = self.inputs[input];
        let (flow, unread) =
            (round.endpoints[from].flow, round.endpoints[from].connection.unread());
        let (output, available, of) = match to {
            RelayTo::One(output) => (*output, unread, flow),
            RelayTo::ByFlow(outputs) => {
                let Some(part) = round.shared_streams.front(flow).filter(|_| unread > 0) else {
                    return 0;
                };
                let Some(&output) = outputs.get(&part.of) else { return 0 };
                (output, unread.min(part.bytes), part.of)
            }
        };
        let RelayOutput { endpoint: into, is_shared, opens_on_data, .. } = self.outputs[output];
        if available > 0 && opens_on_data {
            round.endpoints[into].begin(round.now);
        }
        let room = round.endpoints[into].room();
        let bytes = available.min(most).min(room).min(self.pooled_room(round.endpoints));
        if let Some(pool) = self.pool.as_mut().filter(|_| bytes < available.min(room)) {
            pool.waiting.insert(output);
        }
        if bytes == 0 {
            return 0;
        }
        round.endpoints[from].read_for_relay(round.now, bytes);
        if let Some(windows) = &mut self.windows
            && round.endpoints[into].connection.written() == 0
        {
            windows.begin(into, round.endpoints);
        }
        round.endpoints[into].connection.write(bytes);
        if matches!(to, RelayTo::ByFlow(_)) {
            round.shared_streams.take(flow, bytes);
        }
        if is_shared {
            round.shared_streams.push(round.endpoints[into].flow, FlowBytes { of, bytes });
        }
        round.changed.extend([from, into]);
        self.max_held[output] = self.max_held[output].max(self.held(output, round.endpoints));
        bytes
    }

    /// Bytes for which the shared memory still has room.
    fn pooled_room(&self, endpoints: &[Endpoint]) -> u64 {
        let Some(Pool { size, .. }) = self.pool else { return u64::MAX };
        let written = self.outputs.iter().map(|output| &endpoints[output.endpoint].connection);
        let held: u64 = written.map(|one| one.written() - one.acked()).sum();
        size.saturating_sub(held)
    }

    /// Ends the output of a connection that is relayed to one other by itself, if it has no more
    /// data.
    fn pass_on_end(&self, input: usize, round: &mut RelayRound<'_>) {
        let RelayInput { endpoint: from, ref to, .. } = self.inputs[input];
        let RelayTo::One(output) = *to else { return };
        let output = &self.outputs[output];
        let connection = &round.endpoints[from].connection;
        if output.from.len() == 1 && connection.has_all() && connection.unread() == 0 {
            round.endpoints[output.endpoint].end();
            round.changed.insert(output.endpoint);
        }
    }

    /// Bytes that have arrived for an output and are not acknowledged by its other end. Unread
    /// bytes of a shared connection do not count for any output.
    fn held(&self, output: usize, endpoints: &[Endpoint]) -> u64 {
        let RelayOutput { endpoint, ref from, .. } = self.outputs[output];
        let own = from.iter().filter(|&&input| matches!(self.inputs[input].to, RelayTo::One(_)));
        let unread = own.map(|&input| endpoints[self.inputs[input].endpoint].connection.unread());
        let connection = &endpoints[endpoint].connection;
        connection.written() - connection.acked() + unread.sum::<u64>()
    }

    /// Forgets the extremes seen so far.
    pub fn begin_measurement(&mut self, endpoints: &[Endpoint]) {
        for output in 0..self.outputs.len() {
            self.max_held[output] = self.held(output, endpoints);
        }
    }

    /// Reports the counters.
    pub fn report(&self, endpoints: &[Endpoint], ledger: &mut Ledger) {
        for (index, output) in self.outputs.iter().enumerate() {
            let end = &endpoints[output.endpoint];
            let (carried_bytes, held_bytes) =
                (end.connection.written(), self.held(index, endpoints));
            let max_held_bytes = self.max_held[index];
            let flow = &mut ledger.flows[output.answers_of.unwrap_or(end.flow)];
            let relay = flow.relay.get_or_insert_default();
            if output.answers_of.is_some() {
                relay.answers = Some(Carried { carried_bytes, held_bytes, max_held_bytes });
            } else {
                let answers = relay.answers;
                *relay = RelayCounters { carried_bytes, held_bytes, max_held_bytes, answers };
            }
        }
    }
}

/// State of one round of relaying: the ends, and those that may send.
struct RelayRound<'a> {
    now: Time,
    endpoints: &'a mut [Endpoint],
    shared_streams: &'a mut SharedStreams,
    changed: BTreeSet<usize>,
}
