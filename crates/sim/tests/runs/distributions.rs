//! Distributions of queues and delays: by hand, against exact queues, and in agreement with the
//! counters.

use super::occupancy::{GUARANTEED, PAIRS};
use super::outcome;
use cellway_sim::Outcome;
use cellway_sim::result::PortSummary;

const OF_ALL: &str =
    "[observe]\nseries = []\ndistributions = { ports = [\"*\"], flows = [\"*\"] }\n";

fn counted(text: &str) -> Outcome {
    outcome(&format!("{text}{OF_ALL}"))
}

fn ports_only(text: &str) -> Outcome {
    outcome(&format!("{text}[observe]\nseries = []\ndistributions.ports = [\"*\"]\n"))
}

fn assert_close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{found} for {expected}");
}

/// Pairs at 500, 510 and 520 us at a link on which a cell takes 10 us, until 530 us.
#[test]
fn pairs_of_cells_by_hand() {
    let port = &ports_only(PAIRS).summary.ports["s.out"];
    let queue = port.queue_distribution.as_ref().expect("it is counted");
    assert_eq!((queue.p50, queue.p99, queue.max), (0, 4, 4));
    // 2, 3 and 4 cells for 10 us each of 530.
    for (number, tens) in [(0, 3.0), (1, 3.0), (2, 2.0), (3, 1.0), (4, 0.0)] {
        assert_close(queue.above[&number], tens / 53.0);
    }
    let delay = port.delay.as_ref().expect("it is counted");
    // Of six cells three leave in time: after 10, 20 and 20 us.
    assert_eq!((delay.samples, delay.min, delay.max), (3, Some(1e-5), Some(2e-5)));
    assert_close(delay.mean.expect("of three"), 5e-5 / 3.0);
}

#[test]
fn what_happened_before_the_end_of_the_warm_up_does_not_count() {
    let late = PAIRS.replace("[run]", "[run]\nwarm_up = \"515 us\"");
    let port = &ports_only(&late).summary.ports["s.out"];
    let queue = port.queue_distribution.as_ref().expect("it is counted");
    // 3 cells for 5 us, 4 for 10.
    assert_close(queue.mean, 55.0 / 15.0);
    assert_eq!((queue.p50, queue.max), (4, 4));
    let delay = port.delay.as_ref().expect("it is counted");
    assert_eq!((delay.samples, delay.min, delay.max), (2, Some(2e-5), Some(2e-5)));
}

/// Whatever the order of service, and whatever counts as in the buffer.
#[test]
fn distributions_agree_with_the_counters() {
    let wfq = GUARANTEED.replace("[switch.s]", "[switch.s]\nscheduler = \"wfq\"");
    for text in [GUARANTEED, &wfq, CLASSES, EDGES] {
        for in_service in ["counted", "not_counted"] {
            let text =
                text.replace("[switch.s]", &format!("[switch.s]\nin_service = \"{in_service}\""));
            let ports = counted(&text).summary.ports;
            assert!(ports.values().any(|port| port.max_queue > 2));
            ports.values().for_each(check_against_counters);
        }
    }
}

fn check_against_counters(port: &PortSummary) {
    let queue = port.queue_distribution.as_ref().expect("it is counted");
    let delay = port.delay.as_ref().expect("it is counted");
    assert_close(queue.mean, port.mean_queue);
    assert_eq!(delay.samples, port.sent);
    // A peak at one instant is the largest queue and lasts for no time.
    assert!(queue.max <= port.max_queue && queue.max + 4 >= port.max_queue);
}

/// A TCP below raw cells of a higher class: a port that holds its cells.
const CLASSES: &str = include_str!("distributions/classes.toml");

/// Packets through a router, from a fast link to a slow one.
const EDGES: &str = include_str!("distributions/packets.toml");

#[test]
fn counting_changes_nothing_else() {
    for text in [GUARANTEED, CLASSES, EDGES] {
        let mut counted = counted(text).summary;
        for port in counted.ports.values_mut() {
            (port.queue_distribution, port.delay) = (None, None);
        }
        for flow in counted.flows.values_mut() {
            (flow.one_way_delay, flow.jitter, flow.loss) = (None, None, None);
        }
        assert_eq!(counted, outcome(text).summary);
    }
}

/// One packet at a time finds nothing in its way: it is serialised twice and travels 11 ms.
#[test]
fn a_lone_packet_takes_its_serialisation_and_propagation() {
    let alone = EDGES
        .replace("mtu = \"1500 B\"", "mtu = \"1500 B\", window = \"1460 B\", handshake = false");
    let flow = &counted(&alone).summary.flows["bulk"];
    let delay = flow.one_way_delay.as_ref().expect("it is counted");
    let serialised = (8.0 * 1500.0) / 100e6 + (8.0 * 1500.0) / 10e6;
    assert_close(delay.mean.expect("packets came"), serialised + 11e-3);
    assert_eq!((delay.min, delay.samples > 50), (delay.max, true));
}

/// The queue that a packet finds is part of its delay: it never exceeds what a full buffer takes.
#[test]
fn a_queue_lengthens_the_way_of_a_packet() {
    let flow = &counted(EDGES).summary.flows["bulk"];
    let delay = flow.one_way_delay.as_ref().expect("it is counted");
    let packet = (8.0 * 1500.0) / 10e6;
    let empty = (8.0 * 1500.0) / 100e6 + packet + 11e-3;
    let (p50, largest) = (delay.p50.expect("packets came"), delay.max.expect("packets came"));
    assert!(p50 > empty + 5.0 * packet, "{p50}");
    // It may wait in its host's interface too, behind what one acknowledgement releases.
    assert!(largest < empty + 40.0 * packet + 2e-3, "{largest}");
}

/// Student's t for 9 degrees of freedom, 99 %.
const T_9: f64 = 3.2498;

/// M/D/1 at 0.95: P(N > 20) = 0.12639, calculated in 60 digits from the embedded chain; the cell on
/// the line counts.
#[test]
fn the_tail_of_a_queue_with_poisson_arrivals() {
    let tails: Vec<f64> = (1..=10).map(tail_of_md1).collect();
    let mean = tails.iter().sum::<f64>() / 10.0;
    let variance = tails.iter().map(|tail| (tail - mean) * (tail - mean)).sum::<f64>() / 9.0;
    let half_width = T_9 * (variance / 10.0).sqrt();
    assert!(half_width < 0.03, "{half_width}");
    assert!((mean - 0.126_388_804).abs() < half_width, "{mean} ± {half_width}");
}

fn tail_of_md1(seed: u64) -> f64 {
    let text = include_str!("md1.toml").replace(
        "duration = \"12 s\", warm_up = \"1 s\"",
        &format!("duration = \"2.2 s\", warm_up = \"0.2 s\", seed = {seed}"),
    );
    let port = &ports_only(&text).summary.ports["s.server"];
    port.queue_distribution.as_ref().expect("it is counted").above[&20]
}
