//! A run that is driven from outside, saved where `cellway plot` reads it: an echo request every 50
//! ms across a buffer that a TCP fills.
//!
//! `cargo run --release --example ping_saved -- out/ping && cellway plot out/ping`

use std::error::Error;

use cellway_folder::save;
use cellway_sim::pdu::Packet;
use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::units::{Span, Time};
use cellway_sim::{Pause, Simulation};

const TEXT: &str = include_str!("../../sim/examples/ping.toml");
const SETS: [(&str, &str); 3] = [
    ("run.duration", "2 s"),
    ("observe.series", r#"["queue", "cwnd", "acked"]"#),
    ("observe.interval", "10 ms"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("the folder of the results is expected")?;
    let sets = SETS.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let scenario = Scenario::parse(Source { origin: "ping.toml", text: TEXT }, &sets)?;
    let mut simulation = Simulation::with_external(&scenario, &["ping"])?;
    let [near, far] = simulation.ends("ping")?;
    let (mut request, mut number) = (Time::ZERO, 0);
    loop {
        match simulation.run_until(request)? {
            Pause::AtBarrier if request == simulation.end() => break,
            Pause::AtBarrier => {
                simulation.send(request, near, Packet::opaque(84, number))?;
                (request, number) = (request + Span::from_milliseconds(50), number + 1);
            }
            Pause::OnTheWay(_) => {}
            Pause::Arrival(now) => {
                let arrivals: Vec<_> = simulation.take_arrivals().collect();
                for arrival in arrivals.into_iter().filter(|arrival| arrival.end == far) {
                    simulation.send(now, far, arrival.packet)?;
                }
            }
        }
    }
    save(&simulation.finish()?, &scenario, &folder)?;
    println!("{number} requests sent; cellway plot {folder}");
    Ok(())
}
