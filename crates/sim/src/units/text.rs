//! Quantities from text and back: `"149.76 Mbit/s of cell"`, `"5 ms"`, `"12 kcell"`.
//!
//! A number without a unit is refused, decimals are exact, and an amount that is no whole number of
//! base units is refused too. Every type that has both [`FromStr`] and [`Display`](fmt::Display)
//! reads back what it wrote.

use std::fmt;
use std::str::FromStr;

use super::decimal::{Decimal, Flaw};
use super::dimension::{
    CELLS, CELLS_OR_PACKETS, DISTANCE, Dimension, PACKETS, RATE, SIZE, TIME, Unit,
};
use super::{Bytes, Cells, Layer, LayeredRate, Packets, Rate, Span};

/// Text that is not the quantity that was wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuantityError {
    message: String,
    noun: &'static str,
    suggestion: Option<String>,
}

impl QuantityError {
    /// A quantity of the kind that was wanted: `a time`.
    pub(crate) const fn noun(&self) -> &'static str {
        self.noun
    }

    /// Message: the text that was read, its fault and what would be accepted.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Text that was probably meant.
    pub fn suggestion(&self) -> Option<&str> {
        self.suggestion.as_deref()
    }
}

impl fmt::Display for QuantityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.suggestion {
            Some(suggestion) => write!(f, "; did you mean `{suggestion}`?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for QuantityError {}

/// An amount in whichever of the two units the text names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellsOrPackets {
    /// Cells: `"256 cell"`.
    Cells(Cells),
    /// Packets: `"100 packet"`.
    Packets(Packets),
}

impl CellsOrPackets {
    /// Number of cells or packets.
    pub const fn count(self) -> u64 {
        match self {
            Self::Cells(cells) => cells.0,
            Self::Packets(packets) => packets.0,
        }
    }
}

impl FromStr for Span {
    type Err = QuantityError;
    fn from_str(text: &str) -> Result<Self, QuantityError> {
        picoseconds(text, &TIME)
    }
}

impl FromStr for Bytes {
    type Err = QuantityError;
    fn from_str(text: &str) -> Result<Self, QuantityError> {
        amount(text, &SIZE).map(|(bytes, _)| Self(bytes))
    }
}

impl FromStr for Cells {
    type Err = QuantityError;
    fn from_str(text: &str) -> Result<Self, QuantityError> {
        amount(text, &CELLS).map(|(cells, _)| Self(cells))
    }
}

impl FromStr for Packets {
    type Err = QuantityError;
    fn from_str(text: &str) -> Result<Self, QuantityError> {
        amount(text, &PACKETS).map(|(packets, _)| Self(packets))
    }
}

impl FromStr for CellsOrPackets {
    type Err = QuantityError;
    fn from_str(text: &str) -> Result<Self, QuantityError> {
        let (count, unit) = amount(text, &CELLS_OR_PACKETS)?;
        let is_packets = unit.name.ends_with("packet");
        Ok(if is_packets { Self::Packets(Packets(count)) } else { Self::Cells(Cells(count)) })
    }
}

impl FromStr for LayeredRate {
    type Err = QuantityError;
    fn from_str(text: &str) -> Result<Self, QuantityError> {
        let (number, layer) = match text.split_once(" of ") {
            Some((number, layer)) => (number, Some(layer.trim())),
            None => (text, None),
        };
        let (bits, unit) = amount(number, &RATE)?;
        let counts_cells = unit.name.ends_with("cell/s");
        let layer = match layer {
            Some(word) => layer_named(text, word)?,
            None if counts_cells => Layer::Cell,
            None => return Err(without_layer(text)),
        };
        if counts_cells && layer != Layer::Cell {
            return Err(flawed(text, "a rate", "cells per second are a rate `of cell`", None));
        }
        Ok(Self { rate: Rate::from_bits_per_second(bits), layer })
    }
}

/// The propagation delay of a distance such as `"440 km"`, at 5 us/km.
pub fn propagation(distance: &str) -> Result<Span, QuantityError> {
    picoseconds(distance, &DISTANCE)
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.picoseconds() < 0 { "-" } else { "" };
        // Hours and days are only read: the resolved file has seconds, which compare easily.
        write!(f, "{sign}{}", in_largest(self.picoseconds().unsigned_abs(), &TIME.units[..5]))
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&in_largest(self.0, SIZE.units))
    }
}

impl fmt::Display for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cell", self.0)
    }
}

impl fmt::Display for CellsOrPackets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cells(cells) => cells.fmt(f),
            Self::Packets(packets) => packets.fmt(f),
        }
    }
}

