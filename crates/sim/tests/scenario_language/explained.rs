//! Numbers before a run: ceilings, limits, shares of classes, ABR.

use super::{CLASSES, parse};
use crate::common::{EDGES, FAMILIES, MISMATCH};
use cellway_sim::explain::{Limit, ShareLimit, explain};

fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
}

fn ceiling(rate: &str, mtu: &str) -> f64 {
    let sets = [
        ("link.ku-side.rate", rate),
        ("link.edc-side.rate", rate),
        ("flow.bulk.service", "ubr"),
        ("flow.bulk.tcp.mtu", mtu),
    ];
    explain(&parse(MISMATCH, &sets)).flows[0].tcp.as_ref().expect("tcp").ceiling_bits_per_second
}

#[test]
fn ceilings_are_those_of_the_textbook() {
    near(ceiling("149 Mbit/s of cell", "9180 B"), 133.8e6, 0.05e6);
    near(ceiling("98 Mbit/s of cell", "9180 B"), 88.0e6, 0.05e6);
    near(ceiling("40.7 Mbit/s of cell", "9180 B"), 36.6e6, 0.05e6);
    near(ceiling("100 Mbit/s of cell", "552 B") / 100e6, 0.80503, 5e-6);
    near(ceiling("100 Mbit/s of cell", "1500 B") / 100e6, 0.86085, 5e-6);
}

#[test]
fn a_flow_is_explained() {
    let explanation = explain(&parse(MISMATCH, &[]));
    let flow = &explanation.flows[0];
    assert_eq!(flow.path, ["ku", "an2", "edc"]);
    assert_eq!(flow.bottleneck.at, "pace");
    near(flow.bottleneck.bits_per_second, 70e6 * 53.0 / 48.0, 1.0);
    near(flow.propagation_rtt_seconds.expect("tcp"), 8.8e-3, 1e-12);
    let tcp = flow.tcp.as_ref().expect("tcp");
    assert_eq!((tcp.cells_per_segment, tcp.cells_per_ack), (Some(192), Some(2)));
    assert_eq!((tcp.window_bytes, tcp.window_segments), (131_072, 14));
    // Processing 2·250 + 2·550 us, propagation 8.8 ms, switching 2·4 us, SAR 0.2 us for 194 cells
    // at one end.
    let fixed = 1.6e-3 + 8.8e-3 + 8e-6 + 194.0 * 0.2e-6;
    let (oc3, taxi, pace) = (424.0 / 149.76e6, 424.0 / 98_148_148.0, 384.0 / 70e6);
    let data = oc3 + taxi + 191.0 * pace;
    let ack = oc3 + taxi + taxi;
    near(tcp.unloaded_rtt_seconds, fixed + data + ack, 1e-12);
    near(tcp.window_limit_bits_per_second, 14.0 * 9140.0 * 8.0 / tcp.unloaded_rtt_seconds, 1e-3);
    near(tcp.sender_cpu_limit_bits_per_second.expect("cpu"), 73_120.0 / 375e-6, 1.0);
    near(tcp.receiver_cpu_limit_bits_per_second.expect("cpu"), 73_120.0 / 825e-6, 1.0);
    assert_eq!(tcp.limited_by, Limit::Bottleneck);
}

#[test]
fn each_limit_is_named() {
    let limited = |sets: &[(&str, &str)]| {
        explain(&parse(MISMATCH, sets)).flows[0].tcp.as_ref().expect("tcp").limited_by
    };
    assert_eq!(limited(&[("flow.bulk.tcp.window", "16 KiB")]), Limit::Window);
    assert_eq!(limited(&[("flow.bulk.tcp.window", "4 KiB")]), Limit::Window);
    assert_eq!(
        limited(&[("host.edc.cpu_per_segment", "5 ms"), ("flow.bulk.tcp.window", "1 MiB")]),
        Limit::ReceiverCpu
    );
    assert_eq!(
        limited(&[("host.ku.cpu_per_segment", "5 ms"), ("flow.bulk.tcp.window", "1 MiB")]),
        Limit::SenderCpu
    );
    let shared = explain(&parse(
        FAMILIES,
        &[("link.trunk.delay", "1 us"), ("flow.bulk.tcp.window", "1 MiB")],
    ));
    assert_eq!(shared.flows[0].tcp.as_ref().expect("tcp").limited_by, Limit::FairShare);
    let trunk = shared.links.iter().find(|link| link.name == "trunk").expect("trunk");
    assert_eq!((trunk.flows, trunk.ack_flows), (5, 0));
    near(trunk.raw_offered_bits_per_second, 9.36e6 + 1_104_167.0, 1.0);
    let raw = shared.flows[3].raw.as_ref().expect("raw");
    near(raw.load, 9.36e6 / 149e6, 1e-9);
    near(shared.links[0].cells_per_second.expect("cells"), 149e6 / 424.0, 1e-6);
}

