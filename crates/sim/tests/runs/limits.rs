//! Runs and scenarios beyond what is possible: refused or ended, with a reason; each once went
//! wrong as its comment says.

use super::network::Network;
use super::scenario;
use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::units::Time;
use cellway_sim::{Continue, RunError, run};

const OC3C: [&str; 2] = ["OC-3c", "OC-3c"];

/// Why a scenario is refused.
#[track_caller]
fn refusal(text: &str) -> String {
    let refused = Scenario::parse(Source { origin: "test.toml", text }, &[]);
    refused.expect_err("it is refused").to_string()
}

/// Hopeless overload of an infinite buffer once ended the process instead of the run.
#[test]
fn overload_ends_the_run_before_the_memory() {
    let network = Network::line("3 s", ["1000 Gbit/s of cell", "1 Gbit/s of cell"], "1 ms");
    let network = network.cbr("1000 Gbit/s of cell");
    let ended = run(&scenario(&network), &mut |_| Continue::Yes);
    assert!(matches!(ended, Err(RunError::OutOfMemory(_))), "{ended:?}");
}

/// Why a run ends.
#[track_caller]
fn end_of(text: &str) -> String {
    run(&scenario(text), &mut |_| Continue::Yes).expect_err("it ends early").to_string()
}

/// So many hosts, each beside a switch, and another, with a flow over each path.
fn separate_paths(count: usize) -> String {
    include_str!("limits/paths.toml").replace("count = 1", &format!("count = {count}"))
}

/// Every switch once had a route for every VC of the scenario: 14 GB of a file of 302 bytes.
#[test]
fn separate_paths_take_memory_by_their_number() {
    // A path takes some 33 kB, with its hosts and links; 3000 times 6000 routes would take 216 MB.
    let paths = separate_paths(3_000).replace("1 ms", "10 us");
    let modest = format!("run.memory_limit = \"200 MB\"\n{paths}");
    run(&scenario(&modest), &mut |_| Continue::Yes).unwrap();
    // So would the numbers between two far ones: 9000 times 18 000 routes, 1.9 GB.
    let paths = separate_paths(9_000).replace("1 ms", "10 us");
    let again = paths.lines().find(|line| line.starts_with("flow.f")).expect("a family of flows");
    let paths = format!("{}\n{paths}", again.replace("flow.f", "flow.g"));
    let far_apart = format!("run.memory_limit = \"500 MB\"\n{paths}");
    run(&scenario(&far_apart), &mut |_| Continue::Yes).unwrap();
}

/// What the routes of switches take is known, and refused, before they are made.
#[test]
fn routes_beyond_the_limit_are_refused_before_the_run() {
    let error = end_of(include_str!("limits/routes.toml"));
    assert!(error.starts_with("before 0 s it takes more than the 401 MB of `run.memory_limit`"));
    assert!(error.contains("400.0 MB for hosts, links and flows"), "{error}");
    assert!(error.contains("1.2 MB for routes"), "{error}");
}

/// Hosts, links and flows once counted nothing: 2 GB of a hundred thousand of each.
#[test]
fn parts_beyond_the_limit_are_refused_before_the_run() {
    let paths = separate_paths(1_000);
    let error = end_of(&format!("run.memory_limit = \"20 MB\"\n{paths}"));
    assert!(error.starts_with("before 0 s it takes more than the 20 MB"), "{error}");
    assert!(error.contains("33 MB for hosts, links and flows"), "{error}");
    assert!(error.contains("fewer hosts, links or flows"), "{error}");
}

/// The delays of a flow take some 200 kB, as far apart as they may be.
#[test]
fn distributions_beyond_the_limit_are_refused_before_the_run() {
    let paths = separate_paths(100).replace("1 ms", "1 s");
    let keys = "run.memory_limit = \"15 MB\"\n\
                observe = { series = [], distributions.flows = [\"f[*]\"] }";
    let error = end_of(&format!("{keys}\n{paths}"));
    assert!(error.starts_with("before 0 s it takes more than the 15 MB"), "{error}");
    assert!(error.contains("19.7 MB for time series, logs and distributions"), "{error}");
    assert!(error.contains("observe less"), "{error}");
}

/// How many segments a flow sends nobody knows before; the run ends when its log is too long.
#[test]
fn logs_of_segments_are_counted_as_they_grow() {
    let network =
        Network::line("10 s", OC3C, "1 ms").greedy("bulk", ["a", "b"], "window = \"1 MiB\"");
    let keys = "segments = {}\nlimit = 100000000";
    let network = network.section("observe", keys).at("run", "memory_limit = \"3 MB\"");
    let error = end_of(&network);
    assert!(error.contains("MB for time series, logs and distributions"), "{error}");
    assert!(!error.starts_with("before 0 s"), "{error}");
}

