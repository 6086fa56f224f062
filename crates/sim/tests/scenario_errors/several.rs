//! Files with several faults: each has its line, in the order of the file, and none is made up by
//! another.

use cellway_sim::scenario::{Scenario, Source};

use crate::common::MISMATCH;
use crate::message;

/// The lines of what is said about `MISMATCH` with these replacements.
fn said(changes: &[(&str, &str)]) -> Vec<String> {
    let text = changes.iter().fold(MISMATCH.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "`{old}` is not there");
        text.replacen(old, new, 1)
    });
    message(&text, &[]).lines().map(|line| line.trim().to_owned()).collect()
}

fn assert_said(changes: &[(&str, &str)], expected: &[&str]) {
    let said = said(changes);
    assert_eq!(said.len(), expected.len(), "{said:#?}");
    for (line, words) in said.iter().zip(expected) {
        assert!(line.contains(words), "`{words}` in {said:#?}");
    }
}

#[test]
fn unknown_keys_wrong_types_and_names_are_found_together() {
    assert_said(
        &[
            ("duration = ", "dureation = "),
            ("per_vc = \"256 cell\"", "per_vc = \"0 cell\""),
            ("delay = \"2.2 ms\"", "dealy = \"2.2 ms\""),
            ("from = \"ku\"", "from = \"kv\""),
            ("traffic.ttcp", "traffic.ttpc"),
        ],
        &[
            "unknown key `dureation` in `run`",
            "`switch.an2.buffer.per_vc`: `0 cell` is out of range",
            "unknown key `dealy` in `link.ku-side`",
            "`flow.bulk.from`: unknown node `kv`",
            "`flow.bulk.traffic`: unknown variant `ttpc`",
        ],
    );
}

/// What is misspelt is not missed as well, nor are the names of a misspelt section.
#[test]
fn a_fault_makes_no_other() {
    assert_said(&[("delay = ", "dealy = ")], &["did you mean `delay`?"]);
    assert_said(&[("between = ", "betwen = ")], &["did you mean `between`?"]);
    assert_said(&[("[host.ku]", "[hots.ku]")], &["unknown key `hots`"]);
    assert_said(&[("[switch.an2]", "[switch.an3]")], &["`an2`", "`an2`"]);
}

/// What is compared when all values are known is found together, too.
#[test]
fn references_and_comparisons_are_found_together() {
    assert_said(
        &[
            ("\"an2\"]", "\"an9\"]"),
            ("\"an2\", ", "\"an8\", "),
            ("from = \"ku\"", "from = \"an2\""),
        ],
        &[
            "`link.ku-side.between`: unknown node `an9`",
            "`link.edc-side.between`: unknown node `an8`",
            "`flow.bulk.from`: `an2` is a switch",
        ],
    );
}

#[test]
fn sets_are_blamed_one_by_one() {
    let sets: Vec<(String, String)> = [("flow.bulk.tpc.window", "1 B"), ("link.*.dealy", "1 ms")]
        .map(|(path, value)| (path.to_owned(), value.to_owned()))
        .into();
    let said = message(MISMATCH, &sets);
    let said: Vec<&str> = said.lines().map(str::trim).collect();
    assert_eq!(said.len(), 2, "{said:#?}");
    assert!(said[0].starts_with("--set flow.bulk.tpc.window=1 B: unknown key `tpc`"), "{said:#?}");
    assert!(said[1].starts_with("--set link.*.dealy=1 ms: unknown key `dealy`"), "{said:#?}");
}

/// A megabyte of faults is answered within seconds, with twenty of them.
#[test]
fn a_file_of_nothing_but_faults_is_answered() {
    let lines = (0..90_000).map(|number| format!("k{number}=1\n"));
    let text: String = lines.collect();
    let error = Scenario::parse(Source { origin: "x", text: &text }, &[]).expect_err("no scenario");
    // The section of the run is missing, too.
    assert_eq!(error.each().count(), 90_001);
    let said = error.to_string();
    assert_eq!(said.lines().count(), 21);
    assert!(said.ends_with("\nx: and 89981 more"), "{said}");
}
