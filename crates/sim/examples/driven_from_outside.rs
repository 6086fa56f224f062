//! A host driven from outside: the caller sends packets into the network of a scenario and takes
//! those that arrive, at instants of simulated time. Between them the simulation goes on.
//!
//! Here the caller is a ping across a buffer that a TCP fills: an echo request every 50 ms, and the
//! time until its reply. A real stack is connected in the same way.
//!
//! `cargo run --release --example driven_from_outside`

use std::error::Error;

use cellway_sim::pdu::Packet;
use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::units::{Span, Time};
use cellway_sim::{Pause, Simulation};

const TEXT: &str = include_str!("ping.toml");

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let scenario = Scenario::parse(Source { origin: "ping.toml", text: TEXT }, &[])?;
    let mut simulation = Simulation::with_external(&scenario, &["ping"])?;
    let [near, far] = simulation.ends("ping")?;
    let mut sent = Vec::new();
    let mut next_request = Time::ZERO;
    loop {
        match simulation.run_until(next_request)? {
            Pause::AtBarrier if next_request == simulation.end() => break,
            Pause::AtBarrier => {
                let request = Packet::opaque(84, sent.len() as u64);
                simulation.send(next_request, near, request)?;
                sent.push(next_request);
                next_request += Span::from_milliseconds(50);
            }
            Pause::OnTheWay(_) => {}
            Pause::Arrival(now) => {
                let arrivals: Vec<_> = simulation.take_arrivals().collect();
                for arrival in arrivals {
                    if arrival.end == far {
                        simulation.send(now, arrival.end, arrival.packet)?;
                        continue;
                    }
                    let request = sent[arrival.packet.index() as usize];
                    let round_trip = (now - request).seconds_f64() * 1e3;
                    println!("{:5.2} s: {round_trip:6.2} ms", request.seconds_f64());
                    assert!(round_trip > 14.0, "no faster than light");
                }
            }
        }
    }
    let outcome = simulation.finish()?;
    let bulk = outcome.summary.flows["bulk"].throughput_bits_per_second / 1e6;
    println!("the TCP beside it: {bulk:.1} Mbit/s");
    Ok(())
}
