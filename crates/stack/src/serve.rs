//! The other side of the protocol: a stack in Rust as a program on a pipe.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddrV4};
use std::str::FromStr;

use crate::protocol::{self, kind};
use crate::stack::{Answer, Greeting, Role, Stack, StackError, Turn};

/// Answers the questions on standard input on standard output, until the run ends.
///
/// # Errors
///
/// A question is not one of the protocol, the stack fails, or a pipe breaks.
pub fn serve<S: Stack>(make: impl FnOnce(&Greeting) -> S) -> io::Result<()> {
    answer(&mut io::stdin().lock(), &mut io::stdout().lock(), make)
}

/// Answers `questions` in `answers`, until their end.
pub(crate) fn answer<S: Stack>(
    questions: &mut dyn Read,
    answers: &mut dyn Write,
    make: impl FnOnce(&Greeting) -> S,
) -> io::Result<()> {
    let Some(first) = message(questions)? else { return Ok(()) };
    let text = String::from_utf8(first[1..].to_vec()).map_err(io::Error::other)?;
    let mut stack = make(&greeting(&text).map_err(io::Error::other)?);
    let introduction = protocol::introduce(&stack.name(), &stack.states());
    send(answers, kind::GREETING[1], introduction.as_bytes())?;
    let (mut given, mut body) = (Answer::default(), Vec::new());
    while let Some(question) = message(questions)? {
        body.clear();
        if question[0] == kind::TURN[0] {
            let (now, packets, calls) =
                protocol::read_turn(&question[1..]).map_err(io::Error::other)?;
            given.clear();
            let turn = Turn { now, arrived: &packets, calls: &calls };
            stack.turn(&turn, &mut given).map_err(io::Error::other)?;
            protocol::write_answer(&given, &mut body);
            send(answers, kind::TURN[1], &body)?;
        } else {
            let counters = stack.end().map_err(io::Error::other)?;
            let lines = counters.iter().map(|(name, value)| format!("{name} {value}\n"));
            send(answers, kind::END[1], lines.collect::<String>().as_bytes())?;
        }
    }
    Ok(())
}

/// The next message; `None` at the end of the file.
fn message(questions: &mut dyn Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    match questions.read_exact(&mut length) {
        Err(fault) if fault.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let mut body = vec![0; u32::from_le_bytes(length) as usize];
    questions.read_exact(&mut body)?;
    if body.is_empty() { Err(io::Error::other("an empty message")) } else { Ok(Some(body)) }
}

fn send(answers: &mut dyn Write, kind: u8, body: &[u8]) -> io::Result<()> {
    answers.write_all(&(body.len() as u32 + 1).to_le_bytes())?;
    answers.write_all(&[kind])?;
    answers.write_all(body)?;
    answers.flush()
}

/// Reads the text of a greeting.
fn greeting(text: &str) -> Result<Greeting, StackError> {
    let value = |key: &str| {
        let found = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
        found.ok_or_else(|| StackError::new(format!("a greeting without `{key}`")))
    };
    let socket = |address: &str, port: &str| {
        let address: Ipv4Addr = number(value(address)?)?;
        Ok(SocketAddrV4::new(address, number(value(port)?)?))
    };
    Ok(Greeting {
        seed: number(value("seed")?)?,
        role: if value("role")? == "origin" { Role::Origin } else { Role::Destination },
        own: socket("address", "port")?,
        peer: socket("peer_address", "peer_port")?,
        mtu: number(value("mtu")?)?,
        window: number(value("window")?)?,
        flow: value("flow")?.to_owned(),
    })
}

fn number<T: FromStr>(text: &str) -> Result<T, StackError> {
    text.parse().map_err(|_| StackError::new(format!("`{text}` in a greeting")))
}
