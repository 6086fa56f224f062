//! Speed of cells along thirteen paths: million cell-hops per CPU second and CPU seconds per
//! simulated second.
//!
//! `cargo bench -p cellway-sim` runs all; `cargo bench -p cellway-sim -- b2` those whose names
//! begin with `b2`. The best of three runs counts: on a shared machine the others measure the
//! neighbours.

use std::path::Path;

use cellway_sim::scenario::Scenario;
use cellway_sim::{Continue, run};
use cpu_time::ThreadTime;

const RUNS: usize = 3;

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    println!(
        "{:<24} {:>14} {:>12} {:>14} {:>14}",
        "path", "Mcell-hops/s", "CPU s/sim s", "cell-hops", "goodput Mb/s"
    );
    for path in scenario_files() {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if wanted.is_empty() || wanted.iter().any(|prefix| name.starts_with(prefix)) {
            measure(&path, &name);
        }
    }
}

fn scenario_files() -> Vec<std::path::PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/scenarios");
    let entries = std::fs::read_dir(&folder).expect("the scenarios lie beside this file");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    files.sort();
    files
}

fn measure(path: &Path, name: &str) {
    let bytes = std::fs::read(path).expect("a readable scenario");
    let scenario = match Scenario::parse_bytes(&path.display().to_string(), &bytes, &[]) {
        Ok(scenario) => scenario,
        Err(error) => panic!("{error}"),
    };
    let mut best = f64::INFINITY;
    let mut summary = None;
    for _ in 0..RUNS {
        let start = ThreadTime::now();
        let outcome = run(&scenario, &mut |_| Continue::Yes).expect("a benchmark runs to its end");
        best = best.min(start.elapsed().as_secs_f64());
        summary = Some(outcome.summary);
    }
    let summary = summary.expect("at least one run");
    let goodput: f64 = summary.flows.values().map(|flow| flow.throughput_bits_per_second).sum();
    println!(
        "{name:<24} {:>14.1} {:>12.4} {:>14} {:>14.2}",
        summary.cell_hops as f64 / best / 1e6,
        best / summary.duration_s,
        summary.cell_hops,
        goodput / 1e6
    );
}
