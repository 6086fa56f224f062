//! Hosts: CPU, SAR, transports and what is recorded of them; each once went wrong as its comment
//! says.

use cellway_sim::explain::explain;

use super::network::Network;
use super::{outcome, scenario};

const OC3C: [&str; 2] = ["OC-3c", "OC-3c"];

/// SAR once booked the CPU ahead, so that what came meanwhile waited behind work that had not
/// reached the CPU.
#[test]
fn a_frame_in_sar_does_not_occupy_the_cpu() {
    let small = "traffic.ttcp = { total = \"100 B\", write = \"100 B\" }\n\
         tcp = { mss = \"9140 B\", window = \"9140 B\", ack = \"every_segment\" }";
    let network = Network::line("1 s", OC3C, "1 ms")
        .at("host.a", "sar = { per_frame = \"10 ms\" }\ncpu_per_segment = \"1 ms\"")
        .flow("out", ["a", "b"], &format!("start = \"1 ms\"\n{small}"));
    let rtt = |network: &Network| {
        outcome(network).summary.flows["out"].rtt.mean_s.expect("one segment is timed")
    };
    let with_noise = network.clone().flow("noise", ["b", "a"], small);
    // The other frame costs the CPU 1 ms at most, not the 10 ms that it spends in SAR.
    assert!((rtt(&with_noise) - rtt(&network)).abs() < 2e-3);
}

/// A frame in SAR once reserved the line, so that raw cells waited behind it while the line was
/// idle.
#[test]
fn a_frame_in_sar_does_not_occupy_the_line() {
    let inside = |sar: &str| {
        let network = Network::line("1 s", OC3C, "1 ms")
            .at("host.a", &format!("sar = {{ per_frame = \"{sar}\" }}"))
            .cbr("10 Mbit/s of cell")
            .greedy("bulk", ["a", "b"], "mtu = \"9180 B\", ack = \"every_segment\"");
        outcome(&network).summary.vcs["cbr"].inside
    };
    // 2 ms of propagation hold 47 cells, and a frame of 192 on the line before them may delay a
    // dozen more.
    assert!(inside("0 s") < 80 && inside("10 ms") < 80);
}

/// Without scaling only 65 535 bytes can be advertised; half of that, not of the buffer, forces a
/// delayed ACK.
#[test]
fn a_delayed_ack_is_forced_by_half_of_what_can_be_advertised() {
    let tcp = "mss = \"40000 B\", window = \"1 MiB\", window_scaling = false";
    let network = Network::line("4 s", OC3C, "1 ms").greedy("bulk", ["a", "b"], tcp);
    let flow = &outcome(&network).summary.flows["bulk"];
    assert!(flow.throughput_bits_per_second > 20e6, "{}", flow.throughput_bits_per_second);
}

/// A transfer that is through, and a connection that gave up, once looked like any other.
#[test]
fn the_end_of_a_transfer_is_reported() {
    let transfer = "traffic.ttcp = { total = \"1 MB\" }\ntcp.ack = \"every_segment\"";
    let network = Network::line("100 s", OC3C, "1 ms").flow("bulk", ["a", "b"], transfer);
    let flow = &outcome(&network).summary.flows["bulk"];
    let finished = flow.finished_s.expect("a megabyte takes no hundred seconds");
    // Whole writes of 64 KiB: sixteen of them; and the rate is that of the transfer, not of the
    // run.
    assert_eq!(flow.acked_bytes, 16 * 65_536);
    assert!((flow.throughput_bits_per_second - 8.0 * 1_048_576.0 / finished).abs() < 1.0);

    let timers = "timers.fine = { initial_rto = \"1 s\", max_rto = \"1 s\" }";
    let network = Network::line("60 s", ["OC-3c", "10 Mbit/s of cell"], "1 ms")
        .at("switch.s", "buffer.per_port = \"1 cell\"")
        .greedy("bulk", ["a", "b"], timers);
    // The timer and twelve retransmissions, a second each.
    assert_eq!(outcome(&network).summary.flows["bulk"].aborted_s, Some(13.0));
}

/// Doubling a timeout of days once left the range of time.
#[test]
fn timeouts_of_days_can_be_doubled() {
    let timers = "timers.fine = { initial_rto = \"2 d\", max_rto = \"2 d\", min_rto = \"1 s\" }";
    let network = Network::line("30 d", ["OC-3c", "10 Mbit/s of cell"], "1 ms")
        .at("switch.s", "buffer.per_port = \"1 cell\"")
        .greedy("bulk", ["a", "b"], timers);
    let flow = &outcome(&network).summary.flows["bulk"];
    assert_eq!((flow.acked_bytes, flow.aborted_s.is_some()), (0, true));
}

