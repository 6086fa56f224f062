//! What the language means: families, paths, variants, sets, the resolved text and the derived
//! numbers.

mod by_hand;
#[path = "../common/mod.rs"]
mod common;
mod members;
mod ports;
mod synchronised;

use cellway_sim::explain::{Limit, ShareLimit, explain};
use cellway_sim::scenario::{
    BsdTimers, Buffer, Carries, CellsOrPackets, NodeRef, Pacing, RandomSpan, Scenario, Service,
    Source, Timers, Traffic, TtcpPlan, Ubr, schema,
};
use cellway_sim::units::{Bytes, Cells, Rate, Span};
use common::{EDGES, FAMILIES, MISMATCH, PACKETS};
use proptest::prelude::*;

/// All service classes on one link, every kind of allocator, minimum and peak rates.
const CLASSES: &str = r#"
[run]
duration = "1 s"
[host.src]
count = 4
[host.dst]
count = 4
[switch.near]
rate_allocator.erica = { target_utilisation = 0.8, target_of = "remainder", excess = "by_mcr" }
[switch.middle]
rate_allocator.erica_plus = { queue_control = "step", excess = "by_mcr" }
[switch.far]
rate_allocator.relative_rate = { no_increase = "100 cell", congestion = "200 cell" }
[link.in]
count = 4
between = ["src[*]", "near"]
rate = "100 Mbit/s of cell"
delay = "1 ms"
[link.first]
between = ["near", "middle"]
rate = "100 Mbit/s of cell"
delay = "2 ms"
[link.second]
between = ["middle", "far"]
rate = "100 Mbit/s of cell"
delay = "3 ms"
[link.out]
count = 4
between = ["far", "dst[*]"]
rate = "100 Mbit/s of cell"
delay = "4 ms"
[flow.bulk]
count = 2
from = "src[1]"
to = "dst[1]"
traffic = "greedy"
service.abr = { mcr = "8 Mbit/s of cell", pcr = "90 Mbit/s of cell", tbe = "320 cell", nrm = 16 }
tcp = { mss = "1024 B", window = "50 KiB" }
[flow.cells]
from = "src[2]"
to = "dst[2]"
traffic = "greedy"
service.abr.mcr = "16 Mbit/s of cell"
[flow.film]
from = "src[3]"
to = "dst[3]"
traffic.on_off = { rate = "40 Mbit/s of cell", period = "10 ms", duty_cycle = 0.5 }
service = "vbr"
[flow.rest]
from = "src[4]"
to = "dst[4]"
traffic = "greedy"
tcp = { mss = "1024 B" }
"#;

