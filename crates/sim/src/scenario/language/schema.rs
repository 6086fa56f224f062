//! The reference of the language, made from the same table that reads it.

use serde::Serialize;

use crate::scenario::language::keys::{Body, Key, Kind, Presence, Variant};
use crate::scenario::language::preset::PRESETS;
use crate::scenario::language::sections::SCENARIO;
use crate::units::Span;

/// Everything a scenario file may say, as JSON: one entry per key with its type, default, limits and meaning.
///
/// `NAME` in a key stands for a name of the user's. A variant is selected by its name as a string if
/// `as_string` says so, and always by a table with its name as the only key.
pub fn schema() -> String {
    let mut keys = Vec::new();
    list(SCENARIO, "", &mut keys);
    let lines = PRESETS.iter().map(|preset| Line {
        name: preset.name,
        line_bits_per_second: preset.line_rate().bits_per_second(),
        cell_bits_per_second: preset.cell_rate().bits_per_second(),
        meaning: preset.meaning,
    });
    let reference = Reference { version: env!("CARGO_PKG_VERSION"), keys, lines: lines.collect() };
    serde_json::to_string_pretty(&reference).expect("plain strings and numbers are JSON")
}

#[derive(Serialize)]
struct Reference {
    version: &'static str,
    keys: Vec<Entry>,
    lines: Vec<Line>,
}

#[derive(Serialize)]
struct Entry {
    key: String,
    required: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    if_absent: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instead_of: Option<&'static str>,
    r#type: &'static str,
    accepts: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    least: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    most: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variants: Vec<Alternative>,
    example: &'static str,
    meaning: &'static str,
}

#[derive(Serialize)]
struct Alternative {
    name: &'static str,
    as_string: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    example: Option<&'static str>,
    meaning: &'static str,
}

#[derive(Serialize)]
struct Line {
    name: &'static str,
    line_bits_per_second: u64,
    cell_bits_per_second: u64,
    meaning: &'static str,
}

/// Depth first: a section, then its keys.
fn list(keys: &'static [Key], place: &str, entries: &mut Vec<Entry>) {
    for key in keys {
        let path = if place.is_empty() { key.name.to_owned() } else { format!("{place}.{}", key.name) };
        entries.push(entry(key, path.clone()));
        match key.kind {
            Kind::Section(keys) => list(keys, &path, entries),
            Kind::Named(keys) => list(keys, &format!("{path}.NAME"), entries),
            kind => {
                for variant in kind.choices().unwrap_or_default() {
                    if let Body::Keys(keys) = variant.body {
                        list(keys, &format!("{path}.{}", variant.name), entries);
                    }
                }
            }
        }
    }
}

fn entry(key: &'static Key, path: String) -> Entry {
    let (default, if_absent) = match key.presence {
        Presence::Required => (None, None),
        Presence::Default(default) => (Some(default), None),
        Presence::Optional(absence) => (None, Some(absence)),
    };
    let (least, most) = limits(key.kind);
    Entry {
        key: path,
        required: matches!(key.presence, Presence::Required),
        default,
        if_absent,
        instead_of: key.rival,
        r#type: type_name(key.kind),
        accepts: key.kind.accepted(),
        least,
        most,
        variants: variants_of(key.kind).iter().map(alternative).collect(),
        example: key.example,
        meaning: key.meaning,
    }
}

fn variants_of(kind: Kind) -> &'static [Variant] {
    match kind {
        Kind::Words(variants) => variants,
        _ => kind.choices().unwrap_or_default(),
    }
}

fn alternative(variant: &Variant) -> Alternative {
    let (value, example) = match variant.body {
        Body::Value(kind, example) => (Some(type_name(kind)), Some(example)),
        Body::Keys(_) => (None, None),
    };
    Alternative {
        name: variant.name,
        as_string: variant.stands_alone(),
        value,
        example,
        meaning: variant.meaning,
    }
}

const RANDOM_TIME: &str = "time or distribution";

fn type_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Time { .. } => "time",
        Kind::RandomTime { .. } => RANDOM_TIME,
        Kind::TimeRange { .. } => "two times",
        Kind::Distance => "distance",
        Kind::LinkRate => "rate or standard line",
        Kind::Rate => "rate",
        Kind::Size { .. } => "size in bytes",
        Kind::Cells => "cells",
        Kind::Room => "cells or packets",
        Kind::Threshold => "cells, packets or a part of the buffer",
        Kind::Integer { .. } | Kind::PowerOfTwo { .. } => "integer",
        Kind::Number(_) => "number",
        Kind::PowerFraction { .. } => "fraction",
        Kind::Boolean => "boolean",
        Kind::Node => "node name",
        Kind::Nodes => "two node names",
        Kind::Vc => "VC name",
        Kind::Names => "list of names",
        Kind::Words(_) => "list of words",
        Kind::Variants(_) => "variant",
        Kind::SamplingInterval => "time or word",
        Kind::Section(_) => "table",
        Kind::Named(_) => "tables by name",
    }
}

