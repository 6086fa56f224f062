//! A script against a stack, statement by statement, in virtual time.

use std::collections::{BTreeMap, VecDeque};

use cellway_sim::units::{Span, Time};

use super::Script;
use super::call::SocketCall;
use super::claim::Claim;
use super::instant::Limits;
use super::option::TcpOption;
use super::packet::{self, Packet};
use super::report::{self, Report, Row};
use super::settings::{FLOW, skipped};
use super::statement::{Event, Statement};
use super::wire_end::WireEnd;
use crate::stack::{Answer, Call, Event as Told, Greeting, Stack, StackError, Turn};

/// Turns at one instant from which on a stack is held to stand still.
const MOST_TURNS: u32 = 10_000;
/// Longest time that a packet is waited for.
const PATIENCE: Span = Span::from_seconds(1000);
/// Packets that a report shows of those that nothing expected.
const MOST_SHOWN: usize = 20;
/// Octets of the timestamps in a full segment.
const TIMESTAMP_OCTETS: u64 = 12;

/// Plays a script.
pub(super) fn play(script: &Script, greeting: &Greeting, stack: &mut dyn Stack) -> Report {
    let mut report =
        Report { stack: stack.name(), skipped: script.skipped.clone(), ..Report::default() };
    let names = stack.states().into_iter().map(|state| state.name).collect();
    let mut player = Player {
        script,
        stack,
        names,
        end: WireEnd::new(greeting),
        now: Time::ZERO,
        next: None,
        turns: 0,
        sent: VecDeque::new(),
        known: Known::default(),
    };
    player.play(&mut report);
    report
}

/// Facts about the connection.
#[derive(Debug, Default)]
struct Known {
    states: BTreeMap<usize, f64>,
    acked: u64,
    delivered: u64,
    /// Events besides those of octets.
    events: Vec<Told>,
    written: u64,
    read: u64,
    /// True once the application has opened, and once it has ended its stream.
    is_opened: bool,
    is_closed: bool,
    descriptor: Option<u32>,
    /// Segment size that the script's SYN says, and whether both SYNs have timestamps.
    mss: Option<u16>,
    has_timestamps: bool,
}

impl Known {
    fn has(&self, event: Told) -> bool {
        self.events.contains(&event)
    }
}

struct Player<'p> {
    script: &'p Script,
    stack: &'p mut dyn Stack,
    names: Vec<String>,
    end: WireEnd,
    now: Time,
    next: Option<Time>,
    /// Turns at this instant.
    turns: u32,
    /// Packets that no statement has taken.
    sent: VecDeque<(Time, Vec<u8>)>,
    known: Known,
}

