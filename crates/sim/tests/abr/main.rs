//! ABR: the end systems rule by rule, allocators against hand arithmetic, and rates against max-min
//! fairness.

mod allocations;
mod allocators;
mod buffers;
mod classes;
mod feedback_shares;
mod sources;

use cellway_sim::result::Summary;
use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::{Continue, run};

/// Runs a scenario that must be right.
fn summary(text: &str) -> Summary {
    let scenario = Scenario::parse(Source { origin: "abr.toml", text }, &[]);
    let scenario = scenario.unwrap_or_else(|error| panic!("{error}\n{text}"));
    run(&scenario, &mut |_| Continue::Yes).expect("nothing cancels a test").summary
}
