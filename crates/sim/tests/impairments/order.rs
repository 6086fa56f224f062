//! Packets that arrive late or twice.

use super::network::Network;
use super::{assert_binomial, counted, summary};

const TCP: &str = "mss = \"1460 B\", window = \"64 KiB\", recovery = \"new_reno\", \
                   timers = \"fine\", ack = \"every_segment\"";

/// A transfer over one link there, which is impaired, and another back, which is not.
fn transfer(impairment: &str) -> String {
    let network = Network::lasting("20 s").host("a").host("b");
    let network = ["wire", "back"].into_iter().fold(network, |network, name| {
        network.link(name, ["a", "b"], "10 Mbit/s of line", "10 ms")
    });
    let (from, to) = ("from = \"a\"\nto = \"b\"", "from = \"b\"\nto = \"a\"");
    let text = network.at("link.wire", &format!("impairments.{impairment}"));
    let text = text.greedy("bulk", ["a", "b"], TCP);
    let both = "between = [\"a\", \"b\"]";
    text.replacen(both, from, 1).replacen(both, to, 1)
}

/// A packet of 1500 bytes takes 1.2 ms. One that is held back for 3.5 ms is overtaken by two, whose
/// ACKs are duplicates; one for 5 ms by four, and the third duplicate repeats it.
#[test]
fn a_packet_that_three_overtake_is_taken_for_lost() {
    for (extra_delay, is_repeated) in [("3.5 ms", false), ("5 ms", true)] {
        let reorder =
            format!("reorder = {{ probability = 0.01, extra_delay = \"{extra_delay}\" }}");
        let summary = summary(&transfer(&reorder));
        let (flow, late) = (&summary.flows["bulk"], counted(&summary, "wire", "reorder"));
        assert_binomial(late.delayed, late.units, 0.01);
        assert_eq!(flow.retransmitted_segments > 0, is_repeated, "{flow:?}");
        let duplicates = flow.duplicate_acks as f64 / late.delayed as f64;
        // Fewer where one that would overtake is itself held back; repetitions cause more.
        let expected = if is_repeated { 3.0..f64::INFINITY } else { 1.8..2.0 };
        assert!(expected.contains(&duplicates), "{duplicates}");
        assert_eq!(late.lost, 0);
    }
}

/// Held back by three round trips, a segment comes after its repair: with timestamps its value is
/// older than that of the repair, and PAWS discards it.
#[test]
fn what_comes_after_its_repair_is_old() {
    let reorder = "reorder = { probability = 0.002, extra_delay = \"70 ms\" }";
    let text = transfer(reorder);
    let stamped = summary(&text.replacen(TCP, &format!("{TCP}, timestamps = true"), 1));
    let (flow, late) = (&stamped.flows["bulk"], counted(&stamped, "wire", "reorder"));
    assert!(late.delayed > 10, "{late:?}");
    assert_eq!((flow.timeouts, flow.paws_discards), (0, late.delayed), "{flow:?}");
    assert_eq!(summary(&text).flows["bulk"].paws_discards, 0);
}

/// Each copy of a data segment is answered by a duplicate ACK. Three of them in a row would be
/// taken for a loss, one is not.
#[test]
fn a_segment_that_arrives_twice_is_acknowledged_twice() {
    let summary = summary(&transfer("duplicate = 0.05"));
    let copied = counted(&summary, "wire", "duplicate");
    assert_binomial(copied.duplicated, copied.units, 0.05);
    let (data, flow) = (summary.vcs["bulk"], &summary.flows["bulk"]);
    assert_eq!(data.sent + data.duplicated, data.delivered + data.inside);
    assert_eq!((data.duplicated, data.sent), (copied.duplicated, flow.segments_sent));
    // One for each segment or copy that has arrived.
    assert_eq!(flow.acks_sent, data.delivered);
    let under_way = 64 * 1024 / 1460;
    assert!(flow.duplicate_acks.abs_diff(data.duplicated) <= under_way, "{flow:?}");
    assert_eq!((flow.retransmitted_segments, flow.timeouts), (0, 0));
}

#[test]
fn everything_may_arrive_twice() {
    let summary = summary(&transfer("duplicate = 1"));
    let data = summary.vcs["bulk"];
    assert!(data.duplicated <= data.sent && data.duplicated + 100 > data.sent, "{data:?}");
    assert_eq!(summary.flows["bulk"].timeouts, 0);
}

/// Twenty packets are on their way onto a line when the run ends after four; each will be copied,
/// and lost twice. What is inside then once was less than nothing.
#[test]
fn packets_that_will_be_copied_and_lost_are_inside_once() {
    let network = Network::wire("5 ms", "10 Mbit/s of line", "10 ms")
        .at("link.wire", "impairments = { duplicate = 1, loss = 1 }")
        .greedy("bulk", ["a", "b"], "mss = \"1460 B\", window = \"1 MiB\", initial_window = 20");
    let vc = summary(&network).vcs["bulk"];
    assert_eq!((vc.sent, vc.inside), (20, 16));
    assert_eq!((vc.duplicated, vc.lost_on_links), (4, 8));
}
