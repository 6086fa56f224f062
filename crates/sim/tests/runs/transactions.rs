//! Requests and responses over one connection: response times by hand, think times, losses.

use cellway_sim::result::{FlowSummary, TransactionSummary};
use cellway_sim::tcp::Recovery;

use super::network::Network;
use super::outcome;

fn of(network: &Network) -> (FlowSummary, TransactionSummary) {
    let flow = outcome(network).summary.flows["web"].clone();
    let transactions = flow.transactions.clone().expect("it has responses");
    (flow, transactions)
}

fn web(network: Network, keys: &str, tcp: &str) -> Network {
    let tcp = format!("mss = \"1460 B\", window = \"64 KiB\", timers = \"fine\", {tcp}");
    network.flow(
        "web",
        ["a", "b"],
        &format!("traffic.request_response = {{ {keys} }}\ntcp = {{ {tcp} }}"),
    )
}

fn wire(duration: &str) -> Network {
    Network::wire(duration, "10 Mbit/s of line", "5 ms")
}

/// 340 B there take 272 us, 1040 B back 832 us, and 5 ms of propagation each: 11.104 ms. With
/// 88.896 ms of thinking there are ten a second. Each message acknowledges the one before it.
#[test]
fn a_response_takes_a_round_trip_and_two_transmissions() {
    let keys = "request = \"300 B\", response = \"1000 B\", think = \"88.896 ms\"";
    let (flow, web) = of(&self::web(wire("1 s"), keys, ""));
    let responses = (web.completed, web.response_bytes, web.response_bits_per_second);
    assert_eq!(responses, (10, 10_000, 80_000.0));
    let times = &web.response_time;
    assert_eq!((times.min, times.mean), (Some(0.011_104), Some(0.011_104)));
    assert_eq!((flow.acked_bytes, flow.delivered_bytes), (3000, 3000));
    assert_eq!((flow.segments_sent, flow.acks_sent, web.segments_sent), (10, 0, 10));
}

/// The handshake takes one round trip of 40-byte segments before the first request.
#[test]
fn the_first_request_waits_for_the_handshake() {
    let keys = "request = \"300 B\", response = \"1000 B\", transactions = 1";
    let (flow, web) = of(&self::web(wire("1 s"), keys, "handshake = true"));
    let expected = 0.011_104 + 2.0 * (0.005 + 32e-6);
    // The ACK that ends the handshake is sent before the request.
    let mean = web.response_time.mean.expect("one is through");
    assert!((mean - expected).abs() < 40e-6, "{mean} {expected}");
    assert!((flow.finished_s.expect("it is through") - mean).abs() < 1e-9);
}

/// Ten segments of 1.2 ms in slow start, one ACK for each: rounds of 1, 2, 4 and 3 segments begin a
/// round trip of 11.232 ms apart, and the last has arrived 3.6 and 5 ms after its round began. The
/// request takes 5.272 ms.
#[test]
fn a_response_is_in_slow_start_in_its_own_direction() {
    let keys = "request = \"300 B\", response = \"14600 B\", transactions = 1";
    let tcp = "initial_window = 1, ack = \"every_segment\"";
    let (_, web) = of(&self::web(wire("1 s"), keys, tcp));
    let expected = 0.005_272 + 3.0 * 0.011_232 + 0.0036 + 0.005;
    assert_eq!(web.segments_sent, 10);
    assert!((web.response_time.mean.expect("one is through") - expected).abs() < 1e-9, "{web:?}");
}

/// So many transactions, and what is lost of them is repaired, with every rule.
#[test]
fn all_transactions_end_through_losses() {
    for recovery in Recovery::ALL {
        let network = Network::line("20 s", ["2 Mbit/s of line", "10 Mbit/s of line"], "5 ms")
            .at("switch.s", "buffer.per_port = \"6 packet\"");
        let keys = "request.uniform = [\"100 B\", \"5 kB\"], response.pareto = { min = \"5 kB\", \
                    max = \"200 kB\" }, think.exponential.mean = \"20 ms\", transactions = 20";
        let tcp = format!("recovery = \"{}\"", recovery.word());
        let (flow, web) = of(&self::web(network, keys, &tcp));
        assert_eq!(web.completed, 20, "{}", recovery.word());
        assert!(web.retransmitted_segments > 0, "{}", recovery.word());
        assert!(flow.finished_s.is_some() && flow.acked_bytes == flow.delivered_bytes);
    }
}

/// Exponential think times of 100 ms beside 11.1 ms of response: 900 a hundred seconds, with a
/// deviation of 24; four are allowed.
#[test]
fn think_times_are_drawn_afresh() {
    let keys = "request = \"300 B\", response = \"1000 B\", think.exponential.mean = \"100 ms\"";
    let (_, web) = of(&self::web(wire("100 s"), keys, ""));
    assert!((web.completed as f64 - 100.0 / 0.111_104).abs() < 4.0 * 27.0, "{}", web.completed);
}

/// After its stop a client writes nothing; a response on its way still arrives and counts.
#[test]
fn a_client_that_stops_still_has_its_last_response() {
    let keys = "request = \"300 B\", response = \"1000 B\", think = \"88.896 ms\"";
    let network = self::web(wire("2 s"), keys, "").at("flow.web", "stop = \"0.505 s\"");
    let (flow, web) = of(&network);
    assert_eq!((web.completed, flow.delivered_bytes, flow.stop_s), (6, 1800, Some(0.505)));
}

/// Both directions are cells of one VC on ABR, from hosts and through edges.
#[test]
fn transactions_cross_edges_and_abr() {
    let network = Network::lasting("3 s").host("a").host("b").edge("e").switch("s");
    let network = network
        .link("lan", ["a", "e"], "100 Mbit/s of line", "10 us")
        .link("up", ["e", "s"], "OC-3c", "1 ms")
        .link("down", ["s", "b"], "DS-3", "1 ms");
    let keys =
        "request = \"300 B\", response.lognormal = { median = \"10 kB\" }, transactions = 30";
    let network = self::web(network, keys, "").at("flow.web", "service = \"abr\"");
    let (flow, web) = of(&network);
    assert_eq!((web.completed, flow.acked_bytes), (30, 9000));
}
