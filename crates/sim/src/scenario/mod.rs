//! What the user wrote: from text to a checked [`Scenario`].

mod build;
mod resolved;

pub use build::{AnyNode, Built, PortName};
pub use resolved::*;
