//! What is lost before the warm-up ends is not counted, however early its sender knew.

use super::network::Network;
use super::{counted, summary};

/// A frame of 192 cells is put on the link at once. On a line where its cells take 1 ms each, the
/// warm-up ends within a frame.
#[test]
fn losses_count_from_the_end_of_the_warm_up_cell_by_cell() {
    let network = Network::lasting("100 s")
        .host("a")
        .host("b")
        .link("wire", ["a", "b"], "424 kbit/s of cell", "1 ms")
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
    let network = Network::lasting("100500 us")
        .host("a")
        .host("b")
        .link("wire", ["a", "b"], "424 kbit/s of cell", "1 ms")
        .at("link.wire", "impairments.loss = 1")
        .greedy("bulk", ["a", "b"], "mss = \"9140 B\", timers.fine.initial_rto = \"50 s\"");
    let summary = summary(&network);
    let vc = summary.vcs["bulk"];
    assert_eq!((vc.sent, vc.lost_on_links, vc.inside), (192, 100, 92));
    assert_eq!(summary.links["wire"].sent, 100);
}
