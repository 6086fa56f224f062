//! An application that always has more to send.

use super::application::{Application, Offer};
use super::transfer::Transfer;
use crate::units::Time;

/// `flow.traffic = "greedy"`: a transfer without end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy(Transfer);

impl Application for Greedy {
    #[inline]
    fn poll(&mut self, _now: Time, _acked: u64) -> Offer {
        self.0.poll()
    }

    /// Bytes taken by its send buffer; without a finite buffer, those that have been sent.
    fn written_at_stop(&self, taken: u64) -> Option<u64> {
        Some(taken)
    }
}
