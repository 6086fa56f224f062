//! Proxies: times by hand, back-pressure, whose the bytes are, and that none is lost.

use cellway_sim::explain::explain;
use cellway_sim::result::{FlowSummary, Summary};

use super::{outcome_of, scenario, summary};
use cellway_sim::scenario::{Scenario, Source};

/// A LAN of 10 Mbit/s and 1 ms to a proxy, a wide area of 1 Mbit/s and 100 ms to another, and a LAN
/// from there; segments of 1460 bytes, every one acknowledged.
fn proxies(local: &str, trunk: &str, out: &str, more: &str) -> String {
    include_str!("relays.toml")
        .replace("traffic = \"greedy\"", local)
        .replace(", send_buffer = \"1 MB\"", trunk)
        .replace("\"trunk\"", out)
        .replace("# more", more)
}

/// With keys of single members.
fn summary_with(text: &str, sets: &[(&str, &str)]) -> Summary {
    let sets: Vec<(String, String)> =
        sets.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    match Scenario::parse(Source { origin: "test.toml", text }, &sets) {
        Ok(scenario) => outcome_of(&scenario).summary,
        Err(error) => panic!("{error}"),
    }
}

fn time(flow: &FlowSummary) -> f64 {
    let transfer = flow.transfer.as_ref().expect("it is timed");
    transfer.time_s.expect("it is complete")
}

fn assert_close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} and by hand {expected}");
}

const LAN: f64 = 12e-4;
const WIDE: f64 = 12e-3;

/// Open windows: the first segment passes the LAN, all of them pass the wide area one after the
/// other, and the last one passes the other LAN. Forty segments.
#[test]
fn with_open_windows_a_transfer_is_a_pipeline() {
    let local = "traffic.ttcp = { write = \"58400 B\", total = \"58400 B\" }";
    let run = summary(&proxies(local, ", initial_window = 64", "\"trunk\"", ""));
    let propagation = 0.102;
    assert_close(time(&run.flows["out"]), LAN + 40.0 * WIDE + LAN + propagation);
    assert_close(time(&run.flows["local"]), 40.0 * LAN + 0.001);
    let transfer = run.flows["out"].transfer.clone().expect("it is timed");
    assert_eq!((transfer.origin.as_str(), transfer.bytes), ("local", 58_400));
    let relay = run.flows["trunk"].relay.expect("it is one");
    assert_eq!((relay.carried_bytes, relay.held_bytes), (58_400, 0));
}

/// Fifteen segments in slow start on the wide area alone: rounds of 1, 2, 4 and 8, each as long as
/// the round trip of its first segment, and at the end eight segments and the LAN.
#[test]
fn slow_start_of_the_trunk_is_by_its_own_round_trip() {
    let local = "traffic.ttcp = { write = \"21900 B\", total = \"21900 B\" }";
    let run = summary(&proxies(local, ", initial_window = 1", "\"trunk\"", ""));
    let round_trip = 0.2 + WIDE + 40.0 * 8.0 / 1e6;
    let first = LAN + 0.001;
    let expected = first + 3.0 * round_trip + 8.0 * WIDE + 0.1 + LAN + 0.001;
    assert_close(time(&run.flows["out"]), expected);
}

/// Two transfers of fifteen segments, ten seconds apart: the second one finds the window of the
/// first, and is a pipeline.
#[test]
fn the_window_is_kept_from_transfer_to_transfer() {
    let local = "count = 2\ntraffic.schedule.writes = [[\"0 s\", \"21900 B\"]]";
    let text = proxies(local, "", "\"local[*]\", over = \"trunk\"", "")
        .replace("[flow.out]", "[flow.out]\ncount = 2");
    let run = summary_with(&text, &[("flow.local[2].start", "10 s")]);
    let pipeline = LAN + 15.0 * WIDE + LAN + 0.102;
    assert_close(time(&run.flows["out[2]"]), pipeline);
    assert!(time(&run.flows["out[1]"]) > pipeline + 0.4);
    assert_eq!(run.flows["trunk"].relay.expect("it is one").carried_bytes, 43_800);
}

