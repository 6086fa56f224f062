//! What the language means: families, paths, variants, sets, the resolved text and the derived
//! numbers.

mod by_hand;
#[path = "../common/mod.rs"]
mod common;
mod explained;
mod hostile;
mod members;
mod old_defaults;
mod oversights;
mod ports;
mod presets;
mod reading;
mod settings;
mod synchronised;

use cellway_sim::scenario::{Scenario, Source};
use common::{EDGES, FAMILIES, MISMATCH, PACKETS};

/// Scenarios that have every kind of section between them.
const ALL: [&str; 5] = [MISMATCH, FAMILIES, PACKETS, EDGES, CLASSES];

/// All service classes on one link, every kind of allocator, minimum and peak rates.
const CLASSES: &str = include_str!("classes.toml");

fn parse(text: &str, sets: &[(&str, &str)]) -> Scenario {
    let sets: Vec<(String, String)> =
        sets.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    match Scenario::parse(Source { origin: "dir/name.toml", text }, &sets) {
        Ok(scenario) => scenario,
        Err(error) => panic!("{error}"),
    }
}
