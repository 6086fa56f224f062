//! A narrow way back: the rate that its ACKs let a connection send, with and without an ACK filter.

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

/// The modem with a queue of 200 packets at its way back of 100 kbit/s.
fn filtered(filter: &str, drop: &str, scheduler: &str) -> String {
    let modem = format!(
        "[switch.modem]\nack_filter = \"{filter}\"\ndrop = {drop}\nscheduler = {scheduler}\n\
         buffer.per_port = \"200 packet\""
    );
    access("100 kbit/s", "delayed").replace("[switch.modem]", &modem)
}

/// 100 kbit/s carry 312.5 ACKs a second, each for two segments: 7.3 Mbit/s. With a filter the last
/// ACK tells what those before it did, at most three wait, and the line down is full.
#[test]
fn a_filter_lets_the_line_down_be_full() {
    let fifo = "\"fifo\"";
    let orders = [
        ("\"tail\"", fifo),
        ("\"codel\"", fifo),
        ("\"tail\"", "\"drr\""),
        ("\"fq_codel\"", fifo),
        ("\"fq_pie\"", fifo),
        ("\"dual_pi2\"", fifo),
        ("\"cake\"", fifo),
    ];
    for (drop, scheduler) in orders {
        for (filter, most) in [("conservative", 3), ("aggressive", 2)] {
            let scenario = scenario(&filtered(filter, drop, scheduler));
            let explained = explain(&scenario);
            let tcp = explained.flows[0].tcp.as_ref().expect("tcp");
            assert_eq!(tcp.limited_by, Limit::Bottleneck);
            let summary = outcome_of(&scenario).summary;
            let rate = summary.flows["download"].throughput_bits_per_second;
            let full = 20e6 * 1460.0 / 1500.0;
            assert!((rate / full - 1.0).abs() < 1e-3, "{drop} {scheduler} {filter}: {rate}");
            let up = &summary.ports["modem.up"];
            assert!(up.max_queue <= most, "{drop} {scheduler} {filter}: {}", up.max_queue);
            assert!(up.drops.redundant_acks > 10_000 && up.drops.overflow == 0);
        }
    }
    let summary = outcome_of(&scenario(&filtered("none", "\"tail\"", fifo))).summary;
    let rate = summary.flows["download"].throughput_bits_per_second;
    assert!((rate / 7.3e6 - 1.0).abs() < 0.01, "{rate}");
}

/// Queues of flows that are full lose from the longest, so an ACK that comes there finds its like.
#[test]
fn a_full_buffer_of_flows_filters() {
    for drop in ["\"fq_codel\"", "\"cake\""] {
        let text = filtered("aggressive", drop, "\"fifo\"").replace("200 packet", "5 packet");
        let flood = "[flow.flood]\nfrom = \"home\"\nto = \"server\"\n\
                     traffic.cbr = { rate = \"300 kbit/s of payload\", datagram = \"500 B\" }\n";
        let summary = outcome_of(&scenario(&(text + flood))).summary;
        let drops = &summary.ports["modem.up"].drops;
        assert!(drops.redundant_acks > 1000 && drops.overflow > 0, "{drop}: {drops:?}");
    }
}

/// A device in the house lets one in four ACKs through: 312.5 of them a second on the way back are
/// for four segments each, 14.6 Mbit/s in place of 3.65.
#[test]
fn thinned_acks_are_for_more_segments() {
    let text = access("100 kbit/s", "every_segment");
    let rate = |text: &str| {
        outcome_of(&scenario(text)).summary.flows["download"].throughput_bits_per_second
    };
    assert!((rate(&text) / 3.65e6 - 1.0).abs() < 0.01);
    let house = "delay = \"1 ms\"";
    let thinning = format!("{house}, impairments.ack_thinning.one_in = 4");
    let thinned = rate(&text.replace(house, &thinning));
    assert!((thinned / 14.6e6 - 1.0).abs() < 0.01, "{thinned}");
}

/// One segment a round trip of 24 ms at first: its ACK is late enough to pass by the gap of 10 ms,
/// and with a longer gap it is taken away, so that the sender waits for its timeout.
#[test]
fn a_sender_that_needs_a_thinned_ack_times_out() {
    let timeouts = |gap: &str| {
        let thinning = format!(
            "delay = \"1 ms\", impairments.ack_thinning = {{ one_in = 4, longest_gap = \"{gap}\" }}"
        );
        let text = access("1 Mbit/s", "every_segment").replace("delay = \"1 ms\"", &thinning);
        let text = text.replace("warm_up = \"5 s\"", "");
        outcome_of(&scenario(&text)).summary.flows["download"].timeouts
    };
    assert_eq!((timeouts("10 ms"), timeouts("30 s") > 0), (0, true));
}
