//! What decides how long a line has which rate.

use std::fmt::Debug;

use crate::units::{Rate, Span};

/// A process of rates, piece by piece from the start of the run.
pub trait Process: Debug + Send {
    /// The rate of the next piece, which may be that of the last one, and how long it holds: at
    /// least a picosecond. What holds for good has [`Span::MAX`]: a path that never changes says so
    /// at once.
    fn next(&mut self) -> (Rate, Span);
}
