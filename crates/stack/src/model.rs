//! The simulator's own TCP as a stack: a [`Connection`] that speaks octets, so that one end of a
//! flow can be simulated while the other is not.
//!
//! * A connection begins with SYNs, whatever `handshake` says, from a random number of its seed
//!   (RFC 9293 §3.4.1). What both SYNs offer counts: window scale, SACK, timestamps, ECN, and of
//!   segment sizes the smaller one; without the option 536 bytes (RFC 9293 §3.7.1).
//! * An end whose SYN is answered with a smaller segment size, or without timestamps, begins anew
//!   with that, at the instants at which its SYNs were sent.
//! * A segment for no connection is answered by RST (RFC 9293 §3.10.7.1). RST ends one by
//!   the number that is expected; another of the window, a SYN, data beyond the window, an ACK of
//!   what was not sent, and keep-alives are answered by an ACK (§3.10.7.4, §3.8.4).
//! * Segments have 28 bytes at least, whatever the other end's SYN says: by RFC 791 §3.2 packets of
//!   68 octets pass every network.
//! * The octets of a stream are checked: a wrong one ends the run.
//!
//! Urgent data, and keep-alives of its own, are absent, as in the connection.

use std::net::SocketAddrV4;

use cellway_sim::pdu::{Ecn, Flags, HEADER_BYTES, SackOption, Segment, Timestamps};
use cellway_sim::scenario::{Flow, Scenario};
use cellway_sim::tcp::{self, Config, Connection, Counters, Reader};
use cellway_sim::units::{Bytes, Span, Time};

use crate::cast::greeting;
use crate::numbers::Numbers;
use crate::record::DriveError;
use crate::stack::{Answer, Call, Event, Greeting, Role, Stack, StackError, State, Turn};
use crate::stream::Stream;
use crate::wire::{self, Header, flag, octet_at};

/// Segment size of an end that does not tell it.
const DEFAULT_MSS: u16 = 536;
/// Segment size below which that of the other end counts as this one: RFC 791 §3.2 has no network
/// whose packets are shorter than 68 octets.
const LEAST_MSS: u16 = 68 - HEADER_BYTES as u16;

/// Next number of the other end that is expected.
fn next_expected(connection: &Connection) -> u64 {
    1 + connection.delivered() + u64::from(connection.has_all())
}

/// A segment that an established connection answers by an ACK, and does nothing else with.
const ASKS_FOR_ACK: Segment = Segment {
    seq: 0,
    ack: 0,
    window: 0,
    len: 0,
    flags: Flags::SYN,
    ecn: Ecn::NotCapable,
    timestamps: Timestamps { value: 0, echo: 0 },
    sack: SackOption::ABSENT,
};

/// An end of a flow with the simulator's own TCP.
#[derive(Debug)]
pub struct Model<'s> {
    scenario: &'s Scenario,
    flow: &'s Flow,
    config: Config,
    /// Longest segment that its own interface takes, which its SYN tells.
    own_mss: u16,
    role: tcp::Role,
    own: SocketAddrV4,
    peer: SocketAddrV4,
    numbers: Numbers,
    connection: Option<Connection>,
    reader: Option<Reader>,
    /// Instants at which its SYNs were sent, until one is answered.
    syns: Vec<Time>,
    /// Calls before the connection is there.
    waiting: Vec<Call>,
    is_listening: bool,
    /// Numbers that were told last: acknowledged, and read.
    told: [u64; 2],
    packets: u64,
    /// Number after all that was sent, and that up to which its windows have promised room.
    sent: u64,
    promised: u64,
    stream: Stream,
    /// True once its SYN is acknowledged.
    is_open: bool,
}

