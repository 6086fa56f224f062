//! Links whose rate varies: exact departures, and paths that nothing else has a part in.

use cellway_sim::Simulation;
use cellway_sim::pdu::{FlowEnd, Packet};
use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::units::{Span, Time};

use super::{outcome, outcome_of, scenario};

/// A host, a switch and a host, the second link of varying rate; TCP of packets.
fn packets(capacity: &str) -> String {
    include_str!("capacity/packets.toml").replace("steps.rates = []", capacity)
}

/// When packets of these bytes arrive that are all put in at once, in microseconds.
fn arrivals(text: &str, sizes: &[u32]) -> Vec<i64> {
    let scenario = scenario(text);
    let mut simulation = Simulation::with_external(&scenario, &["f"]).expect("a flow");
    for (index, &bytes) in sizes.iter().enumerate() {
        let packet = Packet::opaque(bytes, index as u64);
        simulation.send(Time::ZERO, FlowEnd::Origin(0), packet).expect("in time");
    }
    let mut found = Vec::new();
    while simulation.now() < simulation.end() {
        simulation.run_until(simulation.end()).expect("a run");
        found.extend(
            simulation
                .take_arrivals()
                .map(|arrival| (arrival.at - Time::ZERO).picoseconds() / 1_000_000),
        );
    }
    found
}

/// The first packet is in the switch after 120 us on the LAN and 1 ms under way. At 1.12 ms the
/// line has 6 Mbit/s until 2 ms, none until 5 ms, and 12 Mbit/s from then on; 5 ms of delay.
#[test]
fn a_packet_that_an_outage_interrupts_is_finished_after_it() {
    let steps = "steps.rates = [[\"0 s\", \"6 Mbit/s of line\"], [\"2 ms\", \"0 bit/s of line\"], \
                 [\"5 ms\", \"12 Mbit/s of line\"]]";
    // 5280 bits in 880 us; 6720 take 560 us from 5 ms on. Then 1 ms each, and 500 us.
    let expected = [10_560, 11_560, 12_560, 13_060];
    assert_eq!(arrivals(&packets(steps), &[1500, 1500, 1500, 750]), expected);
}

/// Grants of two packets of 1 ms each, every 10 ms: they arrive in pairs, whenever the first grant
/// begins. All are there before it. A packet that a grant has no time for is finished in the next.
#[test]
fn grants_let_an_aggregate_through() {
    let grants = "grants = { rate = \"12 Mbit/s of line\", period = \"10 ms\", \
                  aggregate = \"3 kB\" }";
    let found = arrivals(&packets(grants), &[1500, 1500, 750, 1500, 1500, 1500, 750]);
    let since_first: Vec<i64> = found.iter().map(|at| at - found[0]).collect();
    assert_eq!(since_first, [0, 1000, 9_500, 10_500, 19_500, 20_500, 21_000]);
    assert!((7_120..17_120).contains(&found[0]), "{found:?}");
}

/// The first packet asks for a grant, and begins 23 ms later at the earliest; those behind it are
/// asked for with it, and come in the same grant and the next.
#[test]
fn a_request_is_waited_for_once() {
    let grants = |more: &str| {
        format!(
            "grants = {{ rate = \"12 Mbit/s of line\", period = \"10 ms\", \
             aggregate = \"3 kB\"{more} }}"
        )
    };
    let sizes = [1500; 4];
    let at_once = arrivals(&packets(&grants("")), &sizes);
    let asked = arrivals(&packets(&grants(", request_delay = \"23 ms\"")), &sizes);
    let later: Vec<i64> = asked.iter().zip(&at_once).map(|(later, at)| later - at).collect();
    // Ready at 24.12 ms, in the pause before the third grant.
    assert_eq!((asked[0] - at_once[0], later), (20_000, vec![20_000; 4]));
}

