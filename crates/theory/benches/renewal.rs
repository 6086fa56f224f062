//! Duration of the renewal model: CPU seconds for a thousand evaluations of the size of its paper,
//! Δ = 40 packets, at most 64 in the window.
//!
//! `cargo bench -p cellway-theory --bench renewal`.

use cellway_theory::renewal::path::MAX_WINDOW;
use cellway_theory::renewal::{Path, Sender, WindowAtLoss, throughput};
use cpu_time::ThreadTime;

const EVALUATIONS: u32 = 1000;

fn main() {
    println!("{:<28} {:>12} {:>8}", "model", "CPU s/1000", "states");
    for (name, sender) in [
        ("TCP over ABR", Sender::TcpOverAbr),
        ("TCP over constant rate", Sender::TcpOverConstantRate(25)),
        ("TCP alone", Sender::TcpAlone),
    ] {
        for buffer in [10, 12] {
            let (seconds, states) = measure(sender, buffer);
            println!("{name:<22} B={buffer:<3} {seconds:>12.2} {states:>8}");
        }
    }
}

/// Measures evaluations with ψ from 1.5 to 100 on a logarithmic axis.
fn measure(sender: Sender, buffer: u32) -> (f64, usize) {
    let start = ThreadTime::now();
    let mut states = 0;
    for evaluation in 0..EVALUATIONS {
        let part = f64::from(evaluation) / f64::from(EVALUATIONS - 1);
        let psi = 1.5 * libm::pow(100.0 / 1.5, part);
        let path = Path {
            high: 40,
            low: 20,
            buffer,
            max_window: MAX_WINDOW,
            high_lasts: psi,
            low_lasts: psi,
        };
        let found = throughput(&path, sender, WindowAtLoss::Binomial, true);
        states = found.expect("a path of the paper").states;
    }
    (start.elapsed().as_secs_f64(), states)
}
