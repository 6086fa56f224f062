//! What the language means: families, paths, variants, sets, the resolved text and the derived
//! numbers.

mod by_hand;
#[path = "../common/mod.rs"]
mod common;
mod explained;
mod hostile;
mod members;
mod old_defaults;
mod oversights;
mod ports;
mod presets;
mod reading;
mod settings;
mod synchronised;

use cellway_sim::scenario::{Scenario, Source};
use common::{EDGES, FAMILIES, MISMATCH, PACKETS};

/// Scenarios that have every kind of section between them.
const ALL: [&str; 5] = [MISMATCH, FAMILIES, PACKETS, EDGES, CLASSES];

/// All service classes on one link, every kind of allocator, minimum and peak rates.
const CLASSES: &str = r#"
run.duration = "1 s"
host = { src.count = 4, dst.count = 4 }
[link]
in = { count = 4, between = ["src[*]", "near"], rate = "100 Mbit/s of cell", delay = "1 ms" }
first = { between = ["near", "middle"], rate = "100 Mbit/s of cell", delay = "2 ms" }
second = { between = ["middle", "far"], rate = "100 Mbit/s of cell", delay = "3 ms" }
out = { count = 4, between = ["far", "dst[*]"], rate = "100 Mbit/s of cell", delay = "4 ms" }
[switch.near]
rate_allocator.erica = { target_utilisation = 0.8, target_of = "remainder", excess = "by_mcr" }
[switch.middle]
rate_allocator.erica_plus = { queue_control = "step", excess = "by_mcr" }
[switch.far]
rate_allocator.relative_rate = { no_increase = "100 cell", congestion = "200 cell" }
[flow.bulk]
count = 2
from = "src[1]"
to = "dst[1]"
traffic = "greedy"
service.abr = { mcr = "8 Mbit/s of cell", pcr = "90 Mbit/s of cell", tbe = "320 cell", nrm = 16 }
tcp = { mss = "1024 B", window = "50 KiB" }
[flow.cells]
from = "src[2]"
to = "dst[2]"
traffic = "greedy"
service.abr.mcr = "16 Mbit/s of cell"
[flow.film]
from = "src[3]"
to = "dst[3]"
traffic.on_off = { rate = "40 Mbit/s of cell", period = "10 ms", duty_cycle = 0.5 }
service = "vbr"
[flow.rest]
from = "src[4]"
to = "dst[4]"
traffic = "greedy"
tcp = { mss = "1024 B" }
"#;

fn parse(text: &str, sets: &[(&str, &str)]) -> Scenario {
    let sets: Vec<(String, String)> =
        sets.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    match Scenario::parse(Source { origin: "dir/name.toml", text }, &sets) {
        Ok(scenario) => scenario,
        Err(error) => panic!("{error}"),
    }
}
