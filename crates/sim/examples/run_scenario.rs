//! Use of the library: the text of a scenario, runs without and with pacing, and their results.
//!
//! The path is that of the README: OC-3c into TAXI at 100 Mbit/s, a buffer of 256 cells between.
//! Cells paced at the source do not overflow it.
//!
//! `cargo run --release --example run_scenario`

use std::error::Error;

use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::{Continue, run};

const TEXT: &str = r#"
run = { duration = "2 s", seed = 1 }
[host.ku]
cpu_per_segment = "250 us"
[host.edc]
cpu_per_segment = "550 us"
[switch.an2]
buffer = { per_vc = "256 cell" }
[link.ku-side]
between = ["ku", "an2"]
rate = "OC-3c"
delay = "2.2 ms"
[link.edc-side]
between = ["an2", "edc"]
rate = "TAXI-100"
delay = "2.2 ms"
[flow.bulk]
from = "ku"
to = "edc"
traffic = "greedy"
tcp = { window = "128 KiB", ack = "every_segment" }
[observe]
series = ["queue", "cwnd"]
interval = "1 ms"
"#;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "{:22} {:>12} {:>9} {:>9} {:>12}",
        "pace", "goodput", "timeouts", "dropped", "max queue"
    );
    for pace in [None, Some("90 Mbit/s of payload"), Some("70 Mbit/s of payload")] {
        let set = |pace: &str| ("flow.bulk.service.ubr.pace".to_owned(), format!("\"{pace}\""));
        let sets: Vec<(String, String)> = pace.map(set).into_iter().collect();
        let scenario = Scenario::parse(Source { origin: "mismatch.toml", text: TEXT }, &sets)?;
        let outcome = run(&scenario, &mut |_| Continue::Yes)?;
        let flow = &outcome.summary.flows["bulk"];
        let port = &outcome.summary.ports["an2.edc-side"];
        println!(
            "{:22} {:>7.2} Mb/s {:>9} {:>9} {:>7} cells",
            pace.unwrap_or("none"),
            flow.throughput_bits_per_second / 1e6,
            flow.timeouts,
            outcome.summary.vcs["bulk"].dropped,
            port.max_queue
        );
        let names: Vec<&str> = outcome.series.iter().map(|series| series.name.as_str()).collect();
        assert!(names.contains(&"an2.edc-side.queue"), "{names:?}");
    }
    Ok(())
}
