//! Simulation against formula, with the tolerance stated beside its reason.

use super::network::Network;
use super::outcome;
use cellway_theory::queue::periodic::Periodic;

/// When a run ends, and when its measurement begins.
type Lasting<'a> = (&'a str, &'a str);

/// One TCP through one switch between links of this rate and delay.
fn one_flow((end, warm_up): Lasting<'_>, rate: &str, delay: &str, tcp: &str) -> Network {
    Network::line(end, [rate, rate], delay)
        .with_random_phases()
        .at("run", &format!("warm_up = \"{warm_up}\""))
        .greedy("bulk", ["a", "b"], tcp)
}

/// Throughput of that flow in Mbit/s.
fn throughput(network: &str) -> f64 {
    outcome(network).summary.flows["bulk"].throughput_bits_per_second / 1e6
}

pub(super) fn assert_within(found: f64, expected: f64, relative: f64) {
    assert!(
        (found / expected - 1.0).abs() <= relative,
        "found {found}, expected {expected} within {relative}"
    );
}

/// Goodput of a saturated OC-3c is 149.76 Mbit/s · 8 MSS / (424 · cells): what cells, AAL5 and
/// headers leave.
#[test]
fn goodput_ceilings_of_oc3c() {
    for (mss, cells) in [(512, 12), (1024, 23), (1460, 32), (9140, 192)] {
        let tcp = format!("mss = \"{mss} B\", window = \"256 KiB\", ack = \"every_segment\"");
        let found = throughput(&one_flow(("4 s", "1 s"), "OC-3c", "1 ms", &tcp));
        // Acknowledged bytes are counted in whole segments: one in thousands at either end.
        assert_within(found, 149.76 * f64::from(8 * mss) / f64::from(424 * cells), 3e-4);
    }
}

/// Below the ceiling the window rules: n whole segments per unloaded round trip; one short segment
/// below one MSS.
#[test]
fn whole_segments_per_round_trip() {
    let cell_us = 424.0 / 149.76;
    for (window_kib, bytes_per_round) in [(8, 8192), (16, 9140), (32, 3 * 9140), (64, 7 * 9140)] {
        let tcp =
            format!("mtu = \"9180 B\", window = \"{window_kib} KiB\", ack = \"every_segment\"");
        let found = throughput(&one_flow(("8 s", "2 s"), "OC-3c", "2.5 ms", &tcp));
        let segment_bytes = bytes_per_round.min(9140);
        let cells = f64::from((segment_bytes + 40_i32 + 16 + 47) / 48);
        // Cells are forwarded one by one: the frame is serialised once and its last cell once more
        // at the switch; likewise the ACK of two cells.
        let rtt_us = 10_000.0 + (cells + 1.0 + 2.0 + 1.0) * cell_us;
        assert_within(found, 8.0 * f64::from(bytes_per_round) / rtt_us, 1e-3);
    }
}

/// M/D/1: mean number in the system is r + r²/(2(1 - r)) (Pollaczek and Khinchine).
#[test]
fn poisson_arrivals_at_a_constant_server() {
    for (load, tolerance) in [(0.5, 0.01), (0.8, 0.02), (0.9, 0.04)] {
        let text =
            include_str!("md1.toml").replace("95 Mbit/s", &format!("{} Mbit/s", 100.0 * load));
        let port = &outcome(&text).summary.ports["s.server"];
        // 2.6 million services at full load; the tolerance is four standard errors of the mean
        // queue, which at load r is correlated over about 1/(1 - r)² services.
        assert_within(port.mean_queue, load + load * load / (2.0 * (1.0 - load)), tolerance);
        assert_within(port.utilisation, load, 0.01);
    }
}

