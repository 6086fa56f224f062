//! Partial packet discard (Romanow, Floyd: "Dynamics of TCP Traffic over ATM Networks", IEEE JSAC
//! 13(4), 1995).
//!
//! Once a cell of a frame is lost the frame is useless: the rest of it is discarded too, except the
//! last cell, which is kept so that the receiver does not glue the next frame to this one. No
//! parameters; one bit of state per VC.
//!
//! Decided here: the last cell of a spoilt frame still needs space; if there is none it is lost as
//! an overflow, and the next frame begins all the same. Raw cells belong to no frame and are lost
//! exactly when the buffer is full.

use super::{DropPolicy, QueueState, Site, Tail, Verdict};
use crate::pdu::CellHead;
use crate::result::Cause;

/// Partial packet discard.
#[derive(Clone, Debug)]
pub struct Ppd {
    /// By slot: a cell of the present frame was lost.
    is_spoilt: Vec<bool>,
}

impl Ppd {
    /// For `vcs` virtual circuits.
    pub fn new(vcs: usize) -> Self {
        Self { is_spoilt: vec![false; vcs] }
    }

    /// Whether a cell is inside a frame of which nothing is lost, so that a buffer with room
    /// accepts it and nothing changes.
    #[inline]
    pub fn is_admitting(&self, head: CellHead, slot: u32) -> bool {
        head.is_body() && !self.is_spoilt[slot as usize]
    }

    pub(super) fn build(site: &Site) -> Self {
        Self::new(site.vcs.len())
    }
}

impl DropPolicy for Ppd {
    fn admits_up_to(&self) -> u64 {
        u64::MAX
    }

    #[inline]
    fn on_arrival(&mut self, head: CellHead, queue: &QueueState<'_>) -> Verdict {
        if head.is_raw() {
            return Tail.on_arrival(head, queue);
        }
        let is_spoilt = &mut self.is_spoilt[queue.slot as usize];
        if head.is_end_of_frame() {
            *is_spoilt = false;
        } else if *is_spoilt {
            return Verdict::Discard(Cause::PartialFrame);
        } else {
            *is_spoilt = !queue.has_space();
        }
        if queue.has_space() { Verdict::Accept } else { Verdict::Discard(Cause::Overflow) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::switch::accounts::Accounts;
    use crate::units::Time;

    const BODY: bool = false;
    const LAST: bool = true;

    fn verdicts(cells: &[(bool, bool)]) -> String {
        let mut policy = Ppd::new(1);
        let accounts = Accounts::default();
        let answer = |&(is_last, has_space): &(bool, bool)| {
            let head = if is_last { CellHead::end_of_frame(0, 0) } else { CellHead::body(0, 0) };
            let size = u64::from(has_space);
            let (now, line_free_at) = (Time::ZERO, Time::ZERO);
            let queue = QueueState {
                now,
                occupancy: 0,
                size,
                slot: 0,
                backlog: 0,
                active: 0,
                accounts: &accounts,
                line_free_at,
            };
            match policy.on_arrival(head, &queue) {
                Verdict::Accept => 'a',
                Verdict::Mark => 'm',
                Verdict::Discard(Cause::Overflow) => 'o',
                Verdict::Discard(_) => 'p',
            }
        };
        cells.iter().map(answer).collect()
    }

    #[test]
    fn after_a_loss_the_rest_goes_but_the_last_cell_stays() {
        let frame =
            [(BODY, true), (BODY, false), (BODY, true), (BODY, true), (LAST, true), (BODY, true)];
        assert_eq!(verdicts(&frame), "aoppaa");
    }

    #[test]
    fn a_last_cell_without_room_is_lost_and_the_next_frame_begins() {
        assert_eq!(verdicts(&[(BODY, false), (LAST, false), (BODY, true), (LAST, true)]), "ooaa");
    }
}
