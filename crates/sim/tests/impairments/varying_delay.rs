//! Delays that vary, and outages.

use super::network::Network;
use super::{counted, outcome, summary};

/// Cells at a constant rate over one link; each is a sample of the delay.
fn path(delay: &str) -> String {
    let text = Network::line("400 ms", ["OC-3c"; 2], "1 ms").cbr("4.24 Mbit/s of cell");
    with_delay(&text, "out", delay)
}

/// The text with another delay of this link.
fn with_delay(text: &str, link: &str, delay: &str) -> String {
    let head = format!("[link.{link}]\n");
    let (before, section) = text.split_once(&head).expect("the link is there");
    let section = section.replacen("delay = \"1 ms\"", &format!("delay = {delay}"), 1);
    format!("{before}{head}{section}")
}

/// A cell every 100 us. Those sent in the last 9 ms before a step back by 10 ms have not arrived
/// when the first one behind it would; it and those behind it wait for them.
#[test]
fn after_a_step_back_cells_arrive_together_and_in_order() {
    let inside = |delay: &str, at: &str| {
        let text = path(delay).replace("400 ms", at);
        summary(&text).vcs["cbr"].inside as i64
    };
    let delay = "{ steps = [[\"0 s\", \"20 ms\"], [\"200 ms\", \"10 ms\"]] }";
    // 1 ms on the first link, 20 ms or 10 ms on the second; a cell every 100 us, with one at both
    // ends of a span.
    for (at, expected) in [("199 ms", 210), ("205 ms", 210), ("215 ms", 210), ("230 ms", 110)] {
        let found = inside(delay, at);
        assert!((found - expected).abs() <= 1, "{at}: {found}, not {expected}");
    }
    // Within 10 ms of the step all wait for the last one sent before it.
    let just_before = inside(delay, "219900 us");
    let just_after = inside(delay, "220200 us");
    assert!(just_before - just_after > 95, "{just_before} and {just_after}");
}

/// On a straight line from 10 to 30 ms over 200 ms: at a time t the delay is 10 ms + t/10.
#[test]
fn a_delay_on_a_straight_line_lengthens_evenly() {
    let delay = "{ linear = [[\"0 s\", \"10 ms\"], [\"200 ms\", \"30 ms\"]] }";
    // What is sent at s arrives at 1.1·s + 10 ms: at 131 ms that of 110 ms, at 300 ms all since
    // 270 ms is under way.
    for (at, expected) in [("131 ms", 220.0), ("300 ms", 310.0)] {
        let found = summary(&path(delay).replace("400 ms", at)).vcs["cbr"].inside as f64;
        assert!((found - expected).abs() <= 2.0, "{at}: {found}, not {expected}");
    }
}

/// The round trip of every segment is between those of the shortest and the longest delay.
#[test]
fn the_round_trip_follows_the_delay() {
    let text = Network::wire("40 s", "100 Mbit/s of line", "1 ms").greedy(
        "bulk",
        ["a", "b"],
        "window = \"16 KiB\", timers = \"fine\"",
    );
    let delay = "{ steps = [[\"0 s\", \"20 ms\"], [\"10 s\", \"35 ms\"], [\"20 s\", \"5 ms\"]] }";
    let flow = &summary(&with_delay(&text, "wire", delay)).flows["bulk"];
    let (least, most) = (flow.rtt.min_s.expect("measured"), flow.rtt.max_s.expect("measured"));
    assert!((0.010..0.0115).contains(&least) && (0.070..0.0725).contains(&most), "{flow:?}");
    assert_eq!((flow.retransmitted_segments, flow.timeouts), (0, 0));
}

/// An outage of 5 ms every 50 ms has 50 cells of 500. Lost ones are lost; ones that wait do not
/// get lost, and the next ones do not overtake them.
#[test]
fn cells_in_an_outage_are_lost_or_wait() {
    let when = "when.periodic = { every = \"50 ms\", lasts = \"5 ms\", offset = \"20 ms\" }";
    let outages = |units: &str| {
        let keys = format!("impairments.outages = {{ {when}, units = \"{units}\" }}");
        let text = Network::line("400 ms", ["OC-3c"; 2], "1 ms").cbr("4.24 Mbit/s of cell");
        summary(&text.at("link.out", &keys))
    };
    let lost = counted(&outages("lost"), "out", "outages");
    // Eight outages, of 50 or 51 cells: one that has begun before is lost, too.
    assert!((400..=408).contains(&lost.lost) && lost.delayed == 0, "{lost:?}");
    let waiting = outages("wait");
    let waited = counted(&waiting, "out", "outages");
    assert_eq!((waited.lost, waited.delayed), (0, lost.lost));
    let vc = waiting.vcs["cbr"];
    assert_eq!(vc.sent, vc.delivered + vc.inside);
}

/// A transfer over satellites with hand-overs goes on after each.
#[test]
fn tcp_survives_hand_overs() {
    let text = Network::wire("20 s", "10 Mbit/s of line", "25 ms")
        .at(
            "link.wire",
            "impairments.outages.when.periodic = { every = \"5 s\", lasts = \"80 ms\", offset = \
             \"3 s\" }",
        )
        .greedy("bulk", ["a", "b"], "recovery = \"sack\", timers = \"fine\"");
    let outcome = outcome(&text);
    let flow = &outcome.summary.flows["bulk"];
    assert!(flow.retransmitted_segments > 0 && flow.aborted_s.is_none(), "{flow:?}");
    assert!(flow.throughput_bits_per_second > 4e6, "{flow:?}");
}
