//! Measurements of the kernel's TCP on this machine. They need root and `/dev/net/tun`.
#![cfg(target_os = "linux")]

use cellway_sim::Continue;
use cellway_sim::scenario::{Scenario, Source};
use cellway_testbed::{Measured, examine, measure};

fn measured(text: &str) -> Measured {
    let scenario = Scenario::parse(Source { origin: "path.toml", text }, &[]).expect("a scenario");
    measure(&scenario, &mut |_| Continue::Yes).expect("a measurement")
}

#[test]
#[ignore = "needs root and /dev/net/tun"]
fn an_echo_passes_a_path() {
    let found = examine();
    println!("{found:#?}");
    assert!(found.iter().all(|finding| finding.is_enough));
    let said = &found.last().expect("findings").found;
    let took = said.split(' ').rev().nth(1).and_then(|number| number.parse::<f64>().ok());
    assert!((2.0..50.0).contains(&took.expect("a time")), "{said}");
}

/// A path of packets at 10 Mbit/s: 1460 of 1500 bytes are data.
const SLOW: &str = r#"
    run = { duration = "4 s", warm_up = "1 s" }
    host = { a = {}, b = {} }
    switch.r.buffer.per_port = "100 packet"
    [link]
    in = { between = ["a", "r"], rate = "100 Mbit/s of line", carries = "packets", delay = "1 ms" }
    out = { between = ["r", "b"], rate = "10 Mbit/s of line", carries = "packets", delay = "4 ms" }
    [flow.bulk]
    from = "a"
    to = "b"
    traffic = "greedy"
    tcp = { mtu = "1500 B", window = "32 KiB", recovery = "new_reno", timers = "fine", ack = "every_segment", initial_window = 10 }
    [observe]
    series = ["queue", "cwnd", "rtt"]
"#;

#[test]
#[ignore = "needs root and /dev/net/tun"]
fn the_rate_of_a_bottleneck_is_that_of_the_line() {
    let found = measured(SLOW);
    println!("{:#?}", found.facts);
    let flow = &found.outcome.summary.flows["bulk"];
    println!("{flow:#?}");
    let ceiling = 10e6 * 1460.0 / 1500.0;
    let part = flow.throughput_bits_per_second / ceiling;
    assert!((0.995..1.005).contains(&part), "{part} of the ceiling");
    assert_eq!(flow.retransmitted_segments, 0);
    assert_eq!(found.facts.flows["bulk"].offered_window_bytes, 32 << 10);
    assert!(found.outcome.series.iter().any(|series| series.name == "bulk.cwnd"));
}