impl<'s> Model<'s> {
    /// Makes an end of the flow with this name.
    ///
    /// # Errors
    ///
    /// `Refused` if there is no such flow with `tcp`.
    pub fn new(scenario: &'s Scenario, name: &str, role: Role) -> Result<Self, DriveError> {
        let Greeting { seed, own, peer, .. } = greeting(scenario, name, role)?;
        let flow = scenario.flows.iter().find(|flow| flow.name == name);
        let flow = flow.expect("the greeting found it");
        let tcp = flow.tcp.clone().expect("the greeting found it");
        Ok(Self {
            scenario,
            flow,
            own_mss: tcp.mss.0.min(u64::from(u16::MAX)) as u16,
            config: Config { handshake: true, ..tcp },
            role: match role {
                Role::Origin => tcp::Role::Active,
                Role::Destination => tcp::Role::Passive,
            },
            own,
            peer,
            numbers: Numbers::new(seed as u32),
            connection: None,
            reader: None,
            syns: Vec::new(),
            waiting: Vec::new(),
            is_listening: false,
            told: [0; 2],
            packets: 0,
            sent: 0,
            promised: 0,
            stream: Stream::default(),
            is_open: false,
        })
    }

    /// Makes the connection under the configuration, and opens it.
    fn open(&mut self, now: Time) {
        let config = self.config.clone();
        let mut connection = self.scenario.connection_of(self.flow, &config, self.role);
        connection.open();
        self.reader = Reader::new(&config.reader, now);
        self.connection = Some(connection);
        for call in std::mem::take(&mut self.waiting) {
            self.call(now, call);
        }
    }

    fn call(&mut self, now: Time, call: Call) {
        match (&mut self.connection, call) {
            (_, Call::Open) if self.role == tcp::Role::Active => self.open(now),
            (_, Call::Open) => self.is_listening = true,
            (None, call) => self.waiting.push(call),
            (Some(connection), Call::Write(octets)) => connection.write(octets),
            (Some(connection), Call::WriteForever) => connection.write_forever(),
            (Some(connection), Call::Close(octets)) => {
                connection.take_back_beyond(octets);
                connection.close();
            }
        }
    }

    /// Takes a packet that has arrived.
    fn take(&mut self, now: Time, packet: &[u8], answer: &mut Answer) -> Result<(), StackError> {
        let ([from, to], header, payload) = wire::decode(packet)?;
        if [from, to] != [self.peer, self.own] {
            return Err(StackError::new(format!("a packet from {from} to {to} came here")));
        }
        if header.has(flag::RST) {
            self.take_reset(now, &header, answer);
            return Ok(());
        }
        if self.waits_for_syn() && header.has(flag::ACK) && !self.numbers.is_of_syn(header.ack) {
            // RFC 9293 §3.10.7.3, first.
            answer.packets.push(self.reset(&header, payload.len()));
            return Ok(());
        }
        if header.has(flag::SYN) && !self.numbers.has_begun() {
            self.numbers.begin(&header);
            self.agree(now, &header);
        }
        let Some(connection) = &mut self.connection else {
            answer.packets.push(self.reset(&header, payload.len()));
            return Ok(());
        };
        if !self.numbers.has_begun() {
            // RFC 9293 §3.10.7.3: in SYN-SENT, a segment without SYN is dropped.
            return Ok(());
        }
        let expected = next_expected(connection);
        let Some(seq) = self.numbers.seq(&header, expected) else {
            // RFC 9293 §3.10.7.4, first: it lies before the other end's SYN, and is dropped.
            connection.on_segment(now, &ASKS_FOR_ACK);
            return Ok(());
        };
        let segment = self.numbers.segment(&header, seq, payload.len(), self.sent);
        // RFC 9293 §3.8.4: the number of a keep-alive has been received, and its octet, if it has
        // one, is any.
        let is_keep_alive = !header.has(flag::SYN) && payload.len() < 2 && seq + 1 == expected;
        if !header.has(flag::SYN) && !is_keep_alive {
            let is_wrong = |(octet, number): (&u8, u64)| {
                number.checked_sub(1).is_some_and(|place| *octet != octet_at(place))
            };
            if let Some(octet) = payload.iter().zip(seq..).position(is_wrong) {
                let place = seq + octet as u64 - 1;
                return Err(StackError::new(format!("octet {place} of the stream is wrong")));
            }
        }
        let is_beyond = segment.len > 0 && segment.seq >= self.promised;
        if is_beyond || segment.ack > self.sent {
            // RFC 9293 §3.10.7.4, first and fifth: it is dropped, and an ACK says what is expected;
            // before the connection is open RST says that nothing is.
            if self.is_open {
                connection.on_segment(now, &ASKS_FOR_ACK);
            } else {
                answer.packets.push(self.reset(&header, payload.len()));
            }
            return Ok(());
        }
        self.is_open |= segment.ack > 0;
        let segment = within(segment, self.promised);
        connection.on_segment(now, &self.stream.bounded(segment).unwrap_or(ASKS_FOR_ACK));
        if is_keep_alive && segment.end() == segment.seq {
            connection.on_segment(now, &ASKS_FOR_ACK);
        }
        Ok(())
    }

