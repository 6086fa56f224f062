//! The square-root law: congestion avoidance without timeouts (Mathis, Semke, Mahdavi, Ott: "The
//! macroscopic behavior of the TCP congestion avoidance algorithm", ACM CCR 27(3), 1997, equation
//! (3)).
//!
//! The window grows by a segment in `b` round trips and is halved by each loss, one every 1/p
//! segments: a sawtooth from W/2 to W with `3 b W² / 8 = 1/p`, so a mean window of `sqrt(3 / 2bp)`.
//!
//! Losses are equally far apart here. If each segment is lost independently, the constant is 1.31
//! in place of `sqrt(3/2)` = 1.22 (Ott, Kemperman, Mathis: "The stationary behavior of ideal TCP
//! congestion avoidance", 1996).
//!
//! A window of at most `W_m` segments, below W, grows for `b W_m / 2` round trips and then stays:
//! between two losses are `b W_m / 8 + 1 / (p W_m)` of them (the congestion avoidance of Padhye,
//! Firoiu, Towsley and Kurose 1998, section 2.3).

use super::{check, check_acked, check_window};
use crate::range::OutOfRange;

/// Segments per second at the loss `loss` and the round trip `round_trip` in seconds, where each
/// acknowledgement is for `segments_per_ack` segments.
pub fn rate(loss: f64, round_trip: f64, segments_per_ack: f64) -> Result<f64, OutOfRange> {
    check(loss, round_trip)?;
    check_acked(segments_per_ack)?;
    Ok((3.0 / (2.0 * segments_per_ack * loss)).sqrt() / round_trip)
}

/// The same with a window of at most `max_window` segments; infinite if it does not limit.
pub fn limited_rate(
    loss: f64,
    round_trip: f64,
    segments_per_ack: f64,
    max_window: f64,
) -> Result<f64, OutOfRange> {
    let unlimited = rate(loss, round_trip, segments_per_ack)?;
    check_window(max_window)?;
    if 3.0 * segments_per_ack * loss * max_window * max_window >= 8.0 {
        return Ok(unlimited);
    }
    let rounds = segments_per_ack * max_window / 8.0 + 1.0 / (loss * max_window);
    Ok(1.0 / (loss * rounds * round_trip))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the paper's section 2: C = 1.22 with an acknowledgement per segment, 0.87
    /// with one for two.
    #[test]
    fn the_constants_are_those_of_the_paper() {
        let constant = |segments_per_ack| rate(1e-4, 1.0, segments_per_ack).unwrap() * 0.01;
        assert!((constant(1.0) - 1.2247).abs() < 1e-4);
        assert!((constant(2.0) - 0.8660).abs() < 1e-4);
    }

    /// p = 0.01, W = 10: five round trips from 5 to 10 segments are 37.5, the other 62.5 take 6.25;
    /// 100 in 11.25.
    #[test]
    fn a_window_that_limits_grows_and_then_stays() {
        let limited = |window| limited_rate(0.01, 1.0, 1.0, window).unwrap();
        assert!((limited(10.0) - 100.0 / 11.25).abs() < 1e-12);
        assert!((limited(f64::INFINITY) - 12.247_449).abs() < 1e-6);
        let peak = (800.0_f64 / 3.0).sqrt();
        assert!((limited(peak * (1.0 - 1e-9)) - limited(peak)).abs() < 1e-6);
        assert_eq!(limited_rate(0.01, 1.0, 1.0, 0.5).unwrap_err().name, "max_window");
    }

    #[test]
    fn no_loss_and_no_round_trip_have_no_answer() {
        let error = rate(0.0, 0.1, 1.0).unwrap_err();
        assert_eq!(error.to_string(), "loss is 0; expected above 0 and below 1");
        assert_eq!(rate(0.1, f64::NAN, 1.0).unwrap_err().name, "round_trip");
        assert_eq!(rate(0.1, 0.1, 0.5).unwrap_err().name, "segments_per_ack");
    }
}
