//! Sources that follow the capacity of a link: how fast, since when, and that nothing gets lost.

use super::{outcome, scenario};
use cellway_sim::Outcome;
use cellway_sim::explain::explain;

/// Packets of 500 bytes over 200 ms there and back; `capacity` and `pacing` are the keys of the
/// bottleneck and of the flow.
fn path(capacity: &str, pacing: &str) -> String {
    include_str!("pacing.toml")
        .replace("# capacity", capacity)
        .replace("rate = \"instcap\"", pacing)
}

fn delivered(outcome: &Outcome) -> u64 {
    outcome.summary.vcs["x"].frames_delivered
}

fn rates(outcome: &Outcome, seconds: &[f64]) -> Vec<f64> {
    let series = outcome.series.iter().find(|one| one.name == "x.pacing_rate").expect("recorded");
    let at = |&second: &f64| {
        let after = series.times.partition_point(|time| time.seconds_f64() <= second + 1e-9);
        series.values[after - 1].round()
    };
    seconds.iter().map(at).collect()
}

/// 400 kbit/s are 100 packets a second, and the queue at the bottleneck never holds a second one.
#[test]
fn a_constant_pace_is_what_arrives() {
    let outcome = outcome(&path("", "rate.constant = \"400 kbit/s of line\""));
    assert_eq!(delivered(&outcome), 5_000);
    assert_eq!(outcome.summary.ports["router.bottleneck"].max_queue, 1);
    let waiting = outcome.summary.vcs["x"].pacing.expect("it is paced");
    // A window of 142 packets, less some 20 on their way.
    assert!((119..=123).contains(&waiting.max_queue), "{}", waiting.max_queue);
}

/// A rate is halved at 60.01 s, in the 2001st interval, and heard a round trip after its end.
#[test]
fn a_change_is_heard_one_round_trip_after_its_interval() {
    let capacity = "capacity.steps.rates = [[\"0 s\", \"800 kbit/s of line\"], [\"60.01 s\", \
                    \"400 kbit/s of line\"]]";
    let outcome = outcome(&path(capacity, "rate = \"instcap\""));
    let found = rates(&outcome, &[60.22, 60.23, 60.25, 60.26, 90.0]);
    // A third of that interval was fast.
    assert_eq!(found, [800_000.0, 533_333.0, 533_333.0, 400_000.0, 400_000.0]);
}

/// M 7, N 49: the first average with a slow interval is told as soon as it is heard, the last one
/// is forgotten 55 intervals after its last slow one.
#[test]
fn effcap_falls_at_once_and_rises_when_the_slow_averages_are_forgotten() {
    let capacity = "capacity.steps.rates = [[\"0 s\", \"800 kbit/s of line\"], \
                    [\"60 s\", \"400 kbit/s of line\"], [\"60.3 s\", \"800 kbit/s of line\"]]";
    let outcome = outcome(&path(capacity, "rate = \"effcap\""));
    // Ten slow intervals end at 60.3 s; the last average of seven slow ones with them, 48 more
    // intervals of 30 ms later it is the oldest of 49, and the next has one fast interval.
    let found = rates(&outcome, &[60.22, 60.23, 60.43, 60.44, 61.94, 61.97]);
    let sixth = |slow: f64| ((7.0 - slow) * 800_000.0 + slow * 400_000.0) / 7.0;
    assert_eq!(found[..4], [800_000.0, sixth(1.0).round(), sixth(7.0), sixth(7.0)]);
    assert_eq!(found[4..], [400_000.0, sixth(6.0).round()]);
}

#[test]
fn two_flows_that_name_a_link_have_half_of_it_each() {
    let both = path("", "rate = \"instcap\"")
        + "[flow.y]\nfrom = \"here\"\nto = \"there\"\ntraffic = \"greedy\"\n\
           tcp = { mtu = \"500 B\", window = \"64 KiB\", ack = \"every_segment\" }\n\
           pacing = { link = \"bottleneck\", rate = \"instcap\" }\n";
    let outcome = outcome(&both);
    for flow in ["x", "y"] {
        assert_eq!(outcome.summary.vcs[flow].frames_delivered, 5_000);
    }
    assert_eq!(scenario(&both).flows[0].pace.as_ref().expect("paced").sharers, 2);
}

/// Everything waits at the source and not at the router; what finds the buffer full is lost there.
#[test]
fn a_full_segmentation_buffer_discards() {
    let outcome =
        outcome(&path("", "rate.constant = \"400 kbit/s of line\"\nbuffer = \"5 packet\""));
    let vc = &outcome.summary.vcs["x"];
    let waiting = vc.pacing.expect("it is paced");
    assert_eq!(waiting.max_queue, 5);
    assert!(waiting.dropped > 0 && waiting.dropped == vc.dropped);
}

/// Ten seconds of nothing in the middle, and the flow goes on behind them.
#[test]
fn a_source_that_heard_of_an_outage_recovers() {
    let capacity = "capacity.steps.rates = [[\"0 s\", \"800 kbit/s of line\"], \
                    [\"60 s\", \"0 bit/s of line\"], [\"70 s\", \"800 kbit/s of line\"]]";
    for law in ["\"instcap\"", "\"effcap\""] {
        let outcome = outcome(&path(capacity, &format!("rate = {law}")));
        let packets = delivered(&outcome);
        // 40 s of 200 a second, less what timers and memory lose.
        assert!((5_500..=8_000).contains(&packets), "{law}: {packets}");
    }
}

#[test]
fn feedback_of_a_rate_that_never_changes_is_warned_of() {
    let warned = |text: &str| {
        let explanation = explain(&scenario(text));
        explanation.warnings.iter().any(|warning| warning.contains("never changes"))
    };
    assert!(warned(&path("", "rate = \"instcap\"")));
    assert!(!warned(&path("", "rate.constant = \"400 kbit/s of line\"")));
    let capacity = "capacity.steps.rates = [[\"0 s\", \"800 kbit/s of line\"], \
                    [\"60 s\", \"400 kbit/s of line\"]]";
    assert!(!warned(&path(capacity, "rate = \"instcap\"")));
}
