//! What the user wrote: from text to a checked [`Scenario`].

mod resolved;

pub use resolved::*;