/// A local sender that always has more is held back by its window: what the proxy holds is a send
/// buffer and a receive buffer, and the wide area is full all the time.
#[test]
fn a_full_proxy_closes_the_window_of_the_local_sender() {
    let run = summary(&proxies(
        "traffic = \"greedy\"",
        ", send_buffer = \"40 KiB\", initial_window = 64",
        "\"trunk\"",
        "",
    ));
    let relay = run.flows["trunk"].relay.expect("it is one");
    assert!((104_000..=40 * 1024 + 65_536).contains(&relay.max_held_bytes), "{relay:?}");
    // 40 KiB are 28 segments, of which 18 fill the round trip of 212 ms.
    let full = 1e6 * 1460.0 / 1500.0;
    let rate = run.flows["out"].delivered_bytes as f64 * 8.0 / 59.9;
    assert!((0.98 * full..=full * 1.001).contains(&rate), "{rate} of {full}");
    let ahead = run.flows["local"].delivered_bytes - run.flows["trunk"].acked_bytes;
    assert!(ahead <= 40 * 1024 + 65_536, "{ahead}");
    assert_eq!(run.flows["local"].retransmitted_segments, 0);
}

/// Four at once, of different lengths: each gets its own bytes at the far end, whatever the turns.
#[test]
fn bytes_of_a_shared_connection_go_where_they_belong() {
    let local = "count = 4\ntraffic.ttcp = { write = \"10 kB\", total = \"30 kB\" }";
    let trunk = ", send_buffer = \"8 KiB\"";
    let text = proxies(local, trunk, "\"local[*]\", over = \"trunk\", block = \"1000 B\"", "")
        .replace("[flow.out]", "[flow.out]\ncount = 4");
    let longer = [("flow.local[3].traffic.ttcp.total", "70 kB")];
    let run = summary_with(&text, &longer);
    for (member, bytes) in [(1, 30_000), (2, 30_000), (3, 70_000), (4, 30_000)] {
        let out = &run.flows[&format!("out[{member}]")];
        let transfer = out.transfer.as_ref().expect("it is timed");
        assert_eq!((transfer.origin.clone(), transfer.bytes), (format!("local[{member}]"), bytes));
        assert!(transfer.time_s.is_some() && out.relay.expect("it is one").carried_bytes == bytes);
    }
    // In turns: when the others are through, the longer one has 40 kB to go at 8 KiB in 212 ms.
    let others = [1, 2, 4].map(|member| time(&run.flows[&format!("out[{member}]")]));
    let last = others.into_iter().fold(0.0, f64::max);
    assert!(time(&run.flows["out[3]"]) > last + 0.8, "{others:?}");
}

/// While the connection that the next byte is for has no room, those behind it wait.
#[test]
fn a_slow_receiver_stops_those_behind_it() {
    let local = "count = 2\ntraffic.ttcp = { write = \"100 kB\", total = \"100 kB\" }";
    let text = proxies(local, "", "\"local[*]\", over = \"trunk\"", "")
        .replace("[flow.out]", "[flow.out]\ncount = 2")
        .replace(
            "initial_window = 64 }\n[observe]",
            "send_buffer = \"4 KiB\", window = \"4 KiB\" }\n[observe]",
        );
    let slow = [("flow.out[1].tcp.reader.paced.rate", "40 kbit/s of payload")];
    let with = summary_with(&text, &slow);
    let without = summary(&text);
    assert!(time(&without.flows["out[2]"]) < 6.0);
    assert!(time(&with.flows["out[2]"]) > 10.0);
}

/// What the local sender ends is ended where one connection is relayed to one other; a handshake at
/// each, and a relay that starts later than its data come.
#[test]
fn an_end_is_passed_on_and_a_late_trunk_finds_what_waits() {
    let local = "traffic.ttcp = { write = \"20 kB\", total = \"20 kB\" }\nstop = \"1 s\"";
    let text = proxies(local, ", handshake = true", "\"trunk\"", "")
        .replace("[flow.trunk]", "[flow.trunk]\nstart = \"2 s\"");
    let run = summary(&text);
    assert!(time(&run.flows["out"]) > 2.0);
    assert_eq!(run.flows["trunk"].acked_bytes, 20_000);
    assert!(run.flows["trunk"].finished_s.is_some() && run.flows["out"].finished_s.is_some());
}