    /// Takes RST, RFC 9293 §3.10.7.3 second, and §3.10.7.4 second: with another number than the one
    /// that is expected it may come from anybody.
    fn take_reset(&mut self, now: Time, header: &Header, answer: &mut Answer) {
        let waits_for_syn = self.waits_for_syn();
        let Some(connection) = &mut self.connection else { return };
        let is_theirs = if waits_for_syn {
            header.has(flag::ACK) && self.numbers.is_of_syn(header.ack)
        } else {
            let expected = next_expected(connection);
            let seq = self.numbers.seq(header, expected);
            if seq.is_some_and(|seq| (expected + 1..self.promised).contains(&seq)) {
                connection.on_segment(now, &ASKS_FOR_ACK);
            }
            seq == Some(expected)
        };
        if is_theirs {
            self.connection = None;
            answer.events.push(Event::Failed);
        }
    }

    /// True in SYN-SENT.
    fn waits_for_syn(&self) -> bool {
        self.connection.is_some() && !self.numbers.has_begun()
    }

    /// Makes the connection for what the other end's SYN offers.
    fn agree(&mut self, now: Time, header: &Header) {
        let told = header.mss.unwrap_or(DEFAULT_MSS).max(LEAST_MSS);
        let mss = self.config.mss.0.min(told.into());
        let timestamps = self.config.timestamps && header.timestamps.is_some();
        let agreed = Config { mss: Bytes(mss), timestamps, ..self.config.clone() };
        let syns = std::mem::take(&mut self.syns);
        if self.connection.is_none() && self.is_listening {
            self.config = agreed;
            self.open(now);
        } else if agreed != self.config
            && let Some(first) = syns.first()
        {
            self.config = agreed;
            let written = self.connection.as_ref().map_or(0, Connection::written);
            self.open(*first);
            let Some(connection) = &mut self.connection else { return };
            for at in syns {
                connection.on_timeout(at);
                while connection.poll_transmit(at).is_some() {}
            }
            connection.write(written);
        }
    }

    /// Sends all that may be sent.
    fn send(&mut self, now: Time, answer: &mut Answer) {
        let Some(connection) = &mut self.connection else { return };
        while let Some(segment) = connection.poll_transmit(now) {
            let is_syn = segment.flags.contains(Flags::SYN);
            if is_syn && self.role == tcp::Role::Active {
                self.syns.push(now);
            }
            let mut header = self.numbers.header(&segment, self.own_mss, &self.config);
            if segment.len > 0 && segment.seq + u64::from(segment.len) > connection.written() {
                // RFC 9293 §3.9.1.2 (MUST-61): nothing is written behind it.
                header.flags |= flag::PSH;
            }
            self.sent = self.sent.max(segment.end());
            self.promised = self.promised.max(segment.ack + u64::from(segment.window));
            let place = segment.seq.saturating_sub(1);
            let length = usize::from(segment.len);
            let id = self.packets as u16;
            self.packets += 1;
            let sockets = [self.own, self.peer];
            answer.packets.push(wire::encode(sockets, &header, id, place, length));
            // A pure ACK is sent only if nothing else may be sent.
            if segment.is_pure_ack() {
                break;
            }
        }
    }

