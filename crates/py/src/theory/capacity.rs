//! TCP over a link of two rates, and the effective capacity of links that vary.

use cellway_theory::effective_capacity::{ModulatedCapacity, delta_for};
use cellway_theory::range::OutOfRange;
use cellway_theory::renewal::{Path, Rates, Sender, Throughput, WindowAtLoss, throughput};
use pyo3::prelude::*;

use crate::error;

/// A path of the renewal model, from Python's mapping.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct TwoRates {
    high: f64,
    low: f64,
    buffer: f64,
    max_window: f64,
    high_lasts: f64,
    low_lasts: f64,
}

impl TwoRates {
    fn path(&self) -> PyResult<Path> {
        Ok(Path {
            high: count("high", self.high)?,
            low: count("low", self.low)?,
            buffer: count("buffer", self.buffer)?,
            max_window: count("max_window", self.max_window)?,
            high_lasts: self.high_lasts,
            low_lasts: self.low_lasts,
        })
    }
}

/// A number of packets.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is whole and in the range of the type"
)]
fn count(name: &str, value: f64) -> PyResult<u32> {
    if value >= 0.0 && value <= f64::from(u32::MAX) && value.fract() == 0.0 {
        return Ok(value as u32);
    }
    let name = name.to_owned();
    Err(error::theory(OutOfRange { name, value, expected: "a whole number of packets" }))
}

/// Rates in the order of the fields of `Rates`.
type Accounted = (f64, f64, f64, f64);

fn accounted(rates: Rates) -> Accounted {
    (rates.optimistic, rates.each_once, rates.returned, rates.nothing)
}

/// Name and text of an assumption, and the way in which it is violated.
type Assumed = (&'static str, &'static str, Option<String>);

/// Packets per round trip, efficiency, mean capacity, losses per round trip, mean cycle, states,
/// residual, assumptions.
type Found = (Accounted, Accounted, f64, f64, f64, usize, f64, Vec<Assumed>);

/// Results of the renewal model for a path; with neither ABR nor a constant rate TCP is alone.
#[pyfunction]
pub(crate) fn renewal_throughput(
    py: Python<'_>,
    path: TwoRates,
    over_abr: bool,
    constant_rate: Option<f64>,
    plus_one: bool,
    cell_headers: bool,
) -> PyResult<Found> {
    let path = path.path()?;
    let sender = match constant_rate {
        Some(rate) => Sender::TcpOverConstantRate(count("constant_rate", rate)?),
        None if over_abr => Sender::TcpOverAbr,
        None => Sender::TcpAlone,
    };
    let window = if plus_one { WindowAtLoss::PlusOne } else { WindowAtLoss::Binomial };
    let found =
        py.detach(|| throughput(&path, sender, window, cell_headers)).map_err(error::theory)?;
    let Throughput {
        packets_per_round_trip,
        efficiency,
        mean_capacity,
        losses_per_round_trip,
        mean_cycle,
        states,
        residual,
        assumptions,
    } = found;
    let assumed = assumptions.into_iter().map(|one| (one.name, one.text, one.violated)).collect();
    Ok((
        accounted(packets_per_round_trip),
        accounted(efficiency),
        mean_capacity,
        losses_per_round_trip,
        mean_cycle,
        states,
        residual,
        assumed,
    ))
}

/// Effective capacity Γ(δ).
#[pyfunction]
pub(crate) fn effective_capacity(
    capacities: Vec<f64>,
    transitions: Vec<Vec<f64>>,
    delta: f64,
) -> PyResult<f64> {
    let chain = ModulatedCapacity::new(capacities, transitions).map_err(error::theory)?;
    chain.effective(delta).map_err(error::theory)
}

/// Effective capacity Γ at δ = 0 and in the limit of large δ.
#[pyfunction]
pub(crate) fn effective_capacity_limits(
    capacities: Vec<f64>,
    transitions: Vec<Vec<f64>>,
) -> PyResult<(f64, f64)> {
    let chain = ModulatedCapacity::new(capacities, transitions).map_err(error::theory)?;
    Ok((chain.mean(), chain.least()))
}

/// The δ with Γ(δ) = `rate`.
#[pyfunction]
pub(crate) fn effective_capacity_delta(
    capacities: Vec<f64>,
    transitions: Vec<Vec<f64>>,
    rate: f64,
) -> PyResult<f64> {
    let chain = ModulatedCapacity::new(capacities, transitions).map_err(error::theory)?;
    chain.delta_of(rate).map_err(error::theory)
}

/// The δ of an overflow probability and a buffer.
#[pyfunction]
pub(crate) fn overflow_delta(loss: f64, buffer: f64) -> PyResult<f64> {
    delta_for(loss, buffer).map_err(error::theory)
}
