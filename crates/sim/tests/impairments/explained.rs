//! What `explain` says of impairments and of delays that vary, before a run.

use super::network::Network;
use super::scenario;
use cellway_sim::explain::{Explanation, explain};

const TCP: &str = "mss = \"1460 B\", timers = \"fine\"";

fn explained(text: &str) -> Explanation {
    explain(&scenario(text))
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
}

/// A segment of 1460 bytes has 32 cells, its ACK two.
#[test]
fn a_segment_is_lost_if_one_of_its_cells_is() {
    let text = Network::line("1 s", ["OC-3c"; 2], "1 ms")
        .greedy("bulk", ["a", "b"], TCP)
        .at("link.in", "impairments.loss = 0.001")
        .at("link.out", "impairments = { loss = 0.002, bit_errors = 1e-6 }");
    let explanation = explained(&text);
    let loss = explanation.flows[0].loss.as_ref().expect("links lose");
    // At such a rate nearly all single errors of headers are corrected.
    let (first, clean) = (libm::pow(0.999, 32.0), libm::pow(1.0 - 1e-6, 32.0 * 384.0));
    let second = libm::pow(0.998, 32.0) * clean;
    near(loss.links[0].probability, 1.0 - first);
    assert!((loss.links[1].probability - (1.0 - second)).abs() < 1e-6, "{loss:?}");
    near(1.0 - loss.segment, (1.0 - loss.links[0].probability) * (1.0 - loss.links[1].probability));
    let acks: Vec<(&str, &str)> =
        loss.links.iter().map(|link| (link.link.as_str(), link.of)).collect();
    assert_eq!(acks, [("in", "data"), ("out", "data"), ("out", "acks"), ("in", "acks")]);
    near(loss.links[3].probability, 1.0 - 0.999 * 0.999);
    near(explanation.links[0].impairments[0].unit_loss, 0.001);
}

#[test]
fn a_packet_is_one_unit_and_bursts_have_their_mean() {
    let text = Network::wire("1 s", "10 Mbit/s of line", "10 ms")
        .at("link.wire", "impairments.gilbert_elliott.sojourn.units = { good = 990, bad = 10 }")
        .greedy("bulk", ["a", "b"], TCP);
    let explanation = explained(&text);
    let [channel] = &explanation.links[0].impairments[..] else { panic!("one impairment") };
    near(channel.unit_loss, 0.01);
    near(channel.mean_burst_units.expect("a burst"), 10.0);
    near(explanation.flows[0].loss.as_ref().expect("a lossy link").segment, 0.01);
}

#[test]
fn a_delay_that_varies_has_a_shortest_and_a_longest() {
    let text = Network::line("1 s", ["OC-3c"; 2], "1 ms").greedy("bulk", ["a", "b"], TCP);
    let steps = "delay = { linear = [[\"0 s\", \"20 ms\"], [\"1 s\", \"4 ms\"]] }";
    let explanation = explained(&text.replacen("delay = \"1 ms\"", steps, 1));
    near(explanation.links[0].delay_seconds, 0.004);
    near(explanation.links[0].max_delay_seconds.expect("it varies"), 0.020);
    let flow = &explanation.flows[0];
    near(flow.propagation_rtt_seconds.expect("two ways"), 0.010);
    near(flow.max_propagation_rtt_seconds.expect("it varies"), 0.042);
    let plain = explained(&text);
    assert!(plain.flows[0].max_propagation_rtt_seconds.is_none() && plain.flows[0].loss.is_none());
}
