//! What the user wrote: from text to a checked [`Scenario`].

mod build;
mod explain;
mod journey;
mod language;
mod parse;
mod part;
mod read;
mod resolve;
mod resolved;
#[cfg(test)]
mod round_trip;
mod wire;
mod write;
mod write_rate_control;

pub use crate::language::fault::ScenarioError;
pub use crate::language::places::{Placed, Step, places};
pub use build::{AnyNode, Built, PortName};
pub use explain::{
    AbrBottleneck, AbrFacts, AbrLinkFacts, Bottleneck, Ceiling, Explanation, Factor, FlowFacts, Hop, Limit,
    LinkFacts, RawFacts, ShareFacts, ShareLimit, TcpFacts, explain,
};
pub use language::sections::schema;
pub use parse::{MAX_SCENARIO_BYTES, Source};
pub use resolved::*;
