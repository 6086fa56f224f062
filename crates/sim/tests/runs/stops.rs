//! Flows with TCP that stop: what has been written is still sent, then the connection closes.

use cellway_sim::result::FlowSummary;
use cellway_sim::tcp::Recovery;

use super::network::Network;
use super::outcome;

const ENDS: [&str; 2] = ["a", "b"];

fn of(network: &Network) -> FlowSummary {
    outcome(network).summary.flows["x"].clone()
}

/// 1460 B of data take 1.2 ms on a line of 10 Mbit/s; the round trip is some 23 ms.
fn stopped(traffic: &str, tcp: &str, stop: &str) -> Network {
    Network::line("10 s", ["10 Mbit/s of line"; 2], "5 ms").flow(
        "x",
        ENDS,
        &format!(
            "traffic = {traffic}\nstop = \"{stop}\"\ntcp = {{ mss = \"1460 B\", \
             window = \"64 KiB\", {tcp} }}"
        ),
    )
}

/// What was sent by 2 s is acknowledged a round trip later, and nothing else.
#[test]
fn a_greedy_flow_that_stops_is_finished_a_round_trip_later() {
    let flow = of(&stopped("\"greedy\"", "timers = \"fine\"", "2 s"));
    let finished = flow.finished_s.expect("it is finished");
    assert!((2.0..2.3).contains(&finished), "{finished}");
    assert_eq!((flow.stop_s, flow.acked_bytes), (Some(2.0), flow.delivered_bytes));
    assert_eq!(flow.acked_bytes % 1460, 0);
    // Its throughput is that of the two seconds in which it was active, not of ten.
    let bits = 8.0 * flow.acked_bytes as f64;
    assert!((flow.throughput_bits_per_second - bits / finished).abs() < 1.0);
    assert!((flow.measured_bits_per_second - bits / 10.0).abs() < 1.0);
    assert!(flow.throughput_bits_per_second > 7e6);
}

/// Until it stops, it does what one does that goes on.
#[test]
fn until_its_stop_a_flow_is_like_one_without() {
    let tcp = "timers = \"fine\"";
    let stopped = stopped("\"greedy\"", tcp, "2 s");
    let endless = Network::line("10 s", ["10 Mbit/s of line"; 2], "5 ms").greedy(
        "x",
        ENDS,
        &format!("mss = \"1460 B\", window = \"64 KiB\", {tcp}"),
    );
    let until = |network: Network| {
        let short = network.replace("duration = \"10 s\"", "duration = \"2 s\"");
        let flow = outcome(&short).summary.flows["x"].clone();
        (flow.acked_bytes, flow.segments_sent, flow.rtt)
    };
    assert_eq!(until(stopped), until(endless));
}

/// The write of 64 KiB that has begun is sent to its end, but no more than the total.
#[test]
fn ttcp_stops_after_a_whole_write() {
    for (total, stop) in
        [("", "1 s"), (", total = \"50 MB\"", "1 s"), (", total = \"1 MB\"", "9 s")]
    {
        let traffic = format!("{{ ttcp = {{ write = \"64 KiB\"{total} }} }}");
        let flow = of(&stopped(&traffic, "timers = \"fine\"", stop));
        assert_eq!(flow.acked_bytes % 65_536, 0);
        let is_all = flow.acked_bytes == 1_000_000_u64.next_multiple_of(65_536);
        assert_eq!(is_all, stop == "9 s", "{}", flow.acked_bytes);
        assert!(flow.finished_s.is_some());
    }
}

/// At the stop everything in a finite send buffer is written, and of ttcp the rest of the write
/// that has begun: here the buffer holds what the window and half of it would.
#[test]
fn what_is_in_a_send_buffer_is_written() {
    let tcp = "timers = \"fine\", send_buffer = \"96 KiB\"";
    let greedy = of(&stopped("\"greedy\"", tcp, "2 s"));
    let unlimited = of(&stopped("\"greedy\"", "timers = \"fine\"", "2 s"));
    // The window is 64 KiB of whole segments, 44 of them.
    assert_eq!(greedy.acked_bytes - unlimited.acked_bytes, (96 << 10) - 44 * 1460);
    let writes = of(&stopped("{ ttcp = { write = \"40 KiB\" } }", tcp, "2 s"));
    assert_eq!(writes.acked_bytes, greedy.acked_bytes.next_multiple_of(40 << 10));
}

/// A buffer that holds less than the path sets the rate: itself per round trip.
#[test]
fn a_send_buffer_below_the_path_sets_the_rate() {
    let flow = of(&Network::line("4 s", ["100 Mbit/s of line"; 2], "20 ms").flow(
        "x",
        ENDS,
        "traffic = \"greedy\"\ntcp = { mss = \"1460 B\", window = \"1 MiB\", timers = \"fine\", \
         ack = \"every_segment\", send_buffer = \"146 kB\", initial_window = 200 }",
    ));
    // A round trip of 80 ms; segment and ACK are stored twice.
    let round_trip = 0.08 + 2.0 * 8.0 * (1500.0 + 40.0) / 100e6;
    assert_eq!(flow.rtt.max_s, Some(round_trip));
    assert_eq!(flow.acked_bytes, 146_000 * (4.0 / round_trip) as u64);
}

/// Through losses of a small buffer, with every rule: all that was sent arrives, and the FIN too,
/// for nothing is sent again in the rest of the run.
#[test]
fn a_stopped_flow_repairs_its_last_losses() {
    for recovery in Recovery::ALL {
        for stop in ["1.5 s", "1.507 s", "1.53 s"] {
            let tcp = format!("recovery = \"{}\", timers = \"fine\"", recovery.word());
            let network = stopped("\"greedy\"", &tcp, stop)
                .at("switch.s", "buffer.per_port = \"10 packet\"")
                .replace(
                    "rate = \"10 Mbit/s of line\"\ndelay = \"5 ms\"\ncarries = \"packets\"\n[flow",
                    "rate = \"5 Mbit/s of line\"\ndelay = \"5 ms\"\ncarries = \"packets\"\n[flow",
                );
            let flow = outcome(&network).summary.flows["x"].clone();
            assert!(flow.retransmitted_segments > 0, "{} loses nothing", recovery.word());
            assert_eq!(flow.acked_bytes, flow.delivered_bytes, "{}", recovery.word());
            assert!(flow.finished_s.is_some_and(|at| at < 8.0), "{}", recovery.word());
        }
    }
}

/// A flow that may stop before it starts never begins then.
#[test]
fn a_flow_that_stops_before_it_starts_never_begins() {
    let network = stopped("\"greedy\"", "handshake = true", "1 s")
        .replace("stop = \"1 s\"", "start.exponential.mean = \"1000 s\"\nstop = \"1 s\"");
    let summary = outcome(&network).summary;
    assert_eq!((summary.vcs["x"].sent, summary.flows["x"].start_s), (0, None));
}
