//! Blocks of Netspec's kinds: exact volumes, missed periods, and what is counted of them.

use cellway_sim::Outcome;
use cellway_sim::result::{BlockSummary, FlowSummary};

use super::network::Network;
use super::outcome;

const TCP: &str = "mss = \"1000 B\", window = \"1 MiB\", timers = \"fine\", ack = \
                   \"every_segment\", initial_window = 50";

/// Over two links of this rate and 1 ms each, with `[observe]` of what is acknowledged.
fn blocks(rate: &str, duration: &str, traffic: &str, transport: &str) -> Outcome {
    let network = Network::line(duration, [rate; 2], "1 ms").flow(
        "x",
        ["a", "b"],
        &format!("traffic.{traffic}\n{transport}"),
    );
    outcome(&network.observe("acked", "1 ms"))
}

fn of(outcome: &Outcome) -> (FlowSummary, BlockSummary) {
    let flow = outcome.summary.flows["x"].clone();
    let counted = flow.blocks.expect("its application counts them");
    (flow, counted)
}

fn tcp(send_buffer: &str) -> String {
    format!("tcp = {{ {TCP}{send_buffer} }}")
}

const LIMITED: &str = ", send_buffer = \"64 KiB\"";

/// 43 750 bytes each 10 ms for a second: a hundred blocks, and not a period more.
#[test]
fn a_shaped_source_offers_its_block_in_each_period() {
    for word in ["burst", "burstq"] {
        let keys = "{ block = \"43750 B\", period = \"10 ms\", duration = \"1 s\" }";
        let run = blocks("100 Mbit/s of line", "2 s", &format!("{word} = {keys}"), &tcp(""));
        let (flow, counted) = of(&run);
        assert_eq!((flow.acked_bytes, flow.delivered_bytes), (4_375_000, 4_375_000));
        let all = BlockSummary { written: 100, bytes: 4_375_000, waiting: 0, missed: 0, ..counted };
        assert_eq!(counted, all);
        // It ends with its last period, in which the last block has long arrived.
        assert_eq!((flow.stop_s, counted.elapsed_s), (Some(1.0), 1.0));
        assert!((flow.throughput_bits_per_second - 35e6).abs() < 1.0);
    }
}

/// A path of 20 Mbit/s under an offer of 35: periods are missed exactly when the send buffer has no
/// room for the last byte of the block before, as the series of what is acknowledged says.
#[test]
fn periods_are_missed_when_the_buffer_was_full() {
    let keys = "burst = { block = \"43750 B\", period = \"10 ms\", duration = \"1 s\" }";
    let run = blocks("20 Mbit/s of line", "2 s", keys, &tcp(LIMITED));
    let (flow, counted) = of(&run);
    let series = run.series.iter().find(|series| series.name == "x.acked").expect("observed");
    // A hundredth of a period before the timer runs out is early enough: an ACK takes 416 us.
    let acked = |period: usize| series.values[10 * period];
    let (mut offered, mut missed) = (0.0, 0);
    for period in 0..100 {
        if offered <= acked(period) + 65_536.0 {
            offered += 43_750.0;
        } else {
            missed += 1;
        }
    }
    assert_eq!((counted.missed, counted.written), (missed, 100 - missed));
    assert_eq!((counted.waiting, counted.bytes), (0, flow.acked_bytes));
    assert_eq!(flow.acked_bytes as f64, offered);
    // 1000 of 1040 bytes of the line, and what the buffer holds at the end.
    let possible = 20e6 / 8.0 / 1.04;
    assert!((flow.acked_bytes as f64 - possible).abs() < 65_536.0 + 43_750.0, "{flow:?}");
}

