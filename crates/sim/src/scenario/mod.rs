//! What the user wrote: from text to a checked [`Scenario`].

mod build;
mod checks;
mod expand;
mod fault;
mod keys;
mod language;
mod parse;
mod preset;
mod read;
mod resolve;
mod resolved;
mod route;
mod set;
mod span;
mod variants;
mod wire;
mod write;
mod written;

pub use build::{AnyNode, Built, PortName};
pub use fault::ScenarioError;
pub use parse::{MAX_SCENARIO_BYTES, Source};
pub use resolved::*;
