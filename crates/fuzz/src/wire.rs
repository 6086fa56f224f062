//! The simulator's own TCP on the wire under an operation enum: segments with any numbers, flags
//! and options, timers, calls of the application, octets that are no packet.

use cellway_sim::units::{Span, Time};
use cellway_stack::{Answer, Call, Event, Greeting, Model, Role, Stack, Turn, greeting};

use super::connection::config;
use super::dice::Dice;
use super::octets::{Fields, packet, read};

/// Operations of one input, at most.
const MOST: usize = 400;
/// Turns at one instant, from which on the stack stands still.
const MOST_TURNS: usize = 2000;
const SYN: u8 = 2;
const RST: u8 = 4;
const ACK: u8 = 16;

/// The other end, as far as operations know it, and what the stack has told.
struct Other<'s> {
    stack: Model<'s>,
    greeting: Greeting,
    now: Time,
    due: Option<Time>,
    /// Its own next number, and the next one of the stack.
    next: u32,
    expected: u32,
    first: u32,
    /// Octets of its stream that it has sent, up to the furthest one.
    sent: u64,
    written: Option<u64>,
    is_closed: bool,
    told: [u64; 2],
    is_over: bool,
}

/// Runs operations against one end.
pub(crate) fn run(octets: &[u8]) {
    let mut dice = Dice::of(octets);
    let Some((scenario, _)) = config(&mut dice) else { return };
    let role = dice.pick(&[Role::Origin, Role::Destination]);
    let stack = Model::new(&scenario, "f", role).expect("it has a transport");
    let greeting = greeting(&scenario, "f", role).expect("it has a transport");
    let first = dice.pick(&[0, 1000, 0x7fff_ff00, 0xffff_ff00]);
    let mut other = Other {
        stack,
        greeting,
        now: Time::ZERO,
        due: None,
        next: first,
        expected: 0,
        first,
        sent: 0,
        written: Some(0),
        is_closed: false,
        told: [0, 0],
        is_over: false,
    };
    other.turn(&[], &[Call::Open]);
    for _ in 0..MOST {
        if !dice.has_more() || other.is_over {
            break;
        }
        other.operate(&mut dice);
    }
}

