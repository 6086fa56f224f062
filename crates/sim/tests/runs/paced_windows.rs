//! Windows that leave evenly over a round trip, under every rule of recovery.

use super::outcome;

/// Largest queue of a port where a segment takes 1.2 ms, of 20 segments in a round trip of 100 ms.
fn largest_queue(tcp: &str) -> u64 {
    let text = format!(
        "run = {{ duration = \"2 s\", warm_up = \"1 s\" }}
        host = {{ a = {{}}, b = {{}} }}
        switch.router.buffer.per_port = \"100 packet\"
        [link.fast]
        between = [\"a\", \"router\"]
        rate = \"1 Gbit/s of line\"
        carries = \"packets\"
        delay = \"1 ms\"
        [link.slow]
        between = [\"router\", \"b\"]
        rate = \"10 Mbit/s of line\"
        carries = \"packets\"
        delay = \"49 ms\"
        [flow.x]
        from = \"a\"
        to = \"b\"
        traffic = \"greedy\"
        [flow.x.tcp]
        mtu = \"1500 B\"
        window = \"29200 B\"
        initial_ssthresh = \"29200 B\"
        timers = \"fine\"
        {tcp}"
    );
    outcome(&text).summary.ports["router.slow"].max_queue
}

/// An ACK for two segments lets two out, of which the second one queues; at 1.2 times a window
/// of some 30 in 100 ms each finds the line idle.
#[test]
fn a_paced_window_finds_an_idle_line() {
    for recovery in ["reno", "new_reno", "sack", "thresholds", "rack"] {
        let rule = format!("recovery = \"{recovery}\"");
        assert!(largest_queue(&rule) > 1, "{recovery}");
        assert_eq!(largest_queue(&format!("{rule}\npacing = true")), 1, "{recovery}");
    }
}

/// A law that always paces does so under a rule without a log of the flight, too.
#[test]
fn a_law_that_paces_needs_no_log() {
    let prague = "congestion = \"prague\"\necn = true\nrecovery = ";
    for recovery in ["sack", "rack"] {
        assert_eq!(largest_queue(&format!("{prague}\"{recovery}\"")), 1, "{recovery}");
    }
}
