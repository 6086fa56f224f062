//! Sources and lists that write to TCP: exact bytes, and when they are through.

use cellway_sim::result::FlowSummary;

use super::network::Network;
use super::outcome;

/// Over two links of 10 Mbit/s and 2 ms each.
fn writing(duration: &str, keys: &str) -> FlowSummary {
    let tcp = "tcp = { mss = \"1000 B\", window = \"64 KiB\", timers = \"fine\" }";
    let network = Network::line(duration, ["10 Mbit/s of line"; 2], "2 ms").flow(
        "x",
        ["a", "b"],
        &format!("{keys}\n{tcp}"),
    );
    outcome(&network).summary.flows["x"].clone()
}

/// 25 writes of 1 kB in the first quarter of each of ten periods.
#[test]
fn bursts_of_writes_are_delivered_to_the_byte() {
    let flow = writing(
        "2 s",
        "stop = \"1 s\"\ntraffic.on_off = { rate = \"8 Mbit/s of payload\", write = \"1 kB\", \
         period = \"100 ms\", duty_cycle = 0.25 }",
    );
    assert_eq!((flow.acked_bytes, flow.delivered_bytes), (250_000, 250_000));
    // The last of an odd number of segments waits for its ACK, which the FIN brings: twice two
    // links of 32 us and 2 ms each.
    assert_eq!(flow.finished_s, Some(1.008_128));
}

/// Twice as much as the line takes waits in the send buffer when the source stops, and is sent.
#[test]
fn what_is_written_before_the_stop_is_sent_after_it() {
    let flow = writing(
        "3 s",
        "stop = \"1 s\"\ntraffic.cbr = { rate = \"16 Mbit/s of payload\", write = \"2 kB\" }",
    );
    assert_eq!((flow.acked_bytes, flow.delivered_bytes), (2_000_000, 2_000_000));
    // 1040 B on the line for 1000 of data: 1.664 s, and the start with a delayed ACK of 200 ms.
    assert!(flow.finished_s.is_some_and(|at| (1.864..2.0).contains(&at)), "{flow:?}");
}

/// 100 writes a second of 5 kB on average: the sum of so many exponential sizes has a deviation of
/// 5 kB · √(2 · 1000), and four of them are allowed.
#[test]
fn random_writes_keep_their_mean_rate() {
    let flow = writing(
        "12 s",
        "stop = \"10 s\"\ntraffic.poisson = { rate = \"4 Mbit/s of payload\", \
         write.exponential.mean = \"5 kB\" }",
    );
    let excess = flow.acked_bytes as f64 - 5e6;
    assert!(excess.abs() < 4.0 * 5000.0 * 2000_f64.sqrt() && excess != 0.0, "{excess}");
    assert_eq!(flow.acked_bytes, flow.delivered_bytes);
}

/// 10 kB and 20 kB at once, 300 kB later, which take 250 ms and some round trips.
#[test]
fn listed_writes_are_sent_when_they_are_due() {
    let flow = writing(
        "2 s",
        "start = \"0.1 s\"\ntraffic.schedule.writes = [[\"0 s\", \"10 kB\"], [\"0 s\", \"20 kB\"], \
         [\"0.5 s\", \"300 kB\"]]",
    );
    assert_eq!((flow.acked_bytes, flow.delivered_bytes), (330_000, 330_000));
    assert!(flow.finished_s.is_some_and(|at| (0.85..1.0).contains(&at)), "{flow:?}");
    let short = writing(
        "0.59 s",
        "start = \"0.1 s\"\ntraffic.schedule.writes = [[\"0 s\", \"10 kB\"], [\"0 s\", \"20 kB\"], \
         [\"0.5 s\", \"300 kB\"]]",
    );
    assert_eq!((short.acked_bytes, short.finished_s), (30_000, None));
}
