//! Cells at a constant rate.

use super::cells::Spacing;
use crate::units::{Span, Time};

/// One cell every cell time.
#[derive(Clone, Copy, Debug)]
pub struct Constant {
    cell_time: Span,
}

impl Constant {
    /// A cell every `cell_time`.
    pub const fn new(cell_time: Span) -> Self {
        Self { cell_time }
    }
}

impl Spacing for Constant {
    #[inline]
    fn next_after(&mut self, now: Time) -> Time {
        now.saturating_add(self.cell_time)
    }
}
