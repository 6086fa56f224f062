//! One long-lived TCP alone before a buffer (T. V. Lakshman, U. Madhow: "The performance of TCP/IP
//! for networks with high bandwidth-delay products and random loss", IEEE/ACM Transactions on
//! Networking 5(3), 1997), without random loss.
//!
//! A line serves μ segments per second, T is the round trip with empty queues, service included,
//! and `μT` segments fill the path. The buffer has `β μT` of them. A segment is lost when the
//! window passes `(1 + β) μT`, and the threshold becomes half of it. Per round trip the window
//! grows by
//! `1/b`: below μT a round trip is T; above, `W/μ`.
//!
//! - Reno: the window climbs from one half to the whole; the used part of the line is
//!   `3/4 (1+β)² / (1 + β + β²)` for β <= 1 and all of it above. The number b cancels.
//! - Tahoe: slow start from one segment to that half first, by doubling (by half as much again with
//!   delayed acknowledgements), then the same climb.
//! - Tahoe with β < 1/3: slow start sends a segment more per acknowledgement, so that the queue has
//!   half of the window, and fills the buffer at `W = 2βμT`, before the threshold. That is seen a
//!   round trip later, at twice the window or the threshold, whichever is less; half of this is the
//!   threshold of a second slow start.
//!
//! Range: μT at least 4; β above 0; Tahoe with β < 1/3 and `βμT < 2` has no slow start to speak of
//! and is refused. Equal case: β = 1/3 has one slow start. Departures: loss is seen at once after
//! the climb; the retransmission timer and fast retransmit take no time; ACK clocking of slow start
//! with delayed acknowledgements sends three segments for two acknowledged, for which the queue is
//! taken as with two for one.

use super::check_acked;
use crate::range::{OutOfRange, within};

/// Congestion rule, by the window after a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Slow start from one segment.
    Tahoe,
    /// Half of the window.
    Reno,
}

/// Fraction of the line that is used: `path` is μT in segments, `buffer_ratio` β, and each
/// acknowledgement is for `segments_per_ack`.
pub fn utilisation(
    rule: Rule,
    path: f64,
    buffer_ratio: f64,
    segments_per_ack: f64,
) -> Result<f64, OutOfRange> {
    within("path", path, "at least 4 segments", |path| path >= 4.0)?;
    within("buffer_ratio", buffer_ratio, "above 0", |ratio| ratio > 0.0)?;
    check_acked(segments_per_ack)?;
    let peak = (1.0 + buffer_ratio) * path;
    let half = peak / 2.0;
    let phases = match rule {
        Rule::Reno => climb(half, peak, path, segments_per_ack),
        Rule::Tahoe if buffer_ratio >= 1.0 / 3.0 => {
            slow_start(half, segments_per_ack).and(climb(half, peak, path, segments_per_ack))
        }
        Rule::Tahoe => {
            let full_at = 2.0 * buffer_ratio * path;
            within("buffer_ratio", buffer_ratio, "two segments of buffer", |_| full_at >= 4.0)?;
            let seen_at = (2.0 * full_at).min(half);
            let threshold = seen_at / 2.0;
            slow_start(seen_at, segments_per_ack)
                .and(slow_start(threshold, segments_per_ack))
                .and(climb(threshold, peak, path, segments_per_ack))
        }
    };
    // Rounding alone would pass a line that is always busy.
    Ok((phases.segments / (phases.round_trips * path)).min(1.0))
}

/// Segments sent in a time, counted in empty round trips.
#[derive(Clone, Copy, Debug)]
struct Phase {
    segments: f64,
    round_trips: f64,
}

impl Phase {
    fn and(self, next: Self) -> Self {
        Self {
            segments: self.segments + next.segments,
            round_trips: self.round_trips + next.round_trips,
        }
    }
}

/// Slow start from one segment to `window`: each acknowledgement sends one and opens the window by
/// one.
fn slow_start(window: f64, segments_per_ack: f64) -> Phase {
    let growth = 1.0 + 1.0 / segments_per_ack;
    let round_trips = libm::log(window) / libm::log(growth);
    Phase { segments: (window - 1.0) / (growth - 1.0), round_trips }
}

