//! The rate of a line that varies: a path through time, in pieces of constant rate.
//!
//! The path is exogenous: it depends on its process and its random stream alone, never on traffic.
//! So it is drawn as far ahead as needed, and a sender knows on arrival when a unit will have been
//! sent. Two instances with the same stream, a line's and an allocator's, have one path. Each
//! direction of a duplex link has a stream of its own; a schedule is the same in both.
//!
//! Bits are sent at the rate of each instant: a unit that begins at s has been sent at the first
//! picosecond e with ∫ rate over (s, e) ≥ its bits, which is calculated in integers. A change while
//! a unit is on the line counts from its instant on. At rate zero the line sends nothing. A rest of
//! less than a bit when an outage begins is sent before it, since roundings add up to such a rest.
//! A constant path is the same as a constant rate, rounded up to the picosecond.
//!
//! An impairment of outages is different: there senders go on, and units on the line are lost or
//! wait. At a capacity of zero the sender waits, and its queue grows.
//!
//! A process is a file here with its parameters, its `mod` line and its line in the list
//! `processes!` below.

mod grants;
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

use std::ops::Deref;

use crate::language::part::prelude::*;
use process::processes;

processes! {
    /// Two rates in turn, for random times.
    two_state::TwoStatePlan = "two_state";
    /// A Markov chain in continuous time.
    markov::MarkovPlan = "markov";
    /// A Markov chain that moves at the ends of slots.
    slotted::SlottedPlan = "slotted";
    /// Listed rates, each from its time on.
    steps::StepsPlan = "steps";
    /// Instants at which a packet of 1500 bytes can be delivered, in milliseconds, as in mahimahi's
    /// traces.
    mahimahi::MahimahiPlan = "mahimahi";
    /// Turns of a line that its other end gives, on request.
    grants::GrantsPlan = "grants";
}

#[cfg(test)]
mod tests;
