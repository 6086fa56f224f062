//! A rule of congestion control of one's own in a run, beside one of the library.
//!
//! The rule is general AIMD (Y. R. Yang and S. S. Lam, General AIMD congestion control, ICNP 2000):
//! in a round trip without loss cwnd grows by alpha segments, at a loss beta of it is left. With
//! alpha = 4 (1 - beta²)/3 it is fair to a TCP that halves its window. Slow start and the repair of
//! losses are those of New Reno.
//!
//! `cargo run --release --example own_congestion`

use std::error::Error;

use cellway_sim::Simulation;
use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::tcp::congestion::{Ack, Congestion, DUP_ACK_THRESHOLD, Repair, Timeout};

/// AIMD(alpha, beta).
#[derive(Debug)]
struct Aimd {
    alpha: f64,
    beta: f64,
    /// Growth that is no whole byte yet.
    fraction: f64,
    /// Sequence number whose acknowledgement ends the repair of a loss; `None` without a repair.
    recover: Option<u64>,
}

impl Aimd {
    /// Fair to TCP for any `beta`.
    fn friendly(beta: f64) -> Self {
        Self { alpha: 4.0 * (1.0 - beta * beta) / 3.0, beta, fraction: 0.0, recover: None }
    }

    fn grow(&mut self, ack: &mut Ack<'_>) {
        let (cwnd, mss) = (ack.window.cwnd(), ack.window.mss());
        if cwnd < ack.window.ssthresh() {
            return ack.window.open(ack.acked.min(mss));
        }
        // alpha segments per window acknowledged, as ACKs of segments come.
        self.fraction += self.alpha * (mss * ack.acked.min(2 * mss)) as f64 / cwnd as f64;
        ack.window.open(self.fraction as u64);
        self.fraction -= self.fraction.floor();
    }
}

impl Congestion for Aimd {
    fn on_ack(&mut self, ack: &mut Ack<'_>) -> Repair {
        match self.recover {
            Some(recover) if ack.flight.snd_una < recover => return Repair::Retransmit,
            Some(_) => self.recover = None,
            None => self.grow(ack),
        }
        Repair::Nothing
    }

    fn on_dup_ack(&mut self, ack: &mut Ack<'_>) -> Repair {
        if self.recover.is_some() || ack.flight.dup_acks != DUP_ACK_THRESHOLD {
            return Repair::Nothing;
        }
        self.recover = Some(ack.flight.snd_max);
        ack.window.set_ssthresh((self.beta * ack.window.cwnd() as f64) as u64);
        ack.window.deflate();
        Repair::FastRetransmit
    }

    fn is_recovering(&self) -> bool {
        self.recover.is_some()
    }

    fn on_timeout(&mut self, timeout: &mut Timeout<'_>) {
        self.recover = None;
        timeout.window.halve_flight(timeout.flight);
        timeout.window.collapse();
    }
}

/// Four flows share 20 Mbit/s and a buffer that discards at random.
const TEXT: &str = r#"
run = { duration = "30 s", warm_up = "5 s", seed = 1 }
[host]
src = { count = 4 }
dst = {}
[switch.router]
buffer = { per_port = "120 packet" }
drop.red = { min_threshold = "20 packet", max_threshold = "100 packet", mean_frame = "1500 B" }
[link.access]
count = 4
between = ["src[*]", "router"]
rate = "100 Mbit/s of line"
carries = "packets"
delay = "2 ms"
[link.shared]
between = ["router", "dst"]
rate = "20 Mbit/s of line"
carries = "packets"
delay = "18 ms"
[flow.bulk]
count = 4
from = "src[*]"
to = "dst"
start = { uniform = ["0 s", "1 s"] }
traffic = "greedy"
[flow.bulk.tcp]
mtu = "1500 B"
window = "1 MiB"
recovery = "new_reno"
timers = "fine"
ack = "every_segment"
"#;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let scenario = Scenario::parse(Source { origin: "shared.toml", text: TEXT }, &[])?;
    println!("beta  alpha   bulk[1], bulk[2]: AIMD   bulk[3], bulk[4]: New Reno   Mbit/s");
    for beta in [0.5, 0.875] {
        let mut builder = Simulation::builder(&scenario);
        for flow in ["bulk[1]", "bulk[2]"] {
            builder = builder.congestion(flow, move |_| Aimd::friendly(beta));
        }
        let outcome = builder.run()?;
        let rates: Vec<f64> = (outcome.summary.flows.values())
            .map(|flow| flow.throughput_bits_per_second / 1e6)
            .collect();
        println!(
            "{beta:<5} {:<6.3} {:>9.2} {:>9.2} {:>17.2} {:>9.2}",
            Aimd::friendly(beta).alpha,
            rates[0],
            rates[1],
            rates[2],
            rates[3]
        );
        let share = (rates[0] + rates[1]) / rates.iter().sum::<f64>();
        assert!((0.35..0.65).contains(&share), "AIMD has {share} of the goodput");
    }
    Ok(())
}
