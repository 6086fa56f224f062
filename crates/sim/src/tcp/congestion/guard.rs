//! The guard of fast retransmits (Floyd 1994, "TCP and Successive Fast Retransmits"; RFC 6582 §3.2
//! steps 1 and 2).
//!
//! Data sent a second time arrive a second time, and their duplicate ACKs look like those of a
//! loss. With the guard no fast retransmit happens unless the ACK number lies beyond all that had
//! been sent before the last one or before a timeout.

use super::Flight;

#[derive(Clone, Copy, Debug)]
pub(super) struct Guard {
    is_on: bool,
    /// The sequence number after the highest sent at the last fast retransmit or timeout.
    recover: u64,
}

impl Guard {
    pub(super) fn new(is_on: bool) -> Self {
        Self { is_on, recover: 0 }
    }

    /// True if the first unacknowledged segment may be retransmitted fast.
    pub(super) fn admits(self, flight: &Flight) -> bool {
        !self.is_on || flight.snd_una > self.recover
    }

    /// Notes a fast retransmit or a timeout.
    pub(super) fn on_loss(&mut self, flight: &Flight) {
        self.recover = flight.snd_max;
    }
}
