//! IPv6 in place of IPv4: 20 bytes more of header in every packet (RFC 8200 §3).

use cellway_sim::explain::explain;
use cellway_sim::pdu::IpVersion;
use cellway_sim::result::FlowSummary;

use super::network::Network;
use super::{outcome, scenario};

const V6: &str = "ip = \"ipv6\"\n";

fn greedy(network: Network, ip: &str, tcp: &str) -> Network {
    let keys = format!("{ip}traffic = \"greedy\"\ntcp = {{ {tcp} }}");
    network.flow("bulk", ["a", "b"], &keys)
}

fn bulk(network: &Network) -> FlowSummary {
    outcome(network).summary.flows["bulk"].clone()
}

/// Bytes of a segment, and cells of it and of an ACK.
fn sizes(ip: &str, tcp: &str) -> (u64, Option<u64>, Option<u64>) {
    let network = greedy(Network::wire("1 s", "OC-3c", "1 ms"), ip, tcp);
    let explained = explain(&scenario(&network));
    let facts = explained.flows[0].tcp.as_ref().expect("a transport");
    (facts.mss_bytes, facts.cells_per_segment, facts.cells_per_ack)
}

/// Headers of 40 or 60 bytes, LLC/SNAP of 8 and a trailer of 8 in cells of 48: an MTU of 1500 takes
/// ⌈1516/48⌉, an MSS of 512 ⌈568/48⌉ or ⌈588/48⌉. With timestamps an ACK has 52 or 72 bytes.
#[test]
fn segments_are_smaller_or_packets_longer() {
    assert_eq!(sizes("", "mtu = \"1500 B\""), (1460, Some(32), Some(2)));
    assert_eq!(sizes(V6, "mtu = \"1500 B\""), (1440, Some(32), Some(2)));
    assert_eq!(sizes(V6, ""), (9120, Some(192), Some(2)));
    assert_eq!(sizes("", "mss = \"512 B\""), (512, Some(12), Some(2)));
    assert_eq!(sizes(V6, "mss = \"512 B\""), (512, Some(13), Some(2)));
    assert_eq!(sizes(V6, "preset = \"linux\", mtu = \"1500 B\""), (1428, Some(32), Some(2)));
}

/// One flow that fills a line without losses carries its MSS in each packet or frame.
#[test]
fn a_full_line_carries_less_by_the_ratio_of_sizes() {
    let goodput = |rate: &str, ip: &str, tcp: &str| {
        let line = Network::wire("6 s", rate, "5 ms").at("run", "warm_up = \"1 s\"");
        let window = format!("window = \"256 KiB\", {tcp}");
        bulk(&greedy(line, ip, &window)).measured_bits_per_second
    };
    for (rate, tcp, [v4, v6]) in [
        ("10 Mbit/s of line", "mtu = \"1500 B\"", [1460.0 / 1500.0, 1440.0 / 1500.0]),
        ("10 Mbit/s of line", "mss = \"512 B\"", [512.0 / 552.0, 512.0 / 572.0]),
        ("10 Mbit/s of cell", "mss = \"512 B\"", [512.0 / 12.0 / 53.0, 512.0 / 13.0 / 53.0]),
    ] {
        for (ip, share) in [("", v4), (V6, v6)] {
            let found = goodput(rate, ip, tcp) / 1e7;
            assert!((found / share - 1.0).abs() < 1e-3, "{rate} {ip}{tcp}: {found} for {share}");
        }
    }
}

/// A datagram of 972 B is a packet of 1000 or 1020 bytes: 800 or 816 us on each of two lines.
#[test]
fn a_datagram_takes_longer_on_each_line() {
    let delay = |ip: &str| {
        let voice = format!(
            "{ip}traffic.cbr = {{ rate = \"4.86 Mbit/s of payload\", datagram = \"972 B\" }}"
        );
        let line = Network::line("1.6 s", ["10 Mbit/s of line"; 2], "1 ms");
        bulk(&line.flow("bulk", ["a", "b"], &voice)).datagrams.expect("datagrams").mean_delay_s
    };
    assert_eq!((delay(""), delay(V6)), (Some(0.0036), Some(0.003_632)));
}

/// The keys of a proxy hold for flows of either version: its packets are as long.
#[test]
fn a_proxy_splits_a_flow_over_ipv6() {
    let line = Network::line("2 s", ["10 Mbit/s of line"; 2], "1 ms");
    let line = line.at("run", "warm_up = \"1 s\"");
    let keys = "tcp = { mtu = \"1500 B\", window = \"64 KiB\" }";
    let network =
        greedy(line.section("proxy.p", &format!("at = \"s\"\n{keys}")), V6, "mtu = \"1500 B\"");
    let parsed = scenario(&network);
    let sizes =
        parsed.flows.iter().map(|flow| (flow.ip, flow.tcp.as_ref().map(|tcp| (tcp.ip, tcp.mss.0))));
    assert_eq!(sizes.collect::<Vec<_>>(), [(IpVersion::V6, Some((IpVersion::V6, 1440))); 2]);
    assert_eq!(scenario(&parsed.to_toml()).to_toml(), parsed.to_toml());
    assert!((bulk(&network).measured_bits_per_second / 9.6e6 - 1.0).abs() < 0.02);
}

/// A scenario that is written has the MSS, which does not shrink again.
#[test]
fn a_written_scenario_is_the_same() {
    let network = greedy(Network::wire("1 s", "OC-3c", "1 ms"), V6, "mtu = \"1500 B\"");
    let written = scenario(&network).to_toml();
    assert!(written.contains("ip = \"ipv6\"") && written.contains("mss = \"1440 B\""), "{written}");
    assert_eq!(scenario(&written).to_toml(), written);
}
