//! Cell-exact simulation of TCP over cell-switched and packet paths.
//!
//! The crate is pure: no clock, file, socket, thread or log. It takes a scenario as text and gives
//! back numbers.

mod assemble;
pub mod atm;
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
    Builder, Continue, NoFlow, Outcome, Pause, Progress, RunError, SendError, Simulation, run,
};

/// Which model this is: the package's version and a fingerprint of the simulator's sources. Equal
/// texts, equal results.
pub const MODEL_VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "+", env!("CELLWAY_MODEL"));
