//! Partial packet discard (Romanow, Floyd: "Dynamics of TCP Traffic over ATM Networks", IEEE JSAC
//! 13(4), 1995).
//!
//! Once a cell of a frame is lost the frame is useless: the rest of it is discarded too, except the
//! last cell, which is kept so that the receiver does not merge the next frame with this one. No
//! parameters. It is all that [`Framewise`](super::Framewise) does while no frame is refused.
//!
//! Decided here: the last cell of a spoilt frame still needs space; if there is none it is lost as
//! an overflow, and the next frame begins all the same. Raw cells belong to no frame and are lost
//! exactly when the buffer is full.

use super::{Admission, FrameRule, QueueState};
use crate::pdu::CellHead;

/// Partial packet discard.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ppd;

impl FrameRule for Ppd {
    fn admits_up_to(&self) -> u64 {
        u64::MAX
    }

    fn judge(&mut self, _first: CellHead, _queue: &QueueState<'_>) -> Admission {
        Admission::Admit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::Cause;
    use crate::switch::accounts::Accounts;
    use crate::switch::drop::{DropPolicy, Framewise, Rule, Verdict};
    use crate::units::Time;

    const BODY: bool = false;
    const LAST: bool = true;

    fn verdicts(cells: &[(bool, bool)]) -> String {
        let mut policy = Framewise::new(Rule::Ppd(Ppd), 1);
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