/// Congestion avoidance from `from` to `to` segments.
fn climb(from: f64, to: f64, path: f64, segments_per_ack: f64) -> Phase {
    let empty_to = to.min(path).max(from);
    let below =
        Phase { segments: (empty_to * empty_to - from * from) / 2.0, round_trips: empty_to - from };
    let squares = to * to - empty_to * empty_to;
    let busy = Phase { segments: squares / 2.0, round_trips: squares / (2.0 * path) };
    let sum = below.and(busy);
    Phase {
        segments: sum.segments * segments_per_ack,
        round_trips: sum.round_trips * segments_per_ack,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Rule::{Reno, Tahoe};
    use super::*;

    fn of(rule: Rule, path: f64, ratio: f64) -> f64 {
        utilisation(rule, path, ratio, 1.0).expect("in range")
    }

    /// Without a buffer 3/4, with a whole path of it everything; β = 1/2: 27/28.
    #[test]
    fn reno_is_the_closed_form() {
        assert!((of(Reno, 100.0, 1e-9) - 0.75).abs() < 1e-8);
        assert!((of(Reno, 100.0, 0.5) - 27.0 / 28.0).abs() < 1e-12);
        assert!((of(Reno, 100.0, 1.0) - 1.0).abs() < 1e-12);
        assert!((of(Reno, 100.0, 3.0) - 1.0).abs() < 1e-12);
    }

    /// μT = 64, β = 1: 63 segments in 6 round trips of slow start, then (128² - 64²)/2 in as many
    /// service times: 6144/64 = 96 round trips.
    #[test]
    fn tahoe_with_a_path_of_buffer_by_hand() {
        let by_hand = (63.0 + 6144.0) / ((6.0 + 96.0) * 64.0);
        assert!((of(Tahoe, 64.0, 1.0) - by_hand).abs() < 1e-12);
    }

    /// μT = 64, β = 1/8: full at 16, seen at 32 of the threshold 36; the second slow start ends at
    /// 16, and the climb is from 16 by 64 to 72.
    #[test]
    fn tahoe_with_two_slow_starts_by_hand() {
        let segments = 31.0 + 15.0 + (72.0 * 72.0 - 16.0 * 16.0) / 2.0;
        let round_trips = 5.0 + 4.0 + 48.0 + (72.0 * 72.0 - 64.0 * 64.0) / 128.0;
        let by_hand = segments / (round_trips * 64.0);
        assert!((of(Tahoe, 64.0, 0.125) - by_hand).abs() < 1e-12);
    }

    /// Simulation of the window, round by round, in steps of a segment: Reno's cycle.
    #[test]
    fn a_sawtooth_step_by_step_has_the_same_use() {
        for ratio in [0.1, 0.4, 0.8] {
            let path = 1000.0;
            let (mut window, mut segments, mut seconds) = ((1.0 + ratio) * path / 2.0, 0.0, 0.0);
            while window <= (1.0 + ratio) * path {
                segments += window;
                seconds += f64::max(1.0, window / path);
                window += 1.0;
            }
            let stepped = segments / (seconds * path);
            assert!((stepped / of(Reno, path, ratio) - 1.0).abs() < 2e-3, "{ratio} {stepped}");
        }
    }

    #[test]
    fn what_has_no_cycle_is_refused() {
        assert_eq!(utilisation(Reno, 3.0, 0.5, 1.0).unwrap_err().name, "path");
        assert_eq!(utilisation(Reno, 30.0, 0.0, 1.0).unwrap_err().name, "buffer_ratio");
        assert_eq!(utilisation(Tahoe, 8.0, 0.1, 1.0).unwrap_err().name, "buffer_ratio");
    }

    proptest! {
        /// More buffer never hurts Reno; Tahoe is never better than Reno; nobody uses more than
        /// all.
        #[test]
        fn more_buffer_is_more_use(path in 20.0..2000.0_f64, ratio in 0.34..2.0_f64) {
            prop_assert!(of(Reno, path, ratio) <= of(Reno, path, ratio * 1.1) + 1e-12);
            prop_assert!(of(Tahoe, path, ratio) <= of(Reno, path, ratio));
            prop_assert!(of(Tahoe, path, ratio) > 0.5);
        }
    }
}
