//! What the user wrote: from text to a checked [`Scenario`].

mod abr;
mod buffer_management;
mod explain;
mod fault;
mod journey;
mod language;
mod parse;
mod pattern;
mod places;
mod read;
mod resolve;
mod resolved;
mod starts;
mod wire;
mod write;
mod write_buffer_management;
mod write_gfr;
mod write_rate_control;

pub use explain::{
    AbrBottleneck, AbrFacts, AbrLinkFacts, Bottleneck, BufferFacts, Ceiling, Explanation, Factor, FlowFacts,
    Hop, Limit, LinkFacts, PortFacts, QueueFacts, RawFacts, ShareFacts, ShareLimit, TcpFacts, explain,
};
pub use fault::ScenarioError;
pub use language::schema::schema;
pub use parse::{MAX_SCENARIO_BYTES, Source};
pub use places::{Placed, Step, places};
pub use resolved::*;
