//! The reference of the language, made from the same tables of keys that read it.

use serde::Serialize;

use crate::language::keys::{Body, Key, Kind, Presence, Variant};
use crate::language::preset::PRESETS;
use crate::units::{Rate, Span};

/// The reference of a file with these keys, as JSON.
pub(crate) fn reference(of: &'static [Key]) -> String {
    let mut keys = Vec::new();
    list(of, "", &mut keys);
    let lines = PRESETS.iter().map(|preset| Line {
        name: preset.name,
        line_bits_per_second: preset.line_rate().bits_per_second(),
        cell_bits_per_second: preset.cell_rate().map(Rate::bits_per_second),
        packet_bits_per_second: preset.packet_rate().map(Rate::bits_per_second),
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
    min: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<String>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    cell_bits_per_second: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    packet_bits_per_second: Option<u64>,
    meaning: &'static str,
}

/// Lists keys depth first: a section, then its keys.
fn list(keys: &'static [Key], place: &str, entries: &mut Vec<Entry>) {
    for key in keys {
        let path =
            if place.is_empty() { key.name.to_owned() } else { format!("{place}.{}", key.name) };
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
    let (min, max) = limits(key.kind);
    Entry {
        key: path,
        required: matches!(key.presence, Presence::Required),
        default,
        if_absent,
        instead_of: key.excludes,
        r#type: type_name(key.kind),
        accepts: key.kind.accepted(),
        min,
        max,
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
        as_string: variant.is_bare_word(),
        value,
        example,
        meaning: variant.meaning,
    }
}

fn type_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Time { .. } => "time",
        Kind::RandomTime { .. } => "time or distribution",
        Kind::VaryingTime(_) => "time or schedule",
        Kind::TimeRange { .. } => "two times",
        Kind::Schedule { .. } => "list of times and values",
        Kind::Distance => "distance",
        Kind::LinkRate => "rate or standard line",
        Kind::Rate | Kind::CapacityRate => "rate",
        Kind::CapacityRates => "list of rates",
        Kind::Matrix { .. } => "matrix",
        Kind::Milliseconds => "list of milliseconds",
        Kind::Size { .. } | Kind::LimitedSize { .. } => "size in bytes",
        Kind::RandomSize { .. } => "size or distribution",
        Kind::SizeRange { .. } => "two sizes",
        Kind::WeightedSizes { .. } => "sizes with weights",
        Kind::Cells => "cells",
        Kind::Packets => "packets",
        Kind::Room => "cells or packets",
        Kind::PortRoom => "cells, packets, bytes or a time",
        Kind::Threshold => "cells, packets or a fraction of the buffer",
        Kind::Integer { .. } | Kind::PowerOfTwo { .. } => "integer",
        Kind::Integers { .. } => "list of integers",
        Kind::Number(_) => "number",
        Kind::PowerFraction { .. } => "fraction",
        Kind::Boolean => "boolean",
        Kind::Node => "node name",
        Kind::Nodes => "two node names",
        Kind::Vc => "VC name",
        Kind::Link => "link name",
        Kind::Flow => "flow name",
        Kind::Names => "list of names",
        Kind::Words(_) => "list of words",
        Kind::Variants(_) => "variant",
        Kind::SamplingInterval => "time or word",
        Kind::Section(_) | Kind::Laboratory => "table",
        Kind::Named(_) => "tables by name",
    }
}

fn limits(kind: Kind) -> (Option<String>, Option<String>) {
    match kind {
        Kind::Time { min } | Kind::RandomTime { min, .. } | Kind::TimeRange { min } => {
            (Some(min.to_string()), Some(Span::LONGEST.to_string()))
        }
        Kind::Integer { min, max }
        | Kind::Integers { min, max }
        | Kind::PowerOfTwo { min, max } => (Some(min.to_string()), Some(max.to_string())),
        Kind::PowerFraction { deepest, or_zero } => {
            let min = if or_zero { "0".to_owned() } else { format!("1/{}", 1_u64 << deepest) };
            (Some(min), Some("1".to_owned()))
        }
        Kind::Schedule { value, .. } => limits(*value),
        Kind::Size { min, max }
        | Kind::LimitedSize { min, max, .. }
        | Kind::RandomSize { min, max, .. }
        | Kind::SizeRange { min, max }
        | Kind::WeightedSizes { min, max } => (Some(format!("{min} B")), Some(format!("{max} B"))),
        _ => (None, None),
    }
}
