//! What `explain` says of output ports: queues by class, buffers, thresholds in units, VCs that
//! pass.

use super::{CLASSES, parse};
use crate::common::{EDGES, MISMATCH};
use cellway_sim::explain::{BufferFacts, PortFacts, explain};

fn port(text: &str, sets: &[(&str, &str)], name: &str) -> PortFacts {
    let ports = explain(&parse(text, sets)).ports;
    let names: Vec<&str> = ports.iter().map(|port| port.name.as_str()).collect();
    let found = names.iter().position(|&other| other == name);
    ports[found.unwrap_or_else(|| panic!("no {name} among {names:?}"))].clone()
}

#[test]
fn a_queue_for_each_class_with_its_vcs_and_its_own_buffer() {
    let sets = [
        ("switch.near.buffer", "{ per_vc = \"500 cell\" }"),
        ("switch.near.abr_buffer", "{ per_port = \"2 kcell\" }"),
        ("switch.near.vbr_buffer", "infinite"),
    ];
    let found = port(CLASSES, &sets, "near.first");
    assert_eq!(
        (found.node.as_str(), found.link.as_str(), found.unit, found.drop),
        ("near", "first", "cell", "tail")
    );
    let queues: Vec<_> =
        found.queues.iter().map(|queue| (queue.class, queue.buffer, queue.vcs.join(","))).collect();
    let buffer = |kind, size| BufferFacts { kind, size };
    assert_eq!(
        queues,
        [
            ("vbr", buffer("infinite", None), "film".to_owned()),
            ("abr", buffer("per_port", Some(2000)), "bulk[1],bulk[2],cells".to_owned()),
            ("ubr", buffer("per_vc", Some(500)), "rest".to_owned()),
        ]
    );
}

/// Nothing answers the film; RM cells of `cells` come back without a transport.
#[test]
fn what_comes_back_passes_the_ports_of_the_other_direction() {
    let found = port(CLASSES, &[], "far.second");
    let queues: Vec<_> =
        found.queues.iter().map(|queue| (queue.class, queue.vcs.join(","))).collect();
    let expected = [("abr", "bulk[1] back,bulk[2] back,cells back"), ("ubr", "rest back")];
    assert_eq!(queues, expected.map(|(class, vcs)| (class, vcs.to_owned())));
}

/// 0.3335 of 1000 is 333.5, which is rounded up.
#[test]
fn thresholds_are_in_cells_whether_amounts_or_parts_of_the_buffer() {
    let thresholds = |buffer: &str, drop: &str| {
        let sets = [("switch.an2.buffer", buffer), ("switch.an2.drop", drop)];
        port(MISMATCH, &sets, "an2.edc-side").queues[0].thresholds.clone()
    };
    let parts =
        thresholds("{ per_port = \"1 kcell\" }", "{ priority = { low = 0.3335, high = 0.9 } }");
    assert_eq!(parts.into_iter().collect::<Vec<_>>(), [("high", Some(900)), ("low", Some(334))]);
    let cells = thresholds("infinite", "{ epd = { threshold = \"2 kcell\" } }");
    assert_eq!(cells.into_iter().collect::<Vec<_>>(), [("threshold", Some(2000))]);
    assert!(thresholds("infinite", "\"tail\"").is_empty());
}

/// The circuit `trunk` carries cells between the edges; packets have numbers of their own before
/// and after it.
#[test]
fn an_edge_has_ports_for_packets_only() {
    let explained = explain(&parse(EDGES, &[]));
    let vcs = |name: &str| {
        let found = explained.ports.iter().find(|port| port.name == name)?;
        Some((
            found.unit,
            found.queues.iter().flat_map(|queue| queue.vcs.clone()).collect::<Vec<_>>().join(","),
        ))
    };
    assert_eq!(vcs("west.up"), None);
    assert_eq!(vcs("atm.down"), Some(("cell", "trunk,alone".to_owned())));
    let from_west = "there back from west,back from west,alone back from west";
    assert_eq!(vcs("west.uplink"), Some(("packet", from_west.to_owned())));
    let to_west = "there to west,back back to west,alone to west";
    assert_eq!(vcs("lan.uplink"), Some(("packet", to_west.to_owned())));
}
