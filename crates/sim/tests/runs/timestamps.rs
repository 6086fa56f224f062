//! Timestamps in whole runs.

use super::network::Network;
use super::outcome;

/// Bits per second of data over a full path whose bits are those of the `layer`, after its start.
fn goodput(layer: &str, keys: &str) -> f64 {
    let rate = format!("100 Mbit/s of {layer}");
    let tcp = format!("mtu = \"9180 B\", window = \"256 KiB\", ack = \"every_segment\" {keys}");
    let network = Network::line("1.2 s", [&rate; 2], "1 ms")
        .greedy("x", ["a", "b"], &tcp)
        .at("run", "warm_up = \"0.2 s\"");
    outcome(&network).summary.flows["x"].measured_bits_per_second
}

/// An IP packet of 9180 bytes, in cells 192 of them, has 9140 bytes of data, or 12 less. A segment
/// that is acknowledged just before or after the second is 7e-4 of it.
#[test]
fn timestamps_take_twelve_bytes_of_every_packet() {
    for (layer, bytes) in [("line", 9180.0), ("cell", 192.0 * 53.0)] {
        for (keys, data) in [("", 9140.0), (", timestamps = true", 9128.0)] {
            let expected = 100e6 * data / bytes;
            let found = goodput(layer, keys);
            assert!((found / expected - 1.0).abs() < 8e-4, "{layer}{keys}: {found} of {expected}");
        }
    }
}
