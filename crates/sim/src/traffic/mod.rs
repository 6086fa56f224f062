//! Sources of traffic: raw cells, which need no transport, and applications of TCP connections.

mod application;
mod bursts;
mod cells;

pub use application::Application;
pub use bursts::{ExponentialBursts, PeriodicBursts};
pub use cells::{CellSource, Spacing};
