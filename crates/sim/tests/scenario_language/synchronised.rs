//! Which flows `explain` calls synchronised: the same in everything, started together.

use super::parse;
use cellway_sim::explain::explain;

const TOGETHER: &str = include_str!("together.toml");

fn warnings(sets: &[(&str, &str)]) -> Vec<String> {
    explain(&parse(TOGETHER, sets)).warnings
}

#[test]
fn identical_flows_that_start_together_are_named() {
    let found = warnings(&[]);
    assert_eq!(found.len(), 1);
    assert!(
        found[0].starts_with("3 flows, bulk[1] to bulk[3], are the same, start together"),
        "{}",
        found[0]
    );
    assert!(
        found[0].ends_with("`flow.bulk.start = { uniform = [\"0 s\", \"24 ms\"] }`"),
        "{}",
        found[0]
    );
    let two = warnings(&[("flow.bulk[2].tcp.mss", "512 B")]);
    assert!(two[0].starts_with("flows bulk[1] and bulk[3] are the same"), "{}", two[0]);
    assert_eq!(warnings(&[("run.phase", "none"), ("flow.bulk.tcp.timers", "bsd")]).len(), 1);
}

/// Five flows from one host to one host.
const ONE_HOST: &str = include_str!("one_host.toml");

/// Tick phases are drawn once for a host, not once for a flow: the timers of all flows of one
/// sender run out together.
#[test]
fn tick_phases_move_only_flows_of_several_hosts_apart() {
    let found = explain(&parse(ONE_HOST, &[])).warnings;
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("5 flows, bulk[1] to bulk[5], are the same"), "{}", found[0]);
    let mixed = warnings(&[
        ("flow.bulk.count", "4"),
        ("flow.bulk.tcp.timers", "bsd"),
        ("flow.bulk.from", "src[1]"),
        ("flow.bulk.to", "dst[1]"),
    ]);
    assert_eq!(mixed.len(), 1, "{mixed:?}");
}

#[test]
fn flows_that_differ_or_are_moved_apart_are_not() {
    for sets in [
        [("flow.bulk.start.uniform", "[\"0 s\", \"24 ms\"]")].as_slice(),
        &[("host.dst.cpu_per_segment.uniform", "[\"0 s\", \"1 us\"]")],
        &[("flow.bulk.tcp.timers", "bsd")],
        &[("switch.near.drop", "{ red = { min_threshold = 0.2, max_threshold = 0.8 } }")],
        &[("switch.near.buffer", "infinite")],
        &[("flow.noise.traffic.poisson.rate", "1 Mbit/s of cell")],
        &[("flow.bulk[1].start", "1 ms"), ("flow.bulk[2].start", "2 ms")],
        &[("link.access[1].delay", "2 ms"), ("link.access[2].delay", "3 ms")],
        &[
            ("flow.bulk.count", "3"),
            ("flow.bulk[1].tcp.window", "32 KiB"),
            ("flow.bulk[2].tcp.window", "48 KiB"),
        ],
    ] {
        assert_eq!(warnings(sets), Vec::<String>::new(), "{sets:?}");
    }
}
