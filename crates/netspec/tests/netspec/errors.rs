//! Every kind of bad script and the one line that it is answered with.
//!
//! The lines are in `golden/netspec_errors.txt`, to be read and reviewed; `UPDATE_GOLDENS=1`
//! rewrites them.

use std::fmt::Write;

use super::golden::assert_golden;
use super::workload;

const SCRIPT: &str = include_str!("script.nspec");

/// Cases by their names: what a script has, lines after `-`, and what stands there instead,
/// lines after `+`. Without the former, the latter is all of the script.
const CASES: &str = include_str!("errors.txt");

/// Text of the lines of a case that begin with a sign.
fn signed(case: &[&str], sign: char) -> Option<String> {
    let lines = case.iter().filter_map(|line| line.strip_prefix(sign));
    let lines: Vec<&str> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn all_messages() -> String {
    let mut out = String::new();
    let lines: Vec<&str> = CASES.lines().collect();
    for case in lines.chunk_by(|_, next| next.starts_with(['-', '+'])) {
        let name = case[0];
        let old = signed(case, '-').unwrap_or_else(|| SCRIPT.to_owned());
        let new = signed(case, '+').unwrap_or_default();
        assert!(SCRIPT.contains(&old), "case `{name}` replaces nothing");
        let message = match workload("1 s", &SCRIPT.replacen(&old, &new, 1)) {
            Ok(_) => "ACCEPTED".to_owned(),
            Err(error) => error.to_string(),
        };
        writeln!(out, "{name}\n    {message}").expect("a string");
    }
    out
}

#[test]
fn every_bad_script_gets_its_line() {
    assert_golden("netspec_errors.txt", &all_messages());
}

#[test]
fn every_error_is_one_line_at_a_place() {
    assert!(workload("1 s", SCRIPT).is_ok());
    for line in all_messages().lines().filter(|line| line.starts_with("    ")) {
        let line = line.trim();
        assert!(line.starts_with("test.nspec:"), "{line}");
        assert!(line.len() < 600, "{line}");
    }
}
