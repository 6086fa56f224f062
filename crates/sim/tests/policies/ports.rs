//! Whole scenarios: packets, several classes, shared memory.

use super::{scenario, summary};
use cellway_sim::result::{PortSummary, Summary};

/// Every policy that judges frames, with thresholds in parts of the buffer.
const FRAME_RULES: &[&str] = &[
    "{ epd = { threshold = 0.5 } }",
    "{ step = { threshold = 0.5 } }",
    "{ selective_drop = { threshold = 0.5 } }",
    "{ fba = { threshold = 0.5 } }",
    "{ red = { min_threshold = 0.2, max_threshold = 0.8, weight = 0.05 } }",
    "{ fred = { min_threshold = 0.2, max_threshold = 0.8, weight = 0.05, min_per_vc = 0.02 } }",
    "{ codel = { interval = \"20 ms\" } }",
    "{ cobalt = { interval = \"20 ms\" } }",
    "{ pie = { max_burst = \"30 ms\" } }",
    "{ virtual_queuing = { threshold = 0.2 } }",
    "{ vq_dynamic_epd = { threshold = 0.5 } }",
    "{ vq_mcr = { threshold = 0.2, interval = \"10 ms\" } }",
    "{ ered = { min_threshold = 0.2, max_threshold = 0.8, weight = 0.05 } }",
    "{ priority = { low = 0.3, high = 0.5 } }",
    "{ dfba = { low = 0.3, high = 0.7 } }",
];

/// Policies with several queues of packets.
const OF_PACKETS: &[&str] = &[
    "{ fq_codel = { interval = \"20 ms\" } }",
    "{ cake = { interval = \"20 ms\" } }",
    "{ fq_pie = { max_burst = \"30 ms\" } }",
    "{ fq_step = { threshold = 0.1 } }",
    "\"dual_pi2\"",
];

/// Four TCPs over 10 Mbit/s with room for as many packets as `buffer` says.
fn packets(buffer: &str, drop: &str) -> String {
    include_str!("ports/packets.toml").replace("50 packet", buffer).replace("\"tail\"", drop)
}

fn trunk(summary: &Summary) -> &PortSummary {
    &summary.ports["router.trunk"]
}

/// A packet is a frame of one unit: it is refused early or overflows, and is never torn. The run
/// itself asserts conservation.
#[test]
fn every_rule_judges_packets() {
    for drop in FRAME_RULES.iter().chain(OF_PACKETS) {
        let summary = summary(&packets("50 packet", drop));
        let port = trunk(&summary);
        assert_eq!(port.drops.partial_frame, 0, "{drop}");
        assert!(port.drops.early_frame > 0 && port.max_queue <= 50, "{drop} {port:?}");
        assert!(port.utilisation > 0.5, "{drop} {port:?}");
    }
}

/// A port counts marks if its policy may set any, which `explain` is told without a run.
#[test]
fn rules_that_may_mark_are_known_before_a_run() {
    let red = "min_threshold = 0.2, max_threshold = 0.8, ecn = true";
    let plain = FRAME_RULES.iter().chain(OF_PACKETS).map(|&drop| drop.to_owned());
    let mut drops: Vec<String> = plain.collect();
    let fred = &format!("{red}, min_per_vc = 0.02");
    for (rule, keys) in [("red", red), ("ered", red), ("fred", fred)] {
        drops.push(format!("{{ {rule} = {{ {keys} }} }}"));
    }
    for rule in ["codel", "cobalt", "pie", "fq_codel", "fq_pie", "cake"] {
        drops.push(format!("{{ {rule} = {{ ecn = true }} }}"));
    }
    drops.extend(["abc", "xcp", "rcp", "tail", "ppd"].map(|rule| format!("\"{rule}\"")));
    for drop in drops {
        let text = packets("50 packet", &drop);
        let may_mark = scenario(&text).switches[0].drop.facts().marks;
        assert_eq!(trunk(&summary(&text)).marked.is_some(), may_mark, "{drop}");
    }
}

