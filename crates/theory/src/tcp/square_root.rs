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

use super::{check, check_acked};
use crate::range::OutOfRange;

/// Segments per second at the loss `loss` and the round trip `round_trip` in seconds, where each
/// acknowledgement is for `segments_per_ack` segments.
pub fn rate(loss: f64, round_trip: f64, segments_per_ack: f64) -> Result<f64, OutOfRange> {
    check(loss, round_trip)?;
    check_acked(segments_per_ack)?;
    Ok((3.0 / (2.0 * segments_per_ack * loss)).sqrt() / round_trip)
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

    #[test]
    fn no_loss_and_no_round_trip_have_no_answer() {
        let error = rate(0.0, 0.1, 1.0).unwrap_err();
        assert_eq!(error.to_string(), "loss is 0; expected above 0 and below 1");
        assert_eq!(rate(0.1, f64::NAN, 1.0).unwrap_err().name, "round_trip");
        assert_eq!(rate(0.1, 0.1, 0.5).unwrap_err().name, "segments_per_ack");
    }
}
