//! Packets as text, and an expected one compared with that which came.

use super::error::Fault;
use super::option::TcpOption;
use super::scan::Scanner;

/// Flags of TCP: their letters and bits.
const FLAGS: [(char, u16); 9] = [
    ('F', 1),
    ('S', 2),
    ('R', 4),
    ('P', 8),
    ('.', 16),
    ('U', 32),
    ('E', 64),
    ('W', 128),
    ('A', 256),
];
/// Bit of PSH, which is not compared.
const PUSH: u16 = 8;
pub(super) const ACK: u16 = 16;
pub(super) const SYN: u16 = 2;
const EXPECTED_FLAGS: &str = "flags: of S F R P . E W A those that are set, or - for none";
/// Words of the ECN field, and its value; `ect01` is either of two.
const ECN: [(&str, Ecn); 5] = [
    ("noecn", Ecn::Is(0)),
    ("ect1", Ecn::Is(1)),
    ("ect0", Ecn::Is(2)),
    ("ce", Ecn::Is(3)),
    ("ect01", Ecn::Capable),
];

/// ECN field of a packet, RFC 3168 §5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ecn {
    /// This value.
    Is(u8),
    /// ECT(0) or ECT(1).
    Capable,
}

impl Ecn {
    /// Value of a packet that is sent with it.
    pub(super) fn value(self) -> u8 {
        match self {
            Self::Is(value) => value,
            Self::Capable => 2,
        }
    }

    fn holds(self, value: u8) -> bool {
        match self {
            Self::Is(own) => own == value,
            Self::Capable => value == 1 || value == 2,
        }
    }

    fn text(self) -> &'static str {
        ECN.iter().find(|(_, ecn)| *ecn == self).map_or("noecn", |(word, _)| word)
    }
}

/// A packet of a script. Numbers count from those of the SYNs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Packet {
    /// `None` if it does not matter.
    pub(super) ecn: Option<Ecn>,
    pub(super) flags: u16,
    pub(super) seq: u32,
    pub(super) length: u32,
    pub(super) ack: Option<u32>,
    /// The field, not scaled.
    pub(super) window: Option<u16>,
    /// `None` if they do not matter.
    pub(super) options: Option<Vec<TcpOption>>,
}

impl Packet {
    /// Reads a packet behind its direction.
    pub(super) fn read(scanner: &mut Scanner<'_>) -> Result<Self, Fault> {
        let ecn = ecn(scanner)?;
        let flags = flags(scanner)?;
        scanner.skip_spaces();
        let seq = scanner.number("a sequence number, as in 1:1001(1000)")?;
        scanner.require(":", "`:` and the number after the last octet, as in 1:1001(1000)")?;
        let before = *scanner;
        let end = scanner.number("the number after the last octet")?;
        scanner.require("(", "the length in parentheses, as in 1:1001(1000)")?;
        let length = scanner.number("the length")?;
        scanner.require(")", "`)` behind the length")?;
        if seq.wrapping_add(length) != end {
            let sum = seq.wrapping_add(length);
            return Err(before.unexpected(&format!("{sum}, which is {seq} and {length} octets")));
        }
        let mut packet =
            Self { ecn, flags, seq, length, ack: None, window: None, options: Some(Vec::new()) };
        packet.read_fields(scanner)?;
        Ok(packet)
    }

    fn read_fields(&mut self, scanner: &mut Scanner<'_>) -> Result<(), Fault> {
        loop {
            scanner.skip_spaces();
            let before = *scanner;
            if scanner.take("<") {
                scanner.skip_spaces();
                self.options = if scanner.take("...") {
                    scanner.require(">", "`>` behind `...`")?;
                    None
                } else {
                    Some(TcpOption::read_all(scanner)?)
                };
                return scanner.end_line();
            }
            match scanner.word() {
                "" => return scanner.end_line(),
                "ack" => {
                    scanner.skip_spaces();
                    self.ack = Some(scanner.number("a number that is acknowledged")?);
                }
                "win" => {
                    scanner.skip_spaces();
                    let start = *scanner;
                    let window = scanner.number("a window")?;
                    let field = u16::try_from(window);
                    self.window =
                        Some(field.map_err(|_| start.unexpected("a window field, below 65536"))?);
                }
                _ => return Err(before.unexpected("ack N, win N, options in <>, or no more")),
            }
        }
    }

