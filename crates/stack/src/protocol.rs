//! Messages of the stack protocol, version 1, and their octets; `docs/stacks.md` describes it.
//!
//! A message is a length of four octets and as many octets, of which the first is its kind. All
//! numbers are little-endian. A stack reads a whole question before it writes, and answers once.

use std::collections::BTreeMap;

use cellway_sim::units::Time;

use crate::stack::{Answer, Call, Event, Greeting, StackError, State, Turn, UNITS};

/// Version of the protocol.
pub const VERSION: u32 = 1;
/// Picoseconds of a nanosecond.
const NANOSECOND: i64 = 1000;
/// Instant that stands for none.
const NEVER: u64 = u64::MAX;

/// Kinds of messages: questions, and their answers.
pub(crate) mod kind {
    pub(crate) const GREETING: [u8; 2] = *b"Hh";
    pub(crate) const TURN: [u8; 2] = *b"Tt";
    pub(crate) const END: [u8; 2] = *b"Ee";
}

/// Text of a greeting: a key, a space and a value a line.
pub(crate) fn greeting(greeting: &Greeting) -> String {
    let Greeting { seed, role, own, peer, mtu, window, flow } = greeting;
    let role = role.name();
    format!(
        "version {VERSION}\nseed {seed}\nrole {role}\naddress {}\nport {}\npeer_address {}\n\
         peer_port {}\nmtu {mtu}\nwindow {window}\nflow {flow}\n",
        own.ip(),
        own.port(),
        peer.ip(),
        peer.port(),
    )
}

/// Text of the answer to a greeting.
pub(crate) fn introduce(name: &str, states: &[State]) -> String {
    let lines = states.iter().map(|state| format!("state {} {}\n", state.name, state.unit));
    format!("version {VERSION}\nname {name}\n{}", lines.collect::<String>())
}

/// Name and states of a stack, of the text of its answer to a greeting.
pub fn introduction(text: &str) -> Result<(String, Vec<State>), StackError> {
    let (mut name, mut states) = (None, Vec::new());
    for line in text.lines() {
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["version", version] if version == VERSION.to_string() => {}
            ["version", version] => {
                return Err(StackError::new(format!(
                    "it speaks version {version} of the protocol; expected {VERSION}"
                )));
            }
            ["name", ..] => name = line.split_once(' ').map(|(_, name)| name.to_owned()),
            ["state", state, unit] => {
                let known = UNITS.into_iter().find(|known| *known == unit);
                let unit = known.ok_or_else(|| {
                    let units = UNITS.join(", ");
                    StackError::new(format!("state {state} in `{unit}`; expected one of {units}"))
                })?;
                states.push(State { name: state.to_owned(), unit });
            }
            _ => {
                return Err(StackError::new(format!(
                    "its answer to the greeting has the line `{line}`; expected `version`, `name` \
                     or `state` and their values"
                )));
            }
        }
    }
    let name = name.ok_or_else(|| StackError::new("its answer to the greeting has no `name`"))?;
    Ok((name, states))
}

/// Counters of a stack, of the text of its last answer.
pub fn counters(text: &str) -> Result<BTreeMap<String, f64>, StackError> {
    let counter = |line: &str| {
        let (name, value) = line.split_once(' ')?;
        Some((name.to_owned(), value.parse::<f64>().ok().filter(|value| value.is_finite())?))
    };
    let read = |line: &str| {
        let said =
            || format!("its last answer has the line `{line}`; expected a name and a number");
        counter(line).ok_or_else(|| StackError::new(said()))
    };
    text.lines().map(read).collect()
}

/// Writes the question of a turn. The instant is rounded down to nanoseconds, so that no answer
/// comes before it.
pub fn write_turn(turn: &Turn<'_>, out: &mut Vec<u8>) {
    out.extend((turn.now.picoseconds() / NANOSECOND).to_le_bytes());
    out.extend((turn.arrived.len() as u16).to_le_bytes());
    for packet in turn.arrived {
        out.extend((packet.len() as u16).to_le_bytes());
        out.extend_from_slice(packet);
    }
    out.extend((turn.calls.len() as u16).to_le_bytes());
    for call in turn.calls {
        let (code, value) = match call {
            Call::Open => (1, 0),
            Call::Write(octets) => (2, *octets),
            Call::WriteForever => (3, 0),
            Call::Close(octets) => (4, *octets),
        };
        out.push(code);
        out.extend(value.to_le_bytes());
    }
}

/// A turn with content of its own: its instant, packets and calls.
type OwnTurn<'a> = (Time, Vec<&'a [u8]>, Vec<Call>);