/// A hundred million points of each series were once not counted: 14 GB after 13 s.
#[test]
fn series_beyond_the_limit_are_refused_before_the_run() {
    let keys = "series = [\"queue\"]\ninterval = \"10 ns\"\nlimit = 100000000";
    let network = Network::line("10 s", OC3C, "1 ms").cbr("1 Mbit/s of cell");
    let fine = network.section("observe", keys);
    let error = end_of(&fine);
    assert!(error.starts_with("before 0 s it takes more than the 1 GB"), "{error}");
    assert!(error.contains("GB for time series"), "{error}");
    assert!(error.contains("lower `observe.limit` or observe less"), "{error}");
}

/// How often something changes nobody knows before; the run ends when it was too often.
#[test]
fn series_on_change_are_counted_as_they_grow() {
    let keys = "series = [\"queue\"]\ninterval = \"change\"\nlimit = 100000000";
    let network = Network::line("10 s", OC3C, "1 ms").cbr("100 Mbit/s of cell");
    let network = network.section("observe", keys);
    let observed = |limit: &str| network.clone().at("run", &format!("memory_limit = \"{limit}\""));
    let error = end_of(&observed("8 MB"));
    assert!(error.contains("more than the 8 MB of `run.memory_limit`"), "{error}");
    assert!(!error.starts_with("before 0 s"), "{error}");
    run(&scenario(&observed("1 GB")), &mut |_| Continue::Yes).unwrap();
}

/// A window handed to a very slow interface at once: more than a hundred days of work in a run of
/// one second.
#[test]
fn a_window_before_a_slow_interface_is_refused() {
    let tcp = "mss = \"65495 B\", window = \"16 MiB\", initial_window = 64";
    let network = Network::line("1 s", ["1 bit/s of cell", "OC-3c"], "1 ms");
    let error = refusal(&network.greedy("bulk", ["a", "b"], tcp));
    assert!(error.contains("100 d"), "{error}");
}

/// Ports are named `switch.link`; a dot inside a name once let two of them coincide.
#[test]
fn a_dot_in_a_name_is_refused() {
    let network = Network::line("1 s", OC3C, "1 ms").cbr("1 Mbit/s of cell");
    let error = refusal(&network.replace("[switch.s]", "[switch.\"s.t\"]"));
    assert!(error.contains("illegal name `s.t`"), "{error}");
}

/// A number beyond all ranges was once refused without a word of what would be accepted.
#[test]
fn an_absurd_quantity_is_refused_with_its_range() {
    let network = Network::line("1 s", OC3C, "1 ms")
        .at("switch.s", "buffer.per_port = \"9 cell\"")
        .cbr("1 Mbit/s of cell");
    for (given, absurd, accepted) in [
        ("\"1 s\"", "\"99999999999999 s\"", "100 d"),
        ("\"1 ms\"", "\"99999999999999999 d\"", "100 d"),
        ("\"OC-3c\"", "\"99999999999999999 Gbit/s of cell\"", "10000 Gbit/s"),
        ("\"9 cell\"", "\"99999999999999999 Mcell\"", "1000 Mcell"),
    ] {
        let error = refusal(&network.replace(given, absurd));
        assert!(error.contains(accepted), "{error}");
    }
}

/// Times of the first three reports of a run, which is cancelled then.
fn first_reports(text: &str) -> Vec<Time> {
    let mut reported = Vec::new();
    let cancelled = run(&scenario(text), &mut |progress| {
        reported.push(progress.at);
        if reported.len() == 3 { Continue::No } else { Continue::Yes }
    });
    assert!(matches!(cancelled, Err(RunError::Cancelled(_))));
    reported
}

/// A run once reported at its barriers alone, a second or a two-hundredth of it apart, however much
/// it did in between.
#[test]
fn a_long_stride_is_interrupted() {
    let network = Network::line("200 s", OC3C, "1 us")
        .greedy("f", ["a", "b"], "mss = \"40 B\", window = \"1 KiB\"")
        .at("flow.f", "count = 40");
    // The first barrier after the start is at one second.
    let reported = first_reports(&network);
    assert!(reported.is_sorted() && reported[2].seconds_f64() < 1.0, "{reported:?}");
}

/// A host that writes every 100 ns once did all that it could before the next barrier, or before an
/// answer from far away, in one turn; with a period of a picosecond it heard no signal at all.
#[test]
fn a_long_turn_is_interrupted() {
    let traffic = "traffic.burst = { block = \"1 B\", period = \"100 ns\" }\ntcp = {}";
    let network = Network::line("2 s", OC3C, "100 ms").flow("f", ["a", "b"], traffic);
    // The first barrier after the start is at 10 ms, after 100 000 periods.
    let reported = first_reports(&network);
    assert!(reported.is_sorted() && reported[1].seconds_f64() < 0.01, "{reported:?}");
}
