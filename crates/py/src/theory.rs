//! Formulas of `cellway-theory`, number by number.

pub(crate) mod capacity;
pub(crate) mod path;
pub(crate) mod queue;
pub(crate) mod rate;

use cellway_theory::buffer::bbr;
use cellway_theory::buffer::dfba::{Bottleneck, Vc, sharing};
use cellway_theory::tcp::pftk::{Connection, rates};
use cellway_theory::tcp::timeouts::TIMEOUT_COST;
use cellway_theory::tcp::{cubic, square_root};
use pyo3::prelude::*;

use crate::error;

/// Parameters of a shared buffer, from Python's mapping.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct SharedBuffer {
    capacity: f64,
    low: f64,
    high: f64,
    alpha: f64,
    round_trip: f64,
    frame: f64,
    timeout_cost: Option<f64>,
}

impl From<SharedBuffer> for Bottleneck {
    fn from(shared: SharedBuffer) -> Self {
        let SharedBuffer { capacity, low, high, alpha, round_trip, frame, timeout_cost } = shared;
        let timeout_cost = timeout_cost.unwrap_or(TIMEOUT_COST);
        Self { capacity, low, high, alpha, round_trip, frame, timeout_cost }
    }
}

/// Mean queue, and the part and loss of each VC, given as MCR, Z and connections.
#[pyfunction]
pub(crate) fn dfba_sharing(
    bottleneck: SharedBuffer,
    vcs: Vec<(f64, f64, f64)>,
) -> PyResult<(f64, Vec<(f64, f64)>)> {
    let vcs: Vec<Vc> =
        vcs.into_iter().map(|(mcr, z, connections)| Vc { mcr, z, connections }).collect();
    let found = sharing(&bottleneck.into(), &vcs).map_err(error::theory)?;
    Ok((found.mean_queue, found.shares.into_iter().map(|share| (share.part, share.loss)).collect()))
}

/// Segments per second of congestion avoidance alone.
#[pyfunction]
pub(crate) fn square_root_rate(
    loss: f64,
    round_trip: f64,
    segments_per_ack: f64,
    max_window: f64,
) -> PyResult<f64> {
    square_root::limited_rate(loss, round_trip, segments_per_ack, max_window).map_err(error::theory)
}

/// Segments per second that Reno sends, and that arrive.
#[pyfunction]
pub(crate) fn pftk_rates(
    loss: f64,
    round_trip: f64,
    timeout: f64,
    segments_per_ack: f64,
    max_window: f64,
) -> PyResult<(f64, f64)> {
    let connection = Connection { round_trip, timeout, segments_per_ack, max_window };
    let rates = rates(&connection, loss).map_err(error::theory)?;
    Ok((rates.sent, rates.received))
}

/// Segments per second of CUBIC.
#[pyfunction]
pub(crate) fn cubic_rate(
    loss: f64,
    round_trip: f64,
    c: f64,
    beta: f64,
    max_window: f64,
) -> PyResult<f64> {
    cubic::limited_rate(loss, round_trip, c, beta, max_window).map_err(error::theory)
}

/// Part of a line that BBR flows have together beside loss-based ones.
#[pyfunction]
pub(crate) fn bbr_share(buffer: f64, capacity: f64, round_trip: f64, flows: f64) -> PyResult<f64> {
    bbr::share(buffer, capacity, round_trip, flows).map_err(error::theory)
}