/// An interface of a host, with cells: 424 bits each, four to a packet of 150 bytes with its
/// trailer.
#[test]
fn cells_leave_a_host_at_the_rate_of_the_instant() {
    let text = packets(
        "steps.rates = [[\"0 s\", \"424 kbit/s of cell\"], [\"2500 us\", \"848 \
                        kbit/s of cell\"]]",
    )
    .replace("12 Mbit/s of line", "1 Mbit/s of cell")
    .replace("100 Mbit/s of line", "1 Mbit/s of cell")
    .replace("carries = \"packets\"\n", "")
    .replace("10 packet", "10 cell")
    .replace("[\"a\", \"s\"]", "[\"s\", \"x\"]")
    .replace("[\"s\", \"b\"]", "[\"a\", \"b\"]")
    .replace("[host]\n", "[host]\nx = {}\n");
    // A millisecond each, the third half of it and a quarter, the fourth half of one.
    assert_eq!(arrivals(&text, &[150]), [5_000 + 2_000 + 500 + 250 + 500]);
}

/// A rate that does not vary: the same packets at the same picoseconds as without `capacity`.
#[test]
fn a_constant_path_does_what_a_constant_rate_does() {
    let full = packets("mahimahi.opportunities = [1, 2, 3]");
    let without = full.replace("capacity = { mahimahi.opportunities = [1, 2, 3] }\n", "");
    assert_ne!(full, without);
    let [full, without] = [full, without].map(|text| outcome(&text).summary);
    assert_eq!(full.flows, without.flows);
    assert_eq!(full.ports, without.ports);
    let capacity = full.links["line"].capacity.expect("it is asked for");
    assert_eq!(
        (capacity.changes, capacity.mean_bits_per_second.to_bits()),
        (0, 12e6_f64.to_bits())
    );
}

const TWO: &str = "two_state = { high = \"8 Mbit/s of line\", low = \"4 Mbit/s of line\", \
                   mean_high = \"100 ms\", mean_low = \"100 ms\" }";

/// Rates of the line with their instants, whatever else is set.
fn path(text: &str, sets: &[(&str, &str)], link: &str) -> Vec<(Time, u64)> {
    let sets: Vec<(String, String)> =
        sets.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let scenario = Scenario::parse(Source { origin: "path.toml", text }, &sets);
    let scenario = scenario.unwrap_or_else(|error| panic!("{error}"));
    let index = (0..scenario.links.len()).find(|&index| scenario.name_of_link(index) == link);
    let steps = scenario.capacity_steps(index.expect("a link")).expect("it varies");
    let steps = steps.take_while(|(at, _)| *at < Time::ZERO + Span::from_seconds(5));
    steps.map(|(at, rate)| (at, rate.bits_per_second())).collect()
}

/// All schemes of a replication see one path: neither traffic nor transport, policy, buffers,
/// length, other links or observation have a part in it; the seed, the name and the direction have.
#[test]
fn a_path_is_that_of_its_link_and_the_seed() {
    let text = packets(TWO);
    let there = path(&text, &[], "line");
    assert!(there.len() > 20, "{there:?}");
    for sets in [
        &[("flow.f.tcp.recovery", "tahoe"), ("flow.f.tcp.window", "8 KiB")][..],
        &[("switch.s.buffer", "infinite"), ("switch.s.drop", "ppd")],
        &[("run.duration", "20 s"), ("run.warm_up", "0 s")],
        &[("link.lan.delay", "77 ms"), ("link.line.impairments.loss", "0.1")],
        &[("observe.series", "[\"capacity\"]")],
    ] {
        assert_eq!(path(&text, sets, "line"), there, "{sets:?}");
    }
    assert_ne!(path(&text, &[("run.seed", "8")], "line"), there);
    assert_ne!(path(&text, &[], "line back"), there);
    let renamed = text.replace("link.line", "link.hop");
    assert_ne!(path(&renamed, &[], "hop"), there);
}

