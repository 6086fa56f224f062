//! The response function of CUBIC (RFC 9438 §5.1): the larger of its own mean window and that of
//! its Reno-friendly region.
//!
//! One loss occurs every 1/p segments, and each lowers the window to β of itself. The mean of a
//! period of cubic growth is `(C (3 + β) / (4 (1 - β)))^(1/4) RTT^(3/4) / p^(3/4)`, equation (5);
//! AIMD with β and the increase that makes it as fast as Reno has `sqrt(3 / 2p)`, equation (4).
//!
//! A window of at most `W_m` segments is left at `W_m` and grows to it again: by the cubic in
//! `K = (W_m (1 - β) / C)^(1/3)` seconds (RFC 9438 §4.2), in which `W_m (1 - β) K / 4` segments
//! fewer are sent than with a constant window, and by AIMD in `W_m (1 + β) / 3` round trips, in
//! which `W_m² (1 - β²) / 6` fewer are. This is our own sum over the growth of the RFC, which has
//! no limit.

use super::{check, check_window};
use crate::range::{OutOfRange, positive, within};

/// β of RFC 9438 §4.6.
pub const BETA: f64 = 0.7;
/// C of RFC 9438 §5, segments per second cubed.
pub const C: f64 = 0.4;

/// Segments per second at the loss `loss` and the round trip `round_trip` in seconds.
pub fn rate(loss: f64, round_trip: f64, c: f64, beta: f64) -> Result<f64, OutOfRange> {
    check(loss, round_trip)?;
    positive("c", c)?;
    within("beta", beta, "above 0 and below 1", |beta| beta > 0.0 && beta < 1.0)?;
    Ok(cubic_window(loss, round_trip, c, beta).max(friendly_window(loss)) / round_trip)
}

/// The same with a window of at most `max_window` segments; infinite if it does not limit.
pub fn limited_rate(
    loss: f64,
    round_trip: f64,
    c: f64,
    beta: f64,
    max_window: f64,
) -> Result<f64, OutOfRange> {
    let unlimited = rate(loss, round_trip, c, beta)?;
    check_window(max_window)?;
    if max_window == f64::INFINITY {
        return Ok(unlimited);
    }
    let full = 1.0 / (loss * max_window);
    let growth = libm::cbrt(max_window * (1.0 - beta) / c) / round_trip;
    let by_cubic = if full >= growth * (3.0 + beta) / 4.0 {
        1.0 / (loss * (full + growth * (1.0 - beta) / 4.0))
    } else {
        cubic_window(loss, round_trip, c, beta)
    };
    let by_aimd = if full >= max_window * (1.0 + beta) * (1.0 + beta) / 6.0 {
        1.0 / (loss * (full + max_window * (1.0 - beta * beta) / 6.0))
    } else {
        friendly_window(loss)
    };
    Ok(by_cubic.max(by_aimd) / round_trip)
}

fn cubic_window(loss: f64, round_trip: f64, c: f64, beta: f64) -> f64 {
    let constant = libm::pow(c * (3.0 + beta) / (4.0 * (1.0 - beta)), 0.25);
    constant * libm::pow(round_trip / loss, 0.75)
}

fn friendly_window(loss: f64) -> f64 {
    (3.0 / (2.0 * loss)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 9438 §5.2, tables 1 and 2: mean windows in segments of Reno, by 1.2/sqrt(p), and of
    /// CUBIC with C = 0.4 at RTT = 0.1 s and 0.01 s.
    #[test]
    fn the_tables_of_the_rfc() {
        let window = |loss, round_trip| rate(loss, round_trip, C, BETA).unwrap() * round_trip;
        for (loss, reno, slow, fast) in [
            (1e-2, 12.0, 12.0, 12.0),
            (1e-3, 38.0, 38.0, 38.0),
            (1e-4, 120.0, 187.0, 120.0),
            (1e-5, 379.0, 1054.0, 379.0),
            (1e-6, 1200.0, 5926.0, 1200.0),
            (1e-7, 3795.0, 33_325.0, 5926.0),
            (1e-8, 12_000.0, 187_400.0, 33_325.0),
        ] {
            assert!((friendly_window(loss) / reno - 1.0).abs() < 0.03, "{loss}");
            assert!((window(loss, 0.1) / slow - 1.0).abs() < 0.03, "{loss}");
            assert!((window(loss, 0.01) / fast - 1.0).abs() < 0.03, "{loss}");
        }
    }

    /// W = 100, β = 0.7: AIMD takes 56.7 round trips from 70 segments on and sends 850 less than
    /// 100 in each; the cubic takes the cube root of 75 s, and 7.5 segments less in each of its
    /// 42.17 round trips of 100 ms, 316 in all. At p = 0.0001 the rest of 10 000 is at 100.
    #[test]
    fn a_window_that_limits_is_reached_again_and_stays() {
        let limited = |round_trip, window| {
            limited_rate(1e-4, round_trip, C, BETA, window).unwrap() * round_trip
        };
        assert!((limited(0.1, 100.0) - 10_000.0 / 103.162_8).abs() < 1e-3);
        assert!((limited(0.01, 100.0) - 10_000.0 / 108.5).abs() < 1e-6);
        let unlimited = rate(1e-4, 0.1, C, BETA).unwrap() * 0.1;
        assert!((limited(0.1, f64::INFINITY) - unlimited).abs() < 1e-9);
        let peak = unlimited * 4.0 / 3.7;
        assert!((limited(0.1, peak * (1.0 - 1e-9)) / unlimited - 1.0).abs() < 1e-6);
        assert_eq!(limited_rate(1e-4, 0.1, C, BETA, 0.5).unwrap_err().name, "max_window");
    }

    #[test]
    fn a_window_that_does_not_shrink_is_refused() {
        assert_eq!(rate(0.1, 0.1, C, 1.0).unwrap_err().name, "beta");
    }
}