impl fmt::Display for Packets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} packet", self.0)
    }
}

impl fmt::Display for LayeredRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let layer = match self.layer {
            Layer::Line => "line",
            Layer::Cell => "cell",
            Layer::Payload => "payload",
        };
        write!(f, "{} of {layer}", in_largest(self.rate.bits_per_second(), &RATE.units[..4]))
    }
}

/// `text` shortened and escaped so that a message stays one readable line.
pub fn quoted(text: &str) -> String {
    const MOST: usize = 60;
    let mut short: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    short = short.replace("\\\"", "\"").replace("\\'", "'");
    if text.chars().nth(MOST).is_some() {
        short.push('…');
    }
    format!("`{short}`")
}

fn picoseconds(text: &str, dimension: &Dimension) -> Result<Span, QuantityError> {
    let (picoseconds, _) = amount(text, dimension)?;
    match i64::try_from(picoseconds) {
        Ok(picoseconds) if picoseconds <= Span::LONGEST.picoseconds() => {
            Ok(Span::from_picoseconds(picoseconds))
        }
        _ => Err(flawed(text, dimension.noun, "it is beyond the longest span, `100 d`", None)),
    }
}

/// The amount in base units, and the unit it was written in.
fn amount<'d>(text: &str, dimension: &'d Dimension) -> Result<(u64, &'d Unit), QuantityError> {
    let (number, rest) =
        Decimal::split(text.trim()).map_err(|flaw| bad_number(text, flaw, dimension))?;
    let name = rest.trim_start();
    let unit = dimension.units.iter().find(|unit| unit.name == name);
    let unit = unit.ok_or_else(|| bad_unit(text, name, dimension))?;
    let Some(total) = number.times(unit.scale) else {
        let reason = format!("it is finer than {}", dimension.finest);
        return Err(flawed(text, dimension.noun, &reason, None));
    };
    // More than any key accepts: the check of its range reports the accepted range.
    Ok((u64::try_from(total).unwrap_or(u64::MAX), unit))
}

fn bad_number(text: &str, flaw: Flaw, dimension: &Dimension) -> QuantityError {
    let reason = match flaw {
        Flaw::NotANumber => format!("expected a number and a unit such as `{}`", dimension.example),
        Flaw::Negative => "it must not be negative".to_owned(),
        Flaw::Exponent => {
            "exponents are not accepted; write the digits or a larger unit".to_owned()
        }
        Flaw::TooLong => "it has more than 20 digits".to_owned(),
    };
    flawed(text, dimension.noun, &reason, None)
}

fn bad_unit(text: &str, name: &str, dimension: &Dimension) -> QuantityError {
    let problem = if name.is_empty() {
        "no unit".to_owned()
    } else {
        format!("unknown unit {}", quoted(name))
    };
    let reason =
        format!("{problem}; expected {} as in `{}`", unit_names(dimension), dimension.example);
    flawed(text, dimension.noun, &reason, unit_meant(name, dimension).map(str::to_owned))
}

fn unit_names(dimension: &Dimension) -> String {
    let names: Vec<String> =
        dimension.units.iter().map(|unit| format!("`{}`", unit.name)).collect();
    format!("one of {}", names.join(", "))
}

/// A known misspelling, or a unit that differs in capitals only.
fn unit_meant(name: &str, dimension: &Dimension) -> Option<&'static str> {
    let listed = dimension.misspellings.iter().find(|(wrong, _)| *wrong == name);
    let by_case = || dimension.units.iter().find(|unit| unit.name.eq_ignore_ascii_case(name));
    listed.map(|(_, right)| *right).or_else(|| by_case().map(|unit| unit.name))
}

fn layer_named(text: &str, word: &str) -> Result<Layer, QuantityError> {
    match word {
        "line" => Ok(Layer::Line),
        "cell" => Ok(Layer::Cell),
        "payload" => Ok(Layer::Payload),
        _ => {
            let meant =
                ["line", "cell", "payload"].into_iter().find(|layer| word.starts_with(layer));
            let reason = format!(
                "unknown layer {}; expected one of `line`, `cell`, `payload`",
                quoted(word)
            );
            Err(flawed(text, "a rate", &reason, meant.map(str::to_owned)))
        }
    }
}

fn without_layer(text: &str) -> QuantityError {
    let reason = "it does not say which bits it counts; add `of line`, `of cell` or `of payload`";
    flawed(text, "a complete rate", reason, None)
}

fn flawed(
    text: &str,
    noun: &'static str,
    reason: &str,
    suggestion: Option<String>,
) -> QuantityError {
    let message = format!("{} is not {noun}: {reason}", quoted(text));
    QuantityError { message, noun, suggestion }
}

