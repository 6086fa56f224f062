//! Whether time, which is whole picoseconds, can tell a rate of cells from its neighbours.
//!
//! A line may be off by 100 ppm (IEEE 802.3); cells that rounding moves further than that would be
//! another line's.

use crate::language::fault::{At, Fault};
use crate::units::{CELL_BITS, Rate, Span};

/// As a part of the rate.
const MOST_ERROR: f64 = 100e-6;

/// A mean burst shorter than so many thousandths of a cell time has no cell worth speaking of, and
/// thousands pass for each cell.
const LEAST_BURST: i64 = 1000;

/// Cells back to back, or at a constant rate, are a whole number of picoseconds apart.
pub(crate) fn check<T>(cell_rate: Rate, written: &At<T>, place: &str) -> Result<Rate, Fault> {
    let error = cell_rate.error_of_cell_time();
    if error.abs() <= MOST_ERROR {
        return Ok(cell_rate);
    }
    let exact = CELL_BITS as f64 * 1e12 / cell_rate.bits_per_second() as f64;
    let message = format!(
        "`{place}`: a cell would take {exact:.3} ps, and times are whole picoseconds, {:.2} % \
         away; expected a rate \
         whose cell time is within 0.01 % of a whole number, as it is up to `84.8 Gbit/s of cell` \
         and at \
         `1000 Gbit/s of cell`",
        100.0 * error.abs()
    );
    Err(Fault::new(&written.at, message))
}

/// The mean burst of an `exponential_on_off` source against its cell time.
pub(crate) fn check_burst(on: &At<Span>, cell_rate: Rate, place: &str) -> Result<Span, Fault> {
    let cell_time = cell_rate.cell_time();
    if on.value.picoseconds() >= cell_time.picoseconds() / LEAST_BURST {
        return Ok(on.value);
    }
    let message = format!(
        "`{place}.on` of {} is less than a thousandth of the {cell_time} that a cell takes at \
         `{place}.rate`; expected \
         bursts that cells fit in",
        on.value
    );
    Err(Fault::new(&on.at, message))
}
