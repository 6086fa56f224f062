//! The guard of fast retransmits (Floyd 1994, "TCP and Successive Fast Retransmits"; RFC 6582 §3.2
//! steps 1 and 2).
//!
//! Data sent a second time arrive a second time, and their duplicate ACKs look like those of a
//! loss. With the guard no fast retransmit happens unless the ACK number lies beyond all that had
//! been sent before the last one or before a timeout. After timeouts alone, a second loss in one
//! window is still repaired fast.

use super::Flight;
use crate::language::part::prelude::*;

variants! {
    /// Losses after which what had been sent before is not retransmitted fast.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum FastRetransmitGuard {
        /// None, as in 4.3BSD: duplicates after a timeout may cause a needless fast retransmit.
        Never = "never",
        /// A timeout: several fast retransmits in one window are possible, those of data that the
        /// timeout sends again are not.
        AfterTimeouts = "after_timeouts",
        /// A timeout and a fast retransmit: a second loss in the window waits for the timer.
        Always = "always",
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Guard {
    after: FastRetransmitGuard,
    /// The sequence number after the highest sent at the last loss that counts. Without one it is
    /// 0, below that of all data.
    recover: u64,
}

impl Guard {
    pub(super) fn new(after: FastRetransmitGuard) -> Self {
        Self { after, recover: 0 }
    }

    /// True if the first unacknowledged segment may be retransmitted fast.
    pub(super) fn admits(self, flight: &Flight) -> bool {
        flight.snd_una > self.recover
    }

    /// Notes a fast retransmit.
    pub(super) fn on_retransmit(&mut self, flight: &Flight) {
        if self.after == FastRetransmitGuard::Always {
            self.recover = flight.snd_max;
        }
    }

    /// Notes a timeout.
    pub(super) fn on_timeout(&mut self, flight: &Flight) {
        if self.after != FastRetransmitGuard::Never {
            self.recover = flight.snd_max;
        }
    }
}
