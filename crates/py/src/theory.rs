//! Formulas of `cellway-theory`, number by number.

use cellway_theory::buffer::dfba::{Bottleneck, Vc, sharing};
use cellway_theory::tcp::TIMEOUT_COST;
use pyo3::prelude::*;

use crate::error;

/// What the VCs share, as Python's mapping has it.
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

/// Mean queue, and by VC, given as MCR, Z and connections, its part and its loss.
#[pyfunction]
pub(crate) fn dfba_sharing(
    bottleneck: SharedBuffer,
    vcs: Vec<(f64, f64, f64)>,
) -> PyResult<(f64, Vec<(f64, f64)>)> {
    let vcs: Vec<Vc> =
        vcs.into_iter().map(|(mcr, z, connections)| Vc { mcr, z, connections }).collect();
    let found = sharing(&bottleneck.into(), &vcs).map_err(|refusal| error::theory(&refusal))?;
    Ok((found.mean_queue, found.shares.into_iter().map(|share| (share.part, share.loss)).collect()))
}
