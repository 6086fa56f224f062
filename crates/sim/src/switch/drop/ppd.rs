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