/// The mean queue of packets is in packets and the thresholds too: with the average following the
/// queue at once, nothing is dropped below the lower threshold and nothing comes in from the upper
/// one, which are 10 and 30 packets of a buffer of 50.
#[test]
fn thresholds_of_packets_are_in_packets() {
    let red = "{ red = { min_threshold = \"10 packet\", max_threshold = \"30 packet\", \
               max_probability = 1.0, weight = 1.0 } }";
    let port = summary(&packets("50 packet", red));
    let port = trunk(&port);
    assert!(port.max_queue > 10 && port.max_queue <= 30, "{port:?}");
    assert!(port.drops.early_frame > 0 && port.drops.overflow == 0, "{port:?}");
    let epd = summary(&packets("50 packet", "{ epd = { threshold = \"20 packet\" } }"));
    // X = 20 admits one more.
    assert_eq!(trunk(&epd).max_queue, 21);
}

/// As many cells arrive and leave whether or not a class that never sends has a queue of its own
/// before theirs: a first-in-first-out port and one of several classes drop the same frames.
#[test]
fn a_silent_class_changes_no_drop() {
    for drop in FRAME_RULES.iter().chain(&["\"tail\"", "\"ppd\""]) {
        let [alone, beside] =
            ["", SILENT].map(|more| summary(&format!("{}{more}", cells("per_port", drop))));
        let [found, expected] = [&beside, &alone].map(|summary| &summary.ports["west.trunk"]);
        assert!(expected.drops.overflow + expected.drops.early_frame > 0, "{drop}");
        assert_eq!(
            (found.sent, found.drops, found.max_queue),
            (expected.sent, expected.drops, expected.max_queue)
        );
        assert_eq!(found.classes.len(), 2, "the port has queues for both");
        for flow in alone.flows.keys() {
            let goodput =
                |summary: &Summary| summary.flows[flow].throughput_bits_per_second.to_bits();
            assert_eq!(goodput(&alone), goodput(&beside), "{drop} {flow}");
        }
    }
}

const SILENT: &str = include_str!("ports/silent.toml");

/// Three TCPs over DS-3 with room for 300 cells.
fn cells(sharing: &str, drop: &str) -> String {
    include_str!("ports/cells.toml").replace("per_port", sharing).replace("\"tail\"", drop)
}

/// Two ports share memory for 300 cells; 120 raw cells wait at one whose line is slow, and a TCP
/// fills the other. `service` is for both.
fn shared(drop: &str, service: &str) -> PortSummary {
    let text = include_str!("ports/shared.toml")
        .replace("\"tail\"", drop)
        .replace("service = \"ubr\"", service);
    let summary = summary(&text);
    let slow = &summary.ports["west.slow"];
    // They leave at 47 cells/s.
    assert!(slow.max_queue == 120 && slow.sent < 25, "{slow:?}");
    summary.ports["west.out"].clone()
}

/// `N_a` counts the VCs in the memory, not those of a port: two here, so that the TCP may have
/// `X_i` ≤ 0.4 X, two thirds of the 120 beside it, and then a frame of 32 cells. Counting itself
/// alone it would have gone on to the end of the memory.
#[test]
fn a_share_of_shared_memory_is_one_of_all_ports() {
    for drop in ["selective_drop", "fba"] {
        let port = shared(&format!("{{ {drop} = {{ threshold = 0.5, z = 0.8 }} }}"), "");
        assert!(port.drops.early_frame > 0 && port.drops.overflow == 0, "{drop} {port:?}");
        assert!(drop == "fba" || port.max_queue <= 80 + 32, "{drop} {port:?}");
    }
}

/// W is the sum of the minimum cell rates of all VCs in the memory: half of it is another port's.
/// Alone with all of W the TCP would never be above its share, and with H at the end of the memory
/// nothing would be dropped early.
#[test]
fn weights_of_shared_memory_are_those_of_all_ports() {
    let gfr = "service.gfr.mcr = \"10 kbit/s of cell\"";
    let port = shared("{ dfba = { low = 0.2, high = 1.0 } }", gfr);
    assert!(port.drops.early_frame > 0, "{port:?}");
}
