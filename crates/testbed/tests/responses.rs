//! Measurements of requests and responses by the kernel's TCP. They need root and `/dev/net/tun`.
#![cfg(target_os = "linux")]

use cellway_sim::result::{DelaySummary, TransactionSummary};
use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::{Continue, run};
use cellway_testbed::{Measured, measure};

/// A path with a round trip of 40 ms and a bottleneck of 10 Mbit/s, after a warm-up of 0.5 s.
fn path(duration: &str, traffic: &str, window: &str) -> Scenario {
    let text = format!(
        r#"
    run = {{ duration = "{duration}", warm_up = "0.5 s" }}
    host = {{ a = {{}}, b = {{}} }}
    [link.wire]
    between = ["a", "b"]
    rate = "10 Mbit/s of line"
    carries = "packets"
    delay = "20 ms"
    [flow.web]
    from = "a"
    to = "b"
    traffic.request_response = {traffic}
    [flow.web.tcp]
    preset = "linux"
    window = "{window}"
    "#
    );
    Scenario::parse(Source { origin: "path.toml", text: &text }, &[]).expect("a scenario")
}

fn transactions(found: &Measured) -> &TransactionSummary {
    found.outcome.summary.flows["web"].transactions.as_ref().expect("it has responses")
}

fn quantiles(times: &DelaySummary) -> [f64; 2] {
    [times.min, times.p50].map(|time| time.expect("responses"))
}

/// Without loss or a full window, the time is a round trip and that of each message on the line:
/// its bytes, and 52 of headers with timestamps. All instants of the path are computed, so that a
/// driver that is late does not count.
#[test]
#[ignore = "needs root and /dev/net/tun"]
fn a_response_takes_a_round_trip_and_its_time_on_the_line() {
    let scenario =
        path("2 s", r#"{ request = "300 B", response = "1000 B", think = "10 ms" }"#, "64 KiB");
    let measured = measure(&scenario, &mut |_| Continue::Yes).expect("a measurement");
    let simulated = run(&scenario, &mut |_| Continue::Yes).expect("a run");
    let [found, expected] = [
        transactions(&measured),
        simulated.summary.flows["web"].transactions.as_ref().expect("it has responses"),
    ];
    assert!(found.completed.abs_diff(expected.completed) <= 1, "{found:#?} {expected:#?}");
    assert!(found.completed > 25, "{found:#?}");
    let formula = 0.040 + 8.0 * f64::from(300 + 52 + 1000 + 52) / 10e6;
    for time in quantiles(&found.response_time) {
        assert!((-1e-6..0.3e-3).contains(&(time - formula)), "{time} beside {formula}");
    }
    let difference = found.response_time.p50.unwrap() - expected.response_time.p50.unwrap();
    assert!(difference.abs() < 0.3e-3, "{difference}");
    assert_eq!((found.retransmitted_segments, found.timeouts), (0, 0));
    assert!(found.response_bytes.abs_diff(1000 * found.completed) <= 1000, "{found:#?}");
    let flow = &measured.outcome.summary.flows["web"];
    assert!(flow.acked_bytes.abs_diff(300 * found.completed) <= 600, "{flow:#?}");
    assert!(measured.facts.marks.is_empty(), "{:?}", measured.facts.marks);
}

/// The client's end offers the window of the scenario, of which one arrives in a round trip: a
/// response has eight.
#[test]
#[ignore = "needs root and /dev/net/tun"]
fn a_long_response_is_limited_by_the_window_of_its_client() {
    let scenario =
        path("2 s", r#"{ request = "300 B", response = "116800 B", think = "0 s" }"#, "14600 B");
    let measured = measure(&scenario, &mut |_| Continue::Yes).expect("a measurement");
    let simulated = run(&scenario, &mut |_| Continue::Yes).expect("a run");
    let [found, expected] = [
        transactions(&measured),
        simulated.summary.flows["web"].transactions.as_ref().expect("it has responses"),
    ];
    assert!(found.completed.abs_diff(expected.completed) <= 1, "{found:#?} {expected:#?}");
    let [found_times, expected_times] = [found, expected].map(|of| quantiles(&of.response_time)[1]);
    assert!((found_times / expected_times - 1.0).abs() < 0.02, "{found_times} {expected_times}");
    // Eight round trips, and the last window on the line.
    assert!((0.3..0.45).contains(&found_times), "{found_times}");
    let facts = &measured.facts.flows["web"];
    assert!(facts.offered_window_bytes.abs_diff(14_600) <= 128, "{facts:#?}");
    assert!(measured.facts.marks.is_empty(), "{:?}", measured.facts.marks);
}
