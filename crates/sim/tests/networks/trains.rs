//! Trains are a way to compute, not a part of the model: whatever travels in them, every counter,
//! instant and series is that of single cells.

use std::collections::BTreeSet;

use super::dice::Dice;
use super::number;
use super::paths::{Path, WATCHED};
use super::properties::{interrupted, outcome};
use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::{Outcome, Simulation};

#[test]
fn frames_in_trains_are_the_cells_that_they_are_made_of() {
    let first = number("FIRST_PATH", 0);
    let mut kinds = BTreeSet::new();
    for number in first..first + number("RANDOM_PATHS", 100) {
        let path = Path::new(number);
        kinds.extend(path.kinds());
        for (place, watched) in WATCHED.iter().enumerate() {
            let text = path.text(watched);
            let scenario = Scenario::parse(Source { origin: "path.toml", text: &text }, &[]);
            let scenario = scenario.unwrap_or_else(|error| panic!("path {number}: {error}"));
            let builder = Simulation::builder(&scenario).cell_by_cell();
            let cells = builder.run().expect("cells are few");
            let told = |how: &str| format!("path {number} {how}, watched {place}:\n{text}");
            assert_same(&outcome(&scenario), &cells, || told("in trains"));
            if place == 1 {
                let paused = interrupted(&scenario, &mut Dice::new(number));
                assert_same(&paused, &cells, || told("interrupted"));
            }
        }
    }
    assert!(kinds.len() > 20, "a wrong train would be seen: {kinds:?}");
}

fn assert_same(one: &Outcome, other: &Outcome, told: impl Fn() -> String) {
    // Every number with all its digits, also those that are none.
    assert!(format!("{one:?}") == format!("{other:?}"), "{}", told());
}
