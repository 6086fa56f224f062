//! The sending end of a link, the same for interfaces of hosts and edges and for output ports of
//! switches: how long a unit takes on the line, when it arrives, and what the line does to it.
//!
//! What is on its way is a queue of the engine's ([`engine::Link`](crate::engine::Link)).
//!
//! An impairment is a file here with its parameters, its `mod` line and its line in the list
//! `impairments!` below.

mod chance;
mod impairment;
mod loss;
mod plan;
mod transmission;
mod transmitter;

pub use impairment::{Fate, Impairment, Sent};
pub use plan::{ImpairmentPlan, Site, Train};
pub use transmission::Transmission;
pub use transmitter::Transmitter;

use crate::language::part::prelude::*;
use plan::{Entry, impairments};

/// `link.impairments`: what a line does to its units, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Impairments(pub Vec<AnyImpairment>);

impairments! {
    /// Probability with which each packet, or each cell, is lost, independently of the others.
    loss::Loss = "loss", "1e-4";
}

#[cfg(test)]
mod tests;
