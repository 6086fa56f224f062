//! ECN as whole runs: queues that mark where they would discard early, on packets and on cells, and
//! what becomes of a mark at an edge.

use super::network::Network;
use super::outcome;
use cellway_sim::result::Summary;

/// Eight TCPs through a bottleneck of 10 Mbit/s; RED and TCP have further keys.
fn red_run(red: &str, tcp: &str) -> Summary {
    outcome(&include_str!("red.toml").replace("ecn = true", tcp).replace("weight = 0.002", red))
        .summary
}

fn fairness(summary: &Summary) -> f64 {
    let rates = summary.flows.values().map(|flow| flow.throughput_bits_per_second);
    let (sum, squares) = rates.fold((0.0, 0.0), |(sum, squares), r| (sum + r, squares + r * r));
    sum * sum / (summary.flows.len() as f64 * squares)
}

/// Floyd 1994: marks say what drops say, and nothing is sent again.
#[test]
fn red_marks_what_it_would_discard() {
    for law in ["congestion = \"reno\", recovery = \"sack\"", "congestion = \"cubic\""] {
        let dropping = red_run("ecn = false", law);
        let marking = red_run("ecn = true", &format!("ecn = true, {law}"));
        let (dropped, marked) =
            (&dropping.ports["left.bottleneck"], &marking.ports["left.bottleneck"]);
        assert_eq!((dropped.marked, marked.drops.overflow + marked.drops.early_frame), (None, 0));
        let marks = marked.marked.expect("it may mark");
        let received =
            marking.flows.values().map(|flow| flow.ecn.expect("it has ECN").marks_received);
        assert!(marks > 100 && marks.abs_diff(received.sum()) < 5, "{marks}");
        for flow in marking.flows.values() {
            let reductions = flow.ecn.expect("it has ECN").reductions;
            assert_eq!((flow.retransmitted_segments, flow.timeouts), (0, 0));
            assert!(reductions > 10, "{reductions}");
        }
        assert!(marked.utilisation > 0.98, "{}", marked.utilisation);
        // The same signals: about as many, at about the same mean queue, and as fair.
        let drops = dropped.drops.early_frame as f64;
        assert!((0.7..1.4).contains(&(marks as f64 / drops)), "{marks} {drops}");
        assert!((marked.mean_queue / dropped.mean_queue - 1.0).abs() < 0.2);
        assert!((fairness(&marking) - fairness(&dropping)).abs() < 0.05);
    }
}

/// A flow without ECN loses at a queue that marks what it lost at one that does not.
#[test]
fn flows_without_ecn_are_discarded_as_before() {
    let text = |summary: Summary| {
        let mut summary = summary;
        summary.ports.values_mut().for_each(|port| {
            assert!(port.marked.is_none_or(|marks| marks == 0));
            port.marked = None;
        });
        format!("{summary:?}")
    };
    assert_eq!(text(red_run("ecn = true", "")), text(red_run("ecn = false", "")));
}

/// Host, switch of packets, edge, switch of cells, edge, host; the switches have further keys.
fn edges(left: &str, atm: &str, bottleneck: &str) -> Summary {
    let tcp = "mtu = \"1500 B\", window = \"256 KiB\", initial_ssthresh = \"64 KiB\", \
               recovery = \"sack\", timers = \"fine\", ecn = true";
    let nodes = Network::lasting("20 s").with_random_phases().host("a").host("b");
    let nodes = nodes.switch("left").edge("west").switch("atm").edge("east");
    let network = nodes
        .at("switch.left", left)
        .at("switch.atm", atm)
        .link("in", ["a", "left"], "100 Mbit/s of line", "1 ms")
        .link("lan", ["left", "west"], bottleneck, "1 ms")
        .link("up", ["west", "atm"], "OC-3c", "10 ms")
        .link("down", ["atm", "east"], "20 Mbit/s of cell", "10 ms")
        .link("out", ["east", "b"], "100 Mbit/s of line", "1 ms");
    outcome(&network.greedy("bulk", ["a", "b"], tcp)).summary
}

/// Marks reach the receiver from packets before the cells, and from the cells.
#[test]
fn a_mark_crosses_edges_in_both_directions() {
    let packets = "buffer.per_port = \"100 packet\"\n\
         drop = { red = { min_threshold = 0.1, max_threshold = 0.9, ecn = true, weight = 0.02 } }";
    let cells = "buffer.per_port = \"3200 cell\"\n\
         drop = { red = { min_threshold = 0.1, max_threshold = 0.9, ecn = true, weight = 0.02 } }";
    for (left, atm, bottleneck, port, units) in [
        (packets, "buffer = \"infinite\"", "10 Mbit/s of line", "left.lan", 1),
        ("buffer = \"infinite\"", cells, "100 Mbit/s of line", "atm.down", 32),
    ] {
        let summary = edges(left, atm, bottleneck);
        let marked = summary.ports[port].marked.expect("it may mark");
        let ecn = summary.flows["bulk"].ecn.expect("it has ECN");
        assert_eq!((marked % units, marked / units), (0, ecn.marks_received), "{port}");
        assert!(ecn.reductions > 2 && ecn.reductions <= ecn.marks_received, "{ecn:?}");
        assert_eq!(summary.flows["bulk"].retransmitted_segments, 0);
    }
}
