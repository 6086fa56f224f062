//! UDP datagrams over packets, cells and both: delays, queues, losses, counters.

use cellway_sim::result::{DatagramSummary, FlowSummary};

use super::network::Network;
use super::outcome;

fn datagrams(flow: &FlowSummary) -> DatagramSummary {
    flow.datagrams.expect("a flow of datagrams")
}

fn flow(network: &Network, name: &str) -> FlowSummary {
    outcome(network).summary.flows[name].clone()
}

/// A voice of 1000 B packets takes 800 us on each of two links of 10 Mbit/s; one comes every 1.6
/// ms.
#[test]
fn a_constant_rate_at_half_a_line_has_the_delay_of_an_empty_one() {
    let network = Network::line("1.6 s", ["10 Mbit/s of line"; 2], "1 ms").flow(
        "voice",
        ["a", "b"],
        "traffic.cbr = { rate = \"4.86 Mbit/s of payload\", datagram = \"972 B\" }",
    );
    let network =
        network.observe("queue", "10 ms").at("observe", "distributions.flows = [\"voice\"]");
    let voice = flow(&network, "voice");
    let counted = datagrams(&voice);
    assert_eq!((counted.sent, counted.delivered, counted.lost, counted.inside), (1000, 998, 0, 2));
    assert_eq!((counted.out_of_order, counted.duplicates, counted.jitter_s), (0, 0, 0.0));
    assert_eq!(counted.mean_delay_s, Some(0.0036));
    let delay = voice.one_way_delay.expect("it is asked for");
    assert_eq!((delay.samples, delay.min, delay.mean), (998, Some(0.0036), Some(0.0036)));
    let rate = 998.0 * 972.0 * 8.0 / 1.6;
    assert_eq!((voice.delivered_bytes, voice.measured_bits_per_second), (998 * 972, rate));
}

/// Mean and standard error of ten runs.
fn mean_wait(sizes: &str, payload_kbit: u32, service_s: f64) -> (f64, f64) {
    let waits: Vec<f64> = (1..=10)
        .map(|seed| {
            let traffic = format!(
                "traffic.poisson = {{ rate = \"{payload_kbit} kbit/s of payload\", \
                 datagram = {sizes} }}"
            );
            let network = Network::wire("50 s", "10 Mbit/s of line", "1 us")
                .flow("p", ["a", "b"], &traffic)
                .at("run", &format!("warm_up = \"2 s\"\nseed = {seed}"));
            let delay = datagrams(&flow(&network, "p")).mean_delay_s.expect("many arrive");
            delay - service_s - 1e-6
        })
        .collect();
    let mean = waits.iter().sum::<f64>() / 10.0;
    let squares: f64 = waits.iter().map(|wait| (wait - mean) * (wait - mean)).sum();
    (mean, (squares / 90.0).sqrt())
}

/// The queue at an interface is M/G/1: Pollaczek and Khinchine, W = λ E(S²)/(2 (1 − ρ)). The second
/// moments of 28 B of headers and the payload: fixed, D² (M/D/1); geometric of mean m,
/// (28 + m)² + m² − m, which is M/M/1 but for the headers and whole bytes; three sizes, by their
/// weights.
#[test]
fn poisson_datagrams_wait_as_long_as_pollaczek_and_khinchine_say() {
    let square = |mean: f64, variance: f64| (28.0 + mean) * (28.0 + mean) + variance;
    let mix = [(12.0, 7.0), (548.0, 4.0), (1472.0, 1.0)];
    let mix_mean: f64 = mix.iter().map(|(size, weight)| size * weight / 12.0).sum();
    let mix_square: f64 = mix.iter().map(|(size, weight)| size * size * weight / 12.0).sum();
    let cases = [
        ("\"972 B\"", 972.0, square(972.0, 0.0)),
        ("{ exponential.mean = \"972 B\" }", 972.0, square(972.0, 972.0 * 971.0)),
        (
            "{ mix = [[\"12 B\", 7], [\"548 B\", 4], [\"1472 B\", 1]] }",
            mix_mean,
            square(mix_mean, mix_square - mix_mean * mix_mean),
        ),
        (
            "{ uniform = [\"100 B\", \"900 B\"] }",
            500.0,
            square(500.0, (801.0 * 801.0 - 1.0) / 12.0),
        ),
    ];
    for (sizes, mean_bytes, second_moment) in cases {
        for payload_kbit in [4000_u32, 7000] {
            let per_second = f64::from(payload_kbit) * 1000.0 / (8.0 * mean_bytes);
            let second = |bytes: f64| bytes * 8.0 / 10e6;
            let service = second(28.0 + mean_bytes);
            let load = per_second * service;
            let expected =
                per_second * second_moment * second(1.0) * second(1.0) / (2.0 * (1.0 - load));
            let (mean, error) = mean_wait(sizes, payload_kbit, service);
            assert!(
                (mean - expected).abs() < 4.0 * error && error < 0.08 * expected,
                "{sizes} at {load}: {mean} ± {error}, {expected}"
            );
        }
    }
}

