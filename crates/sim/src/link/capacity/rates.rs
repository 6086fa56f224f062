//! Rates of a capacity: written as those of a link, and zero where no bits pass.

use crate::language::part::prelude::*;
use crate::language::rate_of_cells::cell_rate;
use crate::language::tree::{out_of_range, quantity, wrong_type};
use crate::units::{LayeredRate, Rate};

/// A rate such as `"800 kbit/s of line"` or `"0 bit/s of cell"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CapacityRate(pub LayeredRate);

const FASTEST: u64 = 10_000_000_000_000;

impl CapacityRate {
    /// Bits on a line of packets, or of whole cells.
    pub fn rate(self) -> Rate {
        cell_rate(self.0).unwrap_or(self.0.rate)
    }
}

impl Typed for CapacityRate {
    const KIND: Kind = Kind::CapacityRate;
}

impl Read for CapacityRate {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let layered: LayeredRate = quantity(node, kind, place)?;
        if layered.rate.bits_per_second() <= FASTEST {
            return Ok(Self(layered));
        }
        Err(out_of_range(node, place, "`0 bit/s` to `10000 Gbit/s`"))
    }
}

impl Value for CapacityRate {
    fn write(&self) -> String {
        self.0.write()
    }
}

impl Typed for Vec<CapacityRate> {
    const KIND: Kind = Kind::CapacityRates;
}

impl Read for Vec<CapacityRate> {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let Some(rates) = node.get_ref().as_array() else {
            return Err(wrong_type(node, &kind.accepted(), place));
        };
        rates.iter().map(|rate| CapacityRate::read(rate, CapacityRate::KIND, place)).collect()
    }
}

/// The fault in a list of rates: none is above zero, or all are the same.
pub(super) fn flaw(rates: &[Rate]) -> Option<&'static str> {
    let fastest = rates.iter().max().copied();
    if fastest.is_none_or(|fastest| fastest.bits_per_second() == 0) {
        return Some("no rate is above zero, so that nothing ever gets through; expected one");
    }
    let varies = rates.iter().any(|&rate| Some(rate) != fastest);
    (!varies).then_some("all rates are the same; expected two that differ, or no `capacity`")
}

/// Checks that there is a rate for each state, and that not all are the same.
pub(super) fn check(
    rates: &[CapacityRate],
    states: usize,
    section: &Section<'_>,
) -> Result<(), Fault> {
    let of_line: Vec<Rate> = rates.iter().map(|rate| rate.rate()).collect();
    let wrong = if rates.len() == states {
        flaw(&of_line).map(str::to_owned)
    } else {
        Some(format!("there are {} for {states} states; expected one for each", rates.len()))
    };
    let Some(wrong) = wrong else { return Ok(()) };
    let message = format!("`{}.rates`: {wrong}", section.place());
    Err(Fault::new(&section.place_below("rates", &[]), message))
}
