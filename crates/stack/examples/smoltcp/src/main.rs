//! smoltcp's TCP as a stack of cellway: one end of a flow in simulated time.
//!
//! ```sh
//! cargo build --release
//! cellway run SCENARIO --stack "FLOW=target/release/cellway-smoltcp --congestion cubic"
//! target/release/cellway-smoltcp --congestion cubic --here SCENARIO FLOW
//! ```
//!
//! The second way has both ends in this process, and prints the flow's goodput and the trace.
//! smoltcp has no clock and no random numbers but the seed, so `end` is all that it takes.

mod end;
mod link;

use std::error::Error;

use cellway_sim::Continue;
use cellway_sim::scenario::{Scenario, Source};
use cellway_stack::{Ends, Role, drive, greeting, serve};
use smoltcp::socket::tcp::CongestionControl;

use crate::end::End;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (congestion, rest) = match words[..] {
        ["--congestion", "reno", ref rest @ ..] => (CongestionControl::Reno, rest),
        ["--congestion", "cubic", ref rest @ ..] => (CongestionControl::Cubic, rest),
        ["--congestion", "none", ref rest @ ..] => (CongestionControl::None, rest),
        ref rest => (CongestionControl::Reno, rest),
    };
    match *rest {
        [] => Ok(serve(|greeting| End::new(greeting, congestion))?),
        ["--here", file, flow] => here(file, flow, congestion),
        _ => Err("usage: [--congestion reno|cubic|none] [--here SCENARIO FLOW]".into()),
    }
}

/// Runs a scenario with smoltcp at both ends of a flow.
fn here(file: &str, flow: &str, congestion: CongestionControl) -> Result<(), Box<dyn Error>> {
    let text = std::fs::read_to_string(file)?;
    let scenario = Scenario::parse(Source { origin: file, text: &text }, &[])?;
    let end = |role| {
        greeting(&scenario, flow, role).map(|greeting| Box::new(End::new(&greeting, congestion)))
    };
    let (origin, destination) = (end(Role::Origin)?, end(Role::Destination)?);
    let ends = Ends { flow: flow.to_owned(), origin, destination };
    let driven = drive(&scenario, vec![ends], None, &mut |_| Continue::Yes)?;
    let goodput = driven.outcome.summary.flows[flow].throughput_bits_per_second;
    println!("{goodput} bit/s\n{}", driven.facts.trace);
    Ok(())
}
