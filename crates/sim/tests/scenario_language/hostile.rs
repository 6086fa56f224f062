//! Texts that nobody would write: none of them makes the language panic.

use super::ALL;
use crate::common::MISMATCH;
use cellway_sim::explain::explain;
use cellway_sim::scenario::{Scenario, Source};
use proptest::prelude::*;

/// One of the scenarios with some bytes deleted, doubled or replaced.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let base = prop::sample::select(ALL.as_slice());
    let edit = (any::<prop::sample::Index>(), 0..4_u8, any::<u8>());
    (base, prop::collection::vec(edit, 1..6)).prop_map(|(base, edits)| {
        let mut bytes = base.as_bytes().to_vec();
        for (index, what, byte) in edits {
            let at = index.index(bytes.len());
            match what {
                0 => drop(bytes.remove(at)),
                1 => bytes.insert(at, byte),
                2 => bytes[at] = byte,
                _ => bytes.insert(at, bytes[at]),
            }
        }
        bytes
    })
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in ".{0,200}", path in ".{0,20}", value in ".{0,20}") {
        let _ = Scenario::parse_bytes("x", text.as_bytes(), &[]);
        let _ = Scenario::parse_bytes("x", MISMATCH.as_bytes(), &[(path, value)]);
    }

    #[test]
    fn no_mutation_makes_it_panic(bytes in mutated(), value in "[0-9a-zA-Z{}=\" .]{0,12}") {
        let sets = [
            ("link.x.delay".to_owned(), value.clone()),
            ("flow.bulk.traffic".to_owned(), value),
        ];
        let _ = Scenario::parse_bytes("x", &bytes, &sets);
        if let Ok(scenario) = Scenario::parse_bytes("x.toml", &bytes, &[]) {
            let text = scenario.to_toml();
            let again = Scenario::parse(Source { origin: "x.toml", text: &text }, &[]);
            prop_assert_eq!(again.as_ref(), Ok(&scenario));
            explain(&scenario);
        }
    }
}

#[test]
fn deep_nesting_is_an_error() {
    for text in [
        "a.".repeat(100_000) + "a = 1",
        "a = ".to_owned() + &"[".repeat(100_000),
        format!("[{}a]", "a.".repeat(100_000)),
    ] {
        assert!(Scenario::parse(Source { origin: "x", text: &text }, &[]).is_err());
        let sets = [(text, "1".to_owned())];
        assert!(Scenario::parse(Source { origin: "x", text: MISMATCH }, &sets).is_err());
    }
    let sets = [
        ("run.seed".to_owned(), "[".repeat(100_000)),
        ("run.phase".to_owned(), "{a=".repeat(100_000)),
    ];
    assert!(Scenario::parse(Source { origin: "x", text: MISMATCH }, &sets).is_err());
}
