//! Independent bit errors.

use super::network::Network;
use super::{assert_binomial, counted, summary};

/// Behind a header with an error any error is discarded, behind another one more than a single
/// wrong bit. Idle cells are headers, too: how full the line is does not matter.
#[test]
fn cells_are_discarded_as_the_two_modes_of_hec_say() {
    let rate = 0.01;
    let clean = libm::pow(1.0 - rate, 40.0);
    let single = 40.0 * rate * libm::pow(1.0 - rate, 39.0);
    let discarded = clean * (1.0 - clean - single) + (1.0 - clean) * (1.0 - clean);
    for (load, is_full) in [("149.76 Mbit/s of cell", true), ("40 Mbit/s of cell", false)] {
        let network = Network::line("2 s", ["OC-3c"; 2], "1 ms").cbr(load);
        let summary = summary(&network.at("link.out", &format!("impairments.bit_errors = {rate}")));
        let found = counted(&summary, "out", "bit_errors");
        let cells = found.units as f64;
        // Neighbours on a full line are not independent: behind a discarded cell the next one is
        // discarded if it has any error.
        let both = if is_full { discarded * (1.0 - clean) } else { discarded * discarded };
        let variance = discarded * (1.0 - discarded) + 2.0 * (both - discarded * discarded);
        let error = (found.lost as f64 - cells * discarded) / (cells * variance).sqrt();
        assert!(error.abs() < 4.0, "{load}: {found:?}, not {}: {error}", cells * discarded);
        // Of those that go on, all with a right payload arrive unspoilt.
        assert_binomial(
            found.corrupted,
            found.units - found.lost,
            1.0 - libm::pow(1.0 - rate, 384.0),
        );
    }
}

/// A packet of 1500 bytes with 18 of framing; an ACK of 40.
#[test]
fn a_packet_with_any_wrong_bit_is_lost() {
    let rate = 2e-6;
    let network = Network::wire("60 s", "10 Mbit/s of line", "1 ms")
        .at("link.wire", &format!("impairments.bit_errors = {rate}"))
        .greedy("bulk", ["a", "b"], "mss = \"1460 B\", ack = \"every_segment\", timers = \"fine\"");
    let network = network.replace("carries = \"packets\"", "carries.packets.overhead = \"18 B\"");
    let summary = summary(&network);
    for (link, bytes) in [("wire", 1518.0), ("wire back", 58.0)] {
        let found = counted(&summary, link, "bit_errors");
        assert_binomial(found.lost, found.units, 1.0 - libm::pow(1.0 - rate, 8.0 * bytes));
        assert_eq!(found.corrupted, 0);
    }
}

/// Payload errors spoil their own frame and no other; a single wrong bit in a header, which is
/// alone at such a rate, does not even that.
#[test]
fn a_frame_is_spoilt_if_a_bit_of_any_payload_is_wrong() {
    let rate = 3e-6;
    let network = Network::line("60 s", ["DS-3"; 2], "100 us")
        .at("link.out", &format!("impairments.bit_errors = {rate}"))
        .greedy("bulk", ["a", "b"], "mss = \"1460 B\", recovery = \"sack\", timers = \"fine\"");
    let summary = summary(&network);
    let (vc, errors) = (summary.vcs["bulk"], counted(&summary, "out", "bit_errors"));
    assert!(errors.lost <= 2, "{errors:?}");
    // 1460 + 40 + 16 bytes, as 32 cells of 384 bits of payload.
    let frames = vc.sent / 32;
    assert_binomial(vc.frames_broken, frames, 1.0 - libm::pow(1.0 - rate, 32.0 * 384.0));
}
