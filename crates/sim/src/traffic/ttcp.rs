//! ttcp: a number of whole buffers, as fast as the connection takes them. Its send buffer is always
//! full, so that the size of a write matters only for the length of the transfer.

use super::application::{Application, Offer};
use crate::units::{Bytes, Time};

/// `flow.traffic.ttcp` with a `total`; without one it is [`Greedy`](super::Greedy).
#[derive(Clone, Copy, Debug)]
pub struct Ttcp {
    bytes: u64,
    has_begun: bool,
}

impl Ttcp {
    /// `total` in whole writes.
    pub const fn new(write: Bytes, total: Bytes) -> Self {
        Self { bytes: total.0.next_multiple_of(write.0), has_begun: false }
    }
}

impl Application for Ttcp {
    #[inline]
    fn poll(&mut self, _now: Time, _acked: u64) -> Offer {
        if std::mem::replace(&mut self.has_begun, true) {
            return Offer::NOTHING;
        }
        Offer::bytes(self.bytes)
    }

    #[inline]
    fn is_through(&self, acked: u64) -> bool {
        acked >= self.bytes
    }
}