    /// RST for a segment that is for no connection, RFC 9293 §3.10.7.1.
    fn reset(&mut self, header: &Header, length: usize) -> Vec<u8> {
        let controls = u32::from(header.has(flag::SYN)) + u32::from(header.has(flag::FIN));
        let reset = if header.has(flag::ACK) {
            Header { seq: header.ack, flags: flag::RST, ..Header::default() }
        } else {
            let ack = header.seq.wrapping_add(length as u32 + controls);
            Header { ack, flags: flag::RST | flag::ACK, ..Header::default() }
        };
        self.packets += 1;
        wire::encode([self.own, self.peer], &reset, self.packets as u16, 0, 0)
    }

    /// Lets the application read, and tells what has happened.
    fn tell(&mut self, now: Time, answer: &mut Answer) {
        let Some(connection) = &mut self.connection else { return };
        if let Some(reader) = &mut self.reader {
            connection.read(reader.read(now, connection.unread()));
        }
        while let Some(event) = connection.poll_event() {
            answer.events.push(match event {
                tcp::Event::Connected => Event::Opened,
                tcp::Event::Finished => Event::Ended,
                tcp::Event::Closed => Event::Closed,
                tcp::Event::Aborted => Event::Failed,
            });
        }
        let now_told = [connection.acked(), connection.delivered() - connection.unread()];
        let events = [Event::Acked(now_told[0]), Event::Delivered(now_told[1])];
        for ((told, now_told), event) in self.told.iter_mut().zip(now_told).zip(events) {
            if *told != now_told {
                *told = now_told;
                answer.events.push(event);
            }
        }
    }

    /// Tells the values of its state.
    fn tell_state(&self, answer: &mut Answer) {
        let Some(connection) = &self.connection else { return };
        let rtt = connection.last_rtt().map_or(f64::NAN, Span::seconds_f64);
        let windows = [connection.cwnd(), connection.ssthresh(), connection.in_flight()];
        let [cwnd, ssthresh, in_flight] = windows.map(|octets| octets as f64);
        let values = [cwnd, ssthresh, in_flight, rtt];
        answer.states.extend(values.into_iter().enumerate());
    }
}

/// The segment without data at or beyond the number `edge`, and without a FIN behind such (RFC 9293
/// §3.10.7.4, first).
fn within(segment: Segment, edge: u64) -> Segment {
    let room = edge.saturating_sub(segment.seq);
    if u64::from(segment.len) <= room {
        return segment;
    }
    Segment { len: room as u16, flags: segment.flags.without(Flags::FIN), ..segment }
}

impl Stack for Model<'_> {
    fn turn(&mut self, turn: &Turn<'_>, answer: &mut Answer) -> Result<(), StackError> {
        let now = turn.now;
        for packet in turn.arrived {
            self.take(now, packet, answer)?;
            self.send(now, answer);
        }
        if let Some(connection) = &mut self.connection
            && connection.next_timeout() <= now
        {
            connection.on_timeout(now);
        }
        for call in turn.calls {
            self.call(now, *call);
        }
        self.tell(now, answer);
        self.send(now, answer);
        self.tell_state(answer);
        let connection = self.connection.as_ref();
        let reads_at = connection.zip(self.reader.as_ref());
        let reads_at = reads_at.map(|(connection, reader)| reader.next(connection.unread()));
        let due = connection.map_or(Time::MAX, Connection::next_timeout);
        let due = due.min(reads_at.unwrap_or(Time::MAX));
        answer.next = (due < Time::MAX).then_some(due);
        Ok(())
    }

    fn states(&self) -> Vec<State> {
        let octets = ["cwnd", "ssthresh", "in_flight"].map(|name| (name, "byte"));
        let states = [octets[0], octets[1], octets[2], ("rtt", "second")];
        states.map(|(name, unit)| State { name: name.to_owned(), unit }).into()
    }

    fn name(&self) -> String {
        "model".to_owned()
    }

    fn counters(&self) -> Option<Counters> {
        Some(self.connection.as_ref().map_or_else(Counters::default, Connection::counters))
    }
}