/// Hosts once took a burst of cells past a sample that was due, so that it showed what came later.
///
/// Data of `back` come to `a` every millisecond or sooner. The first RM cell of `there` leaves at 3
/// ms, is with `b` at 13.1 ms, goes back 1/90 s later, behind one of its direction's own, and is
/// with `a` at 34.3 ms: ACR grows by a sixteenth of 10 kcell/s.
#[test]
fn a_sample_shows_what_was_before_its_instant() {
    let greedy = |icr: &str| format!("traffic = \"greedy\"\nservice.abr.icr = \"{icr}\"");
    for duration in ["40 ms", "1 s", "30 s"] {
        let network = Network::lasting(duration)
            .host("a")
            .host("b")
            .link("x", ["a", "b"], "10 kcell/s", "10 ms")
            .flow("there", ["a", "b"], &format!("start = \"3 ms\"\n{}", greedy("90 cell/s")))
            .flow("back", ["b", "a"], &greedy("1 kcell/s"))
            .observe("acr", "1 ms")
            .at("observe", "limit = 100000");
        let series = outcome(&network).series;
        let acr = series.iter().find(|series| series.name == "there.acr").expect("it is observed");
        assert_eq!(acr.values[31..37], [90.0, 90.0, 90.0, 90.0, 715.0, 715.0], "{duration}");
    }
}

/// Five connections of one host wait for its one CPU, and without a CPU for its one line.
#[test]
fn connections_of_a_host_share_its_cpu_and_its_line() {
    let rates = |cpu: &str| {
        let tcp = "mtu = \"9180 B\", window = \"128 KiB\", ack = \"every_segment\"";
        let host = format!("cpu_per_segment = \"{cpu}\"\nack_cost = \"included\"");
        let network =
            Network::line("3 s", OC3C, "1 ms").at("run", "warm_up = \"1 s\"").at("host.a", &host);
        let network = ["v", "w", "x", "y", "z"]
            .iter()
            .fold(network, |network, name| network.greedy(name, ["a", "b"], tcp));
        let flows = outcome(&network).summary.flows;
        flows.values().map(|flow| flow.throughput_bits_per_second).collect::<Vec<_>>()
    };
    for (cpu, sum) in [("550 us", 9140.0 * 8.0 / 1.1e-3), ("0 s", 134.5e6)] {
        let rates = rates(cpu);
        let total: f64 = rates.iter().sum();
        assert!((total / sum - 1.0).abs() < 0.005, "{cpu}: {total} of {sum}");
        // Segments of 9140 bytes, 14 of which fill a window: none is behind by more than one.
        let share = |rate: f64| rate / (total / 5.0);
        assert!(rates.iter().all(|&rate| (share(rate) - 1.0).abs() < 1.0 / 14.0), "{rates:?}");
    }
}

/// Ten segments come every 0.544 ms to a CPU that takes 1 ms for each: of those that find three
/// others waiting, the eighth and the tenth are lost. All frames of the VC have arrived.
#[test]
fn an_input_queue_loses_what_it_has_no_room_for() {
    let tcp = "mss = \"9140 B\", window = \"256 KiB\", initial_window = 10, \
               ack = \"every_segment\"";
    let flow =
        format!("traffic.ttcp = {{ total = \"91400 B\", write = \"91400 B\" }}\ntcp = {{ {tcp} }}");
    for (queue, order, lost) in
        [(2, "arrival", 3), (3, "arrival", 2), (3, "output_first", 2), (5, "arrival", 0)]
    {
        let host = format!(
            "cpu_per_segment = \"1 ms\"\nack_cost = \"included\"\ncpu_order = \"{order}\"\n\
             input_queue = \"{queue} packet\""
        );
        let network = Network::line("100 ms", OC3C, "1 ms")
            .at("host.b", &host)
            .flow("bulk", ["a", "b"], &flow)
            .observe("cwnd", "change")
            .at("observe", "distributions.flows = [\"bulk\"]\nsegments.flows = [\"bulk\"]");
        let found = outcome(&network);
        let told = format!("{queue} packets, {order}");
        assert_eq!(found.summary.hosts["b"].input_drops, lost, "{told}");
        assert_eq!(found.summary.vcs["bulk"].frames_delivered, 10, "{told}");
        let loss = found.summary.flows["bulk"].loss.expect("it is asked for");
        assert_eq!((loss.sent, loss.delivered, loss.lost), (10, 10 - lost, lost), "{told}");
        let at_input = found.series.iter().find(|series| series.name == "bulk.lost_at.input");
        assert_eq!(at_input.map_or(0, |series| series.times.len() as u64), lost, "{told}");
    }
}

/// The rates of an explanation are those without loss, which a host that is too slow for its link
/// does not keep.
#[test]
fn an_input_queue_is_told_of_where_it_limits() {
    let warnings = |cpu: &str| {
        let network = Network::line("1 s", OC3C, "1 ms")
            .at("host.b", &format!("cpu_per_segment = \"{cpu}\"\ninput_queue = \"50 packet\""))
            .greedy("bulk", ["a", "b"], "mtu = \"9180 B\"");
        explain(&scenario(&network)).warnings
    };
    let is_told = |line: &String| line.contains("host b") && line.contains("lets 50 of them wait");
    assert!(warnings("400 us").iter().any(is_told));
    assert!(!warnings("300 us").iter().any(is_told));
}
