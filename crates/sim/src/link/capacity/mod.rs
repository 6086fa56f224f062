//! The rate of a line that varies: a path through time, in pieces of constant rate.
//!
//! The path is exogenous: it depends on its process and its random stream alone, never on traffic.
//! So it is drawn as far ahead as anybody asks, whoever sends knows on arrival when a unit will be
//! through, and two instances with the same stream, a line's and an allocator's, have one path.
//! Each direction of a duplex link has a stream of its own; a schedule is the same in both.
//!
//! Bits are sent at the rate of each instant: a unit that begins at s is through at the first
//! picosecond e with ∫ rate over (s, e) ≥ its bits, which is calculated in integers. A change
//! while a unit is on the line counts from its instant on. At rate zero the line stands still.
//! What is less than a bit when an outage begins is sent before it, as roundings add up to such.
//! A constant path does what a constant rate does, rounded up to the picosecond.
//!
//! An impairment of outages is another thing: there senders go on, and what the line takes is lost
//! or held behind it. At a capacity of zero the sender waits, and its queue grows.
//!
//! A process is a file here with its parameters, its `mod` line and its line in the list
//! `processes!` below.

mod mahimahi;
mod markov;
mod matrix;
mod path;
mod pieces;
mod process;
mod rates;
mod slotted;
mod steps;
mod two_state;

#[cfg(test)]
pub(in crate::link) use path::listed;
pub use path::{Capacity, WHOLE_BIT};
pub use process::{LongRun, Process, ProcessPlan};
pub use rates::CapacityRate;
pub use two_state::TwoState;

use crate::engine::Stream;
use crate::language::part::prelude::*;
use crate::units::Span;
use process::processes;

processes! {
    /// Two rates in turn, for random times.
    two_state::TwoStatePlan = "two_state";
    /// A Markov chain in continuous time.
    markov::MarkovPlan = "markov";
    /// A Markov chain that moves at the ends of slots.
    slotted::SlottedPlan = "slotted";
    /// Listed rates, from each time on.
    steps::StepsPlan = "steps";
    /// A list of instants at which a packet of 1500 bytes can be delivered, in milliseconds, as
    /// mahimahi's traces have it.
    mahimahi::MahimahiPlan = "mahimahi";
}

#[cfg(test)]
mod tests;