/// Every seed, grid and warm-up sees the same bytes.
#[test]
fn nothing_depends_on_what_is_looked_at() {
    let local = "count = 8\nstart = { uniform = [\"0 s\", \"20 s\"] }\n\
                 traffic.ttcp = { write = \"40 kB\", total = \"40 kB\" }";
    let trunk = ", send_buffer = \"16 KiB\", recovery = \"sack\"";
    let text = proxies(local, trunk, "\"local[*]\", over = \"trunk\"", "interval = \"7 ms\"")
        .replace("[flow.out]", "[flow.out]\ncount = 8");
    let lossy = text.replace("delay = \"100 ms\"", "delay = \"100 ms\", impairments.loss = 0.02");
    let found = summary(&lossy);
    assert!(found.flows["trunk"].retransmitted_segments > 0);
    for (old, new) in [("7 ms", "1 s"), ("interval = \"7 ms\"", "interval = \"change\"")] {
        assert_eq!(summary(&lossy.replace(old, new)).flows, found.flows);
    }
    for member in 1..=8 {
        assert!(time(&found.flows[&format!("out[{member}]")]) > 0.2);
    }
}

/// Acknowledgements at 1 Mbit/s, of segments at 10: the local sender's data come at 1 Mbit/s. Forty
/// segments with a window of four: the first four come back to back, and each that follows when the
/// acknowledgement of one before it has waited 12 ms.
#[test]
fn paced_acknowledgements_pace_the_sender() {
    let local = "traffic.ttcp = { write = \"58400 B\", total = \"58400 B\" }\n\
                 pacing = { link = \"wide\", rate = \"instcap\", paces = \"acknowledgements\" }";
    let text = proxies(local, ", initial_window = 64", "\"trunk\"", "").replace(
        "initial_window = 64, window = \"64 KiB\"",
        "initial_window = 4, window = \"5840 B\"",
    );
    let run = summary(&text);
    // The k-th acknowledgement leaves k times 12 ms after the first segment came, and lets the
    // (k + 4)-th go: the last one, the 40th, by the 36th.
    let first = LAN + 0.001;
    let ack = 40.0 * 8.0 / 10e6 + 0.001;
    assert_close(time(&run.flows["local"]), first + 36.0 * WIDE + ack + first);
    let vc = &run.vcs["local back"];
    assert!(vc.pacing.is_some_and(|pacing| pacing.max_queue >= 3), "{vc:?}");
}

/// The data of the local sender at the rate of the wide area: nothing waits in the proxy.
#[test]
fn a_local_sender_that_is_told_the_rate_fills_no_buffer() {
    let local = "traffic = \"greedy\"\npacing = { link = \"wide\", rate = \"instcap\" }";
    let run =
        summary(&proxies(local, ", initial_window = 64, window = \"256 KiB\"", "\"trunk\"", ""));
    let held = run.flows["trunk"].relay.expect("it is one").max_held_bytes;
    // 18 segments fill the round trip of the wide area.
    assert!(held <= 20 * 1460, "{held}");
    assert_eq!(run.ports.len(), 0);
}

#[test]
fn explain_says_what_is_relayed() {
    let local = "traffic = \"greedy\"";
    let explained = explain(&scenario(&proxies(local, "", "\"trunk\"", "")));
    let relay = explained.flows[1].relay.clone().expect("it is one");
    assert_eq!((relay.of, relay.over, relay.holds_bytes), (vec!["local".to_owned()], None, None));
    assert!(explained.warnings.iter().any(|line| line.contains("send_buffer")), "{explained:?}");
}

#[test]
fn relays_that_are_alike_are_warned_of_in_one_line() {
    let local = "count = 3\ntraffic = \"greedy\"";
    let text =
        proxies(local, "", "\"trunk[*]\"", "").replace("[flow.trunk]", "[flow.trunk]\ncount = 3");
    let text = text.replace("of = \"local\"", "of = \"local[*]\"");
    let warnings = explain(&scenario(&text)).warnings;
    let endless: Vec<&String> =
        warnings.iter().filter(|line| line.starts_with("flow.trunk")).collect();
    assert_eq!(endless.len(), 1, "{warnings:?}");
    assert!(endless[0].starts_with("flow.trunk[1..3] relays without"), "{endless:?}");
}
