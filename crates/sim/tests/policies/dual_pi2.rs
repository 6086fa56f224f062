//! `DualPi2` in whole runs: an L4S flow, which is DCTCP with ECT(1) and accurate ECN, beside CUBIC
//! over 40 Mbit/s with 20 ms there and back.

mod by_hand;

use super::summary;
use cellway_sim::result::{FlowSummary, Summary};

/// One-way time of a packet that waits for nothing but itself: 10 ms, 12 µs and 300 µs.
const UNLOADED: f64 = 0.010_312;

fn both(change: impl Fn(String) -> String) -> Summary {
    summary(&change(include_str!("dual_pi2.toml").to_owned()))
}

/// Mean wait of a flow's packets.
fn wait(flow: &FlowSummary) -> f64 {
    let delay = flow.one_way_delay.as_ref().and_then(|delay| delay.mean);
    delay.expect("it is observed") - UNLOADED
}

fn rate(summary: &Summary, flow: &str) -> f64 {
    summary.flows[flow].throughput_bits_per_second / 1e6
}

/// The classic queue is held at its target of 15 ms and packets for low latency wait less than
/// 2 ms. With p for low latency and p²/4 for the classic queue, windows of 2/p and 3.36/p over 21
/// and 35 ms would give rates of 0.99 to one; within a factor of two is asked.
#[test]
fn low_latency_and_classic_share_the_line() {
    let summary = both(|text| text);
    let [low, classic] = ["low", "classic"].map(|flow| &summary.flows[flow]);
    let ratio = rate(&summary, "low") / rate(&summary, "classic");
    assert!((0.5..2.0).contains(&ratio), "{ratio}");
    assert!(wait(low) < 0.002, "{}", wait(low));
    assert!((0.010..0.020).contains(&wait(classic)), "{}", wait(classic));
    let port = &summary.ports["router.trunk"];
    assert!(port.utilisation > 0.98 && port.drops.overflow == 0, "{port:?}");
    assert_eq!(low.retransmitted_segments, 0, "it is marked and loses nothing");
}

/// With no mark for waits of their own, packets for low latency are marked by the coupling alone:
/// the classic probability is the square of theirs over k. Both vary in a run, by which the mean
/// square is above the square of the mean.
#[test]
fn the_square_law_holds_in_a_run() {
    for coupling in [1.0, 2.0] {
        let rules =
            format!("{{ dual_pi2 = {{ min_threshold = \"1 s\", coupling = {coupling:?} }} }}");
        let capable = "congestion = \"cubic\", ecn = true";
        let summary = both(|text| {
            text.replace("\"dual_pi2\"", &rules).replace("congestion = \"cubic\"", capable)
        });
        let marked = |flow: &str| {
            let flow = &summary.flows[flow];
            let marks = flow.ecn.as_ref().expect("it has ECN").marks_received;
            marks as f64 / flow.segments_sent as f64
        };
        let (coupled, classic) = (marked("low"), marked("classic"));
        let base = coupled / coupling;
        let law = classic / (base * base);
        assert!((1.0..1.5).contains(&law), "{coupling}: {law} {coupled} {classic}");
    }
}

/// Whatever serves the two queues, the controller holds the classic one; a flow alone has the line.
#[test]
fn either_scheduler_and_either_flow_alone() {
    let shifted = "{ dual_pi2.scheduler.time_shifted = \"30 ms\" }";
    let summary = both(|text| text.replace("\"dual_pi2\"", shifted));
    let [low, classic] = ["low", "classic"].map(|flow| wait(&summary.flows[flow]));
    assert!(low < 0.002 && (0.010..0.020).contains(&classic), "{low} {classic}");
    for alone in ["low", "classic"] {
        let other = if alone == "low" { "classic" } else { "low" };
        let stopped = format!("from = \"{other}\"\nstop = \"1 s\"");
        let summary = both(|text| text.replace(&format!("from = \"{other}\""), &stopped));
        let port = &summary.ports["router.trunk"];
        assert!(port.utilisation > 0.9, "{alone} {port:?}");
        let most = if alone == "low" { 0.002 } else { 0.020 };
        assert!(wait(&summary.flows[alone]) < most, "{alone}");
    }
}

/// Datagrams of half as much again as the line carries answer to nothing: a third of them has to
/// go, so p' is above 0.57 and marks alone would not do. The controller discards it, not the end of
/// the buffer, and holds the delay all the same.
#[test]
fn overload_is_discarded_and_not_queued() {
    let datagrams = "[flow.datagrams]\nfrom = \"classic\"\nto = \"b\"\ntraffic.cbr = { rate = \
                     \"60 Mbit/s of payload\", datagram = \"1472 B\" }\n";
    let summary = both(|text| text + datagrams);
    let port = &summary.ports["router.trunk"];
    let (served, dropped) = (port.sent as f64, port.drops.early_frame as f64);
    let discarded = dropped / (dropped + served);
    assert!((0.33..0.40).contains(&discarded), "{discarded}");
    // Little's law, with those that are discarded in front of their queue.
    let wait = port.mean_queue / ((dropped + served) / 40.0);
    assert!((0.010..0.020).contains(&wait), "{wait} {port:?}");
    assert!(port.drops.overflow == 0 && port.utilisation > 0.999, "{port:?}");
    let [low, classic] = ["low", "classic"].map(|flow| &summary.flows[flow]);
    assert!(low.retransmitted_segments > 0 && low.delivered_bytes > 0, "{low:?}");
    assert!(classic.retransmitted_segments > 0, "{classic:?}");
}

/// A flow for low latency of 5 ms there and back, with LAW for its law.
const NEAR: &str = r#"
[link.near]
between = ["near", "router"]
rate = "1 Gbit/s of line"
carries = "packets"
delay = "1 ms"
[flow.near]
from = "near"
to = "b"
traffic = "greedy"
tcp = { mtu = "500 B", window = "4 MiB", timers = "fine", recovery = "sack", LAW }
"#;

/// Rates of two flows for low latency, of 25 and 5 ms there and back, beside the classic one. Their
/// segments are short: a window of three long ones loses a good part to whole segments.
fn far_to_near(law: &str) -> f64 {
    let dctcp = "congestion = \"dctcp\", ecn = true, ecn_echo = \"accurate\", l4s = true";
    let law = &dctcp.replace("dctcp", law);
    let summary = both(|text| {
        let far = text
            .replace("delay = \"9 ms\"", "delay = \"1.5 ms\"")
            .replace("delay = \"1 ms\"", "delay = \"11 ms\"")
            .replace(dctcp, law)
            .replacen("mtu = \"1500 B\"", "mtu = \"500 B\"", 1);
        far.replace("host = {", "host = { near = {},") + &NEAR.replace("LAW", law)
    });
    rate(&summary, "low") / rate(&summary, "near")
}

/// The rate of Prague does not follow from a round trip below 25 ms, that of DCTCP does.
#[test]
fn prague_is_no_faster_for_a_short_round_trip() {
    let (prague, dctcp) = (far_to_near("prague"), far_to_near("dctcp"));
    assert!((0.8..1.25).contains(&prague), "{prague}");
    assert!(dctcp < 0.4, "{dctcp}");
}
