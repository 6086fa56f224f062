//! ttcp: a number of whole writes, as fast as the connection takes them. Consecutive writes follow
//! without a gap, so the send buffer is always full, and the size of a write matters only for the
//! length of the transfer.

use super::application::{Application, Offer, Writes};
use super::source::Site;
use super::transfer::Transfer;
use crate::language::part::prelude::*;
use crate::tcp::SOME_BYTES;
use crate::units::{Bytes, Time};

/// Limit of a transfer; a longer one is a mistake.
const MAX_TOTAL: u64 = 1_000_000_000_000_000;

part! {
    /// Parameters of ttcp.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct TtcpPlan {
        /// Size of one write. The send buffer is always full, so only `total` depends on it: whole
        /// writes are sent.
        write: Bytes = default("64 KiB", "\"8 KiB\"") as SOME_BYTES,
        /// Total of bytes to send.
        total: Option<Bytes> = absent(
            "until the run ends", "\"10 MB\""
        ) as Kind::Size { min: 1, max: MAX_TOTAL },
    }
}

impl Writes for TtcpPlan {
    type Application = Ttcp;

    fn application(&self, _: &Site<'_>) -> Ttcp {
        Ttcp::new(self.write, self.total)
    }
}

/// A number of whole writes at the start, or data without end.
#[derive(Clone, Copy, Debug)]
pub struct Ttcp {
    write: u64,
    transfer: Transfer,
}

impl Ttcp {
    /// Makes a transfer of `total` in whole writes.
    pub fn new(write: Bytes, total: Option<Bytes>) -> Self {
        let total = total.map(|total| total.0.next_multiple_of(write.0));
        Self { write: write.0, transfer: Transfer::of(total) }
    }
}

impl Application for Ttcp {
    #[inline]
    fn poll(&mut self, _now: Time, _acked: u64) -> Offer {
        self.transfer.poll()
    }

    #[inline]
    fn is_through(&self, acked: u64) -> bool {
        self.transfer.is_through(acked)
    }

    /// Bytes written up to the end of the write that has begun to be taken, which is the last one.
    fn written_at_stop(&self, taken: u64) -> Option<u64> {
        Some(self.transfer.up_to(taken.next_multiple_of(self.write)))
    }
}
