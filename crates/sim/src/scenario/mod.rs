//! What the user wrote: from text to a checked [`Scenario`].

mod fault;
mod keys;
mod language;
mod preset;
mod read;
mod resolved;
mod variants;
mod written;

pub use fault::ScenarioError;
pub use resolved::*;
