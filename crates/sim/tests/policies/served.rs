//! Ports that are served packet by packet count as those that know departures on arrival.

use cellway_sim::Outcome;

/// Three TCPs with packets of three sizes, two of them over another output of the router, and their
/// ACKs.
fn outcome(buffer: &str, in_service: &str, drop: &str) -> Outcome {
    let text = include_str!("served.toml")
        .replace("per_port", buffer)
        .replace("counted", in_service)
        .replace("\"tail\"", drop);
    super::outcome(&text)
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
