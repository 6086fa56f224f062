//! `flow.NAME.tcp.preset`.

use super::parse;
use crate::common::MISMATCH;
use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::tcp::{Config, CongestionLaw, Recovery, RestartAfterIdle, Timers};
use cellway_sim::units::{Bytes, Span};

fn tcp(value: &str) -> Config {
    parse(MISMATCH, &[("flow.bulk.tcp", value)]).flows[0].tcp.clone().expect("tcp")
}

#[test]
fn that_of_bsd_is_what_is_said_by_nothing() {
    assert_eq!(tcp("{ preset = \"4.3bsd\" }"), Config::default());
}

#[test]
fn that_of_linux_has_what_linux_has() {
    let linux = tcp("{ preset = \"linux\" }");
    assert!(matches!(linux.congestion, CongestionLaw::Cubic(_)));
    assert_eq!((linux.mss, linux.window, linux.initial_window), (Bytes(1460), Bytes(6 << 20), 10));
    assert!(
        matches!(linux.timers, Timers::Fine(fine) if fine.min_rto == Span::from_milliseconds(200))
    );
    assert!(linux.handshake && linux.timestamps && linux.hystart && linux.nagle && !linux.ecn);
    let rfc = tcp("{ preset = \"rfc\" }");
    assert_eq!((rfc.recovery, rfc.initial_window, rfc.mss), (Recovery::Sack, 3, Bytes(1460)));
    assert_eq!(rfc.restart_after_idle, RestartAfterIdle::Rfc5681);
}

#[test]
fn what_is_written_counts_instead() {
    let tcp = tcp("{ preset = \"linux\", mss = \"536 B\", hystart = false, timers = \"bsd\" }");
    assert_eq!((tcp.mss, tcp.hystart, tcp.initial_window), (Bytes(536), false, 10));
    assert!(matches!(tcp.timers, Timers::Bsd(_)));
}

#[test]
fn what_is_written_back_has_the_values_and_no_preset() {
    let scenario = parse(MISMATCH, &[("flow.bulk.tcp", "{ preset = \"linux\" }")]);
    let text = scenario.to_toml();
    assert!(!text.contains("preset") && text.contains("initial_window = 10"), "{text}");
    assert_eq!(parse(&text, &[]), scenario);
}

/// A key that does not go with the preset is refused where it is written, an unknown preset
/// with the words.
#[test]
fn what_does_not_go_with_it_is_told() {
    let told = |value: &str| {
        let sets = [("flow.bulk.tcp".to_owned(), value.to_owned())];
        let error = Scenario::parse(Source { origin: "x.toml", text: MISMATCH }, &sets);
        error.expect_err(value).message
    };
    let message = told("{ preset = \"linux\", recovery = \"reno\" }");
    assert!(message.contains("`flow.bulk.tcp.recovery` is `reno`"), "{message}");
    let message = told("{ preset = \"windows\" }");
    assert!(message.contains("expected one of `\"4.3bsd\"`, `\"rfc\"`, `\"linux\"`"), "{message}");
    let message = told("{ full_ack = \"ssthresh\" }");
    assert!(message.contains("`new_reno` and `new_reno_steady`"), "{message}");
}
