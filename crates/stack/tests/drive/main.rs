//! Stacks over the paths of scenarios.

mod faults;
mod model;
mod series;
mod wire;

use cellway_sim::Continue;
use cellway_sim::scenario::{Scenario, Source};
use cellway_stack::{DriveError, Driven, Ends, Model, Role, drive};

/// A scenario of this text.
pub(crate) fn scenario(text: &str) -> Scenario {
    Scenario::parse(Source { origin: "path", text }, &[]).expect("a scenario")
}

/// The simulator's own TCP at both ends of `flow`.
pub(crate) fn models<'s>(scenario: &'s Scenario, flow: &str) -> Ends<'s> {
    let model = |role| Box::new(Model::new(scenario, flow, role).expect("a flow with tcp"));
    let (origin, destination) = (model(Role::Origin), model(Role::Destination));
    Ends { flow: flow.to_owned(), origin, destination }
}

/// A run with these ends.
pub(crate) fn run<'s>(scenario: &'s Scenario, ends: Vec<Ends<'s>>) -> Result<Driven, DriveError> {
    drive(scenario, ends, None, &mut |_| Continue::Yes)
}
