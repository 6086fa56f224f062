//! A narrow way back: what its ACKs let a connection send.

use super::{outcome_of, scenario};
use cellway_sim::explain::{Limit, explain};

/// 20 Mbit/s down and `up` back, buffers without limit, full segments of 1460 B.
fn access(up: &str, ack: &str) -> String {
    include_str!("ack_path.toml").replace("1 Mbit/s", up).replace("delayed", ack)
}

/// 400 kbit/s carry 1250 ACKs of 40 bytes a second, 14.6 Mbit/s of full segments. Half of that is
/// enough where an ACK is for two, except that a tick each 200 ms may send one for a single
/// segment.
#[test]
fn acks_that_fill_the_way_back_limit_the_rate() {
    let segment = 8.0 * 1460.0;
    let cases = [("400 kbit/s", "every_segment", 0.0), ("200 kbit/s", "delayed", 5.0)];
    for (up, ack, single_acks_per_second) in cases {
        let scenario = scenario(&access(up, ack));
        let explained = explain(&scenario);
        let tcp = explained.flows[0].tcp.as_ref().expect("tcp");
        assert_eq!((tcp.limited_by, tcp.expected_bits_per_second), (Limit::AckPath, 14.6e6));
        let rate = outcome_of(&scenario).summary.flows["download"].throughput_bits_per_second;
        // Of a measurement of 25 s a segment may belong to either side of its ends.
        let missing = (14.6e6 - rate) / segment;
        assert!((-0.04..=single_acks_per_second + 0.04).contains(&missing), "{ack}: {rate}");
    }
}

#[test]
fn acks_for_which_there_is_room_do_not() {
    let explained = explain(&scenario(&access("1 Mbit/s", "every_segment")));
    let tcp = explained.flows[0].tcp.as_ref().expect("tcp");
    assert_eq!(tcp.limited_by, Limit::Bottleneck);
    assert!((tcp.ack_path_limit_bits_per_second - 36.5e6).abs() < 1.0);
}
