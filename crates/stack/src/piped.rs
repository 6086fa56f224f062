//! Stack that is a program, asked over its standard input and output.

use std::collections::BTreeMap;
use std::io::{BufReader, BufWriter, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::protocol::{self, kind};
use crate::silence::Watch;
use crate::stack::{Answer, Greeting, Stack, StackError, State, Turn};

/// Longest message that is read.
const LONGEST: usize = 1 << 26;

/// A program with the protocol on its pipe; it is killed when this is dropped.
#[derive(Debug)]
pub struct Piped {
    child: Child,
    to: BufWriter<ChildStdin>,
    from: BufReader<ChildStdout>,
    watch: Watch,
    name: String,
    states: Vec<State>,
    question: Vec<u8>,
    body: Vec<u8>,
}

impl Piped {
    /// Starts the program `words[0]` with the other words, and greets it.
    ///
    /// # Errors
    ///
    /// It cannot be started, or its answer is not one of the protocol.
    pub fn start(words: &[String], greeting: &Greeting) -> Result<Self, StackError> {
        let (program, rest) =
            words.split_first().ok_or_else(|| StackError::new("it has no program"))?;
        let started =
            Command::new(program).args(rest).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = started
            .map_err(|fault| StackError::new(format!("cannot start `{program}`: {fault}")))?;
        let to = BufWriter::new(child.stdin.take().expect("a pipe was asked for"));
        let from = BufReader::new(child.stdout.take().expect("a pipe was asked for"));
        let (name, states) = (program.clone(), Vec::new());
        let (question, body) = (Vec::new(), Vec::new());
        let watch = Watch::over(program);
        let mut piped = Self { child, to, from, watch, name, states, question, body };
        let text = piped.ask_text(kind::GREETING, &protocol::greeting(greeting))?;
        (piped.name, piped.states) = protocol::introduction(&text)?;
        Ok(piped)
    }

    /// Sends a question, which is in `self.question` behind its kind, and reads the answer into
    /// `self.body` without its kind.
    fn exchange(&mut self, kinds: [u8; 2]) -> Result<(), StackError> {
        self.watch.note();
        let length = (self.question.len() as u32 + 1).to_le_bytes();
        let sent = (self.to.write_all(&length))
            .and_then(|()| self.to.write_all(&kinds[..1]))
            .and_then(|()| self.to.write_all(&self.question))
            .and_then(|()| self.to.flush());
        let mut head = [0; 5];
        // A program that did not wait for the question has said why in what it wrote.
        self.from.read_exact(&mut head).map_err(|_| self.gone())?;
        let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
        if !(1..=LONGEST).contains(&length) || head[4] != kinds[1] {
            return Err(StackError::new(format!(
                "its answer begins with `{}`; expected a length of four octets, little-endian, and \
                 `{}`. Standard output has the protocol alone: print to standard error",
                head.escape_ascii(),
                char::from(kinds[1])
            )));
        }
        sent.map_err(|_| self.gone())?;
        self.body.resize(length - 1, 0);
        self.from.read_exact(&mut self.body).map_err(|_| self.gone())?;
        self.watch.note();
        Ok(())
    }

    fn ask_text(&mut self, kinds: [u8; 2], text: &str) -> Result<String, StackError> {
        self.question.clear();
        self.question.extend_from_slice(text.as_bytes());
        self.exchange(kinds)?;
        String::from_utf8(self.body.clone()).map_err(|_| StackError::new("its text is not UTF-8"))
    }

    /// Fault of a program that does not answer, with its status if it has ended.
    fn gone(&mut self) -> StackError {
        match self.child.try_wait() {
            Ok(Some(status)) => StackError::new(format!("its program ended: {status}")),
            _ => StackError::new("its program closed its pipe"),
        }
    }
}

impl Stack for Piped {
    fn turn(&mut self, turn: &Turn<'_>, answer: &mut Answer) -> Result<(), StackError> {
        self.question.clear();
        protocol::write_turn(turn, &mut self.question);
        self.exchange(kind::TURN)?;
        protocol::read_answer(&self.body, turn.now, self.states.len(), answer)
    }

    fn states(&self) -> Vec<State> {
        self.states.clone()
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn end(&mut self) -> Result<BTreeMap<String, f64>, StackError> {
        let text = self.ask_text(kind::END, "")?;
        protocol::counters(&text)
    }
}

impl Drop for Piped {
    fn drop(&mut self) {
        // A program that has ended cannot be killed, which is as well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, SocketAddrV4};

    use cellway_sim::units::Time;

    use super::*;
    use crate::stack::Role;

    /// What a program wrote tells more than that it has ended.
    #[test]
    fn a_program_that_has_ended_is_judged_by_what_it_wrote() {
        let socket = SocketAddrV4::new(Ipv4Addr::LOCALHOST, 9);
        let greeting = Greeting {
            seed: 1,
            role: Role::Origin,
            own: socket,
            peer: socket,
            mtu: 1500,
            window: 65_536,
            flow: "f".to_owned(),
        };
        let said = r"head -c 1 >/dev/null; printf '\023\0\0\0hversion 1\nname it\na line of text'";
        let words = ["sh", "-c", said].map(str::to_owned);
        let mut piped = Piped::start(&words, &greeting).expect("it answers the greeting");
        assert_eq!(piped.name(), "it");
        piped.child.wait().expect("it ends");
        let turn = Turn { now: Time::ZERO, arrived: &[], calls: &[] };
        let fault = piped.turn(&turn, &mut Answer::default()).expect_err("no answer");
        assert!(fault.0.starts_with("its answer begins with `a lin`"), "{fault}");
    }
}
