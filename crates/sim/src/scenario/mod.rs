//! What the user wrote: from text to a checked [`Scenario`].

mod abr;
mod explain;
mod journey;
mod language;
mod parse;
pub(crate) mod part;
mod read;
mod resolve;
mod resolved;
#[cfg(test)]
mod round_trip;
mod starts;
mod wire;
mod write;

pub use crate::language::fault::ScenarioError;
pub use crate::language::places::{Placed, Step, places};
pub use explain::{
    AbrBottleneck, AbrFacts, AbrLinkFacts, Bottleneck, BufferFacts, Ceiling, Explanation, Factor,
    FlowFacts, Hop, Limit, LinkFacts, PortFacts, QueueFacts, RawFacts, ShareFacts, ShareLimit,
    TcpFacts, explain,
};
pub use language::sections::schema;
pub use parse::{MAX_SCENARIO_BYTES, Source};
pub use resolved::*;