/// Reads the question of a turn.
pub fn read_turn(body: &[u8]) -> Result<OwnTurn<'_>, StackError> {
    let mut rest = Octets(body);
    let now = Time::from_picoseconds((rest.u64()? as i64).saturating_mul(NANOSECOND));
    let mut packets = Vec::new();
    for _ in 0..rest.u16()? {
        let length = usize::from(rest.u16()?);
        packets.push(rest.take(length)?);
    }
    let mut calls = Vec::new();
    for _ in 0..rest.u16()? {
        let (code, value) = (rest.u8()?, rest.u64()?);
        calls.push(match code {
            1 => Call::Open,
            2 => Call::Write(value),
            3 => Call::WriteForever,
            4 => Call::Close(value),
            _ => return Err(StackError::new(format!("there is no call {code}"))),
        });
    }
    Ok((now, packets, calls))
}

/// Writes the answer of a turn. An instant is rounded up to nanoseconds, so that the stack is not
/// asked before it.
pub fn write_answer(answer: &Answer, out: &mut Vec<u8>) {
    let up = |at: Time| (at.picoseconds().max(0) as u64).div_ceil(NANOSECOND as u64);
    out.extend(answer.next.map_or(NEVER, up).to_le_bytes());
    out.extend((answer.packets.len() as u16).to_le_bytes());
    for packet in &answer.packets {
        out.extend((packet.len() as u16).to_le_bytes());
        out.extend_from_slice(packet);
    }
    out.extend((answer.events.len() as u16).to_le_bytes());
    for event in &answer.events {
        let (code, value) = match event {
            Event::Opened => (1, 0),
            Event::Acked(octets) => (2, *octets),
            Event::Delivered(octets) => (3, *octets),
            Event::Ended => (4, 0),
            Event::Closed => (5, 0),
            Event::Failed => (6, 0),
        };
        out.push(code);
        out.extend(value.to_le_bytes());
    }
    out.extend((answer.states.len() as u16).to_le_bytes());
    for (index, value) in &answer.states {
        out.push(*index as u8);
        out.extend(value.to_le_bytes());
    }
}

/// Reads the answer of a turn at `now`.
pub fn read_answer(
    body: &[u8],
    now: Time,
    states: usize,
    answer: &mut Answer,
) -> Result<(), StackError> {
    let mut rest = Octets(body);
    let next = rest.u64()?;
    answer.next = match i64::try_from(next).ok().and_then(|at| at.checked_mul(NANOSECOND)) {
        _ if next == NEVER => None,
        None => return Err(StackError::new(format!("its next turn, at {next} ns, is too late"))),
        // A timer that was due within the present nanosecond.
        Some(at) => Some(Time::from_picoseconds(at).max(now)),
    };
    for _ in 0..rest.u16()? {
        let length = usize::from(rest.u16()?);
        answer.packets.push(rest.take(length)?.to_vec());
    }
    for _ in 0..rest.u16()? {
        let (code, value) = (rest.u8()?, rest.u64()?);
        answer.events.push(match code {
            1 => Event::Opened,
            2 => Event::Acked(value),
            3 => Event::Delivered(value),
            4 => Event::Ended,
            5 => Event::Closed,
            6 => Event::Failed,
            _ => return Err(StackError::new(format!("there is no event {code}"))),
        });
    }
    for _ in 0..rest.u16()? {
        let (index, value) = (usize::from(rest.u8()?), f64::from_bits(rest.u64()?));
        if index >= states {
            return Err(StackError::new(format!("there is no state {index} of {states}")));
        }
        answer.states.push((index, value));
    }
    if rest.0.is_empty() {
        Ok(())
    } else {
        Err(StackError::new(format!("its answer goes on for {} octets", rest.0.len())))
    }
}

/// Octets of a message that are not read yet.
struct Octets<'a>(&'a [u8]);

