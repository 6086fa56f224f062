//! What is lost before the warm-up ends is not counted, however early its sender knew.

use super::network::Network;
use super::{counted, summary};

/// A frame of 192 cells is put on the link at once. On a line where its cells take 1 ms each, the
/// warm-up ends within a frame.
#[test]
fn losses_count_from_the_end_of_the_warm_up_cell_by_cell() {
    let network = Network::wire("100 s", "424 kbit/s of cell", "1 ms")
        .at("link.wire", "impairments.loss = 1")
        .greedy("bulk", ["a", "b"], "mss = \"9140 B\", timers.fine.initial_rto = \"50 s\"");
    // The first cell leaves at 1 ms, the last at 192 ms.
    for (warm_up, lost) in [("0 s", 192), ("500 us", 192), ("1 ms", 191), ("100 ms", 92)] {
        let text = network.replace("\"100 s\"", &format!("\"10 s\"\nwarm_up = \"{warm_up}\""));
        let summary = summary(&text);
        let counts = counted(&summary, "wire", "loss");
        assert_eq!((counts.units, counts.lost), (lost, lost), "{warm_up}");
        assert_eq!(summary.vcs["bulk"].lost_on_links, lost, "{warm_up}");
        // From the start of the run, as for every link.
        assert_eq!(summary.links["wire"].sent, 192);
    }
}

/// What will be lost after the end is inside until then.
#[test]
fn at_the_end_a_cell_not_yet_sent_is_not_yet_lost() {
    let network = Network::wire("100500 us", "424 kbit/s of cell", "1 ms")
        .at("link.wire", "impairments.loss = 1")
        .greedy("bulk", ["a", "b"], "mss = \"9140 B\", timers.fine.initial_rto = \"50 s\"");
    let summary = summary(&network);
    let vc = summary.vcs["bulk"];
    assert_eq!((vc.sent, vc.lost_on_links, vc.inside), (192, 100, 92));
    assert_eq!(summary.links["wire"].sent, 100);
}

/// Twice as much as a line carries waits for it, and it loses half. Of what waits half was lost
/// already: 3538 after twelve seconds, and not 2552.
#[test]
fn datagrams_that_wait_for_a_line_that_loses_them_are_inside() {
    let network = Network::lasting("12 s")
        .host("a")
        .host("b")
        .switch("s")
        .link("in", ["a", "s"], "100 Mbit/s of line", "10 ms")
        .link("out", ["s", "b"], "2 Mbit/s of line", "10 ms")
        .at("switch.s", "buffer.per_port = \"2000 packet\"")
        .at("link.out", "impairments.loss = 0.5")
        .flow(
            "udp",
            ["a", "b"],
            "traffic.cbr = { rate = \"4 Mbit/s of payload\", datagram = \"1000 B\" }",
        );
    for warm_up in ["0 s", "10 s"] {
        let timed = network.replace("\"12 s\"", &format!("\"12 s\"\nwarm_up = \"{warm_up}\""));
        let summary = summary(&timed);
        let (vc, flow) = (summary.vcs["udp"], &summary.flows["udp"]);
        let found = flow.datagrams.expect("datagrams");
        assert_eq!(found.lost, vc.dropped + vc.lost_on_links, "{warm_up}");
        assert_eq!((found.sent, found.delivered, found.inside), (vc.sent, vc.delivered, vc.inside));
        // 243 a second leave the port, half of them lost.
        let lost = counted(&summary, "out", "loss").lost;
        assert!(lost.abs_diff(if warm_up == "0 s" { 1459 } else { 243 }) < 90, "{lost}");
    }
}

/// The segments of a window that waits for a slow line: one is lost, which counts once it is sent.
#[test]
fn segments_that_wait_for_a_line_that_loses_them_are_inside() {
    let network = Network::wire("50 ms", "1.2 Mbit/s of line", "1 s")
        .at("link.wire", "impairments.script.bulk.segments = [6]")
        .greedy("bulk", ["a", "b"], "mtu = \"1500 B\", initial_window = 10")
        .section("observe", "distributions.flows = [\"bulk\"]");
    // 10 ms each.
    for (end, lost) in [("59999 us", 0), ("60 ms", 1), ("99 ms", 1)] {
        let summary = summary(&network.replace("50 ms", end));
        let loss = summary.flows["bulk"].loss.expect("it is asked for");
        assert_eq!((loss.sent, loss.lost, loss.inside), (10, lost, 10 - lost), "{end}");
        assert_eq!(summary.vcs["bulk"].lost_on_links, lost, "{end}");
    }
}

/// Of three datagrams the third is lost, and the copy of the second is 400 us behind it.
#[test]
fn the_copy_of_one_that_has_arrived_is_not_inside() {
    let network = Network::lasting("7400 us")
        .host("a")
        .host("b")
        .switch("s")
        .switch("t")
        .link("one", ["a", "s"], "10 Mbit/s of line", "1 ms")
        .link("two", ["s", "t"], "10 Mbit/s of line", "1 ms")
        .link("three", ["t", "b"], "10 Mbit/s of line", "1 ms")
        .at("link.one", "impairments.outages.when.listed = [[\"2 ms\", \"1 ms\"]]")
        .at("link.two", "impairments.duplicate = 1")
        .flow(
            "udp",
            ["a", "b"],
            "traffic.cbr = { rate = \"7.776 Mbit/s of payload\", datagram = \"972 B\" }\nstop = \
             \"2500 us\"",
        );
    let summary = summary(&network);
    let found = summary.flows["udp"].datagrams.expect("datagrams");
    let counts = [found.sent, found.delivered, found.duplicates, found.lost, found.inside];
    assert_eq!(counts, [3, 2, 1, 1, 0]);
}
