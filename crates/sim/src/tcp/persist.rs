//! The persist timer: when a sender that a closed window keeps from sending tries nevertheless
//! (RFC 9293 §3.8.6.1; Stevens, TCP/IP Illustrated, volume 2, section 25.7).
//!
//! It runs while data wait, nothing else is outstanding, and the window has no room for what could
//! leave. With `bsd` clocks it lasts what the retransmission timer would by smoothed round trip and
//! two deviations, at least 5 s and at most 60 s, with `fine` ones a retransmission timeout; either
//! is doubled after every expiry, up to 64 times. It never gives up (RFC 1122 §4.2.2.17).
//!
//! At an expiry as much leaves as the window allows, whatever silly-window avoidance says, and one
//! byte beyond the window if that is closed: the probe of 4.3BSD, where Linux sends a segment
//! without data. The byte counts as sent, but `snd_nxt` stays before it.

use super::timers::RetransmissionTimer;
use crate::units::Time;

#[derive(Clone, Debug)]
pub(super) struct PersistTimer {
    expiry: Time,
    /// Expiries since it was begun.
    backoffs: u32,
    /// It has expired, and what it lets go has not left.
    is_due: bool,
}

impl PersistTimer {
    pub(super) const fn new() -> Self {
        Self { expiry: Time::MAX, backoffs: 0, is_due: false }
    }

    /// When it expires; [`Time::MAX`] while stopped.
    #[inline]
    pub(super) fn expiry(&self) -> Time {
        self.expiry
    }

    pub(super) fn is_running(&self) -> bool {
        self.expiry < Time::MAX
    }

    /// The window is found closed.
    pub(super) fn begin(&mut self, now: Time, clock: &mut RetransmissionTimer) {
        self.backoffs = 0;
        self.expiry = clock.persist_expiry(now, self.backoffs);
    }

    /// It has expired and runs on.
    pub(super) fn back_off(&mut self, now: Time, clock: &mut RetransmissionTimer) {
        self.backoffs += 1;
        self.is_due = true;
        self.expiry = clock.persist_expiry(now, self.backoffs);
    }

    /// Whether what an expiry lets go is still to leave; told once.
    pub(super) fn take_due(&mut self) -> bool {
        std::mem::take(&mut self.is_due)
    }

    /// Data leave, or none are left.
    #[inline]
    pub(super) fn stop(&mut self) {
        *self = Self::new();
    }
}
