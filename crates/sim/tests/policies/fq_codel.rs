//! FQ-CoDel and deficit round robin in whole runs.

use super::summary;
use cellway_sim::result::Summary;

/// One buffer for all.
const TOGETHER: &str = "buffer.per_port = \"200 packet\"";

/// Two TCPs over 10 Mbit/s, with 20 and 100 ms there and back, room for 200 packets, and a third
/// flow as `more` says.
fn near_and_far(rules: &str, more: &str) -> Summary {
    summary(
        &include_str!("near_and_far.toml")
            .replace("buffer.per_port = \"200 packet\"", rules)
            .replace("# more", more),
    )
}

/// Throughput of the far flow as a part of the near one's, and of both in Mbit/s.
fn shares(summary: &Summary) -> (f64, f64) {
    let [near, far] =
        ["near", "far"].map(|flow| summary.flows[flow].throughput_bits_per_second / 1e6);
    (far / near, near + far)
}

/// A tail drop queue gives the far flow a third of the near one's part. Of flow queues it has all
/// that its window fills: what is missing are the times in which a halved window of Reno does not
/// fill 100 ms and 5 ms. With a target that keeps packets waiting, the parts are equal.
#[test]
fn flows_share_equally_whatever_their_round_trips() {
    let long = "{ fq_codel = { target = \"100 ms\", interval = \"1 s\" } }";
    let [tail, fair, equal] = ["\"tail\"", "\"fq_codel\"", long]
        .map(|drop| shares(&near_and_far(&format!("{TOGETHER}\ndrop = {drop}"), "")));
    assert!(tail.0 < 0.4, "{tail:?}");
    assert!(fair.0 > 0.65 && fair.0 < 1.05 && fair.1 > 9.0, "{fair:?}");
    assert!((equal.0 - 1.0).abs() < 0.05 && equal.1 > 9.5, "{equal:?}");
}

/// A request now and then beside the two is new each time that it comes: it waits for a packet on
/// the line, and not for their queues.
#[test]
fn a_sparse_flow_does_not_wait() {
    let sparse = include_str!("sparse.toml");
    let completion = |rules: &str| {
        let summary = near_and_far(&format!("{TOGETHER}\n{rules}"), sparse);
        summary.flows["sparse"].finished_s.expect("it is over") - 30.0
    };
    let [tail, fair] = ["drop = \"tail\"", "drop = \"fq_codel\""].map(completion);
    // There and back 20 ms, and at most a packet of 1.2 ms each time.
    assert!(fair < 0.0225, "{fair}");
    assert!(tail > 0.1, "{tail}");
}

/// The switch's buffer is the limit, and an overflow takes from the longest queue: a flow within
/// its share loses nothing.
#[test]
fn an_overflow_is_paid_by_the_longest_queue() {
    let slow = "drop = { fq_codel = { target = \"1 s\", interval = \"10 s\" } }";
    let summary = near_and_far(&format!("{TOGETHER}\n{slow}"), "");
    let port = &summary.ports["router.trunk"];
    assert!(port.drops.overflow > 0 && port.drops.early_frame == 0, "{port:?}");
    assert_eq!(port.max_queue, 200);
}

/// Every flow has its quantum of a round: the shares are equal as long as both have packets
/// waiting, which a buffer for each lets them.
#[test]
fn deficit_round_robin_shares_bytes() {
    let each = "buffer.per_vc = \"100 packet\"\nscheduler = \"drr\"";
    let [fifo, drr] = [TOGETHER, each].map(|rules| shares(&near_and_far(rules, "")));
    assert!(fifo.0 < 0.6 && (drr.0 - 1.0).abs() < 0.02, "{fifo:?} {drr:?}");
}
