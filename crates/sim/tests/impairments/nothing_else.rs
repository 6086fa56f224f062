//! An impairment that does nothing changes nothing, and none changes another link's.

use super::network::Network;
use super::{counted, outcome, summary};
use cellway_sim::result::Summary;

/// Data over two links, and random cells beside them.
fn network() -> Network {
    Network::line("3 s", ["OC-3c", "DS-3"], "2 ms")
        .with_random_phases()
        .greedy("bulk", ["a", "b"], "timers = \"fine\"")
        .flow("noise", ["a", "b"], "traffic.poisson.rate = \"10 Mbit/s of cell\"")
        .observe("cwnd", "change")
}

fn without_counts(mut summary: Summary) -> Summary {
    summary.links.values_mut().for_each(|link| link.impairments.clear());
    summary
}

#[test]
fn one_of_probability_zero_is_none() {
    let plain = outcome(&network());
    for impairments in [
        "loss = 0",
        "bit_errors = 0",
        "gilbert_elliott.sojourn.transitions = { to_bad = 0, to_good = 0.1 }",
        "gilbert_elliott = { sojourn.times = { good = \"1 s\", bad = \"1 s\" }, bad_loss = 0 }",
        "script.bulk.segments = [1000000]",
        "outages.when.listed = [[\"10 s\", \"1 s\"]]",
        "outages = { when.listed = [[\"10 s\", \"1 s\"]], units = \"wait\" }",
        "loss = 0, bit_errors = 0, script.bulk.acks = [1000000]",
    ] {
        let text = network().at("link.out", &format!("impairments = {{ {impairments} }}"));
        let none = outcome(&text);
        assert_eq!(without_counts(none.summary), plain.summary, "{impairments}");
        assert_eq!(none.series, plain.series, "{impairments}");
    }
}

#[test]
fn a_packet_link_that_neither_reorders_nor_copies_is_plain() {
    let network = || {
        Network::lasting("3 s")
            .host("a")
            .host("b")
            .link("out", ["a", "b"], "10 Mbit/s of line", "2 ms")
            .greedy("bulk", ["a", "b"], "timers = \"fine\"")
    };
    let plain = outcome(&network());
    for impairments in ["duplicate = 0", "reorder = { probability = 0, extra_delay = \"1 s\" }"] {
        let text = network().at("link.out", &format!("impairments = {{ {impairments} }}"));
        assert_eq!(without_counts(outcome(&text).summary), plain.summary, "{impairments}");
    }
}

/// A list of one delay is that delay.
#[test]
fn a_delay_that_varies_by_nothing_is_fixed() {
    let text = network();
    for way in ["steps", "linear"] {
        let varying = format!("delay = {{ {way} = [[\"0 s\", \"2 ms\"], [\"1 s\", \"2 ms\"]] }}");
        let varying = outcome(&text.replace("delay = \"2 ms\"", &varying));
        assert_eq!(varying.summary, outcome(&text).summary);
    }
}

#[test]
fn the_same_seed_loses_the_same_and_another_does_not() {
    let text = network().at("link.out", "impairments.loss = 0.01");
    let lost = |text: &str| summary(text).links["out"].impairments["loss"];
    assert_eq!(lost(&text), lost(&text));
    assert_ne!(lost(&text), lost(&text.replace("[run]\n", "[run]\nseed = 2\n")));
}

/// Raw cells pass `in` and `out` in any case: what `out` loses of those that reach it does not
/// depend on `back` being impaired or not, nor on what its own other direction loses.
#[test]
fn an_impairment_of_one_link_changes_no_draw_of_another() {
    let base = Network::line("3 s", ["OC-3c"; 2], "1 ms")
        .host("c")
        .link("side", ["c", "s"], "OC-3c", "1 ms")
        .cbr("30 Mbit/s of cell")
        .flow("other", ["c", "a"], "traffic.poisson.rate = \"9 Mbit/s of cell\"")
        .at("link.out", "impairments.loss = 0.01");
    let more = base.clone().at("link.side", "impairments.loss = 0.2");
    let [alone, beside] = [&base, &more].map(|text| counted(&summary(text), "out", "loss"));
    assert_eq!(alone, beside);
}
