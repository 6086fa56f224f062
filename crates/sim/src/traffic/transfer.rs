//! A transfer that is written whole when its flow starts: so `greedy`, `ttcp` and `full` appear to
//! their connection, which takes it as fast as it can.

use super::application::{Offer, Write};
use crate::units::Time;

/// A number of bytes, or data without end.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Transfer {
    /// Bytes of the transfer; `None` for no end.
    pub(super) total: Option<u64>,
    has_begun: bool,
}

impl Transfer {
    /// Makes a transfer that has not begun; `None` for no end.
    pub(super) const fn of(total: Option<u64>) -> Self {
        Self { total, has_begun: false }
    }

    /// Offers the whole transfer, once.
    #[inline]
    pub(super) fn poll(&mut self) -> Offer {
        if std::mem::replace(&mut self.has_begun, true) {
            return Offer::NOTHING;
        }
        Offer { write: self.total.map_or(Write::Forever, Write::Bytes), next: Time::MAX }
    }

    #[inline]
    pub(super) fn is_through(&self, acked: u64) -> bool {
        self.total.is_some_and(|total| acked >= total)
    }

    /// Bytes written at the stop, where the write that has begun to be taken ends at `begun`.
    pub(super) fn up_to(&self, begun: u64) -> u64 {
        begun.min(self.total.unwrap_or(u64::MAX))
    }
}
