//! The sending end of a link, the same for interfaces of hosts and edges and for output ports of
//! switches: the time that a unit takes on the line, its arrival, and its impairments.
//!
//! Units in transit are in a queue of the engine ([`engine::Link`](crate::engine::Link)).
//!
//! An impairment is a file here with its parameters, its `mod` line and its line in the list
//! `impairments!` below.

mod ack_thinning;
mod bit_errors;
pub mod capacity;
mod cell_run;
mod chance;
mod delay;
mod duplicate;
pub mod feedback;
mod gilbert_elliott;
mod hec;
mod impairment;
mod loss;
mod outages;
mod periodic_loss;
mod plan;
mod reorder;
mod script;
mod ticks;
mod transmission;
mod transmitter;

pub use cell_run::CellRun;
pub use delay::{Delay, Varying};
pub use gilbert_elliott::{MeanTimes, MeanUnits, Sojourn, Transitions};
pub use impairment::{Fate, Impairment, Sent};
pub use outages::{DuringOutage, Periodic, When};
pub use plan::{ImpairmentPlan, Site, Train};
pub use script::{FlowScript, Passing};
pub use transmission::{Fastest, Transmission};
pub use transmitter::Transmitter;

use std::ops::Deref;

use crate::language::part::prelude::*;
use plan::{Entry, ReadPlan, impairments};

/// `link.impairments`: the impairments of a line, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Impairments(pub Vec<AnyImpairment>);

impairments! {
    /// Probability with which each packet, or each cell, is lost, independently of the others.
    loss::Loss = "loss", "1e-4";
    /// Each packet or cell of this number in a row is lost; the first one is drawn at random.
    periodic_loss::PeriodicLoss = "periodic_loss", "1000";
    /// Probability with which each bit is wrong, independently of the others; the header of a cell
    /// is corrected, or the cell discarded by its HEC.
    bit_errors::BitErrors = "bit_errors", "1e-7";
    /// Losses in bursts: a channel of two states.
    gilbert_elliott::GilbertElliott
        = "gilbert_elliott", "{ sojourn = { units = { good = 1000, bad = 10 } } }";
    /// Losses by number: the n-th data segment, packet back or cell of a flow.
    script::Script = "script", "{ bulk = { segments = [3, 7] } }";
    /// Intervals in which the line is down.
    outages::Outages
        = "outages", "{ when = { periodic = { every = \"15 s\", lasts = \"50 ms\" } } }";
    /// Packets that are held back and overtaken by later ones.
    reorder::Reorder = "reorder", "{ probability = 0.01, extra_delay = \"5 ms\" }";
    /// Probability with which each packet arrives twice, independently of the others.
    duplicate::Duplicate = "duplicate", "0.001";
    /// Units leave at the ticks of a clock, as from an emulator whose timer is coarse.
    ticks::Ticks = "ticks", "{ every = \"10 ms\" }";
    /// Some of the ACKs of each direction of a connection pass alone, others are taken away.
    ack_thinning::AckThinning = "ack_thinning", "{ one_in = 4 }";
}

#[cfg(test)]
mod tests;