/// What a run records and reports is that path.
#[test]
fn series_and_summary_are_of_the_path() {
    let text = packets(TWO) + "[observe]\nseries = [\"capacity\"]\ninterval = \"change\"\n";
    let outcome = outcome(&text);
    let series = outcome.series.iter().find(|series| series.name == "line.capacity");
    let series = series.expect("it is recorded");
    let points = series.times.iter().copied().zip(series.values.iter().map(|&rate| rate as u64));
    let points = points.take_while(|(at, _)| *at < Time::ZERO + Span::from_seconds(5));
    assert_eq!(points.collect::<Vec<_>>(), path(&text, &[], "line"));
    let capacity = outcome.summary.links["line"].capacity.expect("it varies");
    let (mut area, mut changes) = (0.0, 0);
    let begin = Time::ZERO + Span::from_seconds(1);
    let ends = series.times[1..].iter().copied().chain([Time::ZERO + Span::from_seconds(8)]);
    for ((&at, &rate), end) in series.times.iter().zip(&series.values).zip(ends) {
        area += rate * (end.max(begin) - at.max(begin)).seconds_f64();
        changes += u64::from(at > begin);
    }
    assert!((capacity.mean_bits_per_second - area / 7.0).abs() < 1e-3, "{capacity:?}");
    assert_eq!(capacity.changes, changes);
    let efficiency = outcome.summary.channels["line"].efficiency;
    let most = 1460.0 / 1500.0 * capacity.mean_bits_per_second;
    let goodput = outcome.summary.flows["f"].measured_bits_per_second;
    assert!((efficiency - goodput / most).abs() < 1e-12, "{efficiency}");
    // What is sent is not more than the line could, and all of it is used in the long run.
    let sent = outcome.summary.flows["f"].measured_bits_per_second;
    assert!(sent < capacity.mean_bits_per_second && sent > 0.6 * capacity.mean_bits_per_second);
}

/// A line of cells that bulk data share with whatever is before them.
fn shared(others: &str, capacity: &str) -> String {
    include_str!("capacity/shared.toml")
        .replace("# capacity\n", capacity)
        .replace("# others\n", others)
}

/// What guaranteed services leave, VBR in bursts of 4 Mbit/s and a constant 1 Mbit/s, is a chain of
/// two states at 7 and 3 Mbit/s (Shakkottai et al. 2001: "a two-state model suffices").
#[test]
fn what_vbr_and_a_minimum_rate_leave_is_a_chain_of_two_states() {
    let others = include_str!("capacity/guaranteed.toml");
    let chain = include_str!("capacity/left.toml");
    let beside = outcome_of(&scenario(&shared(others, ""))).summary;
    let alone = outcome_of(&scenario(&shared("", chain))).summary;
    let taken = ["video", "minimum"].map(|name| beside.flows[name].measured_bits_per_second);
    let left = 8e6 - taken.iter().sum::<f64>();
    let capacity = alone.links["trunk"].capacity.expect("it varies").mean_bits_per_second;
    // Of 295 s: 2·h²l²/((h + l)³T) of the time at the high rate, four deviations of each.
    let deviation = 4e6 * (2.0 * 0.0625_f64 / 295.0).sqrt();
    for mean in [left, capacity] {
        assert!((mean - 5e6).abs() < 4.0 * deviation, "{left} and {capacity}");
    }
    let [beside, alone] = [beside, alone].map(|one| one.flows["bulk"].measured_bits_per_second);
    let (efficiency, of_chain) = (beside / left, alone / capacity);
    assert!((efficiency - of_chain).abs() < 0.05, "{efficiency} and {of_chain}");
    assert!(of_chain > 0.7, "{of_chain}");
}

/// A part of nothing would be no number.
#[test]
fn a_line_that_stood_still_all_the_time_was_used_not_at_all() {
    for (carries, unit) in [("packets", "line"), ("cells", "cell")] {
        let outcome = outcome(
            &include_str!("capacity/still.toml")
                .replace("of line", &format!("of {unit}"))
                .replace("packets", carries),
        );
        let channel = &outcome.summary.channels["line"];
        assert!(channel.efficiency < 1e-9, "{channel:?}");
        assert!(channel.utilisation.is_none_or(|part| part < 1e-9), "{channel:?}");
    }
}
