//! Flows of a measurement: those with traffic of the scenario, and those that are left to programs.

use std::collections::BTreeMap;

use cellway_sim::scenario::{Flow, Scenario};
use cellway_sim::units::Time;

use super::path::Path;
use super::place;
use crate::kernel::{KernelPlan, plans_with};
use crate::program::{LeftFlow, Programs, Reached, reached, require_alike};
use crate::record::{LeftFacts, MeasureError};

/// Flows of a measurement.
#[derive(Debug)]
pub(super) struct Parts<'s> {
    /// Flows with traffic of the scenario, and their settings.
    pub(super) flows: Vec<&'s Flow>,
    pub(super) plans: Vec<KernelPlan>,
    pub(super) left: Vec<LeftFlow<'s>>,
}

impl<'s> Parts<'s> {
    /// Divides the flows with `tcp`; fails for those that cannot be measured.
    pub(super) fn of(scenario: &'s Scenario, programs: &Programs) -> Result<Self, MeasureError> {
        let numbers = programs.left(scenario)?;
        let number_of = |flow: &Flow| {
            let index = scenario.flows.iter().position(|other| other.name == flow.name);
            index.expect("a flow of the scenario")
        };
        let is_left = |flow: &Flow| numbers.contains(&number_of(flow));
        let plans = plans_with(scenario, is_left)?;
        let (left, own): (Vec<_>, Vec<_>) = plans.into_iter().partition(|(flow, _)| is_left(flow));
        let (flows, plans): (Vec<&Flow>, Vec<KernelPlan>) = own.into_iter().unzip();
        let place = |(number, (flow, plan)): (usize, (&'s Flow, KernelPlan))| LeftFlow {
            flow,
            index: number_of(flow),
            plan,
            addresses: place::addresses_of(flows.len() + number),
        };
        let left: Vec<_> = left.into_iter().enumerate().map(place).collect();
        require_alike(scenario, &left)?;
        Ok(Self { flows, plans, left })
    }
}

/// Names under which programs at `host` reach other hosts.
pub fn reached_from(
    scenario: &Scenario,
    programs: &Programs,
    host: &str,
) -> Result<Vec<Reached>, MeasureError> {
    let left = Parts::of(scenario, programs)?.left;
    let number = scenario.hosts.iter().position(|other| other.name == host);
    Ok(number.map_or_else(Vec::new, |number| reached(scenario, &left, number)))
}

/// Facts about the flows that were left to programs.
pub(super) fn passages(
    path: &mut Path<'_>,
    scenario: &Scenario,
    left: &[LeftFlow<'_>],
) -> BTreeMap<String, LeftFacts> {
    path.note_losses();
    let measured = path.simulation.now() - (Time::ZERO + scenario.run.warm_up);
    let of = |left: &LeftFlow<'_>| {
        let hosts = [left.flow.source, left.flow.sink].map(|host| &*scenario.hosts[host].name);
        let facts = path.passages.facts(left.index, hosts, &path.simulation, measured);
        (left.flow.name.clone(), facts)
    };
    left.iter().map(of).collect()
}
