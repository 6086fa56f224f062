//! One flow of each rule on a line of 10 Mbit/s with a round trip of 40 ms, in front of which 10 to
//! 80 packets have room: whole runs over three lengths of the path, with a receiver that takes no
//! time. In the study `recovery-rules` it takes some, by chance; `docs/models/tcp.md` shows its
//! table.

use cellway_sim::result::FlowSummary;
use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::{Continue, run};

const PATH: &str = include_str!("../../../../scenarios/recovery-rules.toml");
const BUFFERS: [u32; 4] = [10, 20, 40, 80];
const DELAYS: [&str; 3] = ["\"18.7 ms\"", "\"19 ms\"", "\"19.3 ms\""];
/// From the very start: an overshoot of slow start and what comes of it.
const DURATION: &str = "\"20 s\"";

fn flow(recovery: &str, buffer: u32, delay: &str) -> FlowSummary {
    let sets = [
        ("run.duration", DURATION.to_owned()),
        ("flow.f.tcp.recovery", recovery.to_owned()),
        ("switch.router.buffer", format!("{{ per_port = \"{buffer} packet\" }}")),
        ("link.line.delay", delay.to_owned()),
        ("host.home.cpu_per_segment", "\"0 us\"".to_owned()),
    ];
    let sets = sets.map(|(key, value)| (key.to_owned(), value));
    let scenario = Scenario::parse(Source { origin: "recovery-rules.toml", text: PATH }, &sets);
    let scenario = scenario.unwrap_or_else(|error| panic!("{error}"));
    let outcome = run(&scenario, &mut |_| Continue::Yes).expect("nothing cancels a test");
    outcome.summary.flows["f"].clone()
}

fn goodput(recovery: &str, buffer: u32, delay: &str) -> f64 {
    flow(recovery, buffer, delay).throughput_bits_per_second / 1e6
}

/// A timeout in an inflated window once set ssthresh to hundreds of packets, and New Reno fell
/// behind rules that know less.
#[test]
fn new_reno_is_not_below_reno_and_vanilla() {
    for buffer in BUFFERS {
        for delay in DELAYS {
            let new_reno = goodput("new_reno", buffer, delay);
            for other in ["reno", "vanilla"] {
                let its = goodput(other, buffer, delay);
                assert!(
                    new_reno >= its,
                    "{buffer} packets, {delay}: {new_reno} Mbit/s, {other} {its}"
                );
            }
        }
    }
}

/// What New Reno carries at least, in Mbit/s: within 2 % of what it does with each length of the
/// path. A fault that all rules share shows here, not in their order.
const FLOORS: [(u32, f64); 4] = [(10, 8.3), (20, 8.7), (40, 9.0), (80, 8.9)];

#[test]
fn new_reno_fills_most_of_the_line() {
    for (buffer, floor) in FLOORS {
        for delay in DELAYS {
            let found = goodput("new_reno", buffer, delay);
            assert!((floor..9.74).contains(&found), "{buffer} packets, {delay}: {found} Mbit/s");
        }
    }
}
