//! The guaranteed frame rate service and weighted fair queueing, in whole runs.

mod keys;
mod policer;
mod scheduling;

use cellway_sim::result::Summary;
use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::{Continue, run};

fn scenario(text: &str) -> Scenario {
    match Scenario::parse(Source { origin: "gfr.toml", text }, &[]) {
        Ok(scenario) => scenario,
        Err(error) => panic!("{error}"),
    }
}

fn summary(text: &str) -> Summary {
    run(&scenario(text), &mut |_| Continue::Yes).expect("nothing cancels a test").summary
}
