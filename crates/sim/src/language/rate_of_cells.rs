//! Cell rates of sources and links: written as rates of cells or of their payload, stored as rates
//! of cells. `Rate` is the type of keys of sources, which are never line rates.
//!
//! Cell times are whole picoseconds. The rate of a line may be off by 100 ppm (IEEE 802.3); a
//! larger error from rounding would mean another line.

use crate::language::fault::At;
use crate::language::part::prelude::*;
use crate::units::{CELL_BITS, CELL_BYTES, CELL_PAYLOAD_BYTES, Layer, LayeredRate, Rate};

/// Maximum relative error of a cell time by rounding.
pub(crate) const MAX_ERROR: f64 = 100e-6;

impl Typed for Rate {
    const KIND: Kind = Kind::Rate;
}

impl Read for Rate {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let written = At { value: LayeredRate::read(node, kind, place)?, at: node.span() };
        cell_rate(written.value).ok_or_else(|| of_line(&written, place))
    }
}

impl Value for Rate {
    fn write(&self) -> String {
        format!("\"{}\"", LayeredRate { rate: *self, layer: Layer::Cell })
    }
}

impl Typed for LayeredRate {
    const KIND: Kind = Kind::Rate;
}

impl Value for LayeredRate {
    fn write(&self) -> String {
        format!("\"{self}\"")
    }
}

/// Fault of a line rate as the rate of a source.
pub(crate) fn of_line(rate: &At<LayeredRate>, place: &str) -> Fault {
    Fault::new(
        &rate.at,
        format!("`{place}`: a source sends cells; expected a rate `of cell` or `of payload`"),
    )
}

/// The rate of whole cells, to the nearest bit per second; `None` for a line rate.
pub(crate) fn cell_rate(layered: LayeredRate) -> Option<Rate> {
    let bits = layered.rate.bits_per_second();
    match layered.layer {
        Layer::Line => None,
        Layer::Cell => Some(layered.rate),
        Layer::Payload => {
            let half = CELL_PAYLOAD_BYTES / 2;
            Some(Rate::from_bits_per_second((bits * CELL_BYTES + half) / CELL_PAYLOAD_BYTES))
        }
    }
}

/// Checks the error of the cell time: cells at a constant rate are a whole number of picoseconds
/// apart.
pub(crate) fn check_cell_time<T>(
    cell_rate: Rate,
    written: &At<T>,
    place: &str,
) -> Result<Rate, Fault> {
    let error = cell_rate.error_of_cell_time();
    if error.abs() <= MAX_ERROR {
        return Ok(cell_rate);
    }
    let exact = CELL_BITS as f64 * 1e12 / cell_rate.bits_per_second() as f64;
    let message = format!(
        "`{place}`: a cell would take {exact:.3} ps, and times are whole picoseconds, {:.2} % \
         away; expected a rate whose cell time is within 0.01 % of a whole number, as it is up to \
         `84.8 Gbit/s of cell` and at `1000 Gbit/s of cell`",
        100.0 * error.abs()
    );
    Err(Fault::new(&written.at, message))
}
