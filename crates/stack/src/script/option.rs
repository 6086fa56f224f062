//! Options of TCP as text and as octets.

use super::error::Fault;
use super::scan::Scanner;

/// Options that a script may name.
const EXPECTED: &str = "mss N, wscale N, sackOK, sack A:B, TS val N ecr N, nop, eol, or kind N HEX";
/// Most octets of options (RFC 9293 §3.1).
const MOST: usize = 40;

/// An option of TCP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TcpOption {
    End,
    NoOperation,
    Mss(u16),
    Scale(u8),
    SackPermitted,
    /// Blocks, as first numbers and those after the last.
    Sack(Vec<(u32, u32)>),
    Timestamps {
        value: u32,
        echo: u32,
    },
    /// Any other kind, with its content.
    Other(u8, Vec<u8>),
}

impl TcpOption {
    /// Reads options behind `<`, with their `>`.
    pub(super) fn read_all(scanner: &mut Scanner<'_>) -> Result<Vec<Self>, Fault> {
        let start = *scanner;
        let mut options = Vec::new();
        loop {
            scanner.skip_spaces();
            if scanner.take(">") && options.is_empty() {
                break;
            }
            options.push(Self::read(scanner)?);
            scanner.skip_spaces();
            if scanner.take(">") {
                break;
            }
            scanner.require(",", "`,` or `>` behind an option")?;
        }
        let octets: usize = options.iter().map(|option| option.octets().len()).sum();
        if octets > MOST {
            return Err(start.fault(format!("{octets} octets of options; expected at most {MOST}")));
        }
        Ok(options)
    }

    fn read(scanner: &mut Scanner<'_>) -> Result<Self, Fault> {
        let start = *scanner;
        let word = scanner.word();
        scanner.skip_spaces();
        Ok(match word {
            "mss" => Self::Mss(bounded(scanner, "a segment size", u16::MAX.into())? as u16),
            "wscale" => Self::Scale(bounded(scanner, "a shift", u8::MAX.into())? as u8),
            "sackOK" | "sackok" => Self::SackPermitted,
            "nop" => Self::NoOperation,
            "eol" => Self::End,
            "sack" => Self::Sack(blocks(scanner)?),
            "TS" => {
                scanner.require("val", "val N ecr N")?;
                scanner.skip_spaces();
                let value = scanner.number("a timestamp")?;
                scanner.skip_spaces();
                scanner.require("ecr", "ecr N")?;
                scanner.skip_spaces();
                Self::Timestamps { value, echo: scanner.number("a timestamp")? }
            }
            "kind" => {
                let kind = bounded(scanner, "a kind", u8::MAX.into())? as u8;
                scanner.skip_spaces();
                let before = *scanner;
                let digits = scanner.take_while(|letter| letter.is_ascii_hexdigit());
                let octets: Option<Vec<u8>> = (0..digits.len())
                    .step_by(2)
                    .map(|at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok())
                    .collect();
                let octets = octets.ok_or_else(|| before.unexpected("two digits for an octet"))?;
                Self::Other(kind, octets)
            }
            _ => return Err(start.unexpected(EXPECTED)),
        })
    }

    /// Octets of the option.
    pub(super) fn octets(&self) -> Vec<u8> {
        let of = |kind: u8, content: &[u8]| [&[kind, 2 + content.len() as u8], content].concat();
        match self {
            Self::End => vec![0],
            Self::NoOperation => vec![1],
            Self::Mss(mss) => of(2, &mss.to_be_bytes()),
            Self::Scale(shift) => of(3, &[*shift]),
            Self::SackPermitted => of(4, &[]),
            Self::Sack(blocks) => {
                let numbers = blocks.iter().flat_map(|(start, end)| [*start, *end]);
                of(5, &numbers.flat_map(u32::to_be_bytes).collect::<Vec<u8>>())
            }
            Self::Timestamps { value, echo } => {
                of(8, &[value.to_be_bytes(), echo.to_be_bytes()].concat())
            }
            Self::Other(kind, content) => of(*kind, content),
        }
    }

    /// Options of these octets; the first that is not whole ends them.
    pub(super) fn decode_all(mut octets: &[u8]) -> Vec<Self> {
        let mut options = Vec::new();
        let word = |at: &[u8]| u32::from_be_bytes(at.try_into().expect("four octets"));
        while let [kind, rest @ ..] = octets {
            if *kind < 2 {
                options.push(if *kind == 0 { Self::End } else { Self::NoOperation });
                octets = rest;
                continue;
            }
            let length = rest.first().map_or(0, |length| usize::from(*length));
            let (Some(content), Some(rest)) = (octets.get(2..length), octets.get(length..)) else {
                break;
            };
            options.push(match (kind, content) {
                (2, &[high, low]) => Self::Mss(u16::from_be_bytes([high, low])),
                (3, &[shift]) => Self::Scale(shift),
                (4, []) => Self::SackPermitted,
                (5, blocks) if blocks.len() % 8 == 0 => {
                    let both = |block: &[u8]| (word(&block[..4]), word(&block[4..]));
                    Self::Sack(blocks.chunks_exact(8).map(both).collect())
                }
                (8, both) if both.len() == 8 => {
                    Self::Timestamps { value: word(&both[..4]), echo: word(&both[4..]) }
                }
                (kind, content) => Self::Other(*kind, content.to_vec()),
            });
            octets = rest;
        }
        options
    }

    /// True for an option that only fills space.
    pub(super) fn is_filler(&self) -> bool {
        matches!(self, Self::End | Self::NoOperation)
    }

    /// The option as a script names it.
    pub(super) fn text(&self) -> String {
        match self {
            Self::End => "eol".to_owned(),
            Self::NoOperation => "nop".to_owned(),
            Self::Mss(mss) => format!("mss {mss}"),
            Self::Scale(shift) => format!("wscale {shift}"),
            Self::SackPermitted => "sackOK".to_owned(),
            Self::Sack(blocks) => {
                let blocks = blocks.iter().map(|(start, end)| format!(" {start}:{end}"));
                format!("sack{}", blocks.collect::<String>())
            }
            Self::Timestamps { value, echo } => format!("TS val {value} ecr {echo}"),
            Self::Other(kind, content) => {
                let digits = content.iter().map(|octet| format!("{octet:02x}"));
                format!("kind {kind} {}", digits.collect::<String>())
            }
        }
    }
}

fn bounded(scanner: &mut Scanner<'_>, noun: &str, most: u32) -> Result<u32, Fault> {
    let before = *scanner;
    let number = scanner.number(noun)?;
    if number > most {
        return Err(before.unexpected(&format!("{noun} of at most {most}")));
    }
    Ok(number)
}

fn blocks(scanner: &mut Scanner<'_>) -> Result<Vec<(u32, u32)>, Fault> {
    let mut blocks = Vec::new();
    while scanner.peek().is_some_and(|letter| letter.is_ascii_digit()) {
        let start = scanner.number("the start of a block")?;
        scanner.require(":", "`:` and the end of a block")?;
        blocks.push((start, scanner.number("the end of a block")?));
        scanner.skip_spaces();
    }
    if blocks.is_empty() {
        return Err(scanner.unexpected("a block such as 1001:2001"));
    }
    Ok(blocks)
}
