//! Measurements of the kernel's TCP on this machine. They need root and `/dev/net/tun`.
#![cfg(target_os = "linux")]

mod captured;
mod host;

use std::time::Duration;
use std::{process, thread};

use cellway_sim::capture::{CapturePoints, Kept};
use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::units::{Span, Time};
use cellway_sim::{Continue, Progress, RunError};
use cellway_testbed::{Capture, MeasureError, Measured, examine, measure, measure_captured};

fn scenario(text: &str) -> Scenario {
    Scenario::parse(Source { origin: "path.toml", text }, &[]).expect("a scenario")
}

fn measured(text: &str) -> Measured {
    measure(&scenario(text), &mut |_| Continue::Yes).expect("a measurement")
}

/// A path of packets whose bottleneck has 10 Mbit/s, with `seconds` after a warm-up of one.
fn path(seconds: u32, queue: &str, tcp: &str, more: &str) -> String {
    path_of("traffic = \"greedy\"", seconds, queue, tcp, more)
}

/// The same with other traffic.
fn path_of(traffic: &str, seconds: u32, queue: &str, tcp: &str, more: &str) -> String {
    format!(
        r#"
    run = {{ duration = "{} s", warm_up = "1 s" }}
    host = {{ a = {{}}, b = {{}} }}
    [switch.r]
    buffer.per_port = "100 packet"
    {queue}
    [link.in]
    between = ["a", "r"]
    rate = "100 Mbit/s of line"
    carries = "packets"
    delay = "1 ms"
    [link.out]
    between = ["r", "b"]
    rate = "10 Mbit/s of line"
    carries = "packets"
    delay = "4 ms"
    [flow.bulk]
    from = "a"
    to = "b"
    {traffic}
    [flow.bulk.tcp]
    mtu = "1500 B"
    ack = "every_segment"
    timers.fine.min_rto = "200 ms"
    initial_window = 10
    {tcp}
    {more}
    "#,
        seconds + 1
    )
}

/// Bits of data per second at 10 Mbit/s: 1460 of 1500 bytes.
const CEILING: f64 = 10e6 * 1460.0 / 1500.0;

#[test]
#[ignore = "needs root and /dev/net/tun"]
fn an_echo_passes_a_path() {
    let found = examine();
    assert!(found.iter().all(|finding| finding.is_enough), "{found:#?}");
    let said = &found.last().expect("findings").found;
    let took = said.split(' ').rev().nth(1).and_then(|number| number.parse::<f64>().ok());
    assert!((2.0..100.0).contains(&took.expect("a time")), "{said}");
}

/// The window fills the path and 18 packets of the queue.
#[test]
#[ignore = "needs root and /dev/net/tun"]
fn the_rate_of_a_bottleneck_is_that_of_its_line() {
    let tcp = "window = \"35040 B\"\nrecovery = \"new_reno\"";
    let found = measured(&path(3, "", tcp, "[observe]\nseries = [\"queue\", \"cwnd\", \"rtt\"]"));
    let flow = &found.outcome.summary.flows["bulk"];
    let part = flow.throughput_bits_per_second / CEILING;
    assert!((0.995..1.0005).contains(&part), "{part} of the ceiling, {:#?}", found.facts);
    assert_eq!((flow.retransmitted_segments, flow.acked_bytes % 1460), (0, 0));
    // At both ends of the measurement a window is under way.
    assert!(flow.acks_sent.abs_diff(flow.segments_sent) <= 24, "{flow:#?}");
    // Without a rest of a segment the window is offered exactly: 64 bytes are its unit or less.
    assert!(found.facts.flows["bulk"].offered_window_bytes.abs_diff(35_040) < 128);
    let named = |name: &str| found.outcome.series.iter().find(|series| series.name == name);
    let cwnd = named("bulk.cwnd").expect("recorded");
    assert_eq!((cwnd.unit, cwnd.values.len()), ("byte", 1001));
    // The kernel's clock sees packets as late as they are handed over, so single round trips say
    // little on a busy machine.
    let rtt = named("bulk.rtt").expect("recorded");
    let measured = rtt.times.partition_point(|at| at.seconds_f64() < 1.0);
    let mut sorted = rtt.values[measured..].to_vec();
    sorted.sort_by(f64::total_cmp);
    let median = sorted[sorted.len() / 2];
    // 35 040 bytes at the ceiling.
    let expected = 8.0 * 35_040.0 / CEILING;
    assert!((median / expected - 1.0).abs() < 0.03, "{median} of {expected}");
}

/// Marks of the queue arrive in IP headers that the kernel accepts, and replace losses.
#[test]
#[ignore = "needs root and /dev/net/tun"]
fn marks_arrive_at_the_kernel() {
    let tcp = "window = \"1 MiB\"\nrecovery = \"sack\"\necn = true";
    let found = measured(&path(2, "drop.codel.ecn = true", tcp, ""));
    let flow = &found.outcome.summary.flows["bulk"];
    let marks = flow.ecn.as_ref().expect("it has ECN").marks_received;
    assert!(marks > 0 && flow.retransmitted_segments == 0, "{flow:#?}");
    // Each is of the port, but for those under way at both ends of the measurement.
    let of_port = found.outcome.summary.ports["r.out"].marked.expect("it may mark");
    assert!(marks.abs_diff(of_port) <= 3, "{marks} of {of_port}");
    assert!(flow.throughput_bits_per_second > 0.7 * CEILING, "{flow:#?}");
}

