//! Every kind of bad script and the one line that it is answered with.
//!
//! The lines are in `golden/netspec_errors.txt`, to be read and reviewed; `UPDATE_GOLDENS=1`
//! rewrites them.

use std::fmt::Write;

use super::golden::assert_golden;
use super::workload;

const SCRIPT: &str = include_str!("script.nspec");

/// A name, what to replace in the script, and by what.
type Case = (&'static str, &'static str, &'static str);

const TEXT: &[Case] = &[
    ("a block of another kind", "cluster", "custer"),
    ("nothing", SCRIPT, "# nothing\n"),
    ("no block", "cluster", ""),
    ("another block in it", "    test ku", "    tets ku"),
    ("a test without a brace", "test ku {", "test ku"),
    ("a test without an end", "peer = edc:45000;\n    }", "peer = edc:45000;\n"),
    ("a block without an end", "peer = ku:45000;\n    }\n}", "peer = ku:45000;\n    }\n"),
    ("two blocks", "peer = ku:45000;\n    }\n}", "peer = ku:45000;\n    }\n}\ncluster { }"),
    ("another statement", "protocol = tcp (window", "protocl = tcp (window"),
    ("a statement without a sign", "own = ku:45000", "own ku:45000"),
    ("a statement without a value", "own = ku:45000", "own = "),
    ("a statement without its end", "own = ku:45000;", "own = ku:45000"),
    ("a statement twice", "own = ku:45000;", "own = ku:45000; own = ku:45001;"),
    ("arguments without a comma", "12500, period", "12500 period"),
    ("arguments without an end", "duration = 0.5);", "duration = 0.5;"),
    ("an argument twice", "duration = 0.5", "period = 1"),
    ("an argument without a value", "duration = 0.5", "duration"),
];

const TESTS: &[Case] = &[
    ("no type", "type = burst (blocksize = 12500, period = 10000, duration = 0.5);", ""),
    ("another type", "type = burst", "type = qburst"),
    ("a burst without a block", "blocksize = 12500, period", "period"),
    ("a burst without a period", "period = 10000, ", ""),
    ("another argument", "duration = 0.5", "durations = 0.5"),
    ("an argument of another type", "type = burst", "type = full"),
    ("a block of a bare word", "blocksize = 12500, period", "blocksize = big, period"),
    ("a block with a unit", "blocksize = 12500, period", "blocksize = 12kB, period"),
    ("a block of nothing", "blocksize = 12500, period", "blocksize = 0, period"),
    ("a period with a unit", "period = 10000", "period = 10ms"),
    ("a period of nothing", "period = 10000", "period = 0"),
    ("a duration that is too long", "duration = 0.5", "duration = 99999999999"),
    ("no repeats", "duration = 0.5", "repeats = 0"),
    ("several items of a session", "duration = 0.5", "repeats = ftpNOfItems(min = 2)"),
    ("repeats in parts", "duration = 0.5", "repeats = 1.5"),
    ("another distribution", "period = 10000", "period = exponental(mean = 5)"),
    ("a distribution without a mean", "period = 10000", "period = exponential(min = 5)"),
    (
        "a distribution with two means",
        "period = 10000",
        "period = exponential(mean = 5, lambda = 1)",
    ),
    ("a range that goes back", "period = 10000", "period = uniform(min = 7, max = 7)"),
    (
        "sizes that go back",
        "blocksize = 12500, period",
        "blocksize = uniform(min = 7, max = 6), period",
    ),
    ("a bad shape", "blocksize = 12500, period", "blocksize = pareto(min = 7, shape = 0), period"),
    (
        "sizes of periods",
        "blocksize = 12500, period",
        "blocksize = ftpSessionInterarrival(lambda = 1), period",
    ),
    (
        "another protocol",
        "protocol = tcp (window = 262144);\n        own = ku",
        "protocol = sctp;\n        own = ku",
    ),
    (
        "another argument of it",
        "tcp (window = 262144);\n        own = ku",
        "tcp (windw = 262144);\n        own = ku",
    ),
    (
        "a window beyond the scale limit",
        "tcp (window = 262144);\n        own = edc",
        "tcp (window = 2000000000);\n        own = edc",
    ),
    (
        "another protocol at the sink",
        "tcp (window = 262144);\n        own = edc",
        "udp;\n        own = edc",
    ),
    (
        "a flow that is not there",
        "tcp (window = 262144);\n        own = ku",
        "tcp (flow = sac);\n        own = ku",
    ),
    ("no own", "own = ku:45000;", ""),
    ("no port", "own = ku:45000;", "own = ku;"),
    ("a bad port", "own = ku:45000;", "own = ku:65536;"),
    ("arguments of a port", "own = ku:45000;", "own = ku:45000 (fast = 1);"),
    ("a test elsewhere", "test ku {", "test edc {"),
    (
        "a host that is not there",
        "own = ku:45000;\n        peer = edc:45000;\n    }\n    test edc {\n        \
         type = sink (blocksize = 12500);\n        protocol = tcp (window = 262144);\n        \
         own = edc:45000;",
        "own = ku:45000;\n        peer = ecd:45000;\n    }\n    test {\n        \
         type = sink (blocksize = 12500);\n        protocol = tcp (window = 262144);\n        \
         own = ecd:45000;",
    ),
    ("a source without a sink", "peer = ku:45000;", "peer = src[1]:45000;"),
    (
        "a sink without a source",
        "type = burst (blocksize = 12500, period = 10000, duration = 0.5)",
        "type = sink",
    ),
    (
        "two sinks and a source",
        "    test edc {",
        "    test { type = sink; own = edc:1; peer = ku:1; }\n    test edc {",
    ),
    ("no tests", SCRIPT, "cluster { parallel { } }"),
];

const TIMES: &[Case] = &[
    ("a test in serial", "cluster {", "serial {"),
    (
        "what follows what does not end",
        SCRIPT,
        "serial {\n  cluster {\n    test { type = full; own = ku:1; peer = edc:1; }\n    test { \
         type = sink; own = edc:1; peer = ku:1; }\n  }\n  cluster { }\n}",
    ),
    (
        "what follows random periods",
        SCRIPT,
        "serial {\n  cluster {\n    test { type = burst (blocksize = 9, \
         period = exponential(mean = 9), repeats = 9); own = ku:1; peer = edc:1; }\n    test { \
         type = sink; own = edc:1; peer = ku:1; }\n  }\n  cluster { }\n}",
    ),
    (
        "what begins after the run",
        SCRIPT,
        "serial {\n  cluster {\n    test { type = full (duration = 9); own = ku:1; peer = edc:1; \
         }\n    test { type = sink; own = edc:1; peer = ku:1; }\n  }\n  cluster {\n    test { \
         type = full; own = ku:1; peer = edc:1; }\n    test { type = sink; own = edc:1; \
         peer = ku:1; }\n  }\n}",
    ),
    (
        "a host and itself",
        SCRIPT,
        "cluster {\n  test { type = full; own = ku:1; peer = ku:2; }\n  test { type = sink; \
         own = ku:2; peer = ku:1; }\n}",
    ),
    (
        "full of drawn datagrams",
        SCRIPT,
        "cluster {\n  test { type = full (blocksize = exponential(mean = 9)); protocol = udp; \
         own = ku:1; peer = edc:2; }\n  test { type = sink; protocol = udp; own = edc:2; \
         peer = ku:1; }\n}",
    ),
    (
        "blocks too long for datagrams",
        SCRIPT,
        "cluster {\n  test { type = burst (blocksize = 70000, period = 9); protocol = udp; \
         own = ku:1; peer = edc:2; }\n  test { type = sink; protocol = udp; own = edc:2; \
         peer = ku:1; }\n}",
    ),
];

fn all_messages() -> String {
    let mut out = String::new();
    for (name, old, new) in [TEXT, TESTS, TIMES].into_iter().flatten() {
        assert!(SCRIPT.contains(old), "case `{name}` replaces nothing");
        let message = match workload("1 s", &SCRIPT.replacen(old, new, 1)) {
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
