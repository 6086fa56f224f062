//! Every kind of bad scenario and the line that it is answered with, or the lines where one change
//! makes several faults.
//!
//! The lines are in `golden/scenario_errors.txt`, to be read and reviewed; `UPDATE_GOLDENS=1`
//! rewrites them.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/golden.rs"]
mod golden;
mod several;

use std::fmt::Write;

use cellway_sim::scenario::{MAX_SCENARIO_BYTES, Scenario, Source};
use common::{EDGES, FAMILIES, MISMATCH, PACKETS};
use golden::assert_golden;
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, TableLike, Value};

macro_rules! cases {
    ($($file:literal),*) => {
        [$(include_str!(concat!("cases/", $file, ".toml"))),*]
    };
}

/// Cases by what they are about. A block is named after the base of its cases. The text of a case
/// stands `instead_of`, `after` or `before` one of the base, which is said by the block or with the
/// case; a pair is that text and what replaces it. Without a place a text is the whole scenario.
const CASES: [&str; 19] = cases![
    "keys",
    "quantities",
    "variants",
    "topology",
    "thresholds",
    "spans",
    "drop_policies",
    "abr",
    "gfr",
    "families",
    "datagrams",
    "applications",
    "packets",
    "pacing",
    "impairments",
    "capacity",
    "edges",
    "relays",
    "split"
];

/// What is said of a scenario, line by line: the place in its text or the setting, and the fault.
fn message(text: &str, sets: &[(String, String)]) -> String {
    let origin = "case.toml:";
    let Err(error) = Scenario::parse(Source { origin: "case.toml", text }, sets) else {
        return "ACCEPTED".to_owned();
    };
    let said = error.to_string();
    let placed = said.lines().map(|line| {
        assert!(line.starts_with(origin) || line.starts_with("--set "), "{line}");
        line.trim_start_matches(origin)
    });
    placed.collect::<Vec<_>>().join("\n  ")
}

/// Scenario that the cases of a block change.
fn base_of(block: &str) -> &'static str {
    match block {
        "mismatch" => MISMATCH,
        "families" => FAMILIES,
        "packets" => PACKETS,
        "edges" => EDGES,
        "proxies" => include_str!("proxies.toml"),
        "split" => include_str!("split.toml"),
        _ => panic!("no base `{block}`"),
    }
}

fn text(item: &Item) -> String {
    item.as_str().expect("a text").to_owned()
}

/// Scenario of a case.
fn changed(base: &str, block: &Table, case: &Item) -> String {
    let (place, new): (&dyn TableLike, String) = match case.as_table_like() {
        Some(own) => (own, own.get("text").map(text).expect("a text")),
        None => (block, case.as_str().unwrap_or_default().to_owned()),
    };
    let at = |key| place.get(key).map(text);
    let (old, new) = if let Some(pair) = case.as_array() {
        let [old, new] = [0, 1].map(|at| pair.get(at).and_then(Value::as_str).expect("a text"));
        (old.to_owned(), new.to_owned())
    } else if let Some(old) = at("instead_of") {
        (old, new)
    } else if let Some(old) = at("after") {
        (old.clone(), format!("{old}\n{new}"))
    } else if let Some(old) = at("before") {
        (old.clone(), format!("{new}\n{old}"))
    } else {
        return new;
    };
    assert!(base.contains(&old), "`{old}` is not there");
    base.replacen(&old, &new, 1)
}

fn write_cases(out: &mut String, cases: &str) {
    let cases: DocumentMut = cases.parse().expect("TOML");
    let blocks = cases.iter().flat_map(|(name, blocks)| {
        let blocks = blocks.as_array_of_tables().into_iter().flat_map(ArrayOfTables::iter);
        blocks.map(move |block| (base_of(name), block))
    });
    for (base, block) in blocks {
        for (name, case) in block {
            if !["instead_of", "after", "before"].contains(&name) {
                let message = message(&changed(base, block, case), &[]);
                writeln!(out, "{name}\n  {message}").expect("a string");
            }
        }
    }
}

fn all_messages() -> String {
    let mut out = String::new();
    for cases in CASES {
        write_cases(&mut out, cases);
    }
    write_settings(&mut out, include_str!("settings.toml"));
    out
}

/// Cases that the command line sets, by the name of their base.
fn write_settings(out: &mut String, cases: &str) {
    let cases: DocumentMut = cases.parse().expect("TOML");
    for (base, cases) in cases.iter() {
        for (name, sets) in cases.as_table_like().into_iter().flat_map(TableLike::iter) {
            let sets = sets.as_table_like().into_iter().flat_map(TableLike::iter);
            let sets: Vec<_> = sets.map(|(path, value)| (path.to_owned(), text(value))).collect();
            writeln!(out, "{name}\n  {}", message(base_of(base), &sets)).expect("a string");
        }
    }
}

#[test]
fn every_bad_scenario_gets_its_line() {
    assert_golden("scenario_errors.txt", &all_messages());
}

#[test]
fn every_error_is_one_line_at_a_place() {
    let text = all_messages();
    for line in text.lines().filter_map(|line| line.strip_prefix("  ")) {
        let at = line.split(": ").next().and_then(|place| place.split_once(':'));
        let is_place = |(row, column): (&str, &str)| {
            [row, column].map(str::parse::<u32>).iter().all(Result::is_ok)
        };
        assert!(line.starts_with("--set ") || at.is_some_and(is_place), "{line}");
        assert!(line.len() < 600, "{line}");
    }
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let error =
        Scenario::parse_bytes("x.toml", b"[run]\nseed = \xff1", &[]).expect_err("not UTF-8");
    assert_eq!((error.line, error.column), (2, 8));
    let long = vec![b'#'; MAX_SCENARIO_BYTES + 1];
    let error = Scenario::parse_bytes("x.toml", &long, &[]).expect_err("too long");
    assert_eq!(error.to_string(), "x.toml: the text has 1048577 bytes; expected at most 1048576");
}
