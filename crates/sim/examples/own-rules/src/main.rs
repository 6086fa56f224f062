//! A congestion rule, an application above TCP and a source of cells from outside cellway, and a
//! run of a scenario with them.

use std::error::Error;

use cellway_sim::Simulation;
use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::tcp::congestion::{Ack, Congestion, Repair, Timeout};
use cellway_sim::traffic::{Application, Offer, Spacing};
use cellway_sim::units::{Span, Time};

/// The round trip keeps to `target`: a segment more per round trip below it, one less above
/// (a sketch of delay-based control).
#[derive(Debug)]
struct Delay {
    target: Span,
}

impl Congestion for Delay {
    fn on_ack(&mut self, ack: &mut Ack<'_>) -> Repair {
        let Some(rtt) = ack.rtt else { return Repair::Nothing };
        if rtt < self.target {
            ack.window.open(ack.window.mss());
        } else {
            let fewer = ack.window.cwnd().saturating_sub(ack.window.mss());
            ack.window.set_ssthresh(fewer);
            ack.window.deflate();
        }
        Repair::Nothing
    }

    fn on_timeout(&mut self, timeout: &mut Timeout<'_>) {
        timeout.window.collapse();
    }
}

/// Requests of 20 000 bytes, each a pause after the last one was acknowledged.
#[derive(Debug)]
struct Requests {
    pause: Span,
    written: u64,
    next: Time,
}

impl Application for Requests {
    fn poll(&mut self, now: Time, acked: u64) -> Offer {
        if acked < self.written {
            return Offer::NOTHING;
        }
        if self.next == Time::MAX {
            self.next = now + self.pause;
        }
        if now < self.next {
            return Offer::NOTHING.and_again_at(self.next);
        }
        self.next = Time::MAX;
        self.written += 20_000;
        Offer::bytes(20_000)
    }
}

/// Frames of a video: 100 cells at once, 25 times a second.
#[derive(Debug)]
struct Video {
    cell: u32,
}

impl Spacing for Video {
    fn next_after(&mut self, now: Time) -> Time {
        self.cell = (self.cell + 1) % 100;
        if self.cell == 0 { now + Span::from_milliseconds(40) } else { now }
    }
}

const TEXT: &str = r#"
run = { duration = "2 s", seed = 1, phase = "none" }
host = { a = {}, b = {} }
switch.atm = { buffer = { per_port = "1 kcell" } }
[link]
in = { between = ["a", "atm"], rate = "OC-3c", delay = "5 ms" }
out = { between = ["atm", "b"], rate = "25 Mbit/s of cell", delay = "5 ms" }
[flow]
bulk = { from = "a", to = "b", traffic = "greedy", tcp = { mtu = "1500 B", window = "1 MiB" } }
web = { from = "a", to = "b", traffic = "greedy", tcp = { mtu = "1500 B" } }
video = { from = "a", to = "b", traffic.cbr.rate = "1 Mbit/s of cell" }
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let scenario = Scenario::parse(Source { origin: "own-rules.toml", text: TEXT }, &[])?;
    let pause = Span::from_milliseconds(100);
    let outcome = Simulation::builder(&scenario)
        .congestion("bulk", |_| Delay { target: Span::from_milliseconds(30) })
        .application("web", |_| Requests { pause, written: 0, next: Time::ZERO })
        .source("video", |_| Video { cell: 0 })
        .run()?;
    let summary = outcome.summary;
    println!("video: {} cells", summary.vcs["video"].delivered);
    println!("web: {} bytes", summary.flows["web"].acked_bytes);
    println!(
        "bulk: {:.1} Mbit/s, mean round trip {:.1} ms",
        summary.flows["bulk"].throughput_bits_per_second / 1e6,
        summary.flows["bulk"].rtt.mean_s.unwrap_or_default() * 1e3
    );
    Ok(())
}
