//! Settings on top of a file: one value, a variant, every shape of the file, patterns.

use super::parse;
use crate::common::{FAMILIES, MISMATCH, PACKETS};
use cellway_sim::scenario::{
    BsdTimers, Buffer, CellsOrPackets, RandomSpan, Scenario, Service, Source, Timers, Traffic,
    TtcpPlan, Ubr,
};
use cellway_sim::tcp::Config;
use cellway_sim::units::{Bytes, Cells, Span};

#[test]
fn a_set_changes_one_value() {
    let quoted = parse(MISMATCH, &[("link.ku-side.delay", "\"10 ms\"")]);
    let bare = parse(MISMATCH, &[("link.ku-side.delay", "10 ms")]);
    assert_eq!(bare, quoted);
    assert_eq!(bare.links[0].delay, Span::from_milliseconds(10).into());
    let replaced =
        parse(MISMATCH, &[("link.edc-side.delay", "1 ms"), ("flow.bulk.tcp.mss", "512 B")]);
    assert_eq!(replaced.links[2].delay, Span::from_milliseconds(1).into());
    assert_eq!(replaced.flows[0].tcp.as_ref().expect("tcp").mss, Bytes(512));
}

/// "is a section", they said, and a whole one could not be set.
#[test]
fn a_table_takes_the_place_of_a_section() {
    let tcp = |sets: &[(&str, &str)]| parse(MISMATCH, sets).flows[0].tcp.clone().expect("tcp");
    let set = tcp(&[("flow.bulk.tcp", "{ window = \"1 MiB\" }")]);
    assert_eq!(set, Config { window: Bytes(1 << 20), ..Config::default() });
    let later = tcp(&[("flow.*.tcp", "{}"), ("flow.bulk.tcp.mtu", "1500 B")]);
    assert_eq!(later, Config { mss: Bytes(1460), ..Config::default() });
    let inline = parse(FAMILIES, &[("flow.bulk.tcp", "{}"), ("observe.segments", "{}")]);
    assert_eq!(inline.flows[0].tcp, Some(Config::default()));
    assert!(inline.observe.expect("observe").segments.is_some());
    let link = "{ between = [\"edc\", \"an2\"], rate = \"OC-3c\", delay = \"7 ms\" }";
    let whole = parse(MISMATCH, &[("link.edc-side", link)]);
    assert_eq!(whole.links[2].delay, Span::from_milliseconds(7).into());
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
    assert!(matches!(
        timers,
        Timers::Bsd(BsdTimers { slow, .. }) if slow == Span::from_milliseconds(100)
    ));
    let total = parse(MISMATCH, &[("flow.bulk.traffic.ttcp.total", "10 MB")]);
    assert_eq!(
        total.flows[0].traffic,
        Traffic::Ttcp(TtcpPlan { write: Bytes(65_536), total: Some(Bytes(10_000_000)) })
    );
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
        parse(MISMATCH, &[(path, "1 ms")]).links.iter().map(|link| link.delay.min()).collect()
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