/// N·D/D/1: constant-rate sources with random phases. By Little, the mean number is load · (wait +
/// 1).
#[test]
fn constant_rate_sources_with_random_phases() {
    let text =
        |seed: u64| include_str!("nddd1.toml").replace("seed = 1", &format!("seed = {seed}"));
    let seeds = 600;
    let queues: Vec<f64> =
        (1..=seeds).map(|seed| outcome(&text(seed)).summary.ports["s.out"].mean_queue).collect();
    let mean = queues.iter().sum::<f64>() / seeds as f64;
    let load = 15.0 / 16.0;
    let wait = Periodic::new(15, 16.0).expect("a load below 1").mean_wait();
    // Spread over phases is about a quarter of the mean: 600 seeds give a standard error of 1 %,
    // three of them 3 %.
    assert_within(mean, load * (wait + 1.0), 0.03);
}

/// A paced source is as fast as its pacer says, in the unit it says.
#[test]
fn pacing_counts_cells_or_payload() {
    let tcp = "mtu = \"9180 B\", window = \"256 KiB\", ack = \"every_segment\"";
    let network = one_flow(("4 s", "1 s"), "OC-3c", "1 ms", tcp);
    let paced = |pace: &str| {
        let service = format!("service.ubr.pace = \"{pace}\"");
        throughput(&network.clone().at("flow.bulk", &service))
    };
    let segment_share_of_cells = 9140.0 / (192.0 * 53.0);
    let segment_share_of_payload = 9140.0 / (192.0 * 48.0);
    assert_within(paced("70 Mbit/s of cell"), 70.0 * segment_share_of_cells, 5e-4);
    assert_within(paced("70 Mbit/s of payload"), 70.0 * segment_share_of_payload, 5e-4);
}

/// A host whose CPU needs longer than the line for a segment sets the pace: one data segment and
/// one ACK each.
#[test]
fn a_slow_cpu_is_the_bottleneck() {
    let tcp = "mtu = \"9180 B\", window = \"256 KiB\", ack = \"every_segment\"";
    let network = one_flow(("6 s", "2 s"), "OC-3c", "1 ms", tcp)
        .at("host.a", "cpu_per_segment = \"550 us\"\nack_cost = \"included\"");
    let found = throughput(&network);
    assert_within(found, 8.0 * 9140.0 / 1100.0, 1e-3);
}

/// Two connections, one each way, fill the CPU of one host, which sends x segments per second,
/// receives their x ACKs and y segments: (2x + y) · 1 ms = 1 s. Nearly all of both windows, which
/// are equal, wait at that CPU. First come, first served: a segment that it sends waits as such and
/// again as an ACK, a segment that it receives waits once, so y = 2x. Output first: both wait once,
/// on arrival, so y = x.
#[test]
fn the_order_of_the_cpu_decides_who_waits_twice() {
    let both_ways = |order: &str| {
        let tcp = "mtu = \"9180 B\", window = \"512 KiB\", ack = \"every_segment\"";
        let host =
            format!("cpu_per_segment = \"1 ms\"\nack_cost = \"included\"\ncpu_order = \"{order}\"");
        let network = one_flow(("22 s", "2 s"), "OC-12c", "1 us", tcp).at("host.a", &host).greedy(
            "back",
            ["b", "a"],
            tcp,
        );
        let summary = outcome(&network).summary;
        ["bulk", "back"].map(|flow| summary.flows[flow].throughput_bits_per_second / 8.0 / 9140.0)
    };
    let [sent, received] = both_ways("arrival");
    // One segment of the 57 in a window is on its way.
    assert_within(sent, 250.0, 0.02);
    assert_within(received, 500.0, 0.02);
    let [sent, received] = both_ways("output_first");
    assert_within(sent, 1000.0 / 3.0, 0.02);
    assert_within(received, 1000.0 / 3.0, 0.02);
}

/// Packet links carry whole packets: goodput is the line less headers and framing.
#[test]
fn goodput_ceiling_of_a_packet_link() {
    let tcp = "mss = \"1460 B\", window = \"256 KiB\", ack = \"every_segment\"";
    let network = one_flow(("4 s", "1 s"), "100 Mbit/s of line", "1 ms", tcp);
    let framed = network.replace("\"packets\"", "{ packets = { overhead = \"38 B\" } }");
    assert_within(throughput(&framed), 100.0 * 1460.0 / 1538.0, 3e-4);
}
