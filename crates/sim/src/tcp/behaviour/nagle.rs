//! Nagle's algorithm (RFC 896, RFC 1122 §4.2.3.4): the last data, less than a segment, wait while
//! anything is outstanding.
//!
//! As in `tcp_output`, data sent before them in the same output do not count as outstanding. So the
//! end of a longer write waits only if cwnd or a window stops the write, or if data of an earlier
//! one are outstanding. Retransmissions do not wait.

use super::hooks::Behaviour;
use crate::tcp::flight::Flight;

#[derive(Clone, Copy, Debug)]
pub(super) struct Nagle {
    /// True if nothing was outstanding when output began.
    was_idle: bool,
}

impl Nagle {
    pub(super) fn new() -> Self {
        Self { was_idle: true }
    }
}

impl Behaviour for Nagle {
    #[inline]
    fn on_output(&mut self, flight: &Flight) {
        self.was_idle = flight.snd_una == flight.snd_max;
    }

    #[inline]
    fn lets_end_short(&self, seq: u64, flight: &Flight) -> bool {
        self.was_idle || seq < flight.snd_max
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flight(snd_una: u64, snd_max: u64) -> Flight {
        Flight { snd_una, snd_max, ..Flight::default() }
    }

    /// A write of two segments and a half: its end follows at once, that of the next write waits.
    #[test]
    fn the_end_of_a_second_write_waits_for_the_ack_of_the_first() {
        let mut nagle = Nagle::new();
        nagle.on_output(&flight(1, 1));
        assert!(nagle.lets_end_short(2001, &flight(1, 2001)));
        nagle.on_output(&flight(1, 2501));
        assert!(!nagle.lets_end_short(2501, &flight(1, 2501)));
        nagle.on_output(&flight(2501, 2501));
        assert!(nagle.lets_end_short(2501, &flight(2501, 2501)));
    }

    #[test]
    fn a_short_segment_that_is_sent_again_does_not_wait() {
        let mut nagle = Nagle::new();
        nagle.on_output(&flight(1, 2501));
        assert!(nagle.lets_end_short(2001, &flight(1, 2501)));
    }
}
