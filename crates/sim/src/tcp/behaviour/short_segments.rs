//! Short segments: when a segment that is not full may leave.
//!
//! * `rfc1122` (RFC 896, RFC 1122 §4.2.3.4): it ends the data. With `nagle` the end waits while
//!   anything is outstanding. As in `tcp_output` of 4.3BSD, data sent before it in the same output
//!   do not count as outstanding. So the end of a longer write waits only if cwnd or a window stops
//!   the write, or if data of an earlier one are outstanding.
//! * `linux`: it also fills the receive window, behind a full segment of the same output. With
//!   `nagle` each waits only while a short segment is outstanding: Minshall's variant
//!   (draft-minshall-nagle). Departure: the size of the bursts that Linux hands to its device is
//!   not followed; a window that ends between two of them is not filled.
//!
//! Retransmissions do not wait.

use super::hooks::Behaviour;
use crate::language::part::prelude::*;
use crate::tcp::flight::Flight;
use crate::tcp::piece::{Piece, Sending};
use crate::units::Time;

variants! {
    /// Segments that are not full and may leave.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ShortSegments {
        /// RFC 1122: the end of the data.
        Rfc1122 = "rfc1122",
        /// Linux: also behind a full segment where the receive window ends; `nagle` waits for short
        /// segments alone.
        Linux = "linux",
    }
}

/// Rule of an end for its short segments.
#[derive(Clone, Debug)]
pub(super) enum Short {
    /// Nagle's algorithm.
    Nagle {
        /// True if nothing was outstanding when output began.
        was_idle: bool,
    },
    Linux(Box<Linux>),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Linux {
    waits: bool,
    mss: u64,
    /// `snd_max` when output began.
    began_at: u64,
    /// End of the latest short segment.
    short_end: u64,
}

impl Short {
    /// Makes the rule; `None` if the end of the data never waits and no window is filled.
    pub(super) fn new(rule: ShortSegments, nagle: bool, mss: u64) -> Option<Self> {
        match rule {
            ShortSegments::Rfc1122 => nagle.then_some(Self::Nagle { was_idle: true }),
            ShortSegments::Linux => {
                let linux = Linux { waits: nagle, mss, began_at: 0, short_end: 0 };
                Some(Self::Linux(Box::new(linux)))
            }
        }
    }
}

impl Behaviour for Short {
    #[inline]
    fn on_output(&mut self, flight: &Flight) {
        match self {
            Self::Nagle { was_idle } => *was_idle = flight.snd_una == flight.snd_max,
            Self::Linux(linux) => linux.began_at = flight.snd_max,
        }
    }

    #[inline]
    fn lets_end_short(&self, seq: u64, flight: &Flight) -> bool {
        match self {
            Self::Nagle { was_idle } => *was_idle || seq < flight.snd_max,
            Self::Linux(linux) => linux.lets_short(flight) || seq < flight.snd_max,
        }
    }

    fn fills_window(&self, seq: u64, flight: &Flight) -> bool {
        match self {
            Self::Nagle { .. } => false,
            Self::Linux(linux) => seq > linux.began_at && linux.lets_short(flight),
        }
    }

    #[inline]
    fn on_sent(&mut self, _now: Time, piece: Piece) {
        if let Self::Linux(linux) = self {
            linux.on_sent(piece);
        }
    }
}

impl Linux {
    #[cold]
    fn on_sent(&mut self, piece: Piece) {
        if piece.len < self.mss && piece.sending == Sending::First {
            self.short_end = piece.end();
        }
    }

    /// True unless the end has to wait for a short segment that is outstanding.
    fn lets_short(&self, flight: &Flight) -> bool {
        !self.waits || self.short_end <= flight.snd_una
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flight(snd_una: u64, snd_max: u64) -> Flight {
        Flight { snd_una, snd_max, ..Flight::default() }
    }

    fn nagle() -> Short {
        Short::new(ShortSegments::Rfc1122, true, 1000).expect("it waits")
    }

    /// A write of two segments and a half: its end follows at once, that of the next write waits.
    #[test]
    fn the_end_of_a_second_write_waits_for_the_ack_of_the_first() {
        let mut nagle = nagle();
        nagle.on_output(&flight(1, 1));
        assert!(nagle.lets_end_short(2001, &flight(1, 2001)));
        nagle.on_output(&flight(1, 2501));
        assert!(!nagle.lets_end_short(2501, &flight(1, 2501)));
        nagle.on_output(&flight(2501, 2501));
        assert!(nagle.lets_end_short(2501, &flight(2501, 2501)));
    }

    #[test]
    fn a_short_segment_that_is_sent_again_does_not_wait() {
        let mut nagle = nagle();
        nagle.on_output(&flight(1, 2501));
        assert!(nagle.lets_end_short(2001, &flight(1, 2501)));
    }

    /// Full segments that are outstanding hold no end back, an earlier end does.
    #[test]
    fn minshall_waits_for_a_short_segment_alone() {
        let mut linux = Short::new(ShortSegments::Linux, true, 1000).expect("a rule");
        assert!(linux.lets_end_short(2001, &flight(1, 2001)));
        linux.on_sent(
            Time::ZERO,
            Piece { seq: 2001, len: 500, fin: false, sending: Sending::First },
        );
        assert!(!linux.lets_end_short(2501, &flight(1, 2501)));
        assert!(!linux.lets_end_short(2501, &flight(2001, 2501)));
        assert!(linux.lets_end_short(2501, &flight(2501, 2501)));
    }

    /// Only behind another segment of the same output, and one at a time.
    #[test]
    fn the_end_of_a_window_is_filled_behind_a_full_segment() {
        let mut linux = Short::new(ShortSegments::Linux, true, 1000).expect("a rule");
        linux.on_output(&flight(1, 1001));
        assert!(!linux.fills_window(1001, &flight(1, 1001)));
        assert!(linux.fills_window(2001, &flight(1, 2001)));
        linux.on_sent(
            Time::ZERO,
            Piece { seq: 2001, len: 500, fin: false, sending: Sending::First },
        );
        linux.on_output(&flight(1001, 2501));
        assert!(!linux.fills_window(3501, &flight(1001, 3501)));
        assert!(!nagle().fills_window(3501, &flight(1001, 3501)));
    }
}