fn parse(text: &str, sets: &[(&str, &str)]) -> Scenario {
    let sets: Vec<(String, String)> =
        sets.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    match Scenario::parse(Source { origin: "dir/name.toml", text }, &sets) {
        Ok(scenario) => scenario,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn defaults_and_values_arrive() {
    let scenario = parse(MISMATCH, &[]);
    assert_eq!(scenario.name, "name");
    assert_eq!(scenario.run.seed, 1);
    assert_eq!(scenario.links.len(), 4);
    assert_eq!(scenario.links[2].delay, Span::from_microseconds(2200));
    let Carries::Cells { cell_rate, .. } = scenario.links[2].carries else { panic!("cells") };
    assert_eq!(cell_rate, Rate::from_bits_per_second(98_148_148));
    let flow = &scenario.flows[0];
    assert_eq!((&flow.path[..], &flow.reverse_path[..]), (&[0, 2][..], &[3, 1][..]));
    let pace = Some(Pacing::OfPayload(Rate::from_bits_per_second(70_000_000)));
    assert_eq!(flow.service, Service::Ubr(Ubr { pace }));
    let tcp = flow.tcp.as_ref().expect("tcp");
    assert_eq!((tcp.mss, tcp.window), (Bytes(9140), Bytes(131_072)));
}

#[test]
fn families_expand_member_by_member() {
    let scenario = parse(FAMILIES, &[]);
    let names: Vec<&str> = scenario.hosts.iter().map(|host| host.name.as_str()).collect();
    assert_eq!(names, ["src[1]", "src[2]", "src[3]", "dst[1]", "dst[2]", "dst[3]"]);
    assert_eq!(scenario.links.len(), 3 * 2 + 2 + 3 * 2);
    assert_eq!(scenario.flows.len(), 5);
    let second = &scenario.flows[1];
    assert_eq!((second.name.as_str(), second.from, second.to), ("bulk[2]", 1, 4));
    assert_eq!(scenario.links[second.path[0]].from, NodeRef::Host(1));
    assert!(scenario.flows[3].reverse_path.is_empty());
    // 135 Mbit/s of payload is 149 062 500 bit/s of cells.
    let Carries::Cells { cell_rate, .. } = scenario.links[6].carries else { panic!("cells") };
    assert_eq!(cell_rate, Rate::from_bits_per_second(149_062_500));
}

#[test]
fn the_resolved_text_reads_back_to_the_same_scenario() {
    for text in [MISMATCH, FAMILIES, PACKETS, EDGES, CLASSES] {
        let scenario = parse(text, &[]);
        let written = scenario.to_toml();
        assert_eq!(parse(&written, &[]), scenario, "{written}");
        assert_eq!(parse(&written, &[]).to_toml(), written);
        assert!(written.lines().nth(1).is_some_and(|line| line.contains("seed")));
    }
}

#[test]
fn a_set_changes_one_value() {
    let quoted = parse(MISMATCH, &[("link.ku-side.delay", "\"10 ms\"")]);
    let bare = parse(MISMATCH, &[("link.ku-side.delay", "10 ms")]);
    assert_eq!(bare, quoted);
    assert_eq!(bare.links[0].delay, Span::from_milliseconds(10));
    let replaced =
        parse(MISMATCH, &[("link.edc-side.delay", "1 ms"), ("flow.bulk.tcp.mss", "512 B")]);
    assert_eq!(replaced.links[2].delay, Span::from_milliseconds(1));
    assert_eq!(replaced.flows[0].tcp.as_ref().expect("tcp").mss, Bytes(512));
}

#[test]
fn a_set_replaces_a_variant() {
    let shared = parse(MISMATCH, &[("switch.an2.buffer.shared", "1 kcell")]);
    assert_eq!(shared.switches[0].buffer, Buffer::Shared(CellsOrPackets::Cells(Cells(1000))));
    let word = parse(MISMATCH, &[("switch.an2.buffer", "infinite"), ("flow.bulk.service", "ubr")]);
    assert_eq!(word.switches[0].buffer, Buffer::Infinite);
    assert_eq!(word.flows[0].service, Service::Ubr(Ubr { pace: None }));
    let greedy = parse(MISMATCH, &[("flow.bulk.traffic", "greedy")]);
    assert_eq!(greedy.flows[0].traffic, Traffic::Greedy);
    let table = parse(MISMATCH, &[("flow.bulk.tcp.timers.bsd.slow", "100 ms")]);
    let timers = table.flows[0].tcp.as_ref().expect("tcp").timers;
    assert!(
        matches!(timers, Timers::Bsd(BsdTimers { slow, .. }) if slow == Span::from_milliseconds(100))
    );
    let total = parse(MISMATCH, &[("flow.bulk.traffic.ttcp.total", "10 MB")]);
    assert_eq!(
        total.flows[0].traffic,
        Traffic::Ttcp(TtcpPlan { write: Bytes(65_536), total: Some(Bytes(10_000_000)) })
    );
}

#[test]
fn distributions_are_asked_for_by_pattern() {
    let ports = ("observe.distributions.ports", "[\"mux.*\", \"demux.out[2]\"]");
    let asked = parse(FAMILIES, &[ports, ("observe.distributions.flows", "[\"bulk[*]\"]")]);
    let distributions = &asked.observe.as_ref().expect("observe").distributions;
    for (name, is_counted) in [("mux.trunk", true), ("demux.back", false), ("demux.out[2]", true)] {
        assert_eq!(distributions.has_port(name), is_counted, "{name}");
    }
    assert!(distributions.has_flow("bulk[3]") && !distributions.has_flow("noise"));
    assert_eq!(parse(&asked.to_toml(), &[]).observe, asked.observe);
}

#[test]
fn a_set_reaches_every_shape_of_the_file() {
    let inline = parse(
        FAMILIES,
        &[
            ("flow.bulk.tcp.window", "1 MiB"),
            ("flow.noise.traffic.poisson.rate", "2 Mbit/s of cell"),
        ],
    );
    assert_eq!(inline.flows[0].tcp.as_ref().expect("tcp").window, Bytes(1 << 20));
    let counted =
        parse(FAMILIES, &[("observe.limit", "16"), ("run.seed", "9"), ("run.phase", "random")]);
    assert_eq!((counted.run.seed, counted.observe.expect("observe").limit), (9, 16));
    let made = parse(PACKETS, &[("observe.interval", "1 ms"), ("host.a.cpu_per_segment", "1 us")]);
    assert!(made.observe.is_some());
    let quoted = parse(&parse(FAMILIES, &[]).to_toml(), &[("flow.\"bulk[2]\".start", "1 ms")]);
    assert_eq!(quoted.flows[1].start, RandomSpan::Fixed(Span::from_milliseconds(1)));
}

#[test]
fn a_pattern_sets_every_name_that_it_matches() {
    let delays = |path: &str| -> Vec<Span> {
        parse(MISMATCH, &[(path, "1 ms")]).links.iter().map(|link| link.delay).collect()
    };
    let (set, written) = (Span::from_milliseconds(1), Span::from_microseconds(2200));
    assert_eq!(delays("link.*.delay"), [set; 4]);
    assert_eq!(delays("link.\"*-side\".delay"), [set; 4]);
    assert_eq!(delays("link.ku*.delay"), [set, set, written, written]);
    let both = parse(
        MISMATCH,
        &[("host.*.cpu_per_segment", "0 us"), ("host.edc.cpu_per_segment", "1 us")],
    );
    let times: Vec<RandomSpan> = both.hosts.iter().map(|host| host.cpu_per_segment).collect();
    assert_eq!(times, [Span::ZERO, Span::from_microseconds(1)].map(RandomSpan::Fixed));
    let members = parse(&parse(FAMILIES, &[]).to_toml(), &[("flow.\"bulk[*]\".start", "1 ms")]);
    let set = RandomSpan::Fixed(set);
    assert!(members.flows[..3].iter().all(|flow| flow.start == set));
    assert!(members.flows[3..].iter().all(|flow| flow.start != set));
}

#[test]
fn an_error_of_the_file_stays_one_in_spite_of_sets() {
    let broken = MISMATCH.replace("to = \"edc\"", "to = \"edk\"");
    let sets = [("run.seed".to_owned(), "3".to_owned())];
    let error = Scenario::parse(Source { origin: "x.toml", text: &broken }, &sets)
        .expect_err("unknown node");
    assert!(error.to_string().starts_with("x.toml:27:6: "), "{error}");
}

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
fn limits_are_told_apart() {
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
/// Mbit/s 16, 16 and 32. The first link holds them; what they leave of it, 100 − 20 − 64, is for
/// the last flow.
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

#[test]
fn explanations_serialise() {
    for text in [MISMATCH, FAMILIES, PACKETS, EDGES, CLASSES] {
        let json = serde_json::to_value(explain(&parse(text, &[]))).expect("JSON");
        assert!(
            json["flows"][0]["tcp"]["ceiling_bits_per_second"]
                .as_f64()
                .is_some_and(|rate| rate > 0.0)
        );
    }
    assert!(schema().contains("\"link.NAME.delay\""));
}

/// One of the scenarios with some bytes deleted, doubled or replaced.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let base =
        prop_oneof![Just(MISMATCH), Just(FAMILIES), Just(PACKETS), Just(EDGES), Just(CLASSES)];
    let edit = (any::<prop::sample::Index>(), 0..4_u8, any::<u8>());
    (base, prop::collection::vec(edit, 1..6)).prop_map(|(base, edits)| {
        let mut bytes = base.as_bytes().to_vec();
        for (index, what, byte) in edits {
            let at = index.index(bytes.len());
            match what {
                0 => drop(bytes.remove(at)),
                1 => bytes.insert(at, byte),
                2 => bytes[at] = byte,
                _ => bytes.insert(at, bytes[at]),
            }
        }
        bytes
    })
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in ".{0,200}", path in ".{0,20}", value in ".{0,20}") {
        let _ = Scenario::parse_bytes("x", text.as_bytes(), &[]);
        let _ = Scenario::parse_bytes("x", MISMATCH.as_bytes(), &[(path, value)]);
    }

    #[test]
    fn no_mutation_makes_it_panic(bytes in mutated(), value in "[0-9a-zA-Z{}=\" .]{0,12}") {
        let sets = [("link.x.delay".to_owned(), value.clone()), ("flow.bulk.traffic".to_owned(), value)];
        let _ = Scenario::parse_bytes("x", &bytes, &sets);
        if let Ok(scenario) = Scenario::parse_bytes("x.toml", &bytes, &[]) {
            let text = scenario.to_toml();
            let again = Scenario::parse(Source { origin: "x.toml", text: &text }, &[]);
            prop_assert_eq!(again.as_ref(), Ok(&scenario));
            explain(&scenario);
        }
    }
}

#[test]
fn deep_nesting_is_an_error() {
    for text in [
        "a.".repeat(100_000) + "a = 1",
        "a = ".to_owned() + &"[".repeat(100_000),
        format!("[{}a]", "a.".repeat(100_000)),
    ] {
        assert!(Scenario::parse(Source { origin: "x", text: &text }, &[]).is_err());
        let sets = [(text, "1".to_owned())];
        assert!(Scenario::parse(Source { origin: "x", text: MISMATCH }, &sets).is_err());
    }
    let sets = [
        ("run.seed".to_owned(), "[".repeat(100_000)),
        ("run.phase".to_owned(), "{a=".repeat(100_000)),
    ];
    assert!(Scenario::parse(Source { origin: "x", text: MISMATCH }, &sets).is_err());
}
