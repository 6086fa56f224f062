//! Thresholds of a buffer, in cells, in packets or as a part of the buffer.

use std::fmt;

use toml::de::DeValue;

use crate::language::part::prelude::*;
use crate::language::tree::wrong_type;
use crate::units::CellsOrPackets;

/// An occupancy of the buffer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Threshold {
    /// Number of cells or packets.
    Units(CellsOrPackets),
    /// Part of the buffer, from 0 to 1.
    OfBuffer(f64),
}

impl Threshold {
    /// Threshold in units, for a buffer of this size. A part of an unlimited one is never reached.
    pub fn of(self, buffer: Option<u64>) -> u64 {
        match (self, buffer) {
            (Self::Units(units), _) => units.count(),
            (Self::OfBuffer(part), Some(size)) => (part * size as f64 + 0.5) as u64,
            (Self::OfBuffer(_), None) => u64::MAX,
        }
    }
}

impl Typed for Threshold {
    const KIND: Kind = Kind::Threshold;
}

impl Read for Threshold {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let part: Option<f64> = match node.get_ref() {
            DeValue::Float(number) => number.as_str().replace('_', "").parse().ok(),
            DeValue::Integer(number) => number.as_str().parse().ok(),
            _ => return Read::read(node, kind, place).map(Self::Units),
        };
        match part {
            Some(part) if (0.0..=1.0).contains(&part) => Ok(Self::OfBuffer(part)),
            _ => Err(wrong_type(node, &kind.accepted(), place)),
        }
    }
}

impl Value for Threshold {
    fn write(&self) -> String {
        self.to_string()
    }
}

/// Writes a TOML value.
impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Units(units) => write!(f, "\"{units}\""),
            Self::OfBuffer(part) => write!(f, "{part:?}"),
        }
    }
}