/// A packet that arrives twice is lent twice, one that is lost is sent again.
#[test]
#[ignore = "needs root and /dev/net/tun"]
fn duplicates_and_losses_are_the_kernels_own_affair() {
    let tcp = "window = \"64 KiB\"\nrecovery = \"rack\"";
    let impaired = "[link.out.impairments]\nduplicate = 0.05\nloss = 0.002";
    let found = measured(&path(2, "", tcp, impaired));
    let flow = &found.outcome.summary.flows["bulk"];
    assert!(flow.retransmitted_segments > 0, "{flow:#?}");
    assert!(flow.throughput_bits_per_second > 0.5 * CEILING, "{flow:#?}");
    assert_eq!(found.facts.unwritten + found.facts.lost_in_devices, 0);
}

/// The simulator's applications write on the kernel's connections. After half a second nothing is
/// written, and what was written arrives to the byte.
#[test]
#[ignore = "needs root and /dev/net/tun"]
fn applications_write_at_their_instants() {
    let tcp = "window = \"35040 B\"\nrecovery = \"sack\"";
    let transfer = "traffic.ttcp = { write = \"8 KiB\", total = \"100 kB\" }\nstart = \"1.2 s\"";
    let acked = "[observe]\nseries = [\"acked\"]";
    let found = measured(&path_of(transfer, 1, "", tcp, acked));
    let marks = &found.facts.marks;
    assert!(!marks.iter().any(|mark| mark.contains("another window")), "{marks:?}");
    let largest = found.outcome.series[0].values.iter().copied().fold(0.0, f64::max);
    assert_eq!(largest.to_bits(), f64::from(13 * 8192).to_bits());
    let flow = &found.outcome.summary.flows["bulk"];
    assert_eq!((flow.acked_bytes, flow.delivered_bytes), (13 * 8192, 13 * 8192));
    // A round trip of the handshake, slow start, and the line: 106 kB take 88 ms.
    let lasted = flow.finished_s.expect("it is finished") - 1.2;
    assert!((0.1..0.15).contains(&lasted), "{lasted} s");

    let scheduled = "traffic.schedule.writes = [[\"0.1 s\", \"1460 B\"], [\"1.5 s\", \"730 B\"]]";
    let found = measured(&path_of(scheduled, 1, "", tcp, ""));
    let flow = &found.outcome.summary.flows["bulk"];
    // The first write is of the warm-up.
    assert_eq!((flow.acked_bytes, flow.segments_sent), (730, 1));
    let lasted = flow.finished_s.expect("it is finished") - 1.5;
    // Two lines there, 770 bytes, and back, 40 bytes: 0.7 ms beside 10 ms of propagation.
    assert!((0.0106..0.0109).contains(&lasted), "{lasted} s");

    let stopped = "traffic = \"greedy\"\nstop = \"1.5 s\"";
    let found = measured(&path_of(stopped, 1, "", tcp, ""));
    let flow = &found.outcome.summary.flows["bulk"];
    let part = flow.measured_bits_per_second / (0.5 * CEILING);
    // A window and what the kernel had not sent are acknowledged later.
    assert!((1.0..1.15).contains(&part), "{part} of half a second");
    // Of the bytes delivered in the warm-up half a round trip is acknowledged later.
    assert!(flow.acked_bytes - flow.delivered_bytes <= 35_040, "{flow:#?}");
    assert!(flow.finished_s.is_some_and(|at| (1.5..1.56).contains(&at)), "{flow:#?}");
}

/// Data that an application writes after a pause leave as pacing has it, without a wait for ACKs:
/// 300 kB take 25 ms of a line of 100 Mbit/s, and a round trip of 102 ms.
#[test]
#[ignore = "needs root and /dev/net/tun"]
fn a_paced_transfer_is_limited_by_pacing_alone() {
    let tcp = "window = \"1 MiB\"\nrecovery = \"sack\"\npacing = true\n\
               restart_after_idle = \"never\"";
    let writes = "traffic.schedule.writes = [[\"0 s\", \"600 kB\"], [\"1.2 s\", \"300 kB\"]]";
    let text = path_of(writes, 1, "", tcp, "")
        .replace("delay = \"4 ms\"", "delay = \"50 ms\"")
        .replace("10 Mbit/s", "100 Mbit/s");
    let lasted = measured(&text).outcome.summary.flows["bulk"].finished_s.expect("finished") - 1.2;
    assert!((0.126..0.17).contains(&lasted), "{lasted} s");
}

