//! Size of the buffer with which greedy TCPs of the Reno family keep a line busy.
//!
//! - Windows that are halved together are one window: a buffer of a bandwidth-delay product
//!   `C R` keeps the line busy (C. Villamizar, C. Song: "High performance TCP in ANSNET", ACM CCR
//!   24(5), 1994). With less, β of it, `3/4 (1+β)² / (1+β+β²)` of the line is used, see
//!   [`crate::tcp::lakshman_madhow`].
//! - n windows that are halved independently vary by `1/√n` of their sum: `C R / √n` (G.
//!   Appenzeller, I. Keslassy, N. McKeown: "Sizing router buffers", ACM SIGCOMM 2004). With windows
//!   uniform over their sawtooth, their sum normal and on average that which fills half of the
//!   buffer, the line is busy at least for `erf(3√3/(2√2) · B√n / (2 C P + B))`, where `2 P` is the
//!   round trip without queueing, R.
//!
//! Range: n at least 1 and, for the part of the line, at least 2: the sum is taken as normal, which
//! one sawtooth is not (Lakshman and Madhow have its formula). The formula is meant for some
//! hundreds of flows: fewer are synchronised in part. Long flows only; a window of ten segments and
//! more.

use crate::range::{OutOfRange, positive, within};

/// Bits that keep a line of `capacity` bits per second busy at the round trip `round_trip`, with
/// flows that are halved together.
pub fn synchronised(capacity: f64, round_trip: f64) -> Result<f64, OutOfRange> {
    positive("capacity", capacity)?;
    positive("round_trip", round_trip)?;
    Ok(capacity * round_trip)
}

/// The same with `flows` flows that are halved independently.
pub fn desynchronised(capacity: f64, round_trip: f64, flows: f64) -> Result<f64, OutOfRange> {
    within("flows", flows, "at least 1", |flows| flows >= 1.0)?;
    Ok(synchronised(capacity, round_trip)? / flows.sqrt())
}

/// The least part of the line that `flows` flows, halved independently, use with a buffer of
/// `buffer_ratio` bandwidth-delay products.
pub fn desynchronised_utilisation(buffer_ratio: f64, flows: f64) -> Result<f64, OutOfRange> {
    positive("buffer_ratio", buffer_ratio)?;
    within("flows", flows, "at least 2", |flows| flows >= 2.0)?;
    let constant = 3.0 * 3.0_f64.sqrt() / (2.0 * 2.0_f64.sqrt());
    Ok(libm::erf(constant * buffer_ratio * flows.sqrt() / (1.0 + buffer_ratio)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of Appenzeller et al.'s abstract: 10 Gbit/s, 250 ms, 50 000 flows: 10 Mbit.
    #[test]
    fn a_backbone_needs_ten_megabits() {
        assert!((synchronised(10e9, 0.25).unwrap() - 2.5e9).abs() < 1.0);
        let buffer = desynchronised(10e9, 0.25, 50_000.0).unwrap();
        assert!((buffer / 11.18e6 - 1.0).abs() < 1e-3, "{buffer}");
    }

    /// One BDP/√n: the argument is 3√3/(2√2)/(1 + 1/√n) = 1.8371/(1 + 1/√n).
    #[test]
    fn a_buffer_of_the_rule_leaves_less_than_two_percent() {
        let used = |flows: f64| desynchronised_utilisation(1.0 / flows.sqrt(), flows).unwrap();
        assert!((used(1e12) - libm::erf(1.837_117)).abs() < 1e-6);
        assert!(used(100.0) > 0.98 && used(100.0) < used(10_000.0));
        assert!(desynchronised_utilisation(0.02, 400.0).unwrap() < 0.75);
    }

    #[test]
    fn less_than_one_flow_is_refused() {
        assert_eq!(desynchronised(1e6, 0.1, 0.5).unwrap_err().name, "flows");
        assert_eq!(synchronised(0.0, 0.1).unwrap_err().name, "capacity");
        assert_eq!(desynchronised_utilisation(0.1, 1.0).unwrap_err().name, "flows");
    }
}