/// The film takes 20 of 100 Mbit/s; 0.8 of the other 80 are 64, by the minimum rates 8, 8 and 16
/// Mbit/s 16, 16 and 32. They are limited by the first link; the last flow has the
/// rest of it, 100 − 20 − 64.
#[test]
fn every_class_has_its_share() {
    let explanation = explain(&parse(CLASSES, &[]));
    let share = |flow: usize| explanation.flows[flow].share.clone().expect("cells");
    for (flow, (class, megabits)) in
        [("abr", 16.0), ("abr", 16.0), ("abr", 32.0), ("vbr", 20.0), ("ubr", 16.0)]
            .into_iter()
            .enumerate()
    {
        assert_eq!(share(flow).class, class);
        near(share(flow).bits_per_second, megabits * 1e6, 1e-3);
    }
    assert_eq!(share(0).link.as_deref(), Some("first"));
    assert_eq!((share(3).limited_by, share(3).link), (ShareLimit::Source, None));
    let first = explanation.links.iter().find(|link| link.name == "first").expect("first");
    near(first.abr.as_ref().expect("ABR passes").bits_per_second, 64e6, 1e-3);
    near(first.fair_share_bits_per_second.expect("ABR passes"), 64e6 / 3.0, 1e-3);
}

/// 20 ms of round trip, 2 ms of it between the source and the first switch; 320 cells per 20 ms are
/// 16 000 cells/s, which are 6.784 Mbit/s: MCR is more, and ICR is at least that. 50 segments of 23
/// cells, 48-byte payloads, 15 of 16 cells data.
#[test]
fn rates_delays_and_buffers_of_abr_follow_from_its_parameters() {
    let explanation = explain(&parse(CLASSES, &[]));
    let flow = &explanation.flows[0];
    let abr = flow.abr.as_ref().expect("on ABR");
    near(abr.pcr_bits_per_second, 90e6, 1e-3);
    near(abr.icr_bits_per_second, 8e6, 1e-3);
    near(abr.feedback_delay_seconds.expect("of a switch"), 2e-3, 1e-12);
    near(abr.propagation_rtt_cells, 0.02 * 100e6 / 424.0, 1e-6);
    assert_eq!((abr.window_cells, abr.source_buffers_at_bottleneck_cells), (Some(1150), 2300));
    assert_eq!((abr.bottleneck.switch.as_deref(), abr.bottleneck.flows), (Some("near"), 3));
    let tcp = flow.tcp.as_ref().expect("tcp");
    near(tcp.payload_share, 1024.0 / (23.0 * 53.0) * 15.0 / 16.0, 1e-12);
    near(tcp.ceiling_bits_per_second, 64e6 * tcp.payload_share, 1e-3);
    near(tcp.fair_share_bits_per_second, 16e6 * tcp.payload_share, 1e-3);
    let exposed = explain(&parse(CLASSES, &[("flow.bulk.service.abr.mcr", "1 Mbit/s of cell")]));
    near(exposed.flows[0].abr.as_ref().expect("on ABR").icr_cells_per_second, 16_000.0, 1e-6);
}

/// 160 B of payload, 50 a second: 188 B of IP, 226 with 38 B of framing, five cells. Of its links
/// the first has 100 Mbit/s, DS-3 40.704 Mbit/s of cells, and the last 10 Mbit/s without framing.
#[test]
fn datagrams_are_explained() {
    let voice = include_str!("voice.toml");
    let explanation = explain(&parse(&format!("{EDGES}{voice}"), &[]));
    let flow = &explanation.flows[3];
    let found = flow.datagrams.as_ref().expect("datagrams");
    assert_eq!((found.payload_bytes, found.cells, found.per_second), (160.0, Some(5.0), 25.0));
    near(found.offered_bits_per_second, 32e3, 1e-6);
    near(found.peak_load, 50.0 * 188.0 * 8.0 / 10e6, 1e-12);
    near(found.load, found.peak_load / 2.0, 1e-12);
    assert!(flow.raw.is_none() && flow.tcp.is_none() && flow.propagation_rtt_seconds.is_none());
    let offered = |name: &str, from: &str| {
        let mut links = explanation.links.iter();
        let link = links.find(|link| link.name == name && link.from == from).expect("a link");
        link.raw_offered_bits_per_second
    };
    near(offered("desk[1]", "a[1]"), 25.0 * 226.0 * 8.0, 1e-6);
    near(offered("down", "atm"), 25.0 * 5.0 * 424.0, 1e-6);
    near(offered("down", "east"), 0.0, 0.0);
}

/// 8 Mbit/s in a quarter of the time, on a path that would take more.
#[test]
fn what_a_source_writes_limits_its_connection() {
    let on_off = "{ on_off = { rate = \"8 Mbit/s of payload\", write = \"1 kB\", \
                  period = \"0.1 s\", duty_cycle = 0.25 } }";
    let explanation = explain(&parse(MISMATCH, &[("flow.bulk.traffic", on_off)]));
    let tcp = explanation.flows[0].tcp.as_ref().expect("tcp");
    assert_eq!(tcp.limited_by, Limit::Application);
    near(tcp.expected_bits_per_second, 2e6, 1e-6);
}
