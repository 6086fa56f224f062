//! Applications that read later than data arrive.

use cellway_sim::result::FlowSummary;

use super::network::Network;
use super::outcome;

const LINE: &str = "10 Mbit/s of line";

fn read_by(reader: &str, traffic: &str, keys: &str) -> FlowSummary {
    let tcp =
        format!("mss = \"1460 B\", window = \"64 KiB\", timers = \"fine\", reader = {reader}");
    let keys = format!("traffic = {traffic}\ntcp = {{ {tcp} {keys} }}");
    let network = Network::line("8 s", [LINE; 2], "5 ms").flow("x", ["a", "b"], &keys);
    outcome(&network).summary.flows["x"].clone()
}

/// For 8 s less 12 ms on the way; a block is read before its time begins, and up to 64 KiB wait.
#[test]
fn a_slow_reader_sets_the_rate() {
    for (reader, rate, block) in [
        ("{ paced = { rate = \"4 Mbit/s of payload\" } }", 500e3, 8192.0),
        ("{ paced = { rate = \"4 Mbit/s of payload\", block = \"32 KiB\" } }", 500e3, 32_768.0),
        ("{ periodic = { block = \"40 kB\", period = \"100 ms\" } }", 400e3, 40_000.0),
    ] {
        // The first segments wait for no delayed ACK.
        let flow = read_by(reader, "\"greedy\"", ", initial_window = 4");
        let read = rate * 7.988;
        let delivered = flow.delivered_bytes as f64;
        assert!((read - block..read + block + 65_536.0).contains(&delivered), "{reader} {flow:?}");
        assert_eq!(flow.retransmitted_segments, 0);
    }
}

/// Reads as fast as data come, in blocks that hold all of them, change nothing.
#[test]
fn a_fast_reader_is_like_one_that_reads_at_once() {
    let of = |reader| {
        let flow = read_by(reader, "\"greedy\"", "");
        (flow.delivered_bytes, flow.segments_sent, flow.acks_sent, flow.rtt)
    };
    assert_eq!(of("{ paced = { rate = \"10 Gbit/s of payload\" } }"), of("\"at_once\""));
}

/// Nothing is read in the whole run: 44 segments and, when a timeout of a second is over, what is
/// left of the window fill it. In the seven seconds that remain a byte probes it twice: each wait
/// is twice the one before.
#[test]
fn a_window_that_stays_closed_is_probed() {
    let reader = "{ periodic = { block = \"64 KiB\", period = \"10 s\" } }";
    let flow = read_by(reader, "\"greedy\"", "");
    let probed = (flow.acked_bytes, flow.window_probes, flow.timeouts);
    assert_eq!(probed, (64 << 10, 2, 0), "{flow:?}");
    assert_eq!(read_by("\"at_once\"", "\"greedy\"", "").window_probes, 0);
}

/// A response is written when its request has been read whole, and has arrived when it is read.
#[test]
fn a_late_server_answers_late() {
    let traffic =
        "{ request_response = { request = \"250 B\", response = \"90 B\", transactions = 1 } }";
    let flow = read_by("{ periodic = { block = \"100 B\", period = \"20 ms\" } }", traffic, "");
    // The request arrives after 10.5 ms and is read at 20, 40 and 60 ms; the response arrives after
    // 70.3 ms and is read at 80 ms.
    let times = flow.transactions.expect("requests are counted").response_time;
    assert_eq!(times.max, Some(0.08));
}
