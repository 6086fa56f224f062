//! Duration of slow start (RFC 5681 §3.1): each acknowledgement of new data opens the window by a
//! segment.
//!
//! In round k the `w` segments of the window are sent. With an acknowledgement for each,
//! `w(k+1) = 2 w(k)`. With delayed acknowledgements every second segment is acknowledged; the last
//! of an odd number waits for the first of the next round: with c(k) left over,
//! `a(k) = ⌊(w(k) + c(k))/2⌋` acknowledgements, `c(k+1) = (w(k) + c(k)) mod 2`,
//! `w(k+1) = w(k) + a(k)`, a growth by half. The timer acknowledges a lone first segment.
//!
//! Departures: no queue, no loss, no limit of the receiver.

use crate::range::{OutOfRange, positive, within};

/// Acknowledgement rule of the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acknowledged {
    /// Acknowledges each segment.
    Every,
    /// Acknowledges every second segment.
    Second,
}

/// Number of rounds until a window of `first` segments, at least 1, has become `segments`.
pub fn rounds(first: u64, segments: u64, acknowledged: Acknowledged) -> u32 {
    assert!(first > 0, "a window of nothing never grows");
    let (mut window, mut left_over, mut rounds) = (first, 0, 0);
    while window < segments {
        match acknowledged {
            Acknowledged::Every => window = window.saturating_mul(2),
            Acknowledged::Second => {
                // The timer acknowledges a lone segment as if it were two.
                let due = if window == 1 { 2 } else { window.saturating_add(left_over) };
                left_over = due % 2;
                window = window.saturating_add(due / 2);
            }
        }
        rounds += 1;
    }
    rounds
}

/// Seconds until the window has `segments`, at the round trip `round_trip` in seconds.
pub fn time(
    first: f64,
    segments: f64,
    round_trip: f64,
    acknowledged: Acknowledged,
) -> Result<f64, OutOfRange> {
    let expected = "1 to 1e15 segments, a whole number";
    let is_count = |count: f64| (1.0..=1e15).contains(&count) && count.fract() == 0.0;
    within("first", first, expected, is_count)?;
    within("segments", segments, expected, is_count)?;
    positive("round_trip", round_trip)?;
    Ok(f64::from(rounds(first as u64, segments as u64, acknowledged)) * round_trip)
}

#[cfg(test)]
mod tests {
    use super::Acknowledged::{Every, Second};
    use super::*;

    /// 1, 2, 4, 8: three doublings to 8, four beyond it. Delayed: 1, 2, 3, 4 or 5.
    #[test]
    fn rounds_by_hand() {
        assert_eq!([1, 2, 8, 9].map(|segments| rounds(1, segments, Every)), [0, 1, 3, 4]);
        // From 2: two are one ACK, 3; three and none left over: one ACK and one left, 4; four and
        // one: two ACKs and one left, 6; seven: three ACKs, 9.
        assert_eq!([2, 3, 4, 6, 9].map(|segments| rounds(2, segments, Second)), [0, 1, 2, 3, 4]);
        assert_eq!(rounds(1, 2, Second), 1);
    }

    /// One acknowledgement for two segments lets the window grow by half in a round.
    #[test]
    fn delayed_acknowledgements_grow_by_half() {
        let rounds = f64::from(rounds(10, 10_000_000, Second));
        let by_base = libm::log(1e6) / libm::log(1.5);
        assert!((rounds - by_base).abs() < 1.5, "{rounds} {by_base}");
    }

    #[test]
    fn a_round_takes_a_round_trip() {
        assert!((time(10.0, 1000.0, 0.55, Every).unwrap() - 7.0 * 0.55).abs() < 1e-12);
        assert_eq!(time(0.0, 8.0, 0.1, Every).unwrap_err().name, "first");
        assert_eq!(time(1.0, 8.5, 0.1, Every).unwrap_err().name, "segments");
    }
}
