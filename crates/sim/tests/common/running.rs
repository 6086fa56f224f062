//! Scenarios of tests and their runs.

use cellway_sim::result::Summary;
use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::{Continue, Outcome, run};

/// Parses a scenario that must be right.
pub(crate) fn scenario(text: &str) -> Scenario {
    let scenario = Scenario::parse(Source { origin: "test.toml", text }, &[]);
    scenario.unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Runs a scenario to its end.
pub(crate) fn outcome_of(scenario: &Scenario) -> Outcome {
    run(scenario, &mut |_| Continue::Yes).expect("nothing cancels a test")
}

/// Outcome of a scenario that must be right.
pub(crate) fn outcome(text: &str) -> Outcome {
    outcome_of(&scenario(text))
}

/// Summary of its run.
pub(crate) fn summary(text: &str) -> Summary {
    outcome(text).summary
}
