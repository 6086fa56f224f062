//! Single values: quantities in the range of their key, numbers, names.

use toml::de::{DeArray, DeInteger, DeValue};

use crate::language::fault::Fault;
use crate::language::keys::Kind;
use crate::language::kinds::MOST_ROOM;
use crate::language::part::Value;
use crate::language::tree::{Node, Read, misread, out_of_range, quantity, text, wrong_type};
use crate::units::{Bytes, Cells, CellsOrPackets, LayeredRate, Packets, Rate, Span, propagation};

impl Read for Span {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        if matches!(kind, Kind::Distance) {
            return propagation(text(node, kind, place)?)
                .map_err(|error| misread(node, &error, place));
        }
        let span: Self = quantity(node, kind, place)?;
        match kind {
            Kind::Time { min } if span < min => Err(out_of_range(node, place, "more than `0 s`")),
            _ => Ok(span),
        }
    }
}

/// A range from one span to a longer one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeRange(pub [Span; 2]);

impl Value for TimeRange {
    fn write(&self) -> String {
        let [from, to] = self.0;
        format!("[\"{from}\", \"{to}\"]")
    }
}

impl Read for TimeRange {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let Kind::TimeRange { min } = kind else { unreachable!("`{place}` is not two times") };
        let DeValue::Array(ends) = node.get_ref() else {
            return Err(wrong_type(node, &kind.accepted(), place));
        };
        let [from, to] = &ends[..] else {
            let message = format!(
                "`{place}` is an array of length {}; expected {}",
                ends.len(),
                kind.accepted()
            );
            return Err(Fault::new(&node.span(), message));
        };
        let time = |end| Span::read(end, Kind::Time { min }, place);
        let (from, above) = (time(from)?, time(to)?);
        if above <= from {
            let message =
                format!("`{place}`: {above} is not above {from}; expected {}", kind.accepted());
            return Err(Fault::new(&to.span(), message));
        }
        Ok(Self([from, above]))
    }
}

impl Read for LayeredRate {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let rate: Self = quantity(node, kind, place)?;
        if (Rate::from_bits_per_second(1)..=FASTEST).contains(&rate.rate) {
            return Ok(rate);
        }
        Err(out_of_range(node, place, "`1 bit/s` to `10000 Gbit/s`"))
    }
}

const FASTEST: Rate = Rate::from_bits_per_second(10_000_000_000_000);

impl Read for Bytes {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let (min, max, why) = match kind {
            Kind::Size { min, max } => (min, max, None),
            Kind::LimitedSize { min, max, why } => (min, max, Some(why)),
            _ => unreachable!("`{place}` is not a size"),
        };
        let size: Self = quantity(node, kind, place)?;
        if (min..=max).contains(&size.0) {
            return Ok(size);
        }
        let why = why.filter(|_| size.0 > max).map_or_else(String::new, |why| format!(": {why}"));
        Err(out_of_range(node, place, &format!("`{min} B` to `{max} B`{why}")))
    }
}

impl Read for Cells {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let cells: Self = quantity(node, kind, place)?;
        if (1..=MOST_ROOM).contains(&cells.0) {
            return Ok(cells);
        }
        Err(out_of_range(node, place, "`1 cell` to `1000 Mcell`"))
    }
}

impl Read for Packets {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let packets: Self = quantity(node, kind, place)?;
        if (1..=MOST_ROOM).contains(&packets.0) {
            return Ok(packets);
        }
        Err(out_of_range(node, place, "`1 packet` to `1000000 kpacket`"))
    }
}

impl Read for CellsOrPackets {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let room = quantity(node, kind, place)?;
        let (Self::Cells(Cells(count)) | Self::Packets(Packets(count))) = room;
        if (1..=MOST_ROOM).contains(&count) {
            return Ok(room);
        }
        Err(out_of_range(node, place, "`1 cell` to `1000 Mcell`, or as many packets"))
    }
}

