//! Statements of a script.

use super::Script;
use super::call::{self, SocketCall};
use super::claim::Claim;
use super::error::{Fault, ScriptError, place_of};
use super::instant::Instant;
use super::packet::Packet;
use super::report::Skipped;
use super::scan::{Scanner, without_comments};
use super::settings::{Settings, skipped};
use crate::stack::Role;

/// Words behind a direction that begin packets of other kinds.
const OTHERS: [&str; 8] = ["icmp", "udp", "udplite", "gre", "ipv4", "ipv6", "mpls", "sctp"];

/// A statement with its place.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub(super) line: usize,
    pub(super) text: String,
    pub(super) instant: Instant,
    pub(super) event: Event,
}

/// An event of a script.
#[derive(Clone, Debug)]
pub(super) enum Event {
    /// A packet arrives at the stack.
    Arrival(Packet),
    /// The stack has to send a packet.
    Departure(Packet),
    Call(SocketCall),
    Claims(Vec<Claim>),
    /// A statement that is skipped, whose instant counts.
    Nothing,
}

/// Reads the script of a file.
pub(super) fn read(origin: &str, text: &str) -> Result<Script, ScriptError> {
    let bare = without_comments(text);
    let mut reader = Reader::default();
    let scenario = reader.read(&bare, text).and_then(|()| reader.settings.scenario());
    let scenario = scenario.map_err(|fault| fault.placed(origin, text))?;
    let role = reader.role().map_err(|fault| fault.placed(origin, text))?;
    Ok(Script {
        origin: origin.to_owned(),
        scenario,
        role,
        tolerance: reader.settings.tolerance(),
        statements: reader.statements,
        skipped: reader.skipped,
    })
}

#[derive(Default)]
struct Reader {
    settings: Settings,
    statements: Vec<Statement>,
    skipped: Vec<Skipped>,
}

impl Reader {
    fn read(&mut self, bare: &str, text: &str) -> Result<(), Fault> {
        let mut scanner = Scanner::new(bare);
        loop {
            scanner.skip_blank();
            if scanner.is_at_end() {
                return Ok(());
            }
            let start = scanner.at();
            let (line, _) = place_of(text, start);
            let why = self.statement(&mut scanner, line)?;
            if let Some(why) = why {
                let said = scanner.since(start).lines().next().unwrap_or_default();
                self.skipped.push(skipped(line, said, why));
            }
        }
    }

    /// Reads a statement; returns the reason why it is skipped, if it is.
    fn statement(
        &mut self,
        scanner: &mut Scanner<'_>,
        line: usize,
    ) -> Result<Option<String>, Fault> {
        let start = scanner.at();
        if scanner.take("--") {
            return self.settings.read(scanner);
        }
        if let Some(why) = shell(scanner)? {
            return Ok(Some(why));
        }
        let instant = Instant::read(scanner)?;
        scanner.skip_spaces();
        let (event, why) = event(scanner)?;
        let text = scanner.since(start).split_whitespace().collect::<Vec<_>>().join(" ");
        self.statements.push(Statement { line, text, instant, event });
        Ok(why)
    }

    /// Part of the stack: it connects or listens, as the first call says.
    fn role(&self) -> Result<Role, Fault> {
        let role = self.statements.iter().find_map(|statement| match statement.event {
            Event::Call(SocketCall::Connect(_)) => Some(Role::Origin),
            Event::Call(SocketCall::Listen(_)) => Some(Role::Destination),
            _ => None,
        });
        role.ok_or_else(|| Fault {
            at: 0,
            message: "no call opens a connection; expected `0 connect(3, ..., ...) = 0` or \
                      `0 listen(3, 1) = 0`"
                .to_owned(),
        })
    }
}

/// Passes a command of a shell.
fn shell(scanner: &mut Scanner<'_>) -> Result<Option<String>, Fault> {
    let before = *scanner;
    if !scanner.take("`") {
        return Ok(None);
    }
    match scanner.until("`") {
        Ok(_) => Ok(Some("a command of a shell; keys of TCP are --tcp lines".to_owned())),
        Err(fault) => Err(Fault { at: before.at(), ..fault }),
    }
}

/// Reads an event, with the reason why it is skipped, if it is.
fn event(scanner: &mut Scanner<'_>) -> Result<(Event, Option<String>), Fault> {
    if let Some(why) = shell(scanner)? {
        return Ok((Event::Nothing, Some(why)));
    }
    if scanner.take("%{") {
        return Ok(match Claim::read_all(scanner.until("}%")?) {
            Ok(claims) => (Event::Claims(claims), None),
            Err(why) => (Event::Nothing, Some(why)),
        });
    }
    let direction = scanner.peek();
    if scanner.take("<") || scanner.take(">") {
        scanner.skip_spaces();
        let mut ahead = *scanner;
        let word = ahead.word();
        if OTHERS.contains(&word) {
            scanner.line();
            return Ok((Event::Nothing, Some(format!("{word}: packets are of TCP over IPv4"))));
        }
        let packet = Packet::read(scanner)?;
        let is_arrival = direction == Some('<');
        if is_arrival && packet.options.is_none() {
            return Err(
                scanner.fault("a packet that arrives has options of its own; expected them")
            );
        }
        let event = if is_arrival { Event::Arrival(packet) } else { Event::Departure(packet) };
        return Ok((event, None));
    }
    Ok(match call::read(scanner)? {
        Ok(Some(call)) => (Event::Call(call), None),
        Ok(None) => (Event::Nothing, None),
        Err(why) => (Event::Nothing, Some(why)),
    })
}
