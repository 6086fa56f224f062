//! The destination end system (TM 4.0 section 5.10.5), which returns forward RM cells.
//!
//! Rules 1 to 4 and 6. Rule 5, RM cells of the destination's own making, needs a congested
//! destination and is absent. The standard leaves two choices: a cell to be returned that still
//! waits when the next one comes is overwritten (rule 3), but its congestion indication is kept; an
//! out-of-rate cell is returned out of rate, at once, so that a stopped source is answered even
//! while the reverse direction is stopped too (rule 6). It is sent before all waiting cells, so an
//! older in-rate cell is overwritten by it too: an old cell must not follow a newer one (rule 4).

use crate::pdu::{Direction, RmCell};

/// The receiving end of one direction of a VC.
#[derive(Clone, Copy, Debug, Default)]
pub struct Turnaround {
    in_rate: Option<RmCell>,
    out_of_rate: Option<RmCell>,
}

impl Turnaround {
    /// A forward RM cell arrived (rules 2 to 4, 6); `is_congested` is the EFCI of the last data
    /// cell before it (rule 1).
    pub fn on_forward_rm(&mut self, rm: &RmCell, is_out_of_rate: bool, is_congested: bool) {
        let is_marked = |earlier: Option<RmCell>| earlier.is_some_and(|earlier| earlier.ci);
        let was_congested = is_marked(self.in_rate.take())
            || (is_out_of_rate && is_marked(self.out_of_rate.take()));
        let ci = rm.ci || is_congested || was_congested;
        let turned = RmCell { direction: Direction::Backward, is_notification: false, ci, ..*rm };
        *(if is_out_of_rate { &mut self.out_of_rate } else { &mut self.in_rate }) = Some(turned);
    }

    /// True if a cell waits to be returned in rate.
    #[inline]
    pub fn has_in_rate(&self) -> bool {
        self.in_rate.is_some()
    }

    /// True if a cell waits to be returned out of rate.
    #[inline]
    pub fn has_out_of_rate(&self) -> bool {
        self.out_of_rate.is_some()
    }

    /// Takes the cell to return in rate.
    pub fn take_in_rate(&mut self) -> Option<RmCell> {
        self.in_rate.take()
    }

    /// Takes the cell to return out of rate.
    pub fn take_out_of_rate(&mut self) -> Option<RmCell> {
        self.out_of_rate.take()
    }
}
