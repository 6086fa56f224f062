//! Every kind of bad scenario and the line that it is answered with, or the lines where one change
//! makes several faults.
//!
//! The lines are in `golden/scenario_errors.txt`, to be read and reviewed; `UPDATE_GOLDENS=1`
//! rewrites them.

mod applications;
mod buffer_management;
mod capacity;
#[path = "../common/mod.rs"]
mod common;
mod datagrams;
mod edges;
mod families;
#[path = "../common/golden.rs"]
mod golden;
mod impairments;
mod keys;
mod pacing;
mod packets;
mod quantities;
mod relays;
mod services;
mod settings;
mod several;
mod spans;
mod topology;
mod variants;

use std::fmt::Write;

use cellway_sim::scenario::{MAX_SCENARIO_BYTES, Scenario, Source};
use common::{EDGES, FAMILIES, MISMATCH, PACKETS};
use golden::assert_golden;

/// A name, what to replace in the scenario, and by what.
type Case = (&'static str, &'static str, &'static str);

/// A name, and the paths with the values that the command line sets.
type SetCase = (&'static str, &'static [(&'static str, &'static str)]);

fn message(text: &str, sets: &[(String, String)]) -> String {
    match Scenario::parse(Source { origin: "case.toml", text }, sets) {
        Ok(_) => "ACCEPTED".to_owned(),
        Err(error) => error.to_string().replace('\n', "\n    "),
    }
}

fn write_cases(out: &mut String, base: &str, cases: &[Case]) {
    for (name, old, new) in cases {
        assert!(base.contains(old), "case `{name}` replaces nothing");
        writeln!(out, "{name}\n    {}", message(&base.replacen(old, new, 1), &[]))
            .expect("a string");
    }
}

fn all_messages() -> String {
    let mut out = String::new();
    for cases in [
        keys::KEYS,
        quantities::QUANTITIES,
        variants::VARIANTS,
        topology::TOPOLOGY,
        buffer_management::THRESHOLDS,
        spans::SPANS,
        buffer_management::DROP,
        services::ABR,
        services::GFR,
    ] {
        write_cases(&mut out, MISMATCH, cases);
    }
    write_cases(&mut out, FAMILIES, families::FAMILY);
    write_cases(&mut out, FAMILIES, datagrams::DATAGRAM);
    write_cases(&mut out, FAMILIES, applications::APPLICATION);
    write_cases(&mut out, PACKETS, packets::PACKET);
    write_cases(&mut out, PACKETS, pacing::PACING);
    write_cases(&mut out, MISMATCH, pacing::PACING_OF_CELLS);
    write_cases(&mut out, PACKETS, impairments::OF_PACKETS);
    write_cases(&mut out, MISMATCH, impairments::OF_CELLS);
    write_cases(&mut out, PACKETS, capacity::OF_PACKETS);
    write_cases(&mut out, MISMATCH, capacity::OF_CELLS);
    write_cases(&mut out, EDGES, edges::EDGE);
    write_cases(&mut out, relays::PROXIES, relays::RELAYS);
    write_set_cases(&mut out, MISMATCH, settings::SETS);
    write_set_cases(&mut out, FAMILIES, families::MEMBERS);
    out
}

fn write_set_cases(out: &mut String, base: &str, cases: &[SetCase]) {
    for (name, sets) in cases {
        let sets: Vec<(String, String)> =
            sets.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
        writeln!(out, "{name}\n    {}", message(base, &sets)).expect("a string");
    }
}

#[test]
fn every_bad_scenario_gets_its_line() {
    assert_golden("scenario_errors.txt", &all_messages());
}

#[test]
fn every_error_is_one_line_at_a_place() {
    let text = all_messages();
    for line in text.lines().filter(|line| line.starts_with("    ")) {
        let line = line.trim();
        assert!(line.starts_with("case.toml:") || line.starts_with("--set "), "{line}");
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
