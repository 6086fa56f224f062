//! The sending end of a link, the same for interfaces of hosts and edges and for output ports of
//! switches: how long a unit takes on the line, when it arrives, and what the line does to it.
//!
//! What is on its way is a queue of the engine's ([`engine::Link`](crate::engine::Link)).

mod impairment;
mod transmission;
mod transmitter;

pub use impairment::{Fate, Impairment, Sent};
pub use transmission::Transmission;
pub use transmitter::Transmitter;

#[cfg(test)]
mod tests;
