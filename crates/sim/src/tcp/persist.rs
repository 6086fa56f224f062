//! The persist timer: it lets a sender that is stopped by a closed window try to send (RFC 9293
//! §3.8.6.1; Stevens, TCP/IP Illustrated, volume 2, section 25.7).
//!
//! It runs while data wait, nothing else is outstanding, and the window has no room for the next
//! segment. With `bsd` clocks it lasts as long as a retransmission timer of smoothed round trip and
//! two deviations, at least 5 s and at most 60 s; with `fine` ones it lasts a retransmission
//! timeout. Either is doubled after every expiry, up to 64 times. It never gives up (RFC 1122
//! §4.2.2.17).
//!
//! At an expiry the sender sends as much as the window allows, without silly-window avoidance, and
//! one byte beyond the window if that is closed: the probe of 4.3BSD, where Linux sends a segment
//! without data. The byte counts as sent, but `snd_nxt` stays before it.

use super::timers::RetransmissionTimer;
use crate::units::Time;

#[derive(Clone, Debug)]
pub(super) struct PersistTimer {
    expiry: Time,
    /// Expiries since the timer began.
    backoffs: u32,
    /// True after an expiry until its segment is sent.
    is_due: bool,
}

impl PersistTimer {
    pub(super) const fn new() -> Self {
        Self { expiry: Time::MAX, backoffs: 0, is_due: false }
    }

    /// The instant of its expiry; [`Time::MAX`] while stopped.
    #[inline]
    pub(super) fn expiry(&self) -> Time {
        self.expiry
    }

    pub(super) fn is_running(&self) -> bool {
        self.expiry < Time::MAX
    }

    /// Starts the timer when the window is found closed.
    pub(super) fn begin(&mut self, now: Time, clock: &mut RetransmissionTimer) {
        self.backoffs = 0;
        self.expiry = clock.persist_expiry(now, self.backoffs);
    }

    /// Restarts the timer after an expiry, with back-off.
    pub(super) fn back_off(&mut self, now: Time, clock: &mut RetransmissionTimer) {
        self.backoffs += 1;
        self.is_due = true;
        self.expiry = clock.persist_expiry(now, self.backoffs);
    }

    /// True once after an expiry, for the segment that it allows.
    pub(super) fn take_due(&mut self) -> bool {
        std::mem::take(&mut self.is_due)
    }

    /// Stops the timer: data are sent, or none are left.
    #[inline]
    pub(super) fn stop(&mut self) {
        *self = Self::new();
    }
}
