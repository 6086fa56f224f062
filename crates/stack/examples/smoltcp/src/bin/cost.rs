//! CPU seconds of a run by its stacks, on Linux.
//!
//! ```sh
//! cargo run --release --bin cost -- SCENARIO FLOW plain|model|COMMAND [KEY=VALUE...]
//! ```
//!
//! `plain` has no stacks, `model` the simulator's own TCP on the wire. It prints the CPU time of
//! this process and of its programs, in seconds a simulated second, and the flow's goodput.

use std::error::Error;

use cellway_sim::Continue;
use cellway_sim::scenario::{Scenario, Source};
use cellway_stack::{Choice, chosen, drive};

/// Clock ticks of a second in /proc, which every Linux has.
const TICKS: f64 = 100.0;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [file, flow, stack, sets @ ..] = &words[..] else {
        return Err("usage: SCENARIO FLOW plain|model|COMMAND [KEY=VALUE...]".into());
    };
    let text = std::fs::read_to_string(file)?;
    let pairs = sets.iter().filter_map(|set| set.split_once('='));
    let sets: Vec<_> = pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
    let scenario = Scenario::parse(Source { origin: file, text: &text }, &sets)?;
    let outcome = if stack == "plain" {
        cellway_sim::run(&scenario, &mut |_| Continue::Yes)?
    } else {
        let words = stack.split(' ').map(str::to_owned).collect();
        let choice = Choice { flow: flow.clone(), role: None, words };
        let ends = chosen(&scenario, &[choice])?;
        drive(&scenario, ends, None, &mut |_| Continue::Yes)?.outcome
    };
    let simulated = scenario.run.duration.seconds_f64();
    let [own, programs] = used()?.map(|seconds| seconds / simulated);
    let goodput = outcome.summary.flows[flow].throughput_bits_per_second;
    println!("{own:.4} here, {programs:.4} in programs, {goodput} bit/s: {stack}");
    Ok(())
}

/// CPU seconds of this process, and of its programs that have ended.
fn used() -> Result<[f64; 2], Box<dyn Error>> {
    let text = std::fs::read_to_string("/proc/self/stat")?;
    let fields = text.rsplit(") ").next().unwrap_or("").split(' ');
    // Behind the name: fields 14 to 17 of proc(5), the two times of each.
    let ticks: Vec<f64> = fields.skip(11).take(4).filter_map(|one| one.parse().ok()).collect();
    let [user, system, users, systems] = ticks[..] else { return Err("no times".into()) };
    Ok([(user + system) / TICKS, (users + systems) / TICKS])
}