impl<'a> Octets<'a> {
    fn take(&mut self, octets: usize) -> Result<&'a [u8], StackError> {
        let Some((taken, rest)) = self.0.split_at_checked(octets) else {
            let left = self.0.len();
            let said = format!("its answer ends early: {left} octets where {octets} are expected");
            return Err(StackError::new(said));
        };
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], StackError> {
        Ok(self.take(N)?.try_into().expect("as many as were taken"))
    }

    fn u8(&mut self) -> Result<u8, StackError> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    fn u16(&mut self) -> Result<u16, StackError> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    fn u64(&mut self) -> Result<u64, StackError> {
        Ok(u64::from_le_bytes(self.array()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_octet_by_octet() {
        let mut out = Vec::new();
        let turn = Turn {
            now: Time::from_picoseconds(2_999),
            arrived: &[&[0x45, 1], &[0x46]],
            calls: &[Call::Open, Call::Write(258)],
        };
        write_turn(&turn, &mut out);
        let expected: [&[u8]; 7] = [
            &[2, 0, 0, 0, 0, 0, 0, 0],
            &[2, 0, 2, 0, 0x45, 1],
            &[1, 0, 0x46],
            &[2, 0],
            &[1, 0, 0, 0, 0, 0, 0, 0, 0],
            &[2, 2, 1, 0, 0, 0, 0, 0, 0],
            &[],
        ];
        assert_eq!(out, expected.concat());
    }

    fn read(body: &[u8]) -> Result<Answer, String> {
        let mut answer = Answer::default();
        let now = Time::from_picoseconds(5_500);
        read_answer(body, now, 1, &mut answer).map(|()| answer).map_err(|fault| fault.0)
    }

    #[test]
    fn an_answer_octet_by_octet() {
        let body: [&[u8]; 5] = [
            &[7, 0, 0, 0, 0, 0, 0, 0],
            &[1, 0, 3, 0, 9, 8, 7],
            &[2, 0, 2, 100, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0],
            &[1, 0, 0],
            &2.5_f64.to_le_bytes(),
        ];
        let answer = read(&body.concat()).expect("whole");
        assert_eq!(answer.next, Some(Time::from_picoseconds(7_000)));
        assert_eq!(answer.packets, [[9, 8, 7]]);
        assert_eq!(answer.events, [Event::Acked(100), Event::Failed]);
        assert_eq!(answer.states, [(0, 2.5)]);
    }

    /// The present nanosecond began before now, and no timer is due before now.
    #[test]
    fn a_timer_of_the_present_nanosecond_is_due_now() {
        let at = |nanoseconds: u64| {
            let body = [&nanoseconds.to_le_bytes()[..], &[0; 6]].concat();
            read(&body).map(|answer| answer.next.map(Time::picoseconds))
        };
        assert_eq!(at(5), Ok(Some(5_500)));
        assert_eq!(at(6), Ok(Some(6_000)));
        assert_eq!(at(u64::MAX), Ok(None));
        assert!(at(u64::MAX - 1).is_err());
    }

    #[test]
    fn what_is_written_is_read() {
        let calls = [Call::Open, Call::Write(7), Call::WriteForever, Call::Close(9)];
        let now = Time::from_picoseconds(9_000);
        let (mut question, mut body) = (Vec::new(), Vec::new());
        write_turn(&Turn { now, arrived: &[&[1, 2]], calls: &calls }, &mut question);
        assert_eq!(read_turn(&question), Ok((now, vec![&[1, 2][..]], calls.to_vec())));
        let events = [Event::Opened, Event::Acked(1), Event::Delivered(2), Event::Ended];
        let answer = Answer {
            packets: vec![vec![5], vec![6, 7]],
            next: Some(Time::from_picoseconds(9_001)),
            events: [&events[..], &[Event::Closed, Event::Failed]].concat(),
            states: vec![(0, 1.5)],
        };
        write_answer(&answer, &mut body);
        let found = read(&body).expect("whole");
        assert_eq!(found.next, Some(Time::from_picoseconds(10_000)));
        assert_eq!((found.packets, found.events), (answer.packets, answer.events));
        assert_eq!(found.states, answer.states);
        assert_eq!(introduction(&introduce("it", &[])), Ok(("it".to_owned(), Vec::new())));
    }

    #[test]
    fn what_is_not_an_answer_is_a_fault() {
        let cut = read(&[0; 13]).map(drop);
        assert_eq!(cut, Err("its answer ends early: 1 octets where 2 are expected".to_owned()));
        assert_eq!(read(&[0; 15]).map(drop), Err("its answer goes on for 1 octets".to_owned()));
        let event = [&[0; 10][..], &[1, 0, 9], &[0; 10]].concat();
        assert_eq!(read(&event).map(drop), Err("there is no event 9".to_owned()));
        let state = [&[0; 12][..], &[1, 0, 1], &[0; 8]].concat();
        assert_eq!(read(&state).map(drop), Err("there is no state 1 of 1".to_owned()));
    }

    #[test]
    fn introductions_have_a_name_and_states_with_units() {
        let state = |name: &str, unit| State { name: name.to_owned(), unit };
        assert_eq!(
            introduction("version 1\nname my stack\nstate cwnd byte\nstate loss 1\n"),
            Ok(("my stack".to_owned(), vec![state("cwnd", "byte"), state("loss", "1")]))
        );
        for wrong in ["name it\nstate cwnd segment", "name it\nversion 2", "state rtt second", "x"]
        {
            assert!(introduction(wrong).is_err(), "{wrong}");
        }
        assert_eq!(counters("timeouts 3\n"), Ok([("timeouts".to_owned(), 3.0)].into()));
        assert!(counters("timeouts").is_err() && counters("timeouts inf").is_err());
    }
}
