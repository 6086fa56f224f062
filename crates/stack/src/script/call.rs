//! Calls of the application: `name(arguments) = result`, as a trace of system calls shows them.

use super::error::Fault;
use super::scan::Scanner;

/// A call that a script makes, and what it has to give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SocketCall {
    /// Connects; the descriptor is that of the connection.
    Connect(u32),
    /// Listens.
    Listen(u32),
    /// The connection has to be open; it gets a descriptor.
    Accept(u32),
    Write(u32),
    /// So many octets have to be there.
    Read(u32),
    /// Nothing may be there.
    ReadNothing,
    /// The other end's stream has to be read, and at its end.
    ReadEnd,
    /// The connection has to be reset or given up.
    ReadFault,
    /// Ends the stream of this descriptor.
    Close(u32),
}

/// A call, or the reason why it is skipped.
pub(super) type Read = Result<Option<SocketCall>, String>;

/// Reads a call. `Ok(None)` within is one that has nothing to do, such as `socket`.
pub(super) fn read(scanner: &mut Scanner<'_>) -> Result<Read, Fault> {
    let start = *scanner;
    let name = scanner.word();
    scanner.skip_spaces();
    if name.is_empty() || !scanner.take("(") {
        return Err(start.unexpected(
            "a packet behind < or >, a call such as write(3, ..., 1000) = 1000, or \
             %{ assert cwnd == 2000 }%",
        ));
    }
    let arguments = arguments(scanner)?;
    scanner.skip_spaces();
    let result = result(scanner)?;
    let number = |place: usize, noun: &str| {
        let text = arguments.get(place).map_or("", |text| text.as_str());
        let wrong = || {
            start.fault(format!("argument {} of {name} is `{text}`; expected {noun}", place + 1))
        };
        text.parse::<u32>().map_err(|_| wrong())
    };
    let descriptor = || number(0, "a descriptor such as 3");
    let failed = result.is_some_and(|(value, _)| value < 0);
    let given = result.map(|(value, _)| value.max(0) as u32);
    let call = match name {
        "socket" | "bind" => None,
        "connect" => Some(SocketCall::Connect(descriptor()?)),
        "listen" => Some(SocketCall::Listen(descriptor()?)),
        "accept" | "accept4" | "write" | "send" | "sendto" if failed => {
            return Ok(Err(format!("a {name} that fails: the protocol of stacks has none")));
        }
        "accept" | "accept4" => {
            let given = given.ok_or_else(|| scanner.unexpected("`=` and a descriptor"))?;
            Some(SocketCall::Accept(given))
        }
        "write" | "send" | "sendto" => {
            let octets = number(2, "a number of octets")?;
            if given.is_some_and(|given| given != octets) {
                return Ok(Err(format!("a {name} that takes a part: buffers take all here")));
            }
            Some(SocketCall::Write(octets))
        }
        "read" | "recv" | "recvfrom" => Some(match result {
            None => SocketCall::Read(number(2, "a number of octets")?),
            Some((-1, error)) if error == "EAGAIN" || error == "EWOULDBLOCK" => {
                SocketCall::ReadNothing
            }
            Some((-1, _)) => SocketCall::ReadFault,
            Some((0, _)) => SocketCall::ReadEnd,
            Some((octets, _)) => SocketCall::Read(octets as u32),
        }),
        "shutdown" if arguments.get(1).is_some_and(|how| how == "SHUT_RD") => None,
        "close" | "shutdown" => Some(SocketCall::Close(descriptor()?)),
        "setsockopt" => {
            return Ok(Err("setsockopt: keys of a connection are lines such as `--tcp nagle = \
                           false`"
                .to_owned()));
        }
        _ => return Ok(Err(format!("{name} is no call of the protocol of stacks"))),
    };
    Ok(Ok(call))
}

/// Arguments, split at the commas that are in no brackets, with the closing parenthesis.
fn arguments(scanner: &mut Scanner<'_>) -> Result<Vec<String>, Fault> {
    let start = *scanner;
    let mut depth = 0_u32;
    let mut found = vec![String::new()];
    while let Some(letter) = scanner.peek() {
        scanner.take(letter.encode_utf8(&mut [0; 4]));
        match letter {
            ')' if depth == 0 => {
                return Ok(found.iter().map(|text| text.trim().to_owned()).collect());
            }
            ',' if depth == 0 => {
                found.push(String::new());
                continue;
            }
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        found.last_mut().expect("one at least").push(letter);
    }
    Err(start.fault("nothing ends these arguments; expected `)` behind them"))
}

/// Result behind `=`, with the name of its error; the words behind it are not read.
fn result<'t>(scanner: &mut Scanner<'t>) -> Result<Option<(i64, &'t str)>, Fault> {
    if !scanner.take("=") {
        scanner.end_line()?;
        return Ok(None);
    }
    scanner.skip_spaces();
    let before = *scanner;
    if scanner.take("?") || scanner.take("...") {
        scanner.line();
        return Ok(None);
    }
    let sign = if scanner.take("-") { -1 } else { 1 };
    let digits = scanner.word();
    let value: i64 = digits.parse().map_err(|_| before.unexpected("a number behind `=`"))?;
    scanner.skip_spaces();
    let error = scanner.word();
    scanner.line();
    Ok(Some((sign * value, error)))
}
