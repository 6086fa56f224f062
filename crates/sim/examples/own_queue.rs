//! A marking rule and a rule that discards frames, both of one's own, in runs of scenarios.
//!
//! The first marks a packet that has waited longer than a target, as it leaves (a step of DCTCP by
//! time; RFC 8257 §3.1 has bytes). The second refuses frames of a VC that has more than its part of
//! a queue that is half full (after Selective Drop, R. Goyal et al., 1998).
//!
//! `cargo run --release --example own_queue` prints a line for each rule, beside tail drop.

use std::error::Error;

use cellway_sim::pdu::CellHead;
use cellway_sim::result::Summary;
use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::switch::{
    Admission, Dequeue, DropPolicy, FrameRule, Framewise, Needs, QueueState, Tail, Verdict,
};
use cellway_sim::units::Span;
use cellway_sim::{QueueSite, RunError, Simulation};

/// Marks packets that have waited longer than `target`. A full buffer discards.
#[derive(Debug)]
struct MarkByWait {
    target: Span,
}

impl DropPolicy for MarkByWait {
    fn needs(&self) -> Needs {
        Needs { dequeues: true, marks: true, ..Needs::default() }
    }

    fn on_arrival(&mut self, head: CellHead, queue: &QueueState<'_>) -> Verdict {
        Tail.on_arrival(head, queue)
    }

    fn on_dequeue(&mut self, head: CellHead, dequeue: &Dequeue) -> Verdict {
        let is_late = dequeue.sojourn > self.target;
        if is_late && head.is_ecn_capable() { Verdict::Mark } else { Verdict::Accept }
    }
}

/// Above half of the buffer a VC gets no more frames than its part of the queue.
#[derive(Debug)]
struct EqualPart;

impl FrameRule for EqualPart {
    fn needs(&self) -> Needs {
        Needs { accounts: true, ..Needs::default() }
    }

    fn judge(&mut self, _first: CellHead, queue: &QueueState<'_>) -> Admission {
        let is_half_full = 2 * queue.occupancy > queue.size;
        let has_more = queue.accounts.of(queue.slot) * queue.active > queue.occupancy;
        Admission::when(!(is_half_full && has_more))
    }
}

/// Two flows of DCTCP on a line of packets.
const MARKED: &str = r#"
run = { duration = "3 s", warm_up = "1 s", seed = 1 }
host = { a = {}, b = {} }
switch.s = { buffer.per_port = "1000 packet" }
[link]
in = { between = ["a", "s"], rate = "1 Gbit/s of line", carries = "packets", delay = "10 us" }
out = { between = ["s", "b"], rate = "100 Mbit/s of line", carries = "packets", delay = "2 ms" }
[flow.bulk]
count = 2
from = "a"
to = "b"
traffic = "greedy"
[flow.bulk.tcp]
preset = "linux"
congestion = "dctcp"
ecn = true
window = "1 MiB"
"#;

/// Four flows on a line of cells, one of which is near.
const SHARED: &str = r#"
run = { duration = "21 s", warm_up = "1 s", seed = 1 }
host = { near = {}, far = {}, b = {} }
switch.s = { buffer.per_port = "1 kcell" }
[link]
near = { between = ["near", "s"], rate = "OC-3c", delay = "1 ms" }
far = { between = ["far", "s"], rate = "OC-3c", delay = "10 ms" }
out = { between = ["s", "b"], rate = "25 Mbit/s of cell", delay = "1 ms" }
[flow]
near = { from = "near", to = "b", traffic = "greedy", tcp = { preset = "linux" } }
far = { count = 3, from = "far", to = "b", traffic = "greedy", tcp = { preset = "linux" } }
"#;

fn run<P: DropPolicy + 'static>(
    text: &str,
    rule: impl Fn(&QueueSite) -> P,
) -> Result<Summary, RunError> {
    let scenario = Scenario::parse(Source { origin: "own-queue.toml", text }, &[]).expect("valid");
    Ok(Simulation::builder(&scenario).drop_policy("s.out", rule).run()?.summary)
}

/// Mean wait in milliseconds, and Mbit/s of payload.
fn wait_and_goodput(summary: &Summary) -> (f64, f64) {
    let goodput = summary.flows.values().map(|flow| flow.measured_bits_per_second).sum::<f64>();
    // Little: the mean number of packets of 1500 bytes, over their rate.
    let packets = 1e8 / (8.0 * 1500.0);
    (summary.ports["s.out"].mean_queue / packets * 1e3, goodput / 1e6)
}

fn near(summary: &Summary) -> f64 {
    let all = summary.flows.values().map(|flow| flow.measured_bits_per_second).sum::<f64>();
    summary.flows["near"].measured_bits_per_second / all
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let target = Span::from_milliseconds(1);
    let marked = run(MARKED, |_| MarkByWait { target })?;
    let (wait, goodput) = wait_and_goodput(&marked);
    let (full, _) = wait_and_goodput(&run(MARKED, |_| Tail)?);
    println!("mark by wait: {wait:.2} ms, {goodput:.1} Mbit/s; tail drop: {full:.2} ms");
    assert!(wait < 1.5 && goodput > 93.0 && marked.ports["s.out"].marked > Some(0));

    let part = near(&run(SHARED, |site| Framewise::with_rule(EqualPart, site.vcs))?);
    let without = near(&run(SHARED, |_| Tail)?);
    println!("equal part: the near flow has {part:.2} of the goodput; tail drop: {without:.2}");
    assert!((part - 0.25).abs() < (without - 0.25).abs());
    Ok(())
}
