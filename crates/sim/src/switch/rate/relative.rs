//! Relative rate marking (TM 4.0 section 5.10.6, switch behaviour 1b).
//!
//! Backward RM cells get NI = 1 while more than `no_increase` ABR cells wait, and CI = 1 while more
//! than `congestion` do. Parameters in cells, `no_increase` not above `congestion`. Equal cases: a
//! queue at a threshold is not marked.

use super::RateAllocator;
use crate::pdu::RmCell;

/// Marks backward RM cells.
#[derive(Clone, Copy, Debug)]
pub struct RelativeRate {
    /// Cells waiting above which sources must not increase.
    pub no_increase: u64,
    /// Cells waiting above which sources must decrease.
    pub congestion: u64,
}

impl RateAllocator for RelativeRate {
    fn on_backward_rm(&mut self, _slot: u32, queue: u64, rm: &mut RmCell) {
        rm.ni |= queue > self.no_increase;
        rm.ci |= queue > self.congestion;
    }
}
