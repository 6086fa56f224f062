//! Sources of traffic that need no transport.

mod cells;

pub use cells::{CellSource, Spacing};
