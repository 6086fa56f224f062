//! Proportional Rate Reduction (RFC 9937): in a recovery cwnd follows the data delivered, so that
//! it comes to ssthresh by the end, at a steady rate.
//!
//! While more than ssthresh is in flight, ssthresh/RecoverFS bytes are sent for each byte that is
//! delivered. Below ssthresh the slow start bound holds: as much as is delivered, and a segment
//! more if the ACK advances without a further loss (§6.2). The first segment is always sent.

use super::{Delivered, Flight, Window};

/// State of a recovery, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prr {
    /// `RecoverFS`: the window at its start.
    whole: u64,
    /// `prr_delivered`.
    delivered: u64,
    /// `prr_out`: sent in it.
    sent: u64,
}

impl Prr {
    /// Begins at an ACK, or at a loss that a timer has found. `RecoverFS` holds all that is
    /// delivered in the recovery: the data outstanding and not reported before that ACK.
    pub(super) fn new(first: &Delivered, flight: &Flight) -> Self {
        let log = flight.log();
        Self::of(log.in_flight() + log.lost() + first.bytes)
    }

    /// Begins with a `RecoverFS` of `whole` bytes.
    pub(super) fn of(whole: u64) -> Self {
        Self { whole: whole.max(1), delivered: 0, sent: 0 }
    }

    /// Counts bytes sent.
    pub(super) fn on_sent(&mut self, bytes: u64) {
        self.sent += bytes;
    }

    /// Sets cwnd for an ACK; it is safe if it advances without a further loss.
    pub(super) fn on_ack(
        &mut self,
        ack: &Delivered,
        is_safe: bool,
        window: &mut Window,
        flight: &Flight,
    ) {
        self.delivered += ack.bytes;
        let in_flight = flight.log().in_flight();
        let (ssthresh, mss) = (window.ssthresh(), window.mss());
        let mut may_send = if in_flight > ssthresh {
            let share = u128::from(self.delivered) * u128::from(ssthresh);
            (share.div_ceil(u128::from(self.whole)) as u64).saturating_sub(self.sent)
        } else {
            let caught_up = self.delivered.saturating_sub(self.sent).max(ack.bytes);
            let bound = caught_up + if is_safe { mss } else { 0 };
            bound.min(ssthresh - in_flight)
        };
        if self.sent == 0 && may_send == 0 {
            may_send = mss;
        }
        window.set_cwnd(in_flight + may_send);
    }
}