    /// Differences of a packet that came from this one, which was expected.
    pub(super) fn differences(&self, actual: &Self) -> Vec<String> {
        let mut found = Vec::new();
        let mut differ = |noun: &str, is: String, expected: String| {
            found.push(format!("{noun} is {is}, not {expected}"));
        };
        let ecn = actual.ecn.map_or(0, Ecn::value);
        if let Some(expected) = self.ecn.filter(|expected| !expected.holds(ecn)) {
            differ("ECN field", Ecn::Is(ecn).text().into(), expected.text().into());
        }
        if (self.flags ^ actual.flags) & !PUSH != 0 {
            differ("flags", letters(actual.flags & !PUSH), letters(self.flags & !PUSH));
        }
        if self.seq != actual.seq {
            differ("seq", actual.seq.to_string(), self.seq.to_string());
        }
        if self.length != actual.length {
            differ("length", actual.length.to_string(), self.length.to_string());
        }
        if self.ack.is_some() && self.ack != actual.ack {
            differ("ack", number(actual.ack), number(self.ack));
        }
        if self.window.is_some() && self.window != actual.window {
            differ("win", number(actual.window), number(self.window));
        }
        if let (Some(expected), Some(options)) = (&self.options, &actual.options) {
            let [expected, options] = [expected, options].map(|options| told(options));
            if expected != options {
                differ("options", bracketed(&options), bracketed(&expected));
            }
        }
        found
    }

    /// The packet as a script writes it.
    pub(super) fn text(&self) -> String {
        let end = self.seq.wrapping_add(self.length);
        let ecn = self.ecn.filter(|ecn| ecn.value() != 0);
        let mut words: Vec<String> = ecn.iter().map(|ecn| format!("[{}]", ecn.text())).collect();
        words.push(letters(self.flags));
        words.push(format!("{}:{end}({})", self.seq, self.length));
        words.extend(self.ack.map(|ack| format!("ack {ack}")));
        words.extend(self.window.map(|window| format!("win {window}")));
        match &self.options {
            Some(options) if told(options).is_empty() => {}
            Some(options) => words.push(bracketed(&told(options))),
            None => words.push("<...>".to_owned()),
        }
        words.join(" ")
    }
}

/// Texts of options that say something, sorted: their order and their padding are free.
fn told(options: &[TcpOption]) -> Vec<String> {
    let told = options.iter().filter(|option| !option.is_filler());
    let mut texts: Vec<String> = told.map(TcpOption::text).collect();
    texts.sort();
    texts
}

fn bracketed(options: &[String]) -> String {
    format!("<{}>", options.join(","))
}

fn number<T: ToString>(number: Option<T>) -> String {
    number.map_or_else(|| "absent".to_owned(), |number| number.to_string())
}

/// Letters of flags.
fn letters(flags: u16) -> String {
    let set: String =
        FLAGS.iter().filter(|(_, bit)| flags & bit != 0).map(|(letter, _)| letter).collect();
    if set.is_empty() { "-".to_owned() } else { set }
}

fn ecn(scanner: &mut Scanner<'_>) -> Result<Option<Ecn>, Fault> {
    if !scanner.take("[") {
        return Ok(None);
    }
    let before = *scanner;
    let word = scanner.word();
    let known = ECN.iter().find(|(name, _)| *name == word);
    let (_, ecn) = known.ok_or_else(|| before.unexpected("noecn, ect0, ect1, ect01 or ce"))?;
    scanner.require("]", "`]` behind the ECN field")?;
    scanner.skip_spaces();
    Ok(Some(*ecn))
}

fn flags(scanner: &mut Scanner<'_>) -> Result<u16, Fault> {
    let before = *scanner;
    let word = scanner.take_while(|letter| !letter.is_whitespace());
    if word == "-" {
        return Ok(0);
    }
    let bit = |letter| FLAGS.iter().find(|(known, _)| *known == letter).map(|(_, bit)| *bit);
    let bits: Option<u16> = word.chars().map(bit).try_fold(0, |all, bit| Some(all | bit?));
    match bits {
        Some(bits) if !word.is_empty() => Ok(bits),
        _ => Err(before.unexpected(EXPECTED_FLAGS)),
    }
}
