//! Independent losses.

use super::network::Network;
use super::{assert_binomial, counted, summary};

const NEW_RENO: &str = "mss = \"1460 B\", window = \"64 KiB\", recovery = \"new_reno\", timers = \
                        { fine = { min_rto = \"200 ms\" } }, ack = \"every_segment\"";

/// Two hosts, one link of packets.
fn wire(loss: &str) -> Network {
    Network::wire("20 s", "10 Mbit/s of line", "10 ms")
        .at("link.wire", &format!("impairments.loss = {loss}"))
        .greedy("bulk", ["a", "b"], NEW_RENO)
}

/// Raw cells do not react to what is lost.
#[test]
fn cells_are_lost_as_often_as_said() {
    let network = Network::line("10 s", ["OC-3c"; 2], "1 ms").cbr("30 Mbit/s of cell");
    let summary = summary(&network.at("link.out", "impairments.loss = 0.02"));
    let lost = counted(&summary, "out", "loss");
    assert_binomial(lost.lost, lost.units, 0.02);
    assert_eq!(lost.units, summary.links["out"].sent);
    let vc = summary.vcs["cbr"];
    assert_eq!((vc.lost_on_links, vc.dropped), (lost.lost, 0));
    assert_eq!(vc.sent, vc.delivered + vc.lost_on_links + vc.inside);
}

/// A frame of n cells loses one with probability 1 − (1 − p)ⁿ. One that loses its last cell takes
/// the next one with it, so that (1 − p)ⁿ⁺¹ of all arrive.
#[test]
fn a_frame_is_whole_if_all_its_cells_are_and_the_last_one_before() {
    let p = 0.004;
    let network = Network::line("100 s", ["DS-3"; 2], "100 us")
        .at("link.out", &format!("impairments.loss = {p}"))
        .greedy("bulk", ["a", "b"], NEW_RENO);
    let summary = summary(&network);
    let vc = summary.vcs["bulk"];
    // 1460 + 40 + 16 bytes are 32 cells.
    let frames = vc.sent / 32;
    assert!(frames > 5_000, "{frames}");
    let whole = libm::pow(1.0 - p, 33.0);
    assert_binomial(vc.frames_delivered, frames, whole);
}

/// What comes back has losses of its own.
#[test]
fn packets_are_lost_in_both_directions_independently() {
    let summary = summary(&wire("0.01"));
    let [there, back] = ["wire", "wire back"].map(|link| counted(&summary, link, "loss"));
    for lost in [there, back] {
        assert_binomial(lost.lost, lost.units, 0.01);
    }
    assert_ne!(there.lost, back.lost);
    assert_eq!(summary.vcs["bulk"].lost_on_links, there.lost);
    assert_eq!(summary.vcs["bulk back"].lost_on_links, back.lost);
}

/// The first segment is sent again and again, then the connection gives up.
#[test]
fn where_everything_is_lost_tcp_gives_up() {
    let text = wire("1").replace("duration = \"20 s\"", "duration = \"2000 s\"");
    let summary = summary(&text);
    let lost = counted(&summary, "wire", "loss");
    assert_eq!((lost.lost, summary.vcs["bulk"].delivered), (lost.units, 0));
    let flow = &summary.flows["bulk"];
    assert_eq!(flow.delivered_bytes, 0);
    assert!(flow.aborted_s.is_some_and(|at| at < 2000.0), "{flow:?}");
    assert!((10..100).contains(&lost.units), "{lost:?}");
}