/// Packets are captured octet by octet, with checksums of the kernel and of marks, and the data
/// that arrive in the file are those of the summary. `tshark` reads the file.
#[test]
#[ignore = "needs root and /dev/net/tun"]
fn packets_of_the_kernel_are_captured() {
    let tcp = "window = \"64 KiB\"\nrecovery = \"sack\"\necn = true";
    let captured = scenario(&path(1, "drop.codel.ecn = true", tcp, ""));
    let points = CapturePoints::at_hosts(&captured, &["b"]).expect("a flow leads there");
    let mut file = Vec::new();
    let mut write = |piece: &[u8]| {
        file.extend_from_slice(piece);
        Continue::Yes
    };
    let capture = Capture { points, kept: Kept::Whole, write: &mut write };
    let found = measure_captured(&captured, capture, &mut |_| Continue::Yes).expect("measured");
    let packets = captured::packets_of(&file);
    assert!(packets.iter().all(|packet| packet.is_whole), "checksums, or malformed packets");
    let arrived = packets.iter().filter(|packet| packet.bytes > 0 && packet.at_s >= 1.0);
    let (mut bytes, mut marked) = (0, 0);
    for packet in arrived {
        bytes += packet.bytes;
        marked += u64::from(packet.is_marked);
    }
    let flow = &found.outcome.summary.flows["bulk"];
    assert_eq!((flow.retransmitted_segments, flow.delivered_bytes), (0, bytes));
    assert_eq!(flow.ecn.as_ref().expect("it has ECN").marks_received, marked);
    assert!(marked > 0 && packets.iter().all(|packet| !packet.is_sent_again));
}

#[test]
#[ignore = "needs root and /dev/net/tun"]
fn a_cancelled_measurement_ends_at_once() {
    let long = scenario(&path(3600, "", "recovery = \"sack\"", ""));
    let cancelled = measure(&long, &mut |_| Continue::No).expect_err("cancelled");
    assert!(matches!(cancelled, MeasureError::Run(RunError::Cancelled(_))), "{cancelled}");
}

/// After the warm-up the result is that of the time until then.
#[test]
#[ignore = "needs root and /dev/net/tun"]
fn a_measurement_that_is_ended_has_the_results_until_then() {
    let tcp = "recovery = \"sack\"\nwindow = \"35040 B\"";
    let long = scenario(&path(3600, "", tcp, "[observe]\nseries = [\"queue\", \"cwnd\"]"));
    let at = Time::ZERO + Span::from_milliseconds(1800);
    let goes_on = |progress: Progress| if progress.at < at { Continue::Yes } else { Continue::No };
    let found = measure(&long, &mut |progress| goes_on(progress)).expect("a result");
    let ended = found.facts.ended.expect("an early end");
    assert!((1.8..2.5).contains(&ended.at_s) && ended.fault.is_none(), "{ended:?}");
    assert!(found.facts.marks[0].contains(" s of 3601 s"), "{:?}", found.facts.marks);
    let summary = &found.outcome.summary;
    assert_eq!(summary.duration_s.to_bits(), ended.at_s.to_bits());
    let part = summary.flows["bulk"].throughput_bits_per_second / CEILING;
    assert!((0.99..1.01).contains(&part), "{part} of the ceiling");
}

#[test]
#[ignore = "needs root and /dev/net/tun"]
fn nothing_of_the_host_is_touched() {
    let before = host::network();
    measured(&path(1, "", "recovery = \"rack\"\nwindow = \"16 KiB\"", ""));
    let after = host::network();
    for (name, value) in &before {
        assert_eq!(after.get(name), Some(value), "{name}");
    }
    assert_eq!(before.len(), after.len());
}

#[test]
#[ignore = "needs root and /dev/net/tun"]
fn a_law_that_the_kernel_lacks_is_named() {
    let text = path(1, "", "recovery = \"sack\"\ncongestion = \"hybla\"", "");
    match measure(&scenario(&text), &mut |_| Continue::No) {
        Err(MeasureError::NotHere(said)) => {
            assert!(said.starts_with("`flow.bulk`: this kernel has no `hybla`; it has "), "{said}");
        }
        // Where there is one, the measurement begins.
        other => assert!(matches!(other, Err(MeasureError::Run(_))), "{other:?}"),
    }
}

/// Name of the variable that makes this program measure for an hour.
const FOREVER: &str = "CELLWAY_MEASURE_FOREVER";

#[test]
#[ignore = "needs root and /dev/net/tun"]
fn nothing_is_left_of_a_killed_measurement() {
    if std::env::var_os(FOREVER).is_some() {
        measured(&path(3600, "", "recovery = \"sack\"\nwindow = \"64 KiB\"", ""));
    }
    let program = std::env::current_exe().expect("a file");
    let mut child = process::Command::new(program)
        .args(["--ignored", "--exact", "nothing_is_left_of_a_killed_measurement"])
        .env(FOREVER, "1")
        .stdout(process::Stdio::null())
        .spawn()
        .expect("it starts");
    let made = host::until(Duration::from_secs(10), || {
        let made = host::namespaces_of(child.id());
        (made.len() >= 2).then_some(made)
    });
    let made = made.expect("namespaces");
    thread::sleep(Duration::from_millis(300));
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert!(host::are_gone(&made), "namespaces of a dead process");
}
