//! The fixed set of runs: the scenarios of the benchmarks, and every model of the language's lists
//! on a path where it decides something.

use toml_edit::DocumentMut;

/// Text of a base by its name, with settings that hold for all its runs.
pub(super) type Base = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

macro_rules! bench {
    ($name:literal) => {
        include_str!(concat!("../../../benches/scenarios/", $name, ".toml"))
    };
}

const SECONDS: (&str, &str) = ("run.duration", "'4 s'");

pub(super) const BASES: [Base; 14] = [
    ("multiplexer", bench!("b1-cbr-multiplexer"), &[("run.duration", "'500 ms'")]),
    ("wan", bench!("b2-tcp-wan"), &[SECONDS, ("switch.west.buffer.per_port", "'2000 cell'")]),
    ("large-frames", bench!("b3-tcp-large-frames"), &[("run.duration", "'1 s'")]),
    ("satellite", bench!("b4-tcp-satellite"), &[("run.duration", "'20 s'")]),
    ("lan", bench!("b5-tcp-lan"), &[("run.duration", "'600 ms'")]),
    ("hundred", bench!("b6-tcp-hundred"), &[("run.duration", "'600 ms'")]),
    ("abr", bench!("b7-abr-beside-vbr"), &[("run.duration", "'1 s'")]),
    ("gfr", bench!("b8-gfr-dfba"), &[SECONDS, ("switch.near.buffer.per_port", "'6 kcell'")]),
    ("acts", bench!("b9-tcp-acts"), &[("run.duration", "'30 s'")]),
    ("access", bench!("c3-unlike-access-lines"), &[SECONDS]),
    ("router", include_str!("router.toml"), &[]),
    ("relay", include_str!("relay.toml"), &[]),
    ("memory", include_str!("memory.toml"), &[]),
    (
        "marks",
        include_str!("router.toml"),
        &[
            ("switch.router.drop", "{ step = { threshold = '10 packet' } }"),
            ("flow.greedy.tcp", "{ preset = 'linux', congestion = 'dctcp', ecn = true }"),
        ],
    ),
];

/// Runs beside those of the bases as they stand: base, key that is set, and a value for each run.
pub(super) fn variants() -> Vec<(String, String, Vec<String>)> {
    let text: DocumentMut = include_str!("runs.toml").parse().expect("TOML");
    let mut variants = Vec::new();
    for (base, keys) in text.iter() {
        for (key, values) in keys.as_table().into_iter().flatten() {
            let values = values.as_array().into_iter().flatten();
            let values = values.map(|value| value.as_str().expect("a text").to_owned()).collect();
            variants.push((base.to_owned(), key.to_owned(), values));
        }
    }
    variants
}
