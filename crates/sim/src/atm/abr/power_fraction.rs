//! The factors of TM 4.0 table 5-3: powers of two up to 1.

use std::fmt;

use toml::de::DeValue;

use crate::language::part::prelude::*;
use crate::language::tree::wrong_type;

/// One over a power of two, or zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PowerFraction(pub Option<u32>);

impl PowerFraction {
    /// Value as a number.
    pub fn value(self) -> f64 {
        self.0.map_or(0.0, |exponent| 1.0 / (1_u64 << exponent) as f64)
    }

    /// Reads `"1/16"`, `"1"` or `"0"`.
    fn parse(text: &str) -> Option<Self> {
        match text.trim() {
            "0" => Some(Self(None)),
            "1" => Some(Self(Some(0))),
            text => {
                let whole: u64 = text.strip_prefix("1/")?.trim().parse().ok()?;
                whole.is_power_of_two().then(|| Self(Some(whole.trailing_zeros())))
            }
        }
    }
}

impl Read for PowerFraction {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let Kind::PowerFraction { deepest, or_zero } = kind else {
            unreachable!("`{place}` is not a fraction")
        };
        let fraction = match node.get_ref() {
            DeValue::String(text) => Self::parse(text),
            DeValue::Integer(number) => Self::parse(number.as_str()),
            _ => None,
        };
        match fraction {
            Some(Self(Some(exponent))) if exponent <= deepest => Ok(Self(Some(exponent))),
            Some(Self(None)) if or_zero => Ok(Self(None)),
            _ => Err(wrong_type(node, &kind.accepted(), place)),
        }
    }
}

impl Value for PowerFraction {
    fn write(&self) -> String {
        format!("\"{self}\"")
    }
}

impl fmt::Display for PowerFraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("0"),
            Some(0) => f.write_str("1"),
            Some(exponent) => write!(f, "1/{}", 1_u64 << exponent),
        }
    }
}
