//! BBR version 1 alone on 10 Mbit/s and 40 ms: goodput, queue, and its states in the series.

use super::outcome;
use cellway_sim::Outcome;

/// A bandwidth-delay product is 33 packets of 1500 bytes.
fn alone(packets: u32) -> Outcome {
    outcome(&format!(
        r#"
run = {{ duration = "32 s", warm_up = "2 s" }}
observe = {{ series = ["law"], interval = "5 ms", limit = 20000 }}
host = {{ a = {{}}, b = {{}} }}
switch.r = {{ buffer.per_port = "{packets} packet" }}
[link]
in = {{ between = ["a", "r"], rate = "1 Gbit/s of line", carries = "packets", delay = "10 us" }}
line = {{ between = ["r", "b"], rate = "10 Mbit/s of line", carries = "packets", delay = "20 ms" }}
[flow.x]
from = "a"
to = "b"
traffic = "greedy"
[flow.x.tcp]
mtu = "1500 B"
window = "4 MiB"
congestion = "bbr1"
timers = "fine"
handshake = true
initial_window = 10
"#
    ))
}

/// Payload is 1460 of 1500 bytes; `ProbeRTT` takes 2 % and the probes of the rate fill the line.
#[test]
fn bbr1_alone_fills_the_line_with_a_short_queue_at_any_buffer() {
    for packets in [17, 33, 133, 533] {
        let outcome = alone(packets);
        let goodput = outcome.summary.flows["x"].throughput_bits_per_second / 1e6;
        let queue = outcome.summary.ports["r.line"].mean_queue;
        assert!((9.3..=9.74).contains(&goodput), "{packets}: {goodput}");
        assert!((2.0..=10.0).contains(&queue), "{packets}: {queue}");
    }
}

#[test]
fn bbr1_goes_through_its_states_and_probes_the_round_trip_every_ten_seconds() {
    let outcome = alone(133);
    let series = |name: &str| {
        let name = format!("x.law.{name}");
        outcome.series.iter().find(|one| one.name == name).expect("recorded")
    };
    let states = series("state");
    let mut entered = states.values.clone();
    entered.dedup();
    assert_eq!(entered[..4], [0.0, 1.0, 2.0, 3.0]);
    let probes: Vec<f64> = (1..states.values.len())
        .filter(|&i| states.values[i] > 2.5 && states.values[i - 1] < 2.5)
        .map(|i| states.times[i].seconds_f64())
        .collect();
    assert!(probes.len() >= 2, "{probes:?}");
    for pair in probes.windows(2) {
        assert!((10.0..10.6).contains(&(pair[1] - pair[0])), "{probes:?}");
    }
    let bandwidth = *series("bandwidth").values.last().expect("a value");
    assert!((9.6e6..9.85e6).contains(&bandwidth), "{bandwidth}");
    let min_rtt = *series("min_rtt").values.last().expect("a value");
    assert!((0.0412..0.0450).contains(&min_rtt), "{min_rtt}");
}
