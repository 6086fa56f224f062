//! Share that BBR version 1 has of a line beside loss-based flows, over the buffer.
//!
//! R. Ware, M. Mukerjee, S. Seshan, J. Sherry: "Modeling BBR's interactions with loss-based
//! congestion control", ACM IMC 2019, equations (7) to (11). The line takes c packets a second,
//! its buffer of q packets is always full, the round trip without a queue is l, N flows have BBR,
//! and loss-based flows have the part p of the line and of the queue:
//!
//! 1. `ProbeRTT` leaves 4 packets of each BBR flow, so that its shortest round trip is
//!    `l + (p q + 4 N)/c`, and its largest rate is `(1 - p) c`.
//! 2. BBR has twice the product of both in flight, which is its part of path and queue:
//!    `2 (1 - p) c (l + (p q + 4 N)/c) = (1 - p) (q + c l)`. With X = q/(c l),
//!    `p = 1/2 - 1/(2 X) - 4 N/q`. Below `q = c l + 8 N` that is negative: BBR may have more in
//!    flight than path and buffer contain, and p is 0.
//! 3. In each 10 s BBR sends nearly nothing for the time in which its part of the queue drains,
//!    200 ms and a round trip: `t = q/c + 0.2 s + l`, and its share is `(1 - p) (10 s - t)/(10 s)`.
//!
//! The number of loss-based flows and their law do not occur. *Assumed*: greedy flows with equal
//! round trips and packets, BBR flows that are in `ProbeRTT` together, a queue that is always full.

use crate::range::{OutOfRange, positive, within};

/// Seconds from one `ProbeRTT` to the next.
const INTERVAL: f64 = 10.0;
/// Seconds of `ProbeRTT` beside draining and the round trip.
const PROBE_RTT: f64 = 0.2;
/// Packets of a flow in `ProbeRTT`.
const LEFT: f64 = 4.0;

/// Part of a line of `capacity` packets a second that `flows` BBR flows have together beside
/// loss-based ones, with a buffer of `buffer` packets and a round trip of `round_trip` seconds
/// without a queue.
pub fn share(buffer: f64, capacity: f64, round_trip: f64, flows: f64) -> Result<f64, OutOfRange> {
    positive("capacity", capacity)?;
    positive("round_trip", round_trip)?;
    within("flows", flows, "at least 1", |flows| flows >= 1.0)?;
    positive("buffer", buffer)?;
    let probing = buffer / capacity + PROBE_RTT + round_trip;
    within("buffer", buffer, "drained within the 10 s between two ProbeRTT", |_| {
        probing < INTERVAL
    })?;
    let path = capacity * round_trip;
    let loss_based = 0.5 - path / (2.0 * buffer) - LEFT * flows / buffer;
    Ok((1.0 - loss_based.max(0.0)) * (1.0 - probing / INTERVAL))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(value: f64, expected: f64) {
        assert!((value - expected).abs() < 1e-12, "{value} is not {expected}");
    }

    /// 1000 packets a second and 40 ms, that is 40 packets. With 80, p = 1/2 - 1/4 - 4/80 = 1/5;
    /// `ProbeRTT` takes 80 + 200 + 40 ms of 10 s.
    #[test]
    fn two_products_of_buffer_leave_a_fifth_to_others() {
        near(share(80.0, 1000.0, 0.04, 1.0).unwrap(), 0.8 * 0.968);
        near(share(80.0, 1000.0, 0.04, 2.0).unwrap(), 0.85 * 0.968);
    }

    /// The balance of 2., with the share of the time outside `ProbeRTT`.
    #[test]
    fn bbr_has_twice_its_product_in_flight() {
        for (buffer, capacity, round_trip, flows) in
            [(133.0, 833.0, 0.04, 1.0), (533.0, 833.0, 0.04, 1.0), (4000.0, 4000.0, 0.03, 8.0)]
        {
            let share = share(buffer, capacity, round_trip, flows).unwrap();
            let part = share / (1.0 - (buffer / capacity + 0.2 + round_trip) / 10.0);
            let shortest = round_trip + ((1.0 - part) * buffer + 4.0 * flows) / capacity;
            let in_flight = part * (buffer + capacity * round_trip);
            assert!((2.0 * part * capacity * shortest / in_flight - 1.0).abs() < 1e-12);
        }
    }

    /// c l + 8 N = 48 packets, and fewer: p = 0. With 49, p = 1/2 - 20/49 - 4/49 = 1/98.
    #[test]
    fn a_short_buffer_leaves_the_time_of_probe_rtt_alone() {
        near(share(48.0, 1000.0, 0.04, 1.0).unwrap(), 0.9712);
        near(share(20.0, 1000.0, 0.04, 1.0).unwrap(), 0.974);
        near(share(49.0, 1000.0, 0.04, 1.0).unwrap(), 97.0 / 98.0 * 0.9711);
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        let name = |result: Result<f64, OutOfRange>| result.unwrap_err().name;
        assert_eq!(name(share(0.0, 1000.0, 0.04, 1.0)), "buffer");
        assert_eq!(name(share(80.0, 0.0, 0.04, 1.0)), "capacity");
        assert_eq!(name(share(80.0, 1000.0, 0.0, 1.0)), "round_trip");
        assert_eq!(name(share(80.0, 1000.0, 0.04, 0.5)), "flows");
        let deep = share(9770.0, 1000.0, 0.04, 1.0).unwrap_err();
        assert_eq!(
            deep.to_string(),
            "buffer is 9770; expected drained within the 10 s between two ProbeRTT"
        );
    }
}
