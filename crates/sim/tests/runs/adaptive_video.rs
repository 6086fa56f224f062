//! Adaptive video on links of constant rate: bit rates, waits, start-up and stalls by formulas.

use cellway_sim::result::PlaybackSummary;

use super::network::Network;
use super::outcome;

const LADDER: &str = "ladder = [\"1 Mbit/s of payload\", \"2 Mbit/s of payload\", \"3 Mbit/s of \
                      payload\", \"4 Mbit/s of payload\", \"5 Mbit/s of payload\"]";

/// Playback of a video over a line of so many Mbit/s, 10 ms long.
fn of(rate: f64, run: &str, keys: &str) -> PlaybackSummary {
    let network = Network::wire("900 s", &format!("{rate} Mbit/s of line"), "10 ms");
    let tcp = "mss = \"1460 B\", window = \"256 KiB\", initial_window = 10, timers = \"fine\", \
               handshake = true";
    let keys = format!("traffic.adaptive_video = {{ {keys} }}\ntcp = {{ {tcp} }}");
    let network = network.flow("video", ["a", "b"], &keys).at("run", run);
    let flow = outcome(&network).summary.flows["video"].clone();
    assert_eq!(flow.acked_bytes, flow.delivered_bytes);
    flow.playback.expect("it plays")
}

/// Payload of a line: 1460 of 1500 bytes.
fn payload(rate: f64) -> f64 {
    rate * 1e6 * 1460.0 / 1500.0
}

/// The highest rate at most 0.85 of the payload, from the third segment on and for ever. Requests
/// and slow start take a little of each segment.
#[test]
fn by_rate_a_player_stays_at_the_highest_rate_within_its_safety() {
    for (line, expected) in [(1.6, 1e6), (2.6, 2e6), (4.0, 3e6), (5.2, 4e6), (20.0, 5e6)] {
        let within = 0.85 * payload(line);
        assert!(expected <= within && (within < expected + 1e6 || expected >= 5e6), "{line}");
        let found =
            of(line, "warm_up = \"60 s\"", &format!("{LADDER}, adaptation = \"rate_based\""));
        assert_eq!(found.mean_bits_per_second, Some(expected), "{line}: {found:?}");
        assert_eq!((found.switches, found.stalls, found.rebuffering_s), (0, 0, 0.0), "{line}");
    }
}

/// Huang et al. 2014, section 3: a client of the buffer that never fills it has the rate of the
/// link on average, by rates above and below it. The link is never idle but for a round trip
/// between two segments.
#[test]
fn by_the_buffer_a_player_has_the_rate_of_the_link_on_average() {
    for line in [2.6, 3.5, 4.4] {
        let keys = format!("{LADDER}, adaptation = \"buffer_based\", buffer = \"120 s\"");
        let found = of(line, "warm_up = \"300 s\"", &keys);
        let mean = found.mean_bits_per_second.expect("segments arrive");
        // A segment of 4 s takes a round trip of 20 ms more than its bits.
        let expected = payload(line) * (1.0 - 0.02 / 4.0);
        assert!((mean / expected - 1.0).abs() < 0.03, "{line}: {mean} {expected}");
        assert!(found.switches > 0 && found.stalls == 0, "{line}: {found:?}");
    }
}

/// A player that is full asks for a segment as often as it plays one: 15 segments fill the buffer
/// of 60 s at once, and then one in each 4 s.
#[test]
fn a_full_player_waits() {
    let found = of(50.0, "", LADDER);
    let expected = (900.0 + 60.0) / 4.0;
    assert!((found.segments as f64 - expected).abs() <= 1.5, "{found:?}");
    assert_eq!(found.stalls, 0);
}

/// A line slower than the lowest rate: a segment of 2 Mbit/s and 4 s takes 1 MB by the payload of
/// the line, which is longer than 4 s, and the difference is a stall, for each segment. Playback
/// begins with the first.
#[test]
fn a_line_below_the_lowest_rate_stalls_for_what_is_missing() {
    let ladder = "ladder = [\"2 Mbit/s of payload\"]";
    let found = of(1.5, "", ladder);
    let takes = 8e6 / payload(1.5) + 0.02;
    let start_up = found.start_up_s.expect("it plays");
    // The handshake is a round trip; slow start from ten segments fills 1.5 Mbit/s at once.
    assert!((start_up - takes - 0.02).abs() < 0.05, "{start_up} {takes}");
    assert!((found.segments as f64 - 900.0 / takes).abs() <= 1.0, "{found:?}");
    let expected = (900.0 - start_up) * (1.0 - 4.0 / takes);
    assert!((found.rebuffering_s / expected - 1.0).abs() < 0.01, "{found:?} {expected}");
    assert!((found.stalls as f64 - found.segments as f64).abs() <= 1.0, "{found:?}");
}

/// A video of 10 s has three segments of 4 s, and ends without a stall after the last.
#[test]
fn a_video_ends() {
    let found = of(20.0, "", &format!("{LADDER}, length = \"10 s\""));
    assert_eq!((found.segments, found.stalls, found.rebuffering_s), (3, 0, 0.0));
}