impl Read for f64 {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let Kind::Number(interval) = kind else { unreachable!("`{place}` is not a number") };
        let number = match node.get_ref() {
            DeValue::Float(number) => number.as_str().replace('_', "").parse().ok(),
            DeValue::Integer(number) => integer(number).map(|number| number as Self),
            _ => None,
        };
        match number {
            Some(number) if interval.contains(number) => Ok(number),
            _ => Err(wrong_type(node, &kind.accepted(), place)),
        }
    }
}

impl Read for u64 {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let (Kind::Integer { min, max } | Kind::PowerOfTwo { min, max }) = kind else {
            unreachable!("`{place}` is not an integer")
        };
        let is_right =
            |value: u64| !matches!(kind, Kind::PowerOfTwo { .. }) || value.is_power_of_two();
        let DeValue::Integer(number) = node.get_ref() else {
            return Err(wrong_type(node, &kind.accepted(), place));
        };
        match integer(number) {
            Some(value) if (min..=max).contains(&value) && is_right(value) => Ok(value),
            _ => Err(wrong_type(node, &kind.accepted(), place)),
        }
    }
}

/// Reads keys whose maximum fits in 32 bits.
impl Read for u32 {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        u64::read(node, kind, place).map(|number| number as Self)
    }
}

fn integer(number: &DeInteger<'_>) -> Option<u64> {
    u64::from_str_radix(number.as_str(), number.radix()).ok()
}

impl Read for bool {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        node.get_ref().as_bool().ok_or_else(|| wrong_type(node, &kind.accepted(), place))
    }
}

impl Read for String {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let name = node.get_ref().as_str().map(str::to_owned);
        name.ok_or_else(|| wrong_type(node, &kind.accepted(), place))
    }
}

/// Reads keys whose maximum fits in a `usize`.
impl Read for usize {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        u64::read(node, kind, place).map(|number| number as Self)
    }
}

impl Read for Vec<String> {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        elements(node, kind, place)?.iter().map(|entry| String::read(entry, kind, place)).collect()
    }
}

impl Read for Vec<u64> {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let Kind::Integers { min, max } = kind else { unreachable!("`{place}` is no list") };
        let mut numbers = Self::new();
        for entry in elements(node, kind, place)? {
            let next = u64::read(entry, Kind::Integer { min, max }, place)?;
            if let Some(last) = numbers.last().filter(|&&last| next <= last) {
                let message =
                    format!("`{place}`: {next} is not above {last}; expected {}", kind.accepted());
                return Err(Fault::new(&entry.span(), message));
            }
            numbers.push(next);
        }
        Ok(numbers)
    }
}

impl Read for [String; 2] {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let names = elements(node, kind, place)?.iter();
        let names: Vec<String> =
            names.map(|entry| String::read(entry, Kind::Node, place)).collect::<Result<_, _>>()?;
        let count = names.len();
        names.try_into().map_err(|_| {
            let message = format!("`{place}` has {count} names; expected {}", kind.accepted());
            Fault::new(&node.span(), message)
        })
    }
}

/// Reads a list of words, each at most once.
pub(crate) fn words<T: Read + PartialEq>(
    node: &Node<'_>,
    kind: Kind,
    place: &str,
) -> Result<Vec<T>, Fault> {
    let Kind::Words(variants) = kind else { unreachable!("`{place}` is not a list of words") };
    let mut words = Vec::new();
    for entry in elements(node, kind, place)? {
        let next = T::read(entry, Kind::Variants(variants), place)?;
        if words.contains(&next) {
            let message = format!("`{place}` names the same twice; expected each at most once");
            return Err(Fault::new(&entry.span(), message));
        }
        words.push(next);
    }
    Ok(words)
}

fn elements<'n, 'd>(node: &'n Node<'d>, kind: Kind, place: &str) -> Result<&'n DeArray<'d>, Fault> {
    node.get_ref().as_array().ok_or_else(|| wrong_type(node, &kind.accepted(), place))
}
