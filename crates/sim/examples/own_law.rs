//! A law of the window of one's own in a run, with its state as a series.
//!
//! The law is Scalable TCP (T. Kelly, Scalable TCP, ACM CCR 33(2), 2003): an acknowledged segment
//! opens cwnd by a hundredth of a segment, a loss takes an eighth of cwnd. Gain and loss balance at
//! 0.01/(p/8) = 0.08/p segments for a probability p of loss. Kelly has 0.075/p for equally distant
//! losses; besides, cwnd does not grow during a recovery. Slow start, and how losses are found and
//! repaired, are those of the scenario.
//!
//! `cargo run --release --example own_law >law.csv` writes the series, a line per instant; any
//! program plots it.

use std::error::Error;

use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::tcp::congestion::{Ack, Congested, InRecovery, Law, LawValue};
use cellway_sim::{Outcome, Simulation};

const GROWTH: f64 = 0.01;
const LEFT: f64 = 0.875;

/// State of Scalable TCP.
#[derive(Debug, Default)]
struct Scalable {
    /// Growth that is no whole byte yet.
    fraction: f64,
    /// Segments that the latest reduction left; `None` before the first.
    left: Option<f64>,
    /// `left` before the latest reduction.
    before: Option<f64>,
}

impl Law for Scalable {
    fn avoid(&mut self, ack: &mut Ack<'_>) {
        self.fraction += GROWTH * ack.acked as f64;
        ack.window.open(self.fraction as u64);
        self.fraction -= self.fraction.floor();
    }

    fn left_of(&self, bytes: u64) -> u64 {
        (LEFT * bytes as f64) as u64
    }

    fn on_congestion(&mut self, congested: &mut Congested<'_>) -> InRecovery {
        let left = self.left_of(congested.flight.bytes_of_window());
        self.before = self.left.replace(left as f64 / congested.window.mss() as f64);
        congested.window.set_ssthresh(left);
        InRecovery::Rule
    }

    fn undo(&mut self) {
        self.left = self.before;
    }

    fn values(&self) -> &'static [LawValue] {
        &[LawValue { name: "left", unit: "1" }]
    }

    fn value(&self, _index: usize) -> Option<f64> {
        self.left
    }
}

/// One segment of a thousand is lost on a line that is never full.
const TEXT: &str = r#"
run = { duration = "220 s", warm_up = "20 s", seed = 1 }
host = { a = {}, b = {} }
[link.line]
between = ["a", "b"]
rate = "1 Gbit/s of line"
carries = "packets"
delay = "25 ms"
impairments = { loss = 0.001 }
[flow.bulk]
from = "a"
to = "b"
traffic = "greedy"
[flow.bulk.tcp]
mtu = "1500 B"
window = "4 MiB"
recovery = "rack"
timers = "fine"
ack = "every_segment"
[observe]
series = ["law"]
interval = "100 ms"
"#;

fn outcome() -> Result<Outcome, Box<dyn Error>> {
    let scenario = Scenario::parse(Source { origin: "own-law.toml", text: TEXT }, &[])?;
    Ok(Simulation::builder(&scenario).law("bulk", |_| Scalable::default()).run()?)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let outcome = outcome()?;
    let named = |name: &str| outcome.series.iter().find(|one| one.name == name);
    let left = named("bulk.law.left").ok_or("the law has a series")?;
    println!("seconds,segments left by the latest loss");
    for (time, value) in left.times.iter().zip(&left.values) {
        println!("{},{value}", time.seconds_f64());
    }
    // 0.08/p segments in 50 ms.
    let expected = 0.08 / 0.001 / 0.050 * 1460.0 * 8.0;
    let ratio = outcome.summary.flows["bulk"].throughput_bits_per_second / expected;
    eprintln!("{ratio:.3} of 0.08/p segments in a round trip");
    assert!((0.8..1.2).contains(&ratio), "{ratio}");
    Ok(())
}
