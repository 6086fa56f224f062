//! Series of packets as they arrive: bytes, one-way delays, and totals of families.

use cellway_sim::Outcome;
use cellway_sim::result::Series;

use super::network::Network;
use super::outcome;

const RATE: f64 = 10e6;
const QUANTITIES: &str = "arrived\", \"acked\", \"one_way_delay";

/// Two SACK flows over a line of 10 Mbit/s with a short queue and a lossy second link.
fn transfer(interval: &str) -> Outcome {
    let network = Network::line("5 s", ["10 Mbit/s of line"; 2], "20 ms")
        .at("link.out", "impairments = { periodic_loss = 101 }")
        .flow(
            "bulk",
            ["a", "b"],
            "count = 2\ntraffic = \"greedy\"\ntcp = { mtu = \"1500 B\", recovery = \"sack\" }",
        );
    let network = network.observe(QUANTITIES, interval);
    outcome(&network.at("observe", "distributions.flows = [\"*\"]"))
}

fn series<'a>(outcome: &'a Outcome, name: &str) -> &'a Series {
    let names = || outcome.series.iter().map(|one| &one.name).collect::<Vec<_>>();
    let found = outcome.series.iter().find(|one| one.name == name);
    found.unwrap_or_else(|| panic!("{name} is none of {:?}", names()))
}

fn largest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NAN, f64::max)
}

/// A hole that is filled acknowledges a window at once; on the line no more than its rate arrives.
#[test]
fn bytes_arrive_no_faster_than_the_line() {
    let outcome = transfer("10 ms");
    let growth = |name: &str| {
        let values = &series(&outcome, name).values;
        largest(&values.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>())
    };
    // A packet more than in the mean, by its last bit.
    let possible = RATE / 8.0 * 0.01 + 1500.0;
    assert!(growth("arrived.*") <= possible, "{}", growth("arrived.*"));
    assert!(growth("bulk[1].acked") > 2.0 * possible, "{}", growth("bulk[1].acked"));
}

/// Without gaps at the end, each byte has arrived once, whatever was sent again.
#[test]
fn each_byte_arrives_once() {
    let outcome = transfer("10 ms");
    for name in ["bulk[1]", "bulk[2]"] {
        let flow = &outcome.summary.flows[name];
        assert!(flow.retransmitted_segments > 0, "{flow:?}");
        let arrived = series(&outcome, &format!("{name}.arrived"));
        let acked = series(&outcome, &format!("{name}.acked"));
        assert_eq!(arrived.times, acked.times);
        assert!(arrived.values.iter().zip(&acked.values).all(|(all, in_order)| all >= in_order));
        let last = *arrived.values.last().expect("a grid") as u64;
        let beyond = last.checked_sub(flow.delivered_bytes).expect("no less than in order");
        assert!(beyond < 65_536, "{last} and {}", flow.delivered_bytes);
    }
    let sum = |at: usize| {
        ["bulk[1].arrived", "bulk[2].arrived"].map(|name| series(&outcome, name).values[at])
    };
    for name in ["arrived.*", "arrived.bulk[*]"] {
        let total = series(&outcome, name);
        assert_eq!(total.times.len(), 501);
        let sums = (0..501).map(|at| sum(at).iter().sum::<f64>());
        assert!(sums.eq(total.values.iter().copied()), "{name}");
    }
}

/// The grid has the largest of what the series of every packet has, in which packets of the same
/// delay in a row are one point.
#[test]
fn a_grid_has_the_largest_delay_of_each_interval() {
    let (each, grid) = (transfer("change"), transfer("100 ms"));
    let of_each = series(&each, "bulk[1].one_way_delay");
    let most = series(&grid, "bulk[1].one_way_delay");
    for (index, pair) in most.times.windows(2).enumerate() {
        let points = || of_each.times.iter().zip(&of_each.values);
        let first = points().filter(|(at, _)| **at < pair[0]).count();
        let last = points().filter(|(at, _)| **at < pair[1]).count();
        let found = most.values[index + 1];
        let of_points = largest(&of_each.values[first..last]);
        let with_before = largest(&of_each.values[first.saturating_sub(1)..last]);
        let is = |value: f64| found.to_bits() == value.to_bits();
        assert!(is(of_points) || is(with_before), "{found} at {:?}", pair[1]);
    }
    let counted = grid.summary.flows["bulk[1]"].one_way_delay.as_ref().expect("asked for");
    assert_eq!(Some(largest(&most.values)), counted.max);
}

/// Datagrams of a constant rate over an idle line: 1000 bytes each 10 ms, with one delay.
#[test]
fn datagrams_arrive_at_their_rate() {
    let keys = "traffic.cbr = { rate = \"800 kbit/s of payload\", datagram = \"1000 B\" }";
    let network = Network::line("1 s", ["10 Mbit/s of line"; 2], "3 ms");
    let network = network.flow("voice", ["a", "b"], keys);
    let outcome = outcome(&network.observe(QUANTITIES, "100 ms"));
    let arrived = series(&outcome, "voice.arrived").values.iter().map(|bytes| *bytes as u64);
    let arrived: Vec<u64> = arrived.collect();
    assert!(arrived[1..].windows(2).all(|pair| pair[1] - pair[0] == 10_000), "{arrived:?}");
    let delays = &series(&outcome, "voice.one_way_delay").values;
    // Two lines of 1028 bytes and 3 ms each.
    let expected = 2.0 * (1028.0 * 8.0 / RATE + 3e-3);
    assert!(delays[0].is_nan() && delays[1..].iter().all(|it| (it - expected).abs() < 1e-9));
    assert!(!outcome.series.iter().any(|one| one.name.contains('*')), "one flow has no total");
}
