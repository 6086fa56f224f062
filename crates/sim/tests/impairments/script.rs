//! Losses by number.

use super::network::Network;
use super::{counted, summary};

const TCP: &str = "mss = \"1460 B\", window = \"16 KiB\", recovery = \"new_reno\", timers = \
                   { fine = { min_rto = \"200 ms\" } }, ack = \"every_segment\"";

fn wire(script: &str) -> Network {
    Network::wire("2 s", "10 Mbit/s of line", "10 ms")
        .at("link.wire", &format!("impairments.script = {{ bulk = {{ {script} }} }}"))
        .greedy("bulk", ["a", "b"], TCP)
}

/// The eighth is sent again, once. Where the window is one segment, the first three transmissions
/// are of the same one.
#[test]
fn segments_have_a_number_for_each_transmission() {
    let one = summary(&wire("segments = [8]"));
    assert_eq!(counted(&one, "wire", "script").lost, 1);
    let flow = &one.flows["bulk"];
    assert_eq!((flow.retransmitted_segments, flow.fast_retransmits, flow.timeouts), (1, 1, 0));
    let only = wire("segments = [1, 2, 3]").replace("16 KiB", "1460 B").replace("2 s", "30 s");
    let flow = &summary(&only).flows["bulk"];
    assert_eq!((flow.retransmitted_segments, flow.timeouts), (3, 3));
}

/// A lost acknowledgement is made up for by the next one.
#[test]
fn acknowledgements_have_numbers_of_their_own() {
    let summary = summary(&wire("acks = [5, 6, 9]"));
    assert_eq!(counted(&summary, "wire back", "script").lost, 3);
    assert_eq!(counted(&summary, "wire", "script").lost, 0);
    assert_eq!(summary.flows["bulk"].retransmitted_segments, 0);
}

/// A segment in cells is one frame, here of 32 cells. A lost last cell takes two frames with it.
#[test]
fn on_cells_a_segment_is_its_frame_alone() {
    for (script, repeated) in [
        ("segments = [15]", 1),
        ("segments = [15, 16]", 2),
        ("cells = [449]", 1),
        ("cells = [480]", 2),
        ("cells = [450, 451, 512]", 3),
    ] {
        let network = Network::line("2 s", ["DS-3"; 2], "1 ms")
            .at("link.out", &format!("impairments.script = {{ bulk = {{ {script} }} }}"))
            .greedy("bulk", ["a", "b"], TCP);
        let summary = summary(&network);
        assert_eq!(summary.flows["bulk"].retransmitted_segments, repeated, "{script}");
    }
}
