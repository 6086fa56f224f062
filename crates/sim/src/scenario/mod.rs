//! Scenarios: from text to a checked [`Scenario`].

mod abr;
mod by_hand;
mod capacity;
pub(crate) mod journey;
mod key;
mod parse;
pub(crate) mod part;
pub(crate) mod port_room;
mod resolve;
pub(crate) mod resolved;
#[cfg(test)]
mod round_trip;
pub(crate) mod starts;
pub(crate) mod wire;
mod write;

pub use crate::language::fault::{Fault, ScenarioError, did_you_mean, nearest, one_of};
pub use crate::language::faults::position;
pub use crate::language::list_file::ReadFile;
pub use crate::language::places::{Placed, Step, places};
pub use crate::language::syntax::duplicate_keys;
pub use key::has_key;
pub use parse::{MAX_SCENARIO_BYTES, Source};
pub use part::file::schema;
pub use resolved::*;
