//! Paths: windows, buffers, ceilings.

use cellway_theory::buffer::size;
use cellway_theory::ceiling::encapsulation::ENCAPSULATIONS;
use cellway_theory::ceiling::line::LINES;
use cellway_theory::tcp::lakshman_madhow::{Rule, utilisation};
use cellway_theory::tcp::slow_start::{self, Acknowledged};
use cellway_theory::tcp::{pftk, window};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error;

/// Segments per second that Reno sends, by the short form.
#[pyfunction]
pub(crate) fn pftk_approximate_rate(
    loss: f64,
    round_trip: f64,
    timeout: f64,
    segments_per_ack: f64,
    max_window: f64,
) -> PyResult<f64> {
    let connection = pftk::Connection { round_trip, timeout, segments_per_ack, max_window };
    pftk::approximate_sent(&connection, loss).map_err(error::theory)
}

/// Part of a line that one Tahoe, or else Reno, uses.
#[pyfunction]
pub(crate) fn buffered_utilisation(
    tahoe: bool,
    path: f64,
    buffer_ratio: f64,
    segments_per_ack: f64,
) -> PyResult<f64> {
    let rule = if tahoe { Rule::Tahoe } else { Rule::Reno };
    utilisation(rule, path, buffer_ratio, segments_per_ack).map_err(error::theory)
}

/// Seconds of slow start.
#[pyfunction]
pub(crate) fn slow_start_time(
    first: f64,
    segments: f64,
    round_trip: f64,
    delayed: bool,
) -> PyResult<f64> {
    let acknowledged = if delayed { Acknowledged::Second } else { Acknowledged::Every };
    slow_start::time(first, segments, round_trip, acknowledged).map_err(error::theory)
}

/// Rate, round trip and queue of a constant window.
#[pyfunction]
pub(crate) fn window_rate(
    window: f64,
    round_trip: f64,
    capacity: f64,
) -> PyResult<(f64, f64, f64)> {
    let found = window::paced(window, round_trip, capacity).map_err(error::theory)?;
    Ok((found.rate, found.round_trip, found.queue))
}

/// Seconds of a full buffer.
#[pyfunction]
pub(crate) fn full_buffer_delay(buffer: f64, capacity: f64) -> PyResult<f64> {
    window::full_buffer_delay(buffer, capacity).map_err(error::theory)
}

/// Bits that keep a line busy, with flows halved together for `None`.
#[pyfunction]
#[pyo3(signature = (capacity, round_trip, flows))]
pub(crate) fn needed_buffer(capacity: f64, round_trip: f64, flows: Option<f64>) -> PyResult<f64> {
    match flows {
        None => size::synchronised(capacity, round_trip),
        Some(flows) => size::desynchronised(capacity, round_trip, flows),
    }
    .map_err(error::theory)
}

/// Part of a line that flows halved independently use.
#[pyfunction]
pub(crate) fn desynchronised_utilisation(buffer_ratio: f64, flows: f64) -> PyResult<f64> {
    size::desynchronised_utilisation(buffer_ratio, flows).map_err(error::theory)
}

/// Part of a line that is data, and the cells of a segment.
#[pyfunction]
pub(crate) fn encapsulated(
    encapsulation: &str,
    segment: u32,
    options: u32,
) -> PyResult<(f64, f64, Option<u32>)> {
    let known = ENCAPSULATIONS.iter().find(|(name, _)| *name == encapsulation);
    let (_, found) = known.ok_or_else(|| {
        let names: Vec<&str> = ENCAPSULATIONS.iter().map(|(name, _)| *name).collect();
        let names = names.join(", ");
        PyValueError::new_err(format!("no encapsulation {encapsulation:?}; expected {names}"))
    })?;
    let part = found.data_part(segment, options).map_err(error::theory)?;
    let packet = segment + options + cellway_theory::ceiling::encapsulation::TCP_IP;
    Ok((part, found.line_bytes(packet), found.cells(packet)))
}

/// Name, bits per second, bits of cells per second.
#[pyfunction]
pub(crate) fn standard_lines() -> Vec<(&'static str, f64, f64)> {
    LINES.iter().map(|line| (line.name, line.bits, line.cell_bits)).collect()
}
