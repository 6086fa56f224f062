//! Members of families set one by one, and instants that are drawn.

use super::common::FAMILIES;
use super::parse;
use cellway_sim::scenario::RandomSpan;
use cellway_sim::units::Span;

fn starts(sets: &[(&str, &str)]) -> Vec<RandomSpan> {
    parse(FAMILIES, sets).flows[..3].iter().map(|flow| flow.start).collect()
}

#[test]
fn a_set_changes_one_member() {
    let [none, one, two] = [0, 1, 2].map(|at| RandomSpan::Fixed(Span::from_milliseconds(at)));
    assert_eq!(starts(&[("flow.bulk[2].start", "1 ms")]), [none, one, none]);
    assert_eq!(
        starts(&[("flow.\"bulk[1]\".start", "1 ms"), ("flow.bulk[3].start", "2 ms")]),
        [one, none, two]
    );
    assert_eq!(
        starts(&[("flow.bulk[*].start", "1 ms"), ("flow.bulk[1].start", "2 ms")]),
        [two, one, one]
    );
    // Later ones over earlier ones: what is set for the family is set for its members.
    assert_eq!(starts(&[("flow.bulk[2].start", "2 ms"), ("flow.bulk.start", "1 ms")]), [one; 3]);
    assert_eq!(starts(&[("flow.bulk[2].start", "2 ms"), ("flow.bulk[*].start", "1 ms")]), [one; 3]);
    assert_eq!(starts(&[("flow.bulk[2].start", "2 ms"), ("flow.b*.start", "1 ms")]), [one; 3]);
    let all: Vec<(String, &str)> =
        (1..=3).map(|number| (format!("flow.bulk[{number}].start"), "1 ms")).collect();
    let all: Vec<(&str, &str)> = all.iter().map(|(path, value)| (path.as_str(), *value)).collect();
    assert_eq!(starts(&all), [one; 3]);
}

/// Members of every kind stay where they were in their family, so that names lead to the same nodes
/// and all else is the same.
#[test]
fn a_member_that_is_set_keeps_its_place() {
    let plain = parse(FAMILIES, &[]);
    for number in 1..=3 {
        let host = parse(FAMILIES, &[(&format!("host.src[{number}].ack_cost"), "included")]);
        assert_eq!(host, plain, "host.src[{number}]");
        let link = parse(FAMILIES, &[(&format!("link.in[{number}].delay"), "5 us")]);
        assert_eq!(link, plain, "link.in[{number}]");
        let flow = parse(FAMILIES, &[(&format!("flow.bulk[{number}].tcp.mss"), "512 B")]);
        assert_eq!(flow, plain, "flow.bulk[{number}]");
    }
    let set = [
        ("link.in[2].delay", "7 us"),
        ("host.dst[3].sar.per_cell", "1 us"),
        ("flow.bulk[1].tcp.window", "1 MiB"),
    ];
    let changed = parse(FAMILIES, &set);
    assert_ne!(changed, plain);
    assert_eq!(parse(&changed.to_toml(), &[]), changed, "what is written reads back");
    assert_eq!(parse(&plain.to_toml(), &set), changed, "a resolved text is set the same way");
}

#[test]
fn a_member_can_be_written_out_beside_its_family() {
    let own = "[switch.mux]";
    let text =
        FAMILIES.replace(own, &format!("[host.\"src[2]\"]\ncpu_per_segment = \"3 us\"\n{own}"));
    let times: Vec<RandomSpan> =
        parse(&text, &[]).hosts.iter().map(|host| host.cpu_per_segment).collect();
    let three = Span::from_microseconds(3);
    let none = Span::ZERO;
    assert_eq!(times, [none, three, none, none, none, none].map(RandomSpan::Fixed));
}

#[test]
fn distributions_are_read_and_written() {
    let spread = parse(
        FAMILIES,
        &[
            ("flow.bulk.start.uniform", "[\"0 s\", \"10 ms\"]"),
            ("flow.noise.start.exponential.mean", "20 ms"),
            ("flow.noise.stop", "{ exponential = { mean = \"20 ms\", offset = \"0.5 s\" } }"),
            ("host.dst.cpu_per_segment", "{ uniform = [\"1 us\", \"3 us\"] }"),
        ],
    );
    let milliseconds = Span::from_milliseconds;
    assert_eq!(spread.flows[2].start, RandomSpan::uniform(Span::ZERO, milliseconds(10)));
    let exponential = |offset| RandomSpan::exponential(milliseconds(20), offset);
    assert_eq!(spread.flows[4].start, exponential(Span::ZERO));
    assert_eq!(spread.flows[4].stop, Some(exponential(milliseconds(500))));
    assert_eq!(parse(&spread.to_toml(), &[]), spread);
}
