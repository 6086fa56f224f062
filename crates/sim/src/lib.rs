//! Cell-exact simulation of TCP over cell-switched and packet paths.
//!
//! A [`Scenario`](scenario::Scenario) is one run: hosts, switches, links, flows, their parameters
//! and a seed. It is read from text or made by hand from a
//! [`ScenarioFile`](scenario::ScenarioFile); both make the same checks and have the same defaults.
//! [`run()`] gives an [`Outcome`]: counters and means, and the time series that were asked for.
//! Equal scenarios have equal outcomes, to the last byte, on every machine.
//!
//! ```
//! use cellway_sim::scenario::{Scenario, Source};
//! use cellway_sim::{Continue, run};
//!
//! let text = r#"
//!     run = { duration = "1 s", seed = 1 }
//!     host = { a = {}, b = {} }
//!     switch.atm = { buffer = { per_port = "2 kcell" } }
//!     [link]
//!     in = { between = ["a", "atm"], rate = "OC-3c", delay = "1 ms" }
//!     out = { between = ["atm", "b"], rate = "DS-3", delay = "1 ms" }
//!     [flow.bulk]
//!     from = "a"
//!     to = "b"
//!     traffic = "greedy"
//!     tcp = { window = "64 KiB", mtu = "1500 B", timers = "fine", ack = "every_segment" }
//! "#;
//! let scenario = Scenario::parse(Source { origin: "bulk.toml", text }, &[])?;
//! let outcome = run(&scenario, &mut |_| Continue::Yes)?;
//! let bulk = &outcome.summary.flows["bulk"];
//! assert!(bulk.throughput_bits_per_second > 30e6);
//! assert!(outcome.summary.ports["atm.out"].max_queue <= 2000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Rules of one's own
//!
//! [`Simulation::builder`] takes rules from outside for the flows and ports that it names: a rule
//! of [`Congestion`](tcp::congestion::Congestion) control, a [`Law`](tcp::congestion::Law) of the
//! window under a rule of the crate, an [`Application`](traffic::Application) above TCP, the
//! [`Spacing`](traffic::Spacing) of raw cells, a [`DropPolicy`](switch::DropPolicy), which may be a
//! [`FrameRule`](switch::FrameRule) in a [`Framewise`](switch::Framewise). They are boxed; the
//! rules of the crate are not.
//!
//! # Without a run
//!
//! A [`Connection`](tcp::Connection) is an endpoint without input or output, for any driver. A
//! [`Simulation`] is a run that its caller advances; packets of external flows go in and come out
//! at instants of simulated time. [`explain`](explain::explain) gives ceilings and bottlenecks
//! before a run.
//!
//! The folder `examples` shows each of these. The other modules are the parts that a run is
//! assembled from; they are public for tests of parts, and change more often.
//!
//! The crate is pure: no clock, file, socket, thread or log.

// The derive names types of this crate by its name.
extern crate self as cellway_sim;

mod assemble;
pub mod atm;
pub mod capture;
pub mod edge;
pub mod engine;
pub mod explain;
pub mod host;
mod language;
pub mod link;
pub mod pdu;
pub mod result;
mod run;
pub mod scenario;
pub mod switch;
pub mod tcp;
pub mod traffic;
pub mod units;

pub use assemble::{FlowSite, QueueSite};
pub use run::{
    Builder, Continue, NoFlow, Outcome, Pause, Progress, RunError, SendError, Simulation, packets,
    run, run_captured,
};

/// Edition of the model: a number, and a hash of the results of a fixed set of runs. Builds of one
/// edition give equal results; `editions.txt` has the reason of each.
pub const MODEL_VERSION: &str = newest_of(include_str!("../editions.txt"));

/// The first word of the list of editions.
const fn newest_of(editions: &'static str) -> &'static str {
    let mut end = 0;
    while editions.as_bytes()[end] != b' ' {
        end += 1;
    }
    editions.split_at(end).0
}