fn limits(kind: Kind) -> (Option<String>, Option<String>) {
    match kind {
        Kind::Time { least } | Kind::RandomTime { least, .. } | Kind::TimeRange { least } => {
            (Some(least.to_string()), Some(Span::LONGEST.to_string()))
        }
        Kind::Integer { least, most } | Kind::PowerOfTwo { least, most } => {
            (Some(least.to_string()), Some(most.to_string()))
        }
        Kind::PowerFraction { deepest, or_zero } => {
            let least = if or_zero { "0".to_owned() } else { format!("1/{}", 1_u64 << deepest) };
            (Some(least), Some("1".to_owned()))
        }
        Kind::Size { least, most } => (Some(format!("{least} B")), Some(format!("{most} B"))),
        _ => (None, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Scenario, Source};

    /// A scenario in which every key of the language can be set to its example.
    const EVERYTHING: &str = r#"
run = { duration = "20 s" }
host = { ku = {}, edc = {}, lan = {}, wan = {} }
switch = { an2 = {} }
edge = { west = {}, east = {} }
[link.NAME]
between = ["ku", "an2"]
rate = "OC-3c"
delay = "1 ms"
[link.other]
between = ["an2", "edc"]
rate = "OC-3c"
delay = "1 ms"
[flow.NAME]
from = "ku"
to = "edc"
traffic = "greedy"
tcp = {}
[link.before]
between = ["lan", "west"]
rate = "10 Mbit/s of line"
carries = "packets"
delay = "1 ms"
[link.through]
between = ["west", "east"]
rate = "OC-3c"
delay = "1 ms"
[link.after]
between = ["east", "wan"]
rate = "10 Mbit/s of line"
carries = "packets"
delay = "1 ms"
[vc.trunk]
between = ["west", "east"]
[flow.mixed]
from = "lan"
to = "wan"
traffic = "greedy"
vc = "trunk"
tcp = {}
"#;

    fn set(path: &str, value: &str) -> Result<Scenario, String> {
        // Hosts and switches need their names for the paths; families and packets their other half.
        let path = path.replace("host.NAME", "host.ku").replace("switch.NAME", "switch.an2");
        let path = path.replace("edge.NAME", "edge.west").replace("vc.NAME", "vc.trunk");
        let sets = [(path, value.to_owned())];
        Scenario::parse(Source { origin: "everything.toml", text: EVERYTHING }, &sets)
            .map_err(|error| error.to_string())
    }

    /// What the rest of the file contradicts: the value itself was read if the message is about something else.
    fn is_read(outcome: Result<Scenario, String>) -> bool {
        const LATER: [&str; 13] = [
            "family",
            "a part of a buffer without limit",
            "compares VCs that share a buffer",
            "; expected the same unit",
            "; expected an amount of",
            "is not cells from",
            "holds a transport back",
            "has both",
            "missing key",
            "no path",
            "has no cells",
            "sends raw cells",
            "raw cells; expected",
        ];
        outcome.is_ok() || outcome.is_err_and(|message| LATER.iter().any(|word| message.contains(word)))
    }

    #[test]
    fn every_key_takes_its_example() {
        let mut entries = Vec::new();
        list(SCENARIO, "", &mut entries);
        for entry in entries.iter().filter(|entry| !entry.r#type.starts_with("table")) {
            let outcome = set(&entry.key, entry.example);
            assert!(is_read(outcome.clone()), "{}: {outcome:?}", entry.key);
        }
    }

    #[test]
    fn every_key_is_read() {
        let mut entries = Vec::new();
        list(SCENARIO, "", &mut entries);
        for entry in entries.iter().filter(|entry| !entry.r#type.starts_with("table")) {
            let message = set(&entry.key, "[[1]]").expect_err(&entry.key);
            let last = entry.key.rsplit('.').next().unwrap_or_default();
            assert!(message.contains(&format!(".{last}")), "{}: {message}", entry.key);
        }
    }

    #[test]
    fn every_variant_can_be_chosen() {
        let mut entries = Vec::new();
        list(SCENARIO, "", &mut entries);
        for entry in entries.iter().filter(|entry| [RANDOM_TIME, "variant"].contains(&entry.r#type)) {
            for variant in &entry.variants {
                let outcome = match (variant.as_string, variant.example) {
                    (true, _) => set(&entry.key, variant.name),
                    (false, Some(example)) => set(&format!("{}.{}", entry.key, variant.name), example),
                    (false, None) => continue,
                };
                assert!(is_read(outcome.clone()), "{} = {}: {outcome:?}", entry.key, variant.name);
            }
        }
    }

    #[test]
    fn every_default_is_what_its_key_takes() {
        let mut entries = Vec::new();
        list(SCENARIO, "", &mut entries);
        for entry in &entries {
            let Some(default) = entry.default else { continue };
            let outcome = set(&entry.key, default);
            assert!(is_read(outcome.clone()), "{}: {outcome:?}", entry.key);
        }
    }

    #[test]
    fn the_reference_is_json() {
        let reference: serde_json::Value = serde_json::from_str(&schema()).expect("JSON");
        let keys = reference["keys"].as_array().expect("a list");
        assert!(keys.iter().any(|key| key["key"] == "flow.NAME.tcp.timers.fine.ack_delay"));
        assert_eq!(reference["lines"][3]["cell_bits_per_second"], 98_148_148);
    }
}
