//! The ABR end systems of ATM Forum Traffic Management 4.0 (af-tm-0056) and 4.1 (af-tm-0121).
//!
//! A VC has two directions, each with its own source and destination. [`Source`] is the source of
//! one direction. It also holds the RM cells that the destination of the other direction returns.
//! It decides which cell leaves next, and when. It is pure: call [`next_time`](Source::next_time)
//! after every change, [`emit`](Source::emit) when that time has come.

mod parameters;
mod power_fraction;
mod source;
mod turnaround;

pub use parameters::{Abr, CountBased, TimeBased, UseItOrLoseIt};
pub use power_fraction::PowerFraction;
pub use source::{Emission, Source};
pub use turnaround::Turnaround;
