//! Limits of the growth of cwnd, for a sender whose congestion reduces cwnd and not the flight.
//!
//! RFC 5681 §3.1 (4) reduces the flight, so that a cwnd beyond what is ever in flight does no harm.
//! Linux reduces cwnd, and lets it open only where it limits the sender: in avoidance if it was
//! full at some ACK of the present or the former window of data, in slow start also if it is less
//! than twice the most that was in flight there. After a mark it opens once data are acknowledged
//! that were sent since. Source: measured beside Linux 6.18; RFC 7661 §1 has the reasons.
//!
//! Parameter: `reduces`. Departure: cwnd is full if less than a segment of it is free at an ACK;
//! Linux looks after each transmission.

use super::Ack;
use crate::language::part::prelude::*;

variants! {
    /// Window that congestion reduces.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Reduces {
        /// The bytes in flight (RFC 5681 section 3.1).
        Flight = "flight",
        /// cwnd, which opens only where it limits what is in flight, in slow start where it is less
        /// than twice that; as in Linux.
        Cwnd = "cwnd",
    }
}

/// Use of cwnd in the present window of data.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Validation {
    /// True if cwnd was full.
    is_full: bool,
    /// Most bytes in flight while it was not.
    most: u64,
    /// Sequence number at whose acknowledgement the window of data ends.
    end: u64,
}

impl Validation {
    /// Takes an ACK of new data; true if it may open the window.
    pub(super) fn admits(&mut self, ack: &Ack<'_>, is_slow_start: bool) -> bool {
        let before = ack.flight.size() + ack.acked;
        let cwnd = ack.window.cwnd();
        let is_full = before + ack.window.mss() > cwnd;
        let is_over = ack.flight.snd_una - ack.acked >= self.end;
        if is_full || is_over || !self.is_full && before > self.most {
            *self = Self { is_full, most: before, end: ack.flight.snd_max };
        }
        let is_after_mark = ack.flight.snd_una <= ack.flight.reduced;
        !is_after_mark && (self.is_full || is_slow_start && cwnd < 2 * self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::congestion::{Flight, Window};
    use crate::tcp::scaling::MAX_WINDOW;
    use crate::units::Time;

    const MSS: u64 = 1000;

    /// Window of ten segments that a mark has reduced when the first was acknowledged: those behind
    /// it that were in flight then do not open it, and the next one does.
    #[test]
    fn data_sent_before_a_mark_do_not_open_the_window() {
        let mut validation = Validation::default();
        let mut window = Window::of(MSS, 10 * MSS, MAX_WINDOW, MAX_WINDOW);
        let (snd_una, snd_max) = (MSS + 1, 10 * MSS + 1);
        let mut flight = Flight { snd_una, snd_max, reduced: snd_max, ..Flight::default() };
        let admitted = [(); 10].map(|()| {
            (flight.snd_una, flight.snd_max) = (flight.snd_una + MSS, flight.snd_max + MSS);
            validation.admits(&Ack::of_test(Time::ZERO, MSS, &flight, &mut window), false)
        });
        assert_eq!(admitted.iter().position(|&admitted| admitted), Some(9));
    }

    /// Flight of ten segments that the receiver limits: slow start goes on below twenty, avoidance
    /// at ten and not beyond.
    #[test]
    fn a_window_opens_where_it_limits_the_flight() {
        let mut validation = Validation::default();
        let mut flight = Flight { snd_max: 10 * MSS, ..Flight::default() };
        let mut admits = |cwnd, is_slow_start| {
            let mut window = Window::of(MSS, cwnd, MAX_WINDOW, MAX_WINDOW);
            flight.snd_una += MSS;
            let admitted = validation
                .admits(&Ack::of_test(Time::ZERO, MSS, &flight, &mut window), is_slow_start);
            flight.snd_max += MSS;
            admitted
        };
        assert_eq!([19_999, 20_000].map(|cwnd| admits(cwnd, true)), [true, false]);
        assert!(!admits(11 * MSS, false));
        assert!(admits(11 * MSS - 1, false));
        // The rest of the window of data in which it was full may open it further.
        let opened = (0..20).take_while(|_| admits(12 * MSS, false)).count();
        assert_eq!(opened, 9);
    }
}
