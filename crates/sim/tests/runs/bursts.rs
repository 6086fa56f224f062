//! Whole runs of senders that wait for larger bursts.

use cellway_sim::scenario::{Scenario, Source};

use super::outcome_of;

/// Sum of the goodput of four flows over 10 Mbit/s, Mbit/s.
fn goodput(congestion: &str, defers: bool) -> f64 {
    let text = format!(
        "[run]
        duration = \"30 s\"
        warm_up = \"10 s\"
        [host]
        source.count = 4
        sink = {{}}
        [switch.router]
        buffer.per_port = \"60 packet\"
        [link.source]
        count = 4
        between = [\"source[*]\", \"router\"]
        rate = \"1 Gbit/s of line\"
        carries = \"packets\"
        delay = \"1 ms\"
        [link.line]
        between = [\"router\", \"sink\"]
        rate = \"10 Mbit/s of line\"
        carries = \"packets\"
        delay = \"9 ms\"
        [flow.bulk]
        count = 4
        from = \"source[*]\"
        to = \"sink\"
        start = {{ uniform = [\"0 s\", \"0.2 s\"] }}
        traffic = \"greedy\"
        tcp = {{ preset = \"linux\", congestion = \"{congestion}\", tso_defer = {defers} }}"
    );
    let source = Source { origin: "bursts.toml", text: &text };
    let scenario = Scenario::parse(source, &[]).expect("a scenario");
    let flows = outcome_of(&scenario).summary.flows;
    flows.values().map(|flow| flow.throughput_bits_per_second).sum::<f64>() / 1e6
}

/// A window that a deferral leaves unused by a part is as full as any: laws that only open full
/// windows go on. The line carries 9.65 Mbit/s of 1448 bytes in 1500.
#[test]
fn windows_grow_while_segments_wait() {
    for congestion in ["reno", "cubic", "vegas", "westwood", "hybla"] {
        let found = [true, false].map(|defers| goodput(congestion, defers));
        assert!(found[0] > 0.97 * found[1], "{congestion}: {found:?}");
        assert!(found[0] > 9.3, "{congestion}: {found:?}");
    }
}
