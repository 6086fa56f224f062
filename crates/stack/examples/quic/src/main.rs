//! QUIC (RFC 9000) of quinn-proto as a stack of cellway: one end of a flow in simulated time.
//!
//! ```sh
//! cargo build --release
//! cellway run SCENARIO --stack "FLOW=target/release/cellway-quic --congestion new_reno"
//! target/release/cellway-quic --here SCENARIO FLOW
//! ```
//!
//! The second way has both ends in this process, and prints the flow's goodput and the trace. Both
//! ends must be QUIC. The flow is one stream, which the origin opens: a destination writes once it
//! has received. `--qlog NAME` writes `NAME-origin.sqlog` and `NAME-destination.sqlog`.
//!
//! `end` is what a turn is made of, `stream` the application's octets, `setup` the configuration,
//! `seeded` random numbers and keys, and `udp` the headers below QUIC.

mod end;
mod seeded;
mod setup;
mod stream;
mod udp;

use std::error::Error;

use cellway_sim::Continue;
use cellway_sim::scenario::{Scenario, Source};
use cellway_stack::{Ends, Role, drive, greeting, serve};

use crate::end::End;
use crate::setup::Law;

const USAGE: &str = "usage: [--congestion cubic|new_reno] [--qlog NAME] [--here SCENARIO FLOW]";

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (mut law, mut qlog, mut rest) = (Law::Cubic, None, &words[..]);
    loop {
        rest = match rest {
            ["--congestion", "cubic", rest @ ..] => rest,
            ["--congestion", "new_reno", rest @ ..] => {
                law = Law::NewReno;
                rest
            }
            ["--qlog", name, rest @ ..] => {
                qlog = Some(*name);
                rest
            }
            ["--here", file, flow] => return here(file, flow, law, qlog),
            [] => return Ok(serve(|greeting| End::new(greeting, law, qlog))?),
            _ => return Err(USAGE.into()),
        };
    }
}

/// Runs a scenario with QUIC at both ends of a flow.
fn here(file: &str, flow: &str, law: Law, qlog: Option<&str>) -> Result<(), Box<dyn Error>> {
    let text = std::fs::read_to_string(file)?;
    let scenario = Scenario::parse(Source { origin: file, text: &text }, &[])?;
    let end = |role| {
        greeting(&scenario, flow, role).map(|greeting| Box::new(End::new(&greeting, law, qlog)))
    };
    let (origin, destination) = (end(Role::Origin)?, end(Role::Destination)?);
    let ends = Ends { flow: flow.to_owned(), origin, destination };
    let driven = drive(&scenario, vec![ends], None, &mut |_| Continue::Yes)?;
    let goodput = driven.outcome.summary.flows[flow].throughput_bits_per_second;
    println!("{goodput} bit/s\n{}", driven.facts.trace);
    Ok(())
}
