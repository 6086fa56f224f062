//! An application that always has more to send.

use super::application::{Application, Offer, Write};
use crate::units::Time;

/// `flow.traffic = "greedy"`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy {
    has_begun: bool,
}

impl Application for Greedy {
    #[inline]
    fn poll(&mut self, _now: Time, _acked: u64) -> Offer {
        if std::mem::replace(&mut self.has_begun, true) {
            return Offer::NOTHING;
        }
        Offer { write: Write::Forever, next: Time::MAX }
    }

    /// What its send buffer has taken; of an unlimited one nothing waits that has not been sent.
    fn written_at_stop(&self, taken: u64) -> Option<u64> {
        Some(taken)
    }
}