impl Other<'_> {
    fn operate(&mut self, dice: &mut Dice<'_>) {
        match dice.between(0, 9) {
            0 => self.wait(dice),
            1 => self.call(dice),
            2 => {
                let length = dice.between(0, 60);
                let octets: Vec<u8> = (0..length).map(|_| dice.between(0, 255) as u8).collect();
                // Octets that are no packet end a run: only a panic would be wrong.
                let mut answer = Answer::default();
                let turn = Turn { now: self.now, arrived: &[&octets], calls: &[] };
                self.is_over |= self.stack.turn(&turn, &mut answer).is_err();
                self.hear(&answer);
            }
            3 => {
                // What a right end would do next: its SYN, or an ACK of all.
                let has_begun = self.next != self.first;
                let flags = if has_begun { ACK } else { SYN | ACK };
                let fields = Fields { flags, window: 60_000, ..Fields::default() };
                self.send(fields, 0, 0);
            }
            _ => self.segment(dice),
        }
    }

    fn wait(&mut self, dice: &mut Dice<'_>) {
        let timer = self.due.filter(|_| dice.one_in(2));
        let span = Span::from_microseconds(dice.pick(&[1, 1000, 50_000, 300_000, 3_000_000]));
        self.now = timer.unwrap_or(self.now + span).max(self.now);
        self.turn(&[], &[]);
    }

    fn call(&mut self, dice: &mut Dice<'_>) {
        let octets = dice.pick(&[0, 1, 100, 1460, 20_000, 1 << 40]);
        let call = match dice.between(0, 5) {
            0..4 => Call::Write(octets),
            4 => Call::WriteForever,
            _ => Call::Close(octets),
        };
        if self.is_closed && !matches!(call, Call::Close(_)) {
            return;
        }
        self.is_closed |= matches!(call, Call::Close(_));
        self.written = match call {
            Call::Write(octets) => self.written.map(|written| written.saturating_add(octets)),
            Call::WriteForever => None,
            _ => self.written,
        };
        self.turn(&[], &[call]);
    }

    /// Sends a segment near the numbers that are expected, or far from them.
    fn segment(&mut self, dice: &mut Dice<'_>) {
        let near = |dice: &mut Dice<'_>| match dice.between(0, 5) {
            0..3 => 0,
            3 => dice.between(0, 3000) as u32,
            4 => (dice.between(0, 3000) as u32).wrapping_neg(),
            _ => dice.between(0, u64::from(u32::MAX)) as u32,
        };
        let flags = match dice.between(0, 3) {
            0 => dice.between(0, 255) as u8,
            1 => SYN | (dice.between(0, 255) as u8 & !RST),
            _ => ACK,
        };
        let length = dice.pick(&[0, 0, 1, 100, 536, 1460, 9000]);
        let fields = Fields {
            flags,
            window: dice.pick(&[0, 1, 500, 60_000, 65_535]),
            ecn: dice.between(0, 3) as u8,
            options: self.options(dice),
            ..Fields::default()
        };
        let (seq, ack) = (near(dice), near(dice));
        self.send_with(fields, seq, ack, length);
    }

    /// Options, some of them cut short or of a length that is not theirs.
    fn options(&self, dice: &mut Dice<'_>) -> Vec<u8> {
        let mut options = Vec::new();
        for _ in 0..dice.pick(&[0, 0, 1, 1, 2, 3]) {
            match dice.between(0, 6) {
                0 => {
                    options.extend([2, 4]);
                    options.extend((dice.pick(&[0_u16, 1, 100, 1000, 65_535])).to_be_bytes());
                }
                1 => options.extend([3, 3, dice.between(0, 255) as u8, 1]),
                2 => options.extend([4, 2, 1, 1]),
                3 => {
                    options.extend([5, 10]);
                    for _ in 0..2 {
                        let edge = self.expected.wrapping_add(dice.between(0, 9000) as u32);
                        options.extend(edge.wrapping_sub(3000).to_be_bytes());
                    }
                }
                4 => {
                    options.extend([8, 10]);
                    options.extend((dice.between(0, 1 << 20) as u32).to_be_bytes());
                    options.extend((dice.between(0, 1 << 20) as u32).to_be_bytes());
                }
                _ => options.extend((0..4).map(|_| dice.between(0, 255) as u8)),
            }
        }
        options.truncate(40);
        options.resize(options.len().next_multiple_of(4), 0);
        options
    }

    fn send(&mut self, fields: Fields, seq: u32, ack: u32) {
        self.send_with(fields, seq, ack, 0);
    }

    fn send_with(&mut self, mut fields: Fields, seq: u32, ack: u32, length: usize) {
        let is_syn = fields.flags & SYN != 0;
        fields.seq = if is_syn && seq == 0 { self.first } else { self.next.wrapping_add(seq) };
        fields.ack = self.expected.wrapping_add(ack);
        // Data have the octets of their place, as an application of the protocol writes them.
        let place = u64::from(fields.seq.wrapping_sub(self.first).wrapping_sub(1));
        let length = if is_syn { 0 } else { length };
        fields.payload = (place..).take(length).map(|place| (place % 251) as u8).collect();
        let end = place.saturating_add(length as u64);
        if !is_syn && place < 1 << 31 {
            self.sent = self.sent.max(end);
        }
        if seq == 0 {
            let counted = length as u32 + u32::from(is_syn) + u32::from(fields.flags & 1);
            self.next = fields.seq.wrapping_add(counted);
        }
        let ends = [self.greeting.peer, self.greeting.own];
        let packet = packet(ends, &fields);
        self.turn(&[&packet], &[]);
    }

    /// One turn, and those that are due at its instant.
    fn turn(&mut self, arrived: &[&[u8]], calls: &[Call]) {
        let (mut arrived, mut calls) = (arrived, calls);
        for _ in 0..MOST_TURNS {
            let mut answer = Answer::default();
            let turn = Turn { now: self.now, arrived, calls };
            if let Err(fault) = self.stack.turn(&turn, &mut answer) {
                // A number far away has octets of another place.
                assert!(fault.0.contains("is wrong"), "{fault}");
                self.is_over = true;
                return;
            }
            self.hear(&answer);
            if answer.next.is_none_or(|next| next > self.now) {
                return;
            }
            (arrived, calls) = (&[], &[]);
        }
        panic!("it stands still");
    }

    /// Checks an answer.
    fn hear(&mut self, answer: &Answer) {
        self.due = answer.next;
        for octets in &answer.packets {
            let fields = read(octets, [self.greeting.own, self.greeting.peer]);
            assert!(octets.len() <= self.greeting.mtu as usize + 40, "{} octets", octets.len());
            if fields.flags & RST == 0 {
                let counted = u32::from(fields.flags & SYN != 0) + u32::from(fields.flags & 1);
                let end = fields.seq.wrapping_add(fields.payload.len() as u32 + counted);
                if fields.flags & SYN != 0 || end.wrapping_sub(self.expected) < 1 << 31 {
                    self.expected = end;
                }
            }
        }
        for event in &answer.events {
            match *event {
                Event::Acked(octets) => {
                    assert!(octets >= self.told[0], "acknowledged {octets} after {:?}", self.told);
                    assert!(self.written.is_none_or(|written| octets <= written), "not written");
                    self.told[0] = octets;
                }
                Event::Delivered(octets) => {
                    assert!(octets >= self.told[1], "delivered {octets} after {:?}", self.told);
                    assert!(octets <= self.sent, "{octets} delivered of {}", self.sent);
                    self.told[1] = octets;
                }
                Event::Failed => self.is_over = true,
                Event::Opened | Event::Ended | Event::Closed => {}
            }
        }
    }
}
