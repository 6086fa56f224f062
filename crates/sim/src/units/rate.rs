//! Rates and the layer they are counted at, and exact spacing of units sent at a rate.

use super::size::{CELL_BITS, CELL_BYTES, CELL_PAYLOAD_BYTES};
use super::{Span, Time};

/// Bits per second, at a layer that the name of the variable states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate(u64);

/// Which bits a rate counts. Confusing the three is the classic mistake of the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// All bits on the wire, transmission overhead included: OC-3c 155.52 Mbit/s.
    Line,
    /// Bits of whole 53-byte cells: OC-3c 149.76 Mbit/s.
    Cell,
    /// Bits of the 48 payload bytes of each cell: OC-3c 135.632 Mbit/s.
    Payload,
}

/// A rate that says which bits it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayeredRate {
    /// Bits per second at `layer`.
    pub rate: Rate,
    /// What the bits are.
    pub layer: Layer,
}

impl Rate {
    /// A rate in bits per second.
    pub const fn from_bits_per_second(bits_per_second: u64) -> Self {
        Self(bits_per_second)
    }

    /// Bits per second.
    pub const fn bits_per_second(self) -> u64 {
        self.0
    }

    /// The time that `bits` take at this rate, rounded up to the picosecond. Up to 18 million bits.
    #[inline]
    pub fn span_of_bits(self, bits: u64) -> Span {
        Span::from_picoseconds((bits * 1_000_000_000_000).div_ceil(self.0) as i64)
    }

    /// Cells per second of this cell rate, for reports.
    pub fn cells_per_second_f64(self) -> f64 {
        self.0 as f64 / CELL_BITS as f64
    }

    /// The payload rate that this cell rate carries, for reports.
    pub fn payload_of_cells_f64(self) -> f64 {
        self.0 as f64 * CELL_PAYLOAD_BYTES as f64 / CELL_BYTES as f64
    }
}

/// Cells per second. Zero is a stopped source.
///
/// A float, unlike [`Rate`]: rate control multiplies by factors and divides by counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct CellRate(pub f64);

impl CellRate {
    /// No cells at all.
    pub const ZERO: Self = Self(0.0);

    /// The cells in a rate that counts their bits, [`Layer::Cell`].
    pub fn of(cell_rate: Rate) -> Self {
        Self(cell_rate.cells_per_second_f64())
    }

    /// The slower of the two.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        if other < self { other } else { self }
    }

    /// The faster of the two.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        if other > self { other } else { self }
    }

    /// The time from one cell to the next, rounded up to the picosecond; [`Span::MAX`] of a stopped source, and of one
    /// too slow for any span.
    pub fn spacing(self) -> Span {
        if self.0 > 0.0 {
            // The cast saturates.
            Span::from_picoseconds((1e12 / self.0).ceil() as i64)
        } else {
            Span::MAX
        }
    }
}

/// The exact time between units of `bits` sent back to back at a rate.
///
/// The time is rarely a whole number of picoseconds; the remainder is carried, so the n-th unit leaves at
/// `floor(n · bits · 1e12 / rate)` and a long stream keeps its rate exactly. No division per unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    quotient: Span,
    remainder: u64,
    denominator: u64,
    carried: u64,
}

impl Pace {
    /// Spacing of units of `bits` at `rate`. `rate` must not be zero.
    pub fn new(bits: u64, rate: Rate) -> Self {
        let (quotient, remainder) = Self::transmission(bits, rate);
        Self { quotient, remainder, denominator: rate.0, carried: 0 }
    }

    /// Spacing of ATM cells at `cell_rate`.
    pub fn of_cells(cell_rate: Rate) -> Self {
        Self::new(CELL_BITS, cell_rate)
    }

    /// Spacing of ATM cells when their payload flows at `payload_rate`.
    pub fn of_payload(payload_rate: Rate) -> Self {
        Self::new(8 * CELL_PAYLOAD_BYTES, payload_rate)
    }

    /// The time of one unit, rounded down.
    pub fn span(&self) -> Span {
        self.quotient
    }

    /// Forgets the carried remainder: the next unit begins a new back-to-back stream.
    #[inline]
    pub fn restart(&mut self) {
        self.carried = 0;
    }

    /// The end of a unit that begins at `start`, directly behind the previous one of the stream.
    #[inline]
    pub fn next_after(&mut self, start: Time) -> Time {
        self.carried += self.remainder;
        let mut end = start + self.quotient;
        if self.carried >= self.denominator {
            self.carried -= self.denominator;
            end += Span::from_picoseconds(1);
        }
        end
    }

    /// Whole picoseconds and remainder (over the rate) that `bits` take at `rate`.
    fn transmission(bits: u64, rate: Rate) -> (Span, u64) {
        let numerator = u128::from(bits) * 1_000_000_000_000;
        let rate = u128::from(rate.0);
        (Span::from_picoseconds((numerator / rate) as i64), (numerator % rate) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_of_oc3c_cells_takes_a_second() {
        let mut pace = Pace::of_cells(Rate::from_bits_per_second(149_760_000));
        let mut at = Time::ZERO;
        for _ in 0..3_532_075 {
            at = pace.next_after(at);
        }
        // 3 532 075 cells of 424 bits at 149.76 Mbit/s: 9.99999786… s, rounded down to the picosecond.
        let exact = 3_532_075_u128 * 424 * 1_000_000_000_000 / 149_760_000;
        assert_eq!(at.picoseconds() as u128, exact);
    }

    #[test]
    fn pacing_by_payload_is_slower_by_48_in_53() {
        let by_cell = Pace::of_cells(Rate::from_bits_per_second(70_000_000));
        let by_payload = Pace::of_payload(Rate::from_bits_per_second(70_000_000));
        assert_eq!(by_cell.span().picoseconds(), 6_057_142);
        assert_eq!(by_payload.span().picoseconds(), 5_485_714);
    }
    #[test]
    fn cells_are_spaced_by_the_inverse_of_their_rate() {
        // 424 bits at 149.76 Mbit/s: 2 831 196.58 ps.
        let oc3c = CellRate::of(Rate::from_bits_per_second(149_760_000));
        assert_eq!(oc3c.spacing(), Span::from_picoseconds(2_831_197));
        assert_eq!(CellRate(3.0).spacing(), Span::from_picoseconds(333_333_333_334));
        assert_eq!(CellRate(8.0).spacing(), Span::from_milliseconds(125));
    }

    #[test]
    fn a_stopped_source_never_sends_again() {
        assert_eq!(CellRate::ZERO.spacing(), Span::MAX);
        // 2⁶³ ps are 107 days: a cell in 116 days is beyond them.
        assert_eq!(CellRate(1e-7).spacing(), Span::MAX);
        assert!(CellRate(1e-6).spacing() < Span::MAX);
    }

    #[test]
    fn the_slower_and_the_faster_of_two_rates() {
        let (slow, fast) = (CellRate(10.0), CellRate(353_207.5));
        assert_eq!([slow.min(fast), fast.min(slow)], [slow, slow]);
        assert_eq!([slow.max(fast), fast.max(slow)], [fast, fast]);
        assert_eq!(slow.min(CellRate::ZERO), CellRate::ZERO);
    }
}
