//! Series of several flows together: the bytes that have arrived, by family and in all.

use std::collections::BTreeMap;

use super::groups::family;
use crate::result::{Sampling, Series};
use crate::scenario::{Quantity, Scenario};

/// Name of all flows together.
const ALL: &str = "*";

/// `arrived.FAMILY[*]` of every family and `arrived.*` of several flows, on a grid.
pub(super) fn totals(scenario: &Scenario, series: &[Series]) -> Vec<Series> {
    let sampling = scenario.observe.as_ref().map(|observe| observe.sampling(scenario.run.duration));
    if !matches!(sampling, Some(Sampling::Every(_))) {
        return Vec::new();
    }
    let of_name: BTreeMap<&str, &Series> =
        series.iter().map(|one| (one.name.as_str(), one)).collect();
    let mut members: BTreeMap<String, Vec<&Series>> = BTreeMap::new();
    for flow in &scenario.flows {
        let name = format!("{}.{}", flow.name, Quantity::Arrived.word());
        let Some(found) = of_name.get(name.as_str()) else { continue };
        let family = family(&flow.name);
        if family != flow.name {
            members.entry(format!("{family}[*]")).or_default().push(found);
        }
        members.entry(ALL.to_owned()).or_default().push(found);
    }
    let several = members.iter().filter(|(_, members)| members.len() > 1);
    several.map(|(name, members)| total(name, members)).collect()
}

/// Sum of series on the same grid.
fn total(name: &str, members: &[&Series]) -> Series {
    let name = format!("{}.{name}", Quantity::Arrived.word());
    let mut total = Series { name, ..members[0].clone() };
    for member in &members[1..] {
        assert_eq!(member.times, total.times, "series on the grid of a run");
        total.values.iter_mut().zip(&member.values).for_each(|(sum, value)| *sum += value);
    }
    total
}
