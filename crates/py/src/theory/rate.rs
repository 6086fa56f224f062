//! Rates that a network grants.

use cellway_theory::rate::feedback::limits;
use cellway_theory::rate::max_min::{Bound, Claim, checked};
use pyo3::prelude::*;

use crate::error;

/// Links, min, max and weight of a claim.
type AskedFor = (Vec<usize>, f64, f64, f64);

/// Rate of each claim, given as links, min, max and weight, and the link that binds it or else
/// `max` or `min`.
#[pyfunction]
pub(crate) fn max_min_shares(
    capacities: Vec<f64>,
    claims: Vec<AskedFor>,
) -> PyResult<Vec<(f64, Option<usize>, &'static str)>> {
    let claims: Vec<Claim> = claims
        .into_iter()
        .map(|(links, min, max, weight)| Claim { links, min, max, weight })
        .collect();
    let grants = checked(&capacities, &claims).map_err(error::theory)?;
    let bound = |bound| match bound {
        Bound::Link(link) => (Some(link), "link"),
        Bound::Max => (None, "max"),
        Bound::Min => (None, "min"),
    };
    Ok(grants
        .into_iter()
        .map(|grant| {
            let (link, name) = bound(grant.bound);
            (grant.rate, link, name)
        })
        .collect())
}

/// Mean, minimum and independent limit.
#[pyfunction]
pub(crate) fn feedback_limits(
    rates: Vec<f64>,
    probabilities: Vec<f64>,
    carried: f64,
) -> PyResult<(f64, f64, f64)> {
    let found = limits(&rates, &probabilities, carried).map_err(error::theory)?;
    Ok((found.mean, found.minimum, found.independent))
}
