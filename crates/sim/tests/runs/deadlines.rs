//! Datagrams that are late or lost, against the distribution of delays and the counters of losses.

use cellway_sim::result::FlowSummary;

use super::network::Network;
use super::outcome;

fn of(network: Network, traffic: &str, keys: &str) -> FlowSummary {
    let network = network.flow("live", ["a", "b"], &format!("traffic{traffic}\n{keys}"));
    let network = network.observe("queue", "10 ms");
    outcome(&network.at("observe", "distributions.flows = [\"*\"]")).summary.flows["live"].clone()
}

/// A path of 60 ms is too long for a game, whose packets are of use for 50 ms, and not for a call.
#[test]
fn a_game_is_late_where_a_call_is_not() {
    let late = |traffic: &str, keys: &str| {
        let found = of(Network::wire("10 s", "10 Mbit/s of line", "60 ms"), traffic, keys);
        found.datagrams.and_then(|datagrams| datagrams.late_or_lost)
    };
    assert_eq!(late(" = \"game\"", ""), Some(1.0));
    assert_eq!(late(" = \"call\"", ""), Some(0.0));
    assert_eq!(late(" = \"game\"", "deadline = \"80 ms\""), Some(0.0));
    assert_eq!(late(" = \"call\"", "deadline = \"20 ms\""), Some(1.0));
    assert_eq!(late(".cbr = { rate = \"64 kbit/s of payload\", datagram = \"160 B\" }", ""), None);
}

/// Poisson datagrams at a queue: of those that arrive a tenth is later than their 90 % quantile,
/// and of all a part is lost besides.
#[test]
fn late_and_lost_are_those_beyond_a_quantile_and_those_discarded() {
    let network = || {
        let line = Network::line("120 s", ["20 Mbit/s of line", "10 Mbit/s of line"], "1 ms");
        line.at("switch.s", "buffer.per_port = \"20 packet\"")
    };
    let traffic = ".poisson = { rate = \"9.3 Mbit/s of payload\", datagram = \"972 B\" }";
    let before = of(network(), traffic, "");
    let p90 = before.one_way_delay.as_ref().and_then(|delay| delay.p90).expect("many arrive");
    let deadline = format!("deadline = \"{} us\"", (p90 * 1e6).round());
    let found = of(network(), traffic, &deadline);
    let counted = found.datagrams.expect("it sends datagrams");
    let (late, lost) = (counted.late.expect("it has a deadline"), counted.lost);
    assert!(lost > 100, "{counted:?}");
    let of_delivered = late as f64 / counted.delivered as f64;
    assert!((of_delivered - 0.1).abs() < 0.005, "{of_delivered}");
    let expected = (late + lost) as f64 / (counted.delivered + lost) as f64;
    assert_eq!(counted.late_or_lost, Some(expected));
    assert_eq!(before.loss, found.loss);
}
