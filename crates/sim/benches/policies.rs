//! Cost of each drop policy: CPU seconds per cell-hop relative to tail drop, on the same sources.
//!
//! `cargo bench -p cellway-sim --bench policies`. The policy stands before the trunk of `b6` (a VC
//! for each of 100 TCPs) and of `b8` (100 TCPs in five circuits). The best of five rounds counts,
//! and policies take turns: on a shared machine the others measure the neighbours.

use std::path::Path;

use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::{Continue, run};
use cpu_time::ThreadTime;

const ROUNDS: usize = 5;

const POLICIES: [&str; 15] = [
    "\"tail\"",
    "\"ppd\"",
    "{ epd = { threshold = 0.8 } }",
    "{ selective_drop = { threshold = 0.8 } }",
    "{ fba = { threshold = 0.8 } }",
    "{ red = { min_threshold = 0.2, max_threshold = 0.8 } }",
    "\"codel\"",
    "\"pie\"",
    "{ fred = { min_threshold = 0.2, max_threshold = 0.8, min_per_vc = \"100 cell\" } }",
    "{ virtual_queuing = { threshold = 0.1 } }",
    "{ vq_dynamic_epd = { threshold = 0.8 } }",
    "{ vq_mcr = { threshold = 0.1, interval = \"1 ms\" } }",
    "{ ered = { min_threshold = 0.2, max_threshold = 0.8 } }",
    "{ priority = { low = 0.5, high = 0.8 } }",
    "{ dfba = { low = 0.5, high = 0.8 } }",
];

fn main() {
    println!("{:<20} {:>12} {:>12}", "policy", "100 VCs", "5 circuits");
    let [hundred, circuits] = ["b6-tcp-hundred.toml", "b8-gfr-dfba.toml"].map(seconds_per_hop);
    for (place, policy) in POLICIES.iter().enumerate() {
        let name =
            policy.split(|letter: char| "{}\" ".contains(letter)).find(|word| !word.is_empty());
        let [of_hundred, of_circuits] = [&hundred, &circuits].map(|costs| costs[place] / costs[0]);
        println!("{:<20} {of_hundred:>12.2} {of_circuits:>12.2}", name.unwrap_or_default());
    }
}

/// Seconds per hop, by policy.
fn seconds_per_hop(file: &str) -> Vec<f64> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/scenarios").join(file);
    let text = std::fs::read_to_string(&path).expect("the scenarios lie beside this file");
    let scenarios: Vec<Scenario> =
        POLICIES.iter().map(|policy| with_policy(&text, policy)).collect();
    let mut best = vec![f64::INFINITY; scenarios.len()];
    for _ in 0..ROUNDS {
        for (scenario, best) in scenarios.iter().zip(&mut best) {
            let start = ThreadTime::now();
            let outcome =
                run(scenario, &mut |_| Continue::Yes).expect("a benchmark runs to its end");
            *best = best.min(start.elapsed().as_secs_f64() / outcome.summary.cell_hops as f64);
        }
    }
    best
}

/// The scenario with this `drop` where it has its buffer of cells.
fn with_policy(text: &str, policy: &str) -> Scenario {
    let lines = text.lines().filter(|line| !line.starts_with("drop = ")).map(|line| match line {
        _ if line.starts_with("buffer = ") => format!("{line}\ndrop = {policy}\n"),
        _ if line.starts_with("duration = ") => "duration = \"3 s\"\n".to_owned(),
        _ => format!("{line}\n"),
    });
    let text: String = lines.collect();
    match Scenario::parse(Source { origin: "benchmark", text: &text }, &[]) {
        Ok(scenario) => scenario,
        Err(error) => panic!("{error}"),
    }
}
