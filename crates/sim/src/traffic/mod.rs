//! Sources of traffic that need no transport.

mod bursts;
mod cells;

pub use bursts::{ExponentialBursts, PeriodicBursts};
pub use cells::{CellSource, Spacing};
