//! Instants of statements: `1.5`, `+0.1`, `*`, and ranges of both, `+0.1~+0.2`.

use cellway_sim::units::{Span, Time};

use super::error::Fault;
use super::scan::Scanner;

/// Digits of a second: picoseconds.
const DIGITS: usize = 12;
const EXPECTED: &str = "an instant such as 0.1, +0.1, +0.1~+0.2 or *";

/// Instant of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instant {
    /// So long after the start of the script; the second number ends a range.
    Absolute(Span, Option<Span>),
    /// So long after the statement before.
    Relative(Span, Option<Span>),
    /// Whenever it happens.
    Any,
}

/// Instants between which something has to happen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) from: Time,
    pub(super) until: Time,
    /// Instant that the next statement counts from; `None` for that of the event itself.
    pub(super) base: Option<Time>,
}

impl Instant {
    /// Reads one.
    pub(super) fn read(scanner: &mut Scanner<'_>) -> Result<Self, Fault> {
        if scanner.take("*") {
            return Ok(Self::Any);
        }
        let is_relative = scanner.take("+");
        let first = span(scanner)?;
        let last = if scanner.take("~") {
            scanner.take("+");
            let before = *scanner;
            let last = span(scanner)?;
            if last < first {
                return Err(
                    before.fault("a range that ends before it begins; expected a later end")
                );
            }
            Some(last)
        } else {
            None
        };
        if scanner.take("...") {
            // The end of a call that blocks: calls do not block here.
            scanner.take("+");
            span(scanner)?;
        }
        Ok(if is_relative { Self::Relative(first, last) } else { Self::Absolute(first, last) })
    }

    /// Limits of the statement, where the one before was at `before`.
    pub(super) fn limits(self, before: Time, tolerance: Span) -> Limits {
        let (start, first, last) = match self {
            Self::Any => return Limits { from: Time::ZERO, until: Time::MAX, base: None },
            Self::Absolute(first, last) => (Time::ZERO, first, last),
            Self::Relative(first, last) => (before, first, last),
        };
        let at = start + first;
        match last {
            Some(last) => Limits { from: at, until: start + last, base: None },
            None => Limits {
                from: Time::from_picoseconds(at.picoseconds() - tolerance.picoseconds()),
                until: at + tolerance,
                base: Some(at),
            },
        }
    }

    /// Instant at which a packet of the script arrives, or a call is made.
    pub(super) fn at(self, before: Time) -> Time {
        match self {
            Self::Any => before,
            Self::Absolute(at, _) => Time::ZERO + at,
            Self::Relative(after, _) => before + after,
        }
    }
}

/// Seconds with a decimal point.
fn span(scanner: &mut Scanner<'_>) -> Result<Span, Fault> {
    let before = *scanner;
    let whole = scanner.take_while(|letter| letter.is_ascii_digit());
    let mut decimals = "";
    if !scanner.rest().starts_with("..") && scanner.take(".") {
        decimals = scanner.take_while(|letter| letter.is_ascii_digit());
    }
    if whole.len() + decimals.len() == 0 || whole.len() > 6 || decimals.len() > DIGITS {
        return Err(before.unexpected(EXPECTED));
    }
    let digits = format!("{whole}{decimals:0<DIGITS$}");
    let picoseconds = digits.parse().map_err(|_| before.unexpected(EXPECTED))?;
    Ok(Span::from_picoseconds(picoseconds))
}
