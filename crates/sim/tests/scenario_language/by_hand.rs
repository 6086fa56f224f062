//! Scenarios made in Rust are those of their texts.

use cellway_sim::engine::RandomSpan;
use cellway_sim::pdu::IpVersion;
use cellway_sim::scenario::{
    AckRule, Buffer, Carriage, Carries, Drop, Edge, FineTimers, FlowSection, Host, LinkSection,
    Named, Observe, Pacing, Phase, Quantity, RunControl, Sampling, Sar, Scenario, ScenarioFile,
    Service, Switch, Tcp, Threshold, Timers, Ubr, VcSection,
};
use cellway_sim::switch::EpdPlan;
use cellway_sim::units::{Bytes, Cells, CellsOrPackets, Packets, Rate, Span};
use cellway_sim::{Continue, run};

use super::parse;

/// The same as the text, written and read again, and in what comes out.
fn assert_same(file: &ScenarioFile, text: &str) {
    let (by_hand, from_text) = (file.resolve("name").expect("a right scenario"), parse(text, &[]));
    assert_eq!(by_hand, from_text);
    let again = parse(&by_hand.to_toml(), &[]);
    assert_eq!(again, from_text);
    let outcome = |scenario: &Scenario| {
        let outcome = run(scenario, &mut |_| Continue::Yes).expect("a run");
        format!("{outcome:?}")
    };
    assert_eq!(outcome(&by_hand), outcome(&from_text));
}

fn lasting(duration: Span) -> ScenarioFile {
    ScenarioFile::new(RunControl::lasting(duration))
}

fn line(name: &str) -> Carries {
    Carries::line(name).expect("a standard line")
}

/// What is not said is as in the language.
#[test]
fn a_scenario_by_hand_is_that_of_its_text() {
    let delay = Span::from_milliseconds(2);
    let file = lasting(Span::from_seconds(1))
        .host(
            "ku",
            Host {
                cpu_per_segment: RandomSpan::Fixed(Span::from_microseconds(250)),
                sar: Sar::PerFrame(Span::from_microseconds(1)),
                ..Host::default()
            },
        )
        .host("edc", Host::default())
        .switch(
            "an2",
            Switch {
                delay: Span::from_microseconds(4),
                buffer: Buffer::PerPort(CellsOrPackets::Cells(Cells(256)).into()),
                drop: Drop::Epd(EpdPlan { threshold: Threshold::OfBuffer(0.8) }),
                ..Switch::default()
            },
        )
        .link("ku-side", LinkSection::between("ku", "an2", line("OC-3c"), delay))
        .link("there", LinkSection::one_way("an2", "edc", line("TAXI-100"), delay))
        .link(
            "back",
            LinkSection::one_way(
                "edc",
                "an2",
                Carries::cells(Rate::from_bits_per_second(100_000_000)),
                delay,
            ),
        )
        .flow(
            "bulk",
            FlowSection {
                start: RandomSpan::uniform(Span::ZERO, Span::from_milliseconds(10)),
                carried: Carriage::Own(Service::Ubr(Ubr {
                    pace: Some(Pacing::OfPayload(Rate::from_bits_per_second(95_000_000))),
                })),
                ..FlowSection::tcp(
                    "ku",
                    "edc",
                    Tcp { window: Bytes(128 << 10), ack: AckRule::EverySegment, ..Tcp::default() },
                )
            },
        )
        .observe(Observe {
            series: vec![Quantity::Queue, Quantity::Cwnd],
            interval: Some(Sampling::OnChange),
            ..Observe::default()
        });
    assert_same(&file, include_str!("by_hand/path.toml"));
}

/// A circuit between two edges that a family of flows shares.
#[test]
fn families_and_shared_circuits_by_hand() {
    let packets = Carries::packets(Rate::from_bits_per_second(100_000_000));
    let delay = Span::from_milliseconds(1);
    let flow = FlowSection {
        carried: Carriage::Shared("trunk".to_owned()),
        ..FlowSection::tcp(
            "src[*]",
            "dst",
            Tcp { timers: Timers::Fine(FineTimers::default()), ..Tcp::default() },
        )
    };
    let edge = Edge {
        buffer: Buffer::PerPort(CellsOrPackets::Packets(Packets(20)).into()),
        ..Edge::default()
    };
    let mut file = lasting(Span::from_milliseconds(300))
        .host("dst", Host::default())
        .edge("west", edge.clone())
        .edge("east", edge)
        .link("trunk", LinkSection::between("west", "east", line("OC-3c"), delay))
        .link("out", LinkSection::between("east", "dst", packets, delay))
        .vc("trunk", VcSection::between("west", "east"));
    file.run.phase = Phase::None;
    file.host.insert(0, Named::new("src", Some(3), Host::default()));
    let access = LinkSection::between("src[*]", "west", packets, delay);
    file.link.insert(0, Named::new("in", Some(3), access));
    file.flow.push(Named::new("bulk", Some(3), flow));
    assert_same(&file, include_str!("by_hand/circuit.toml"));
}

/// The transport is told the version of its flow, by which formulas count headers.
#[test]
fn a_flow_by_hand_is_over_ipv6_as_a_whole() {
    let mss = Bytes(1440);
    let flow = FlowSection {
        ip: IpVersion::V6,
        ..FlowSection::tcp("a", "b", Tcp { mss, ..Tcp::default() })
    };
    let hosts = lasting(Span::from_seconds(1)).host("a", Host::default());
    let wire = LinkSection::between("a", "b", line("OC-3c"), Span::from_milliseconds(2));
    let file = hosts.host("b", Host::default()).link("wire", wire).flow("f", flow);
    let flow = &file.resolve("by hand").expect("a right scenario").flows[0];
    let tcp = flow.tcp.as_ref().expect("a transport");
    assert_eq!((flow.ip, tcp.ip, tcp.mss), (IpVersion::V6, IpVersion::V6, mss));
}

/// Faults of texts are faults of values in Rust, too.
#[test]
fn a_fault_by_hand_names_the_section() {
    let message = |file: ScenarioFile| match file.resolve("by hand") {
        Err(error) => error.message,
        Ok(scenario) => panic!("{scenario:?}"),
    };
    let nothing = || lasting(Span::from_seconds(1)).host("a", Host::default());
    let tcp = || FlowSection::tcp("a", "b", Tcp::default());
    assert_eq!(message(nothing().flow("f", tcp())), "`flow.f.to`: unknown node `b`; expected `a`");
    let buffer = Buffer::PerPort(CellsOrPackets::Cells(Cells(0)).into());
    let small = message(nothing().switch("s", Switch { buffer, ..Switch::default() }));
    assert!(small.starts_with("`switch.s.buffer"), "{small}");
    let raw = FlowSection { tcp: None, ..tcp() };
    let untransported = message(nothing().host("b", Host::default()).flow("f", raw));
    assert!(untransported.starts_with("`flow.f"), "{untransported}");
    assert_eq!(Carries::line("OC-3"), None);
}
