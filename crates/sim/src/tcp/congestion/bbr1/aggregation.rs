//! Aggregation of ACKs in Linux (since 5.1): bytes acknowledged beyond what the bandwidth lets one
//! expect. Their maximum of five to ten rounds is added to cwnd, up to the bytes of 100 ms, once
//! the pipe is full.
//!
//! An epoch begins with an ACK before which no more was acknowledged than expected. What is
//! expected is whole segments, rounded down, so that a flow that nobody delays has about one
//! segment more than an ACK brings. Departure: an epoch ends after no number of segments; in Linux
//! it does after 2^20.

use crate::units::{Span, Time};

/// Rounds of one of the two windows whose maximum counts.
const ROUNDS: u32 = 5;
/// Time of the bandwidth that bounds the surplus.
const LONGEST: Span = Span::from_milliseconds(100);

/// Estimate of the surplus.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Aggregation {
    since: Time,
    /// Bytes acknowledged since then.
    acked: u64,
    /// Largest surplus of the present window of rounds, and of the one before.
    largest: [u64; 2],
    rounds: u32,
}

impl Aggregation {
    /// Begins an epoch, after a pause.
    pub(super) fn restart(&mut self, now: Time) {
        (self.since, self.acked) = (now, 0);
    }

    /// Takes the end of a round.
    pub(super) fn on_round(&mut self) {
        self.rounds += 1;
        if self.rounds == ROUNDS {
            self.rounds = 0;
            self.largest = [0, self.largest[0]];
        }
    }

    /// Takes an ACK of `bytes` at a bandwidth in bits per second.
    pub(super) fn on_ack(&mut self, now: Time, bytes: u64, bandwidth: f64, cwnd: u64, mss: u64) {
        let segments = bandwidth * (now - self.since).seconds_f64() / 8.0 / mss as f64;
        let mut expected = segments as u64 * mss;
        if self.acked <= expected {
            (self.since, self.acked, expected) = (now, 0, 0);
        }
        self.acked += bytes;
        let surplus = (self.acked - expected).min(cwnd);
        self.largest[0] = self.largest[0].max(surplus);
    }

    /// Bytes to add to cwnd.
    pub(super) fn surplus(&self, bandwidth: f64) -> u64 {
        let most = bandwidth * LONGEST.seconds_f64() / 8.0;
        self.largest[0].max(self.largest[1]).min(most as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: i64) -> Time {
        Time::ZERO + Span::from_milliseconds(ms)
    }

    /// At 8 Mbit/s a segment of 1000 bytes takes a millisecond.
    fn acks(of: &[(i64, u64)]) -> Aggregation {
        let mut aggregation = Aggregation::default();
        for &(ms, segments) in of {
            aggregation.on_ack(at(ms), segments * 1000, 8e6, 100_000, 1000);
        }
        aggregation
    }

    #[test]
    fn an_ack_on_time_is_a_surplus_of_itself() {
        assert_eq!(acks(&[(10, 2), (12, 2), (14, 2)]).surplus(8e6), 2000);
    }

    #[test]
    fn acks_that_come_together_add_up() {
        assert_eq!(acks(&[(10, 2), (11, 9)]).surplus(8e6), 10_000);
        assert_eq!(acks(&[(10, 2), (20, 2), (21, 4)]).surplus(8e6), 5000);
    }

    #[test]
    fn the_surplus_is_bounded_by_cwnd_and_by_100_ms() {
        let mut aggregation = Aggregation::default();
        aggregation.on_ack(at(10), 300_000, 8e6, 200_000, 1000);
        assert_eq!(aggregation.surplus(8e6), 100_000);
        assert_eq!(aggregation.surplus(80e6), 200_000);
    }

    #[test]
    fn the_maximum_lasts_for_five_to_ten_rounds() {
        let rounds_kept = |before| {
            let mut aggregation = Aggregation::default();
            for _ in 0..before {
                aggregation.on_round();
            }
            aggregation.on_ack(at(10), 9000, 8e6, 100_000, 1000);
            let is_kept = |_: &i32| {
                aggregation.on_round();
                aggregation.surplus(8e6) > 0
            };
            (1..20).take_while(is_kept).count()
        };
        assert_eq!(rounds_kept(0), 9);
        assert_eq!(rounds_kept(4), 5);
    }

    #[test]
    fn a_pause_begins_an_epoch() {
        let mut aggregation = acks(&[(10, 9)]);
        aggregation.restart(at(12));
        aggregation.on_ack(at(13), 3000, 8e6, 100_000, 1000);
        assert_eq!(aggregation.surplus(8e6), 9000);
        assert_eq!(aggregation.acked, 3000);
    }
}
