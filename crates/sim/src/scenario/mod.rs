//! What the user wrote: from text to a checked [`Scenario`].

mod build;
mod checks;
mod choice;
mod expand;
mod explain;
mod fault;
mod keys;
mod language;
mod parse;
mod preset;
mod read;
mod resolve;
mod resolved;
mod route;
mod schema;
mod set;
mod span;
mod values;
mod variants;
mod wire;
mod write;
mod written;

pub use build::{AnyNode, Built, PortName};
pub use explain::{Bottleneck, Explanation, FlowFacts, Hop, Limit, LinkFacts, RawFacts, TcpFacts, explain};
pub use fault::ScenarioError;
pub use parse::{MAX_SCENARIO_BYTES, Source};
pub use resolved::*;
pub use schema::schema;
