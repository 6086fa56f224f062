//! A transfer that is written whole when its flow starts: what `greedy`, `ttcp` and `full` are to
//! their connection, which takes it as fast as it can.

use super::application::{Offer, Write};
use crate::units::Time;

/// So many bytes, or always more.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Transfer {
    /// `None`: without end.
    pub(super) total: Option<u64>,
    has_begun: bool,
}

impl Transfer {
    /// Nothing written yet; `None`: without end.
    pub(super) const fn of(total: Option<u64>) -> Self {
        Self { total, has_begun: false }
    }

    /// All of it, once.
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

    /// What is written at its stop where the write that has begun to be taken ends at `begun`.
    pub(super) fn up_to(&self, begun: u64) -> u64 {
        begun.min(self.total.unwrap_or(u64::MAX))
    }
}