impl Player<'_> {
    fn play(&mut self, report: &mut Report) {
        let mut before = Time::ZERO;
        for statement in &self.script.statements {
            let outcome = self.statement(statement, &mut before, report);
            let Ok((at, actual)) = &outcome else {
                let why = outcome.err().map_or_else(String::new, |fault| fault.to_string());
                return self.fail(report, statement.line, why);
            };
            report.rows.push(row(statement, Some(*at), actual.clone()));
        }
        if !self.sent.is_empty() {
            let line = self.script.statements.last().map_or(1, |statement| statement.line);
            let why = "the script ends, and packets are left that nothing expects".to_owned();
            self.fail(report, line, why);
        } else if let Err(fault) = self.stack.end() {
            report.fault = Some((0, fault.to_string()));
        }
    }

    fn fail(&mut self, report: &mut Report, line: usize, why: String) {
        report.fault = Some((line, why));
        for (at, octets) in self.sent.iter().take(MOST_SHOWN) {
            let text = match self.end.decode(octets, None) {
                Ok(packet) => packet.text(),
                Err(fault) => fault.to_string(),
            };
            report.unexpected.push(report::Packet { at: at.seconds_f64(), text });
        }
    }

    /// Plays one statement; returns its instant and what happened.
    fn statement(
        &mut self,
        statement: &Statement,
        before: &mut Time,
        report: &mut Report,
    ) -> Result<(Time, String), StackError> {
        let at = statement.instant.at(*before);
        if let Event::Departure(expected) = &statement.event {
            let limits = statement.instant.limits(*before, self.script.tolerance);
            let (at, actual) = self.depart(expected, limits, statement, report)?;
            *before = limits.base.unwrap_or(at);
            return Ok((at, actual));
        }
        *before = at;
        self.run_until(at)?;
        match &statement.event {
            Event::Arrival(packet) => self.arrive(packet)?,
            Event::Call(call) => self.call(*call)?,
            Event::Claims(claims) => return Ok((self.now, self.claim(claims, statement, report)?)),
            Event::Departure(_) | Event::Nothing => {}
        }
        Ok((self.now, String::new()))
    }

    /// Lets the stack have its turns up to an instant, and goes there.
    fn run_until(&mut self, at: Time) -> Result<(), StackError> {
        while let Some(next) = self.next.filter(|next| *next <= at) {
            self.go_to(next);
            self.turn(&[], &[])?;
        }
        self.go_to(at);
        Ok(())
    }

    fn go_to(&mut self, at: Time) {
        if at > self.now {
            (self.now, self.turns) = (at, 0);
        }
    }

    fn turn(&mut self, arrived: &[&[u8]], calls: &[Call]) -> Result<(), StackError> {
        self.turns += 1;
        if self.turns > MOST_TURNS {
            return Err(StackError::new(format!(
                "it stands still: {MOST_TURNS} turns at one instant"
            )));
        }
        let mut answer = Answer::default();
        self.stack.turn(&Turn { now: self.now, arrived, calls }, &mut answer)?;
        self.next = answer.next;
        self.sent.extend(answer.packets.into_iter().map(|octets| (self.now, octets)));
        self.known.states.extend(answer.states);
        for event in answer.events {
            match event {
                Told::Acked(octets) => self.known.acked = octets,
                Told::Delivered(octets) => self.known.delivered = octets,
                other => self.known.events.push(other),
            }
        }
        Ok(())
    }

    fn arrive(&mut self, packet: &Packet) -> Result<(), StackError> {
        if packet.flags & packet::SYN != 0 {
            for option in packet.options.iter().flatten() {
                match option {
                    TcpOption::Mss(mss) => self.known.mss = Some(*mss),
                    TcpOption::Timestamps { .. } => self.known.has_timestamps = true,
                    _ => {}
                }
            }
        }
        // Numbers of the stack are known once its SYN was seen, even if no statement took it yet.
        if let Some((_, octets)) = self.sent.front() {
            let octets = octets.clone();
            self.end.decode(&octets, None)?;
        }
        let octets = self.end.encode(packet);
        self.turn(&[&octets], &[])
    }

    /// Waits for a packet, and compares it.
    fn depart(
        &mut self,
        expected: &Packet,
        limits: Limits,
        statement: &Statement,
        report: &mut Report,
    ) -> Result<(Time, String), StackError> {
        let until = limits.until.min(self.now + PATIENCE);
        while self.sent.is_empty() {
            let Some(next) = self.next.filter(|next| *next <= until) else {
                report.rows.push(row(statement, None, "nothing".to_owned()));
                let until = until.seconds_f64();
                return Err(StackError::new(format!("nothing was sent until {until:.6}")));
            };
            self.go_to(next);
            self.turn(&[], &[])?;
        }
        let (at, octets) = self.sent.pop_front().expect("there is one");
        let packet = self.end.decode(&octets, Some(expected))?;
        let text = packet.text();
        let mut differences = expected.differences(&packet);
        if at < limits.from || at > limits.until {
            let [from, until] = [limits.from, limits.until].map(Time::seconds_f64);
            let at = at.seconds_f64();
            let expected = if limits.base.is_some() {
                format!("not {:.6}", f64::midpoint(from, until))
            } else {
                format!("not within {from:.6} and {until:.6}")
            };
            differences.push(format!("its instant is {at:.6}, {expected}"));
        }
        if differences.is_empty() {
            return Ok((at, text));
        }
        report.rows.push(row(statement, Some(at), text));
        Err(StackError::new(differences.join("; ")))
    }

    fn call(&mut self, call: SocketCall) -> Result<(), StackError> {
        let known = &mut self.known;
        let waiting = known.delivered.saturating_sub(known.read);
        let demand = |holds: bool, why: String| {
            if holds { Ok(()) } else { Err(StackError::new(why)) }
        };
        match call {
            SocketCall::Connect(descriptor) => {
                known.descriptor = Some(descriptor);
                self.open()
            }
            SocketCall::Listen(_) => self.open(),
            SocketCall::Accept(descriptor) => {
                known.descriptor = Some(descriptor);
                demand(known.has(Told::Opened), "the connection is not open".to_owned())
            }
            SocketCall::Write(_) if known.is_closed => {
                Err(StackError::new("the application has ended its stream before"))
            }
            SocketCall::Write(octets) => {
                known.written += u64::from(octets);
                self.turn(&[], &[Call::Write(octets.into())])
            }
            SocketCall::Read(octets) => {
                known.read += u64::from(octets);
                let why = format!("{waiting} octets are there to read, not {octets}");
                demand(waiting >= u64::from(octets), why)
            }
            SocketCall::ReadNothing => {
                let is_empty = waiting == 0 && !known.has(Told::Ended);
                demand(is_empty, format!("{waiting} octets are there, or the end of the stream"))
            }
            SocketCall::ReadEnd => {
                let is_end = waiting == 0 && known.has(Told::Ended);
                demand(is_end, format!("no end of the stream; {waiting} octets to read"))
            }
            SocketCall::ReadFault => demand(
                known.has(Told::Failed),
                "the connection was not reset or given up".to_owned(),
            ),
            SocketCall::Close(descriptor) if known.descriptor == Some(descriptor) => {
                let written = known.written;
                known.is_closed = true;
                self.turn(&[], &[Call::Close(written)])
            }
            SocketCall::Close(_) => Ok(()),
        }
    }

    fn open(&mut self) -> Result<(), StackError> {
        if std::mem::replace(&mut self.known.is_opened, true) {
            return Err(StackError::new("there is one connection in a script, and it is open"));
        }
        self.turn(&[], &[Call::Open])
    }

    /// Checks claims; returns the values.
    fn claim(
        &self,
        claims: &[Claim],
        statement: &Statement,
        report: &mut Report,
    ) -> Result<String, StackError> {
        let mut values = Vec::new();
        let mut fault = None;
        for claim in claims {
            let Some(value) = self.value(claim) else {
                let why = format!("`{}` is no state of this stack", claim.name);
                report.skipped.push(skipped(statement.line, &statement.text, why));
                continue;
            };
            values.push(format!("{} {value}", claim.name));
            if !claim.holds(value) {
                fault.get_or_insert_with(|| format!("{} is {value}", claim.name));
            }
        }
        let Some(fault) = fault else { return Ok(values.join(", ")) };
        report.rows.push(row(statement, Some(self.now), values.join(", ")));
        Err(StackError::new(fault))
    }

    fn value(&self, claim: &Claim) -> Option<f64> {
        let known = &self.known;
        let flag = |event| Some(f64::from(u8::from(known.has(event))));
        let value = match claim.name.as_str() {
            "acked" => Some(known.acked as f64),
            "delivered" => Some(known.delivered as f64),
            "opened" => flag(Told::Opened),
            "ended" => flag(Told::Ended),
            "closed" => flag(Told::Closed),
            "failed" => flag(Told::Failed),
            "rtt_microseconds" => self.state("rtt").map(|rtt| (rtt * 1e6).round()),
            name => self.state(name),
        };
        if claim.is_in_segments { value.map(|value| value / self.segment()) } else { value }
    }

    fn state(&self, name: &str) -> Option<f64> {
        let index = self.names.iter().position(|known| known == name)?;
        self.known.states.get(&index).copied()
    }

    /// Octets of data in a full segment.
    fn segment(&self) -> f64 {
        let flow = self.script.scenario.flows.iter().find(|flow| flow.name == FLOW);
        let tcp = flow.and_then(|flow| flow.tcp.as_ref()).expect("the scenario is our own");
        let mss = self.known.mss.map_or(tcp.mss.0, |mss| tcp.mss.0.min(mss.into()));
        let has_timestamps = self.known.has_timestamps && tcp.timestamps;
        (mss - if has_timestamps { TIMESTAMP_OCTETS } else { 0 }) as f64
    }
}

fn row(statement: &Statement, at: Option<Time>, actual: String) -> Row {
    let (line, expected) = (statement.line, statement.text.clone());
    Row { line, expected, at: at.map(Time::seconds_f64), actual }
}
