//! Explicit forward congestion indication (TM 4.0 section 5.10.6, switch behaviour 1a).
//!
//! Data cells that find more than `threshold` ABR cells waiting are marked; the destination turns
//! the mark into CI = 1 of the next RM cell that it returns. Parameter: `threshold`, cells. Equal
//! case: a queue at the threshold does not mark.

use super::RateAllocator;

/// Marks data cells.
#[derive(Clone, Copy, Debug)]
pub struct Efci {
    /// Cells waiting above which data cells are marked.
    pub threshold: u64,
}

impl RateAllocator for Efci {
    #[inline]
    fn marks_data(&self, queue: u64) -> bool {
        queue > self.threshold
    }
}
