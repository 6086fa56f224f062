//! Rates and the layer they are counted at, and the time between cells sent at a rate.

use super::Span;
use super::size::{CELL_BITS, CELL_BYTES, CELL_PAYLOAD_BYTES};

const PAYLOAD_BITS: u64 = 8 * CELL_PAYLOAD_BYTES;

/// Bits per second, at a layer that the name of the variable states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate(u64);

/// Bits that a rate counts. Confusing the three is the classic mistake of the field.
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
    /// Layer of the bits.
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

    /// The time of a cell at this cell rate, to the nearest picosecond and at least one: cells back
    /// to back are equally far apart.
    ///
    /// Half a picosecond is below 0.2 ppm of it up to 169.6 Mbit/s; clocks of real lines are
    /// allowed 4.6 to 20 ppm.
    pub fn cell_time(self) -> Span {
        self.nearest_span(CELL_BITS)
    }

    /// The time from cell to cell when their payload flows at this rate, as
    /// [`cell_time`](Self::cell_time).
    pub fn cell_time_of_payload(self) -> Span {
        self.nearest_span(PAYLOAD_BITS)
    }

    /// Relative error of [`cell_time`](Self::cell_time) to the exact time.
    pub fn error_of_cell_time(self) -> f64 {
        self.cell_time().picoseconds() as f64 * self.0 as f64 / (CELL_BITS as f64 * 1e12) - 1.0
    }

    fn nearest_span(self, bits: u64) -> Span {
        let picoseconds = (bits * 1_000_000_000_000 + self.0 / 2) / self.0;
        Span::from_picoseconds(picoseconds.max(1) as i64)
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

    /// The time from one cell to the next, rounded up to the picosecond; [`Span::MAX`] of a stopped
    /// source, and of one too slow for any span.
    pub fn spacing(self) -> Span {
        if self.0 > 0.0 {
            // The cast saturates.
            Span::from_picoseconds((1e12 / self.0).ceil() as i64)
        } else {
            Span::MAX
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 424 bits are 2 831 196.58 ps at OC-3c, 707 799.15 ps at OC-12c, 424 at 1 Tbit/s and 42.4 at
    /// ten.
    #[test]
    fn a_cell_takes_whole_picoseconds() {
        let cell_times = [149_760_000, 599_040_000, 1_000_000_000_000, 10_000_000_000_000]
            .map(|rate| Rate::from_bits_per_second(rate).cell_time().picoseconds());
        assert_eq!(cell_times, [2_831_197, 707_799, 424, 42]);
        assert_eq!(Rate::from_bits_per_second(1).cell_time(), Span::from_seconds(424));
        assert_eq!(Rate::from_bits_per_second(u64::MAX / 2).cell_time(), Span::from_picoseconds(1));
    }

    #[test]
    fn a_cell_time_is_off_by_less_than_a_fifth_of_a_millionth_up_to_170_megabits() {
        for rate in (1..1697).map(|step| Rate::from_bits_per_second(step * 99_991)) {
            assert!(rate.error_of_cell_time().abs() < 0.2e-6, "{rate:?}");
        }
        let [whole, ten] = [1, 10].map(|tera| Rate::from_bits_per_second(tera * 1_000_000_000_000));
        assert!(whole.error_of_cell_time().abs() < 1e-12);
        assert!((ten.error_of_cell_time() + 0.4 / 42.4).abs() < 1e-12);
    }

    #[test]
    fn pacing_by_payload_is_slower_by_48_in_53() {
        let rate = Rate::from_bits_per_second(70_000_000);
        assert_eq!(rate.cell_time().picoseconds(), 6_057_143);
        assert_eq!(rate.cell_time_of_payload().picoseconds(), 5_485_714);
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
}
