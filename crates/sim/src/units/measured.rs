//! Numbers of a measurement, whose unit is in the header of their column.
//!
//! Numbers are rounded to the base unit, picoseconds, bits per second or bytes: tools write
//! `0.30000000000000004` and `1e-05`, which no quantity of a scenario may be.

use super::decimal::Decimal;
use super::dimension::{Dimension, RATE, SIZE, TIME};

/// A number of base units, and the base unit: `ps`, `bit/s of cell`, `B`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Measured {
    pub(crate) amount: u128,
    pub(crate) base: String,
}

/// Reads `number` in a unit such as `ms` or `Mbit/s of line`. `None` if it is no number, is
/// negative, or the unit is unknown.
pub(crate) fn measured(number: &str, unit: &str) -> Option<Measured> {
    let (name, layer) = unit.split_once(" of ").unwrap_or((unit, ""));
    let dimensions: [&Dimension; 3] = [&TIME, &RATE, &SIZE];
    let mut units = dimensions.iter().flat_map(|all| all.units.iter().map(|one| (*all, one)));
    let (dimension, unit) = units.find(|(_, unit)| unit.name == name.trim())?;
    let base = dimension.units.iter().find(|unit| unit.scale == 1)?.name;
    let layer = if layer.is_empty() && unit.name.ends_with("cell/s") { "cell" } else { layer };
    let (digits, exponent) = match number.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse().ok()?),
        None => (number, 0),
    };
    let (decimal, rest) = Decimal::split(digits).ok()?;
    let amount = decimal.nearest(unit.scale, exponent).filter(|_| rest.is_empty())?;
    let base = if layer.is_empty() { base.to_owned() } else { format!("{base} of {layer}") };
    Some(Measured { amount, base })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(number: &str, unit: &str) -> Option<String> {
        measured(number, unit).map(|found| format!("{} {}", found.amount, found.base))
    }

    #[test]
    fn numbers_of_tools_are_rounded_to_the_base_unit() {
        for (number, unit, expected) in [
            ("20", "ms", "20000000000 ps"),
            ("0.30000000000000004", "s", "300000000000 ps"),
            ("1e-05", "s", "10000000 ps"),
            ("1.5E+2", "us", "150000000 ps"),
            ("0.0000000000006", "s", "1 ps"),
            ("1e-60", "s", "0 ps"),
            ("1700000000.123456", "s", "1700000000123456000000 ps"),
            ("83.1234567", "Mbit/s of line", "83123457 bit/s of line"),
            ("2.5", "cell/s", "1060 bit/s of cell"),
            ("0.5", "KiB", "512 B"),
        ] {
            assert_eq!(shown(number, unit).as_deref(), Some(expected), "{number} {unit}");
        }
    }

    #[test]
    fn what_is_no_number_of_a_known_unit_is_left_to_others() {
        for (number, unit) in
            [("x", "ms"), ("-1", "ms"), ("1 s", "ms"), ("1", "msec"), ("1e99", "d"), ("", "s")]
        {
            assert_eq!(shown(number, unit), None, "{number} {unit}");
        }
    }
}
