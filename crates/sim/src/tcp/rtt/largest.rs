//! RTTVAR as the largest mean deviation of a round trip, as in Linux.
//!
//! With a sample for every ACK the mean deviation of RFC 6298 §2.3 covers less than a round trip: a
//! queue that grows steadily, or a rate that changes, is soon no deviation any more. So RTTVAR
//! follows it upwards at once, and downwards by a quarter of the difference at the end of a round
//! trip. A round trip far below SRTT moves the mean by 1/32 in the place of 1/4: a queue that
//! empties does not lengthen the timeout. Samples shared by weight (RFC 7323 appendix G) are the
//! other way.

use crate::units::Span;

/// State of the deviations.
#[derive(Clone, Debug, Default)]
pub(super) struct Largest {
    /// Mean deviation.
    mean: Span,
    /// Largest one in this round trip.
    most: Span,
    /// Sequence number at whose acknowledgement the round trip ends.
    end: u64,
}

impl Largest {
    /// Begins with the first sample.
    pub(super) fn begin(&mut self, rttvar: Span) {
        (self.mean, self.most) = (rttvar, rttvar);
    }

    /// RTTVAR after a sample that differs by `error` from SRTT.
    pub(super) fn after(&mut self, error: Span, rttvar: Span, una: u64, max: u64) -> Span {
        let is_shorter = error < Span::ZERO;
        let deviation = if is_shorter { Span::ZERO - error } else { error };
        let parts = if is_shorter && deviation > self.mean { 32 } else { 4 };
        self.mean += (deviation - self.mean) / parts;
        self.most = self.most.max(self.mean);
        let mut rttvar = rttvar.max(self.most);
        if una > self.end {
            rttvar = rttvar - (rttvar - self.most) / 4;
            (self.most, self.end) = (Span::ZERO, max);
        }
        rttvar
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Deviations of 100 ms, then of none: up at once, down by a quarter per round trip.
    #[test]
    fn it_rises_at_once_and_sinks_by_round_trips() {
        let ms = Span::from_milliseconds;
        let mut largest = Largest::default();
        largest.begin(ms(20));
        largest.end = 1000;
        // mean = 20 + (100 - 20)/4.
        assert_eq!(largest.after(ms(100), ms(20), 500, 1500), ms(40));
        // mean = 40 - 40/4 = 30, the largest is 40.
        assert_eq!(largest.after(ms(0), ms(40), 900, 1800), ms(40));
        // The round trip ends with 40; the next one has 22.5 - 22.5/4 as its largest.
        assert_eq!(largest.after(ms(0), ms(40), 1100, 2000), ms(40));
        let next = largest.after(ms(0), ms(40), 2100, 3000);
        assert_eq!(next, ms(40) - (ms(40) - Span::from_microseconds(16_875)) / 4);
    }

    /// A round trip 320 ms below the mean: 1/32 of the difference.
    #[test]
    fn a_queue_that_empties_hardly_counts() {
        let ms = Span::from_milliseconds;
        let mut largest = Largest { end: 1000, ..Largest::default() };
        assert_eq!(largest.after(Span::ZERO - ms(320), ms(0), 1, 1000), ms(10));
    }
}