/// The same offer, queued: all of it arrives, and takes as long as the path needs.
#[test]
fn queued_blocks_arrive_later_and_all() {
    let keys = "burstq = { block = \"43750 B\", period = \"10 ms\", duration = \"1 s\" }";
    let (flow, counted) = of(&blocks("20 Mbit/s of line", "3 s", keys, &tcp(LIMITED)));
    assert_eq!((flow.acked_bytes, counted.written, counted.missed), (4_375_000, 100, 0));
    // 1040 B on the line for 1000 of data; the first of them and the last ACK have 4 ms to travel.
    let sending = 4_375_000.0 * 1.04 * 8.0 / 20e6;
    assert!(flow.finished_s.is_some_and(|at| (at - sending - 0.004).abs() < 0.02), "{flow:?}");
    let (flow, counted) = of(&blocks("20 Mbit/s of line", "1 s", keys, &tcp(LIMITED)));
    assert_eq!(counted.written + counted.waiting, 100);
    assert!(counted.waiting > 30 && flow.finished_s.is_none(), "{counted:?}");
}

/// Of 5000 bytes on average each 10 ms: a deviation of the sum of 500 such is 5000 · √500.
#[test]
fn drawn_blocks_and_periods_keep_their_means() {
    let keys = "burstq = { block.exponential.mean = \"5000 B\", period = { uniform = [\"5 ms\", \
                \"15 ms\"] }, duration = \"5 s\" }";
    let (flow, counted) = of(&blocks("100 Mbit/s of line", "6 s", keys, &tcp("")));
    let deviation = 5000.0 * 500_f64.sqrt();
    assert!((flow.acked_bytes as f64 - 2.5e6).abs() < 4.0 * deviation, "{flow:?}");
    // Uniform from 5 to 15 ms: a deviation of 2.9 ms each.
    assert!((counted.written as f64 - 500.0).abs() < 4.0 * 0.29 * 500_f64.sqrt());
}

/// A write to a UDP socket returns at once, and a block is a datagram.
#[test]
fn blocks_without_a_transport_are_datagrams() {
    let keys = "burst = { block = \"1000 B\", period = \"10 ms\", repeats = 50 }";
    let (flow, counted) = of(&blocks("10 Mbit/s of line", "1 s", keys, ""));
    let datagrams = flow.datagrams.expect("it has no transport");
    assert_eq!((datagrams.sent, datagrams.delivered, flow.stop_s), (50, 50, Some(0.5)));
    assert_eq!((counted.written, counted.bytes, counted.elapsed_s), (50, 50_000, 0.5));
    assert!((flow.throughput_bits_per_second - 800_000.0).abs() < 1e-6);
}

/// The line is full for a second, and the block that has begun then is sent whole.
#[test]
fn full_blocks_fill_the_line_for_their_time() {
    let keys = "full = { block = \"128 KiB\", duration = \"1 s\" }";
    // Without the limit as much as the window is sent to the queue of the interface.
    for (limit, room) in [("", 1 << 20), (LIMITED, 64 << 10)] {
        let (flow, counted) = of(&blocks("20 Mbit/s of line", "2 s", keys, &tcp(limit)));
        assert_eq!(counted.bytes, counted.written * (128 << 10));
        assert_eq!((flow.acked_bytes, counted.waiting), (counted.bytes, 0));
        // In a second, less a round trip; beside it what may wait, and the block that has begun.
        let (bytes, rate) = (flow.acked_bytes as f64, 20e6 / 8.0 / 1.04);
        let most = rate + f64::from(room) + 131_072.0;
        assert!((rate * 0.99..most).contains(&bytes), "{bytes}");
    }
    let keys = "full = { block = \"10 kB\", repeats = 20 }";
    let (flow, counted) = of(&blocks("20 Mbit/s of line", "2 s", keys, &tcp(LIMITED)));
    assert_eq!((flow.acked_bytes, counted.written, counted.waiting), (200_000, 20, 0));
    assert!(flow.finished_s.is_some_and(|at| (0.083..0.1).contains(&at)), "{flow:?}");
}

/// `full` for a time is ttcp that stops then: another word for the bound, the same segments.
#[test]
fn full_is_ttcp_for_a_time() {
    let [full, ttcp] = ["full.duration = \"0.5 s\"", "ttcp.write = \"32 KiB\"\nstop = \"0.5 s\""]
        .map(|traffic| {
            let run = blocks("20 Mbit/s of line", "1 s", traffic, &tcp(LIMITED));
            FlowSummary { blocks: None, ..run.summary.flows["x"].clone() }
        });
    assert_eq!(full, ttcp);
}
