//! What keys mean: defaults, families, and the resolved text.

use super::{ALL, parse};
use crate::common::{FAMILIES, MISMATCH};
use cellway_sim::scenario::{Carries, NodeRef, Pacing, Service, Ubr};
use cellway_sim::units::{Bytes, Rate, Span};

#[test]
fn defaults_and_values_arrive() {
    let scenario = parse(MISMATCH, &[]);
    assert_eq!(scenario.name, "name");
    assert_eq!(scenario.run.seed, 1);
    assert_eq!(scenario.links.len(), 4);
    assert_eq!(scenario.links[2].delay, Span::from_microseconds(2200).into());
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
    assert_eq!((second.name.as_str(), second.source, second.sink), ("bulk[2]", 1, 4));
    assert_eq!(scenario.links[second.path[0]].from, NodeRef::Host(1));
    assert!(scenario.flows[3].reverse_path.is_empty());
    // 135 Mbit/s of payload is 149 062 500 bit/s of cells.
    let Carries::Cells { cell_rate, .. } = scenario.links[6].carries else { panic!("cells") };
    assert_eq!(cell_rate, Rate::from_bits_per_second(149_062_500));
}

#[test]
fn the_resolved_text_reads_back_to_the_same_scenario() {
    for text in ALL {
        let scenario = parse(text, &[]);
        let written = scenario.to_toml();
        assert_eq!(parse(&written, &[]), scenario, "{written}");
        assert_eq!(parse(&written, &[]).to_toml(), written);
        assert!(written.lines().nth(1).is_some_and(|line| line.contains("seed")));
    }
}

/// Controls of a laboratory are no part of a scenario: it is the same with and without.
#[test]
fn a_laboratory_is_no_part_of_the_scenario() {
    let lab = "\n[lab]\ntitle = \"Which rate?\"\n[lab.control.rate]\n\
               keys = [\"link.x.rate\"]\nlevels = [\"DS-3\", { anything = [1, 2.5] }]\n";
    assert_eq!(parse(&format!("{FAMILIES}{lab}"), &[]), parse(FAMILIES, &[]));
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
