//! Slow start as `explain` has it before a run, against the run.

use cellway_sim::Outcome;
use cellway_sim::explain::explain;

use super::network::Network;
use super::{outcome_of, scenario};

/// When the window first had so many bytes, seconds.
fn reached(outcome: &Outcome, bytes: u64) -> f64 {
    let cwnd = outcome.series.iter().find(|series| series.name == "bulk.cwnd");
    let cwnd = cwnd.expect("it is recorded");
    let at = cwnd.values.iter().position(|&window| window >= bytes as f64);
    cwnd.times[at.expect("the window opens")].seconds_f64()
}

/// To within a round trip, on short and long paths, with each rule of acknowledgements.
#[test]
fn slow_start_takes_as_long_as_the_recursion_says() {
    for delay in ["5 ms", "20 ms", "135 ms"] {
        for (ack, initial) in
            [("every_segment", 1), ("every_segment", 10), ("delayed", 1), ("delayed", 4)]
        {
            let tcp = format!(
                "mtu = \"1500 B\", window = \"8 MiB\", ack = \"{ack}\", initial_window = \
                 {initial}, timers = \"fine\""
            );
            let network = Network::line("12 s", ["20 Mbit/s of line"; 2], delay)
                .greedy("bulk", ["a", "b"], &tcp)
                .observe("cwnd", "change");
            let scenario = scenario(&network);
            let facts = explain(&scenario).flows[0].tcp.clone().expect("a flow with a transport");
            let slow_start = facts.long_path.slow_start.expect("the initial window is small");
            let rtt = facts.unloaded_rtt_seconds;
            let found = reached(&outcome_of(&scenario), slow_start.segments * facts.mss_bytes);
            assert!(
                (found - slow_start.seconds).abs() <= rtt,
                "{delay} {ack} {initial}: {found} s, {} s explained, a round trip of {rtt} s",
                slow_start.seconds
            );
            assert_eq!(slow_start.segments * facts.mss_bytes, facts.long_path.window_needed_bytes);
        }
    }
}
