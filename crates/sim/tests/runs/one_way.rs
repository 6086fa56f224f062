//! Jitter and losses per flow, against formulas and the counters of ports and links.

use cellway_sim::result::{FlowSummary, Summary};

use super::network::Network;
use super::outcome;

fn observed(network: Network) -> Summary {
    let network = network.observe("queue", "10 ms");
    outcome(&network.at("observe", "distributions.flows = [\"*\"]")).summary
}

fn of(network: Network, flow: &str) -> FlowSummary {
    observed(network).flows[flow].clone()
}

fn voice(network: Network, name: &str, keys: &str) -> Network {
    network.flow(name, ["a", "b"], keys)
}

#[test]
fn a_constant_rate_over_an_idle_line_has_no_jitter() {
    for rate in ["10 Mbit/s of line", "DS-3"] {
        let keys = "traffic.cbr = { rate = \"4 Mbit/s of payload\", datagram = \"972 B\" }";
        let found = of(voice(Network::line("1 s", [rate; 2], "3 ms"), "voice", keys), "voice");
        let jitter = found.jitter.expect("it is asked for");
        assert_eq!((jitter.interarrival_s, jitter.mean_difference_s), (0.0, Some(0.0)), "{rate}");
        let loss = found.loss.expect("it is asked for");
        assert_eq!((loss.unit, loss.lost, loss.fraction), ("datagram", 0, Some(0.0)));
        assert_eq!(loss.sent, loss.delivered + loss.inside);
    }
}

/// M/D/1. From one customer to the next the wait changes by S − A, or falls to zero; its mean
/// change is zero, so the mean size is twice that of rises, 2 E(S − A)⁺ = 2 (S − (1 − e^−λS)/λ).
#[test]
fn poisson_datagrams_have_the_jitter_of_m_d_1() {
    for load in [0.3, 0.7] {
        // 972 bytes and 28 of headers take 800 us.
        let rate = load * 9.72;
        let keys = format!(
            "traffic.poisson = {{ rate = \"{rate} Mbit/s of payload\", datagram = \"972 B\" }}"
        );
        let found = (1..=4).map(|seed| {
            let network = Network::wire("60 s", "10 Mbit/s of line", "1 ms");
            let network = network.at("run", &format!("seed = {seed}"));
            let jitter = of(voice(network, "p", &keys), "p").jitter.expect("it is asked for");
            jitter.mean_difference_s.expect("many arrive")
        });
        let (service, per_second) = (800e-6, load / 800e-6);
        let expected = 2.0 * (service - (1.0 - libm::exp(-load)) / per_second);
        let ratio = found.sum::<f64>() / 4.0 / expected;
        assert!((ratio - 1.0).abs() < 0.02, "{load}: {ratio}");
    }
}

/// Every 50th packet of a line of packets, and every 1000th cell of one of cells.
#[test]
fn losses_are_those_of_the_line() {
    for (rate, impairment) in
        [("10 Mbit/s of line", "periodic_loss = 50"), ("DS-3", "periodic_loss = 1000")]
    {
        let network = Network::line("5 s", [rate; 2], "3 ms")
            .at("link.out", &format!("impairments = {{ {impairment} }}"))
            .greedy("bulk", ["a", "b"], "mtu = \"1500 B\", recovery = \"sack\"");
        let summary = observed(network);
        let flow = &summary.flows["bulk"];
        let loss = flow.loss.expect("it is asked for");
        assert_eq!(loss.unit, "segment");
        assert!(loss.lost > 10, "{loss:?}");
        assert_eq!(loss.sent, loss.delivered + loss.lost + loss.inside);
        assert_eq!(loss.delivered, summary.vcs["bulk"].frames_delivered);
        let impairments = &summary.links["out"].impairments;
        let by_line: u64 = impairments.values().map(|one| one.lost).sum();
        // A lost last cell takes the frame behind it along.
        assert!(loss.lost >= by_line && loss.lost <= by_line + by_line / 10 + 1, "{loss:?}");
        let jitter = flow.jitter.expect("it is asked for");
        assert!(jitter.max_difference_s >= jitter.mean_difference_s);
    }
}

/// A port with room for 20 cells loses cells of 60 Mbit/s on a line of 40.7.
#[test]
fn raw_cells_are_lost_as_cells() {
    let network = Network::line("0.5 s", ["OC-3c", "DS-3"], "1 ms").cbr("60 Mbit/s of cell");
    let summary = observed(network.at("switch.s", "buffer.per_port = \"20 cell\""));
    let loss = summary.flows["cbr"].loss.expect("it is asked for");
    assert_eq!((loss.unit, loss.sent), ("cell", summary.vcs["cbr"].sent));
    assert_eq!(loss.sent, loss.delivered + loss.lost + loss.inside);
    assert_eq!(loss.lost, summary.ports["s.out"].drops.overflow);
    let expected = 1.0 - 40.704 / 60.0;
    assert!((loss.fraction.expect("some are sent") - expected).abs() < 2e-3);
    assert!(summary.flows["cbr"].jitter.is_none());
}

/// What is on its way when the warm-up ends is delivered or lost after it.
#[test]
fn with_a_warm_up_losses_are_those_behind_it() {
    let network = |warm_up: &str| {
        Network::line("4 s", ["10 Mbit/s of line"; 2], "3 ms")
            .at("run", &format!("warm_up = \"{warm_up}\""))
            .at("link.out", "impairments = { periodic_loss = 50 }")
            .greedy("bulk", ["a", "b"], "mtu = \"1500 B\", recovery = \"sack\"")
    };
    let lost = |warm_up| of(network(warm_up), "bulk").loss.expect("it is asked for").lost;
    let (whole, rest) = (lost("0 s"), lost("2 s"));
    assert!(rest > whole / 3 && rest < whole * 2 / 3, "{rest} of {whole}");
}
