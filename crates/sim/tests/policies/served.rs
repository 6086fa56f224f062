//! Ports that are served packet by packet count as those that know departures on arrival.

use cellway_sim::{Continue, Outcome, run};

use super::scenario;

/// Three TCPs with packets of three sizes, two of them over another output of the router, and their
/// ACKs.
fn outcome(buffer: &str, in_service: &str, drop: &str) -> Outcome {
    let text = format!(
        r#"
        run = {{ duration = "8 s", warm_up = "1234567 us" }}
        host = {{ a.count = 3, b = {{}}, c = {{}} }}
        [switch.router]
        buffer.{buffer} = "20 packet"
        in_service = "{in_service}"
        drop = {drop}
        [link.in]
        count = 3
        between = ["a[*]", "router"]
        rate = "100 Mbit/s of line"
        carries.packets.overhead = "38 B"
        delay = "1 ms"
        [link.slow]
        between = ["router", "b"]
        rate = "3 Mbit/s of line"
        carries.packets.overhead = "38 B"
        delay = "7 ms"
        [link.other]
        between = ["router", "c"]
        rate = "5 Mbit/s of line"
        carries.packets.overhead = "9 B"
        delay = "3 ms"
        [flow.large]
        from = "a[1]"
        to = "b"
        traffic = "greedy"
        tcp = {{ mtu = "1500 B", window = "64 KiB", timers = "fine" }}
        [flow.middle]
        from = "a[2]"
        to = "c"
        traffic = "greedy"
        tcp = {{ mtu = "576 B", window = "64 KiB", timers = "fine" }}
        [flow.small]
        from = "a[3]"
        to = "b"
        traffic = "greedy"
        tcp = {{ mtu = "140 B", window = "16 KiB", timers = "fine" }}
        [observe]
        series = ["queue", "vc_queue", "cwnd"]
        interval = "change"
        distributions = {{ ports = ["*"], flows = ["*"] }}
        "#
    );
    run(&scenario(&text), &mut |_| Continue::Yes).expect("nothing cancels a test")
}

/// CoDel with a target that no wait comes near is a tail drop that is served: every counter,
/// distribution and sample is the same. (A packet that begins as it arrives, and counts no longer,
/// has a point of no change in the series of a served port alone.)
#[test]
fn a_port_that_is_served_counts_as_one_that_is_not() {
    let served = "{ codel = { target = \"100 s\", interval = \"1000 s\" } }";
    for buffer in ["per_port", "per_vc", "shared"] {
        for in_service in ["counted", "not_counted"] {
            let [tail, codel] = ["\"tail\"", served].map(|drop| outcome(buffer, in_service, drop));
            let place = format!("{buffer}, {in_service}");
            let slow = &tail.summary.ports["router.slow"];
            assert!(slow.drops.overflow > 0 && slow.max_queue >= 20, "{place}: {slow:?}");
            for (port, expected) in &tail.summary.ports {
                let found = &codel.summary.ports[port];
                assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{place}, {port}");
            }
            for (flow, expected) in &tail.summary.flows {
                let found = &codel.summary.flows[flow];
                assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{place}, {flow}");
            }
            if in_service == "counted" {
                let [found, expected] = [&codel, &tail].map(|run| format!("{:?}", run.series));
                assert!(found == expected, "series: {place}");
            }
        }
    }
}
