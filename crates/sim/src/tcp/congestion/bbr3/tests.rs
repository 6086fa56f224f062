//! Exits of the states, from samples made by hand.

use super::sample::Sample;
use crate::units::Time;

/// A sample of an ACK of one segment.
pub(super) fn sample() -> Sample {
    Sample {
        now: Time::ZERO,
        total: 0,
        bytes: 1000,
        in_flight: 0,
        mss: 1000,
        cwnd: 10_000,
        is_cwnd_limited: false,
        rtt: None,
        rate: 0.0,
        delivered: 0,
        prior_delivered: Some(0),
        sent_in_flight: 0,
        lost: 0,
        is_limited: false,
    }
}
