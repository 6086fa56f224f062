//! Laws of the window: its growth in avoidance, and its reduction at congestion. The
//! [rule](super::Congestion) detects and repairs losses; the rules of RFCs work under every law.
//!
//! A law is a file here, its `mod` line and its line in the list `laws!` of `laws.rs`, among those
//! without parameters or with them.

use super::{Ack, Flight, Transmission, Window};

/// A law of the window.
pub(super) trait Law {
    /// True if an ACK of new data may open the window at all.
    #[inline]
    fn may_grow(&mut self, _ack: &Ack<'_>) -> bool {
        true
    }

    /// Opens the window for an ACK of new data in congestion avoidance.
    fn avoid(&mut self, ack: &mut Ack<'_>);

    /// ssthresh after congestion with so many bytes in flight.
    fn left_of(&self, bytes: u64) -> u64;

    /// Sets ssthresh at congestion.
    fn reduce(&mut self, window: &mut Window, flight: &Flight);

    /// Notes that the retransmission timer has expired; ssthresh is set.
    fn on_timeout(&mut self) {}

    /// Notes that a segment is sent.
    #[inline]
    fn on_sent(&mut self, _sent: &Transmission<'_>) {}
}
