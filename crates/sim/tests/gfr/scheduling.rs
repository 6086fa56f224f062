//! Weighted fair queueing at a port: shares of a saturated link, by minimum rates.

use super::summary;
use cellway_sim::result::Summary;

/// Sources of 60 kcell/s each into a link of 100 kcell/s, measured for 1 s with every queue full;
/// `services` of the flows.
fn saturated<S: AsRef<str>>(scheduler: &str, services: &[S]) -> String {
    let flow = |(service, number): (&S, usize)| {
        format!(
            "[flow.f{number}]\nfrom = \"src[{number}]\"\nto = \"dst\"\ntraffic.cbr.rate = \"60 \
             kcell/s\"\n\
             service = {}\n",
            service.as_ref()
        )
    };
    let flows: Vec<String> = services.iter().zip(1..).map(flow).collect();
    include_str!("saturated.toml")
        .replace("\"fifo\"", scheduler)
        .replace("count = 4", &format!("count = {}", services.len()))
        + &flows.concat()
}

/// With a link of 50 kcell/s.
fn half_as_fast(text: &str) -> String {
    let link = |rate: &str| format!("between = [\"s\", \"dst\"]\nrate = \"{rate} Mbit/s of cell\"");
    text.replace(&link("42.4"), &link("21.2"))
}

/// Cells of each flow per second of the measurement.
fn shares(text: &str) -> Vec<f64> {
    let summary: Summary = summary(text);
    summary.flows.values().map(|flow| flow.throughput_bits_per_second / 424.0).collect()
}

fn near(shares: &[f64], expected: &[f64], cells: f64) {
    assert_eq!(shares.len(), expected.len());
    for (share, expected) in shares.iter().zip(expected) {
        assert!(
            (share - expected).abs() <= cells,
            "{shares:?} against {expected:?} of 100 000 cells"
        );
    }
}

const UBR: &str = "\"ubr\"";

fn gfr(mcr_kcell: u32) -> String {
    format!("{{ gfr = {{ mcr = \"{mcr_kcell} kcell/s\" }} }}")
}

/// A round robin: in any time each has had as many cells as the others, or one more.
#[test]
fn equal_weights_have_equal_shares_to_the_cell() {
    for services in [[UBR; 4].map(str::to_owned), [10; 4].map(gfr)] {
        near(&shares(&saturated("\"wfq\"", &services)), &[25_000.0; 4], 1.0);
    }
}

/// 5:3:2 of everything; Golestani's bound of `1/w_i + 1/w_j` is 1 + 5/2 cells of the first.
/// Or three parts of 16 666.7 of the 50 kcell/s that 25, 15 and 10 leave, on top of these.
#[test]
fn what_is_left_is_shared_as_the_minimum_rates_are_or_in_equal_parts() {
    let services = [25, 15, 10].map(gfr);
    let by_mcr = [50_000.0, 30_000.0, 20_000.0];
    near(&shares(&saturated("\"wfq\"", &services)), &by_mcr, 4.0);
    let equal = [25_000.0, 15_000.0, 10_000.0].map(|mcr| mcr + 50_000.0 / 3.0);
    near(&shares(&saturated("{ wfq = { excess = \"equal\" } }", &services)), &equal, 4.0);
}

/// Weights of 49.6 and 50 kcell/s and of a thousandth of the link, 0.1 kcell/s: 99.7 together.
#[test]
fn without_a_minimum_rate_the_weight_is_a_thousandth_of_the_link() {
    let exact = "{ gfr = { mcr = \"49.6 kcell/s\" } }";
    let text = saturated("\"wfq\"", &[exact, &gfr(50), UBR]);
    near(&shares(&text), &[49_749.0, 50_150.0, 100.0], 4.0);
}

/// Forty thousandths beside 49 of 50 kcell/s once took a part of the guarantee: what no rate is for
/// is all that they share.
#[test]
fn many_vcs_without_a_minimum_rate_leave_a_guarantee_alone() {
    let services: Vec<String> =
        std::iter::once(gfr(49)).chain([UBR; 40].map(str::to_owned)).collect();
    let shares = shares(&half_as_fast(&saturated("\"wfq\"", &services)));
    assert!(shares[0] >= 48_999.0, "{shares:?}");
}

/// What one does not use the others have: 20 of its 50 kcell/s, and 80 in the ratio of 3 to 2 is 48
/// and 32.
#[test]
fn what_one_vc_leaves_the_others_share_by_weight() {
    let services = [25, 15, 10].map(gfr);
    let text = saturated("\"wfq\"", &services).replacen("60 kcell/s", "20 kcell/s", 1);
    near(&shares(&text), &[20_000.0, 48_000.0, 32_000.0], 4.0);
}

/// 60 into 50 kcell/s: the weight does not matter, and a queue for one VC is a queue.
#[test]
fn a_vc_alone_has_the_link_as_with_one_queue() {
    for services in [vec![UBR], vec!["{ gfr = { mcr = \"1 cell/s\" } }"]] {
        let [fifo, wfq] = ["\"fifo\"", "\"wfq\""]
            .map(|scheduler| summary(&half_as_fast(&saturated(scheduler, &services))));
        assert!(fifo.ports["s.out"].drops.overflow > 9_000);
        assert_eq!(fifo, wfq);
    }
}

/// TCP too: data at one port and acknowledgements at the other.
#[test]
fn one_connection_sees_no_difference() {
    let text = |scheduler: &str| {
        half_as_fast(&saturated(scheduler, &[UBR])).replace(
            "traffic.cbr.rate = \"60 kcell/s\"",
            "traffic = \"greedy\"\ntcp = { mss = \"1460 B\", window = \"400 KiB\" }",
        )
    };
    // The first slow start is what overflows it.
    let text = |scheduler: &str| text(scheduler).replace(", warm_up = \"1 s\"", "");
    let [fifo, wfq] = ["\"fifo\"", "\"wfq\""].map(|scheduler| summary(&text(scheduler)));
    assert!(fifo.vcs["f1"].dropped > 0, "the buffer overflows");
    assert_eq!(fifo, wfq);
}