/// `amount` in the largest of `units` that divides it, so that nothing is rounded.
fn in_largest(amount: u64, units: &[Unit]) -> String {
    let divides =
        |unit: &&Unit| amount.is_multiple_of(unit.scale) && (amount > 0 || unit.scale == 1);
    let largest = units.iter().filter(divides).max_by_key(|unit| unit.scale);
    let unit = largest.expect("the base unit divides everything");
    format!("{} {}", amount / unit.scale, unit.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(text: &str) -> Result<Span, String> {
        text.parse::<Span>().map_err(|error| error.to_string())
    }

    #[test]
    fn decimals_are_exact() {
        assert_eq!(span("0.1 us"), Ok(Span::from_picoseconds(100_000)));
        assert_eq!(span("0.2us"), Ok(Span::from_picoseconds(200_000)));
        assert_eq!(span("2.2 ms"), Ok(Span::from_picoseconds(2_200_000_000)));
        assert_eq!(span("100 d"), Ok(Span::LONGEST));
        assert_eq!(span("0 s"), Ok(Span::ZERO));
    }

    #[test]
    fn what_is_not_exact_is_refused() {
        let finer = "`0.5 ps` is not a time: it is finer than 1 ps";
        assert_eq!(span("0.5 ps"), Err(finer.to_owned()));
        let long = "`100.0000000001 d` is not a time: it is beyond the longest span, `100 d`";
        assert_eq!(span("100.0000000001 d"), Err(long.to_owned()));
    }

    #[test]
    fn misspelt_units_are_recognised() {
        let ends = |text: &str, end: &str| {
            let message = span(text).expect_err(text);
            assert!(message.ends_with(end), "{message}");
        };
        ends("10 msec", "did you mean `ms`?");
        ends("10 µs", "did you mean `us`?");
        ends("10 MS", "did you mean `ms`?");
        ends("10 parsec", "as in `10 ms`");
        let kilo = "1 KB".parse::<Bytes>().expect_err("ambiguous");
        assert_eq!(kilo.suggestion(), Some("kB` or `KiB"));
        let mega = "1 Mb/s of cell".parse::<LayeredRate>().expect_err("bits are `bit`");
        assert_eq!(mega.suggestion(), Some("Mbit/s"));
        let cells = "256 cells".parse::<Cells>().expect_err("singular");
        assert_eq!(cells.suggestion(), Some("cell"));
    }

    #[test]
    fn a_rate_says_its_layer() {
        let cell =
            |bits| LayeredRate { rate: Rate::from_bits_per_second(bits), layer: Layer::Cell };
        assert_eq!("149.76 Mbit/s of cell".parse(), Ok(cell(149_760_000)));
        assert_eq!("353207.5 cell/s".parse(), Ok(cell(149_759_980)));
        assert_eq!("96 kcell/s of cell".parse(), Ok(cell(40_704_000)));
        assert!("149 Mbit/s".parse::<LayeredRate>().is_err());
        assert!("96 kcell/s of payload".parse::<LayeredRate>().is_err());
        assert!("149 Mbit/s of frames".parse::<LayeredRate>().is_err());
    }

    #[test]
    fn light_takes_five_microseconds_per_kilometre() {
        assert_eq!(propagation("440 km"), Ok(Span::from_microseconds(2200)));
        assert_eq!(propagation("1 m"), Ok(Span::from_picoseconds(5_000)));
        assert!(propagation("1 mile").is_err());
    }

    #[test]
    fn text_written_reads_back() {
        for picoseconds in [0, 1, 100_000, 2_200_000_000, 3_600_000_000_000_000] {
            let written = Span::from_picoseconds(picoseconds);
            assert_eq!(written.to_string().parse(), Ok(written));
        }
        for bytes in [0, 1, 1000, 1024, 65_536, 9180] {
            assert_eq!(Bytes(bytes).to_string().parse(), Ok(Bytes(bytes)));
        }
        let rate =
            LayeredRate { rate: Rate::from_bits_per_second(149_760_000), layer: Layer::Payload };
        assert_eq!(rate.to_string(), "149760 kbit/s of payload");
        assert_eq!(rate.to_string().parse(), Ok(rate));
    }

    #[test]
    fn a_message_stays_one_short_line() {
        let error = format!("1 \n{}", "x".repeat(500)).parse::<Span>().expect_err("nonsense");
        assert!(error.to_string().lines().count() == 1 && error.to_string().len() < 300, "{error}");
    }
}