/// Twice as much as the port takes: what is not delivered is lost at the port, or still inside.
#[test]
fn what_is_sent_is_delivered_lost_or_inside() {
    for unit in ["packet", "cell"] {
        let rates = if unit == "packet" {
            ["10 Mbit/s of line", "2 Mbit/s of line"]
        } else {
            ["10 Mbit/s of cell", "2 Mbit/s of cell"]
        };
        let network = Network::line("2 s", rates, "3 ms")
            .at("switch.s", &format!("buffer.per_port = \"100 {unit}\""))
            .flow(
                "p",
                ["a", "b"],
                "traffic.poisson = { rate = \"4 Mbit/s of payload\", datagram.uniform = [\"1 B\", \
                 \"1472 B\"] }",
            );
        let outcome = outcome(&network);
        let counted = datagrams(&outcome.summary.flows["p"]);
        assert_eq!(counted.sent, counted.delivered + counted.lost + counted.inside);
        assert!(counted.lost * 3 > counted.sent, "{counted:?}");
        assert!(counted.inside > 0, "{counted:?}");
        assert_eq!(outcome.summary.vcs["p"].frames_delivered, counted.delivered);
        if unit == "packet" {
            assert_eq!(outcome.summary.vcs["p"].dropped, counted.lost);
        }
    }
}

/// 4 B of payload fill a cell, 5 B take two: 100 datagrams of each.
#[test]
fn a_datagram_over_aal5_is_whole_cells() {
    for (size, cells) in [(4, 1), (5, 2), (1472, 32), (65_507, 1366)] {
        let traffic = format!(
            "traffic.cbr = {{ rate = \"{} bit/s of payload\", datagram = \"{size} B\" }}\nstop = \
             \"0.995 s\"",
            size * 800
        );
        let network = Network::line("2 s", ["OC-3c"; 2], "1 ms").flow("p", ["a", "b"], &traffic);
        let summary = outcome(&network).summary;
        assert_eq!((summary.vcs["p"].sent, summary.vcs["p"].frames_delivered), (100 * cells, 100));
        assert_eq!(summary.flows["p"].delivered_bytes, 100 * size);
    }
}

const PATH: [(&str, [&str; 2], &str); 4] = [
    ("lan", ["a", "west"], "100 Mbit/s of line"),
    ("up", ["west", "s"], "10 Mbit/s of cell"),
    ("down", ["s", "east"], "10 Mbit/s of cell"),
    ("wan", ["east", "b"], "10 Mbit/s of line"),
];

fn across_edges() -> Network {
    let nodes = Network::lasting("1 s").host("a").host("b").edge("west").edge("east").switch("s");
    PATH.iter().fold(nodes, |network, (name, ends, rate)| network.link(name, *ends, rate, "1 ms"))
}

/// 1000 B of IP: 80 us as a packet, 22 cells, of which a switch forwards one after the other, of
/// 42.4 us, and 800 us as a packet again.
#[test]
fn datagrams_cross_edges_with_the_delays_of_their_links() {
    let traffic = "traffic.cbr = { rate = \"1 Mbit/s of payload\", datagram = \"972 B\" }";
    let delay = 80e-6 + 22.0 * 42.4e-6 + 42.4e-6 + 800e-6 + 4e-3;
    for circuit in ["", "vc = \"trunk\""] {
        let mut network = across_edges().flow("p", ["a", "b"], &format!("{traffic}\n{circuit}"));
        if !circuit.is_empty() {
            network = network.circuit("trunk", ["west", "east"], "");
        }
        let found = datagrams(&flow(&network, "p"));
        assert_eq!((found.lost, found.jitter_s), (0, 0.0));
        let mean = found.mean_delay_s.expect("many arrive");
        assert!((mean - delay).abs() < 1e-9, "{mean} {delay}");
    }
}

/// A circuit on ABR that a TCP and datagrams share: the RM cells of its source return, the TCP's
/// ACKs too, and nothing comes back for the datagrams.
#[test]
fn datagrams_share_an_abr_circuit_with_tcp() {
    let network = across_edges()
        .circuit("trunk", ["west", "east"], "service = \"abr\"")
        .flow(
            "p",
            ["a", "b"],
            "vc = \"trunk\"\ntraffic.on_off = { rate = \"4 Mbit/s of payload\", datagram = \"160 \
             B\", period = \"50 ms\", duty_cycle = 0.3 }",
        )
        .flow(
            "bulk",
            ["a", "b"],
            "vc = \"trunk\"\ntraffic = \"greedy\"\ntcp = { mtu = \"1500 B\" }",
        );
    let summary = outcome(&network).summary;
    let found = datagrams(&summary.flows["p"]);
    // 1.2 Mbit/s on average, 1280 bits each.
    assert!((930..=940).contains(&found.sent), "{found:?}");
    assert_eq!(found.sent, found.delivered + found.lost + found.inside);
    assert!(found.delivered > 800 && summary.flows["bulk"].acked_bytes > 100_000);
    assert!(summary.vcs["trunk"].abr.expect("a source").forward_rm > 0);
    assert!(!summary.vcs.contains_key("p back to east"));
}
