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

const TEXT: &str = r#"
run = { duration = "2 s", seed = 1 }
observe = { series = ["queue", "cwnd", "acked"], interval = "10 ms" }
host = { a = {}, b = {}, file = {}, sink = {} }
switch = { near = { buffer = { per_port = "2 kcell" } }, far = {} }
[link]
a = { between = ["a", "near"], rate = "OC-3c", delay = "1 ms" }
file = { between = ["file", "near"], rate = "OC-3c", delay = "1 ms" }
trunk = { between = ["near", "far"], rate = "TAXI-100", delay = "5 ms" }
b = { between = ["far", "b"], rate = "OC-3c", delay = "1 ms" }
sink = { between = ["far", "sink"], rate = "OC-3c", delay = "1 ms" }
[flow]
ping = { from = "a", to = "b", traffic = "greedy", tcp = {} }
bulk = { from = "file", to = "sink", start = "300 ms", traffic = "greedy", tcp.window = "256 KiB" }
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("the folder of the results is expected")?;
    let scenario = Scenario::parse(Source { origin: "ping.toml", text: TEXT }, &[])?;
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
