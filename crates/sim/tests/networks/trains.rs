//! Trains are a way to compute, not a part of the model: whatever travels in them, every counter,
//! instant and series is that of single cells.

use std::collections::BTreeSet;

use super::crowds::Crowd;
use super::dice::Dice;
use super::number;
use super::paths::{Path, WATCHED};
use super::properties::{interrupted, outcome};
use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::{Outcome, Simulation};

#[test]
fn frames_in_trains_are_the_cells_that_they_are_made_of() {
    let mut kinds = BTreeSet::new();
    for number in numbers() {
        let path = Path::new(number);
        kinds.extend(path.kinds());
        assert_trains_are_cells(number, |watched| path.text(watched));
    }
    assert!(kinds.len() > 20, "a wrong train would be seen: {kinds:?}");
}

#[test]
fn so_are_those_of_a_crowd() {
    for number in numbers() {
        let crowd = Crowd::new(number);
        assert_trains_are_cells(number, |watched| crowd.text(watched));
    }
}

#[test]
fn so_are_those_of_a_large_one() {
    for number in numbers().step_by(4) {
        let crowd = Crowd::large(number);
        assert_trains_are_cells(number, |watched| crowd.text(watched));
    }
}

/// After a loss, a cell that has waited may be followed by a train of another gap, as if it were
/// the first of that train.
#[test]
fn so_are_cells_of_lossy_sources_that_make_no_rounds() {
    assert_trains_are_cells(0, |watched| format!("[observe]\n{watched}\n{LOSSY_SOURCES}"));
}

const LOSSY_SOURCES: &str = include_str!("lossy_sources.toml");

fn numbers() -> std::ops::Range<u64> {
    let first = number("FIRST_PATH", 0);
    first..first + number("RANDOM_PATHS", 100)
}

/// However a scenario is watched, and wherever it is interrupted: on a grid, and in one other way.
fn assert_trains_are_cells(number: u64, text: impl Fn(&str) -> String) {
    for (place, watched) in WATCHED.iter().enumerate() {
        let text = text(watched);
        let scenario = Scenario::parse(Source { origin: "path.toml", text: &text }, &[]);
        let scenario = scenario.unwrap_or_else(|error| panic!("{number}: {error}\n{text}"));
        let builder = Simulation::builder(&scenario).cell_by_cell();
        let cells = builder.run().expect("cells are few");
        let told = |how: &str| format!("number {number} {how}, watched {place}:\n{text}");
        assert_same(&outcome(&scenario), &cells, || told("in trains"));
        if place == 1 || place as u64 == number % WATCHED.len() as u64 {
            let paused = interrupted(&scenario, &mut Dice::new(number));
            assert_same(&paused, &cells, || told("interrupted"));
            let short = Simulation::builder(&scenario).short_turns().run();
            assert_same(&short.expect("cells are few"), &cells, || told("in short turns"));
        }
    }
}

fn assert_same(one: &Outcome, other: &Outcome, told: impl Fn() -> String) {
    // Every number with all its digits, also those that are none.
    assert!(format!("{one:?}") == format!("{other:?}"), "{}", told());
}
