//! Rates of one greedy TCP at a given loss, window or buffer, if nothing else limits it.
//!
//! | module | holds |
//! |---|---|
//! | [`square_root`] | congestion avoidance alone: Mathis, Semke, Mahdavi, Ott 1997 |
//! | [`pftk`] | avoidance, timeouts and the window: Padhye, Firoiu, Towsley, Kurose 1998 |
//! | [`cubic`] | the response function of CUBIC: RFC 9438 |
//! | [`inverse`] | the loss of a given rate |
//! | [`window`] | a window per round trip, and the queue that it makes |
//! | [`lakshman_madhow`] | Tahoe and Reno alone before a buffer |
//! | [`slow_start`] | rounds until a window is open |
//! | [`timeouts`] | avoidance and a calibrated cost of timeouts |

pub mod cubic;
pub mod inverse;
pub mod lakshman_madhow;
pub mod pftk;
pub mod slow_start;
pub mod square_root;
pub mod timeouts;
pub mod window;

use crate::range::{OutOfRange, positive, within};

/// Checks the loss and the round trip for every formula here.
fn check(loss: f64, round_trip: f64) -> Result<(), OutOfRange> {
    within("loss", loss, "above 0 and below 1", |loss| loss > 0.0 && loss < 1.0)?;
    positive("round_trip", round_trip)
}

/// Checks the maximum number of segments in a window; infinite if it does not limit.
fn check_window(segments: f64) -> Result<(), OutOfRange> {
    if segments == f64::INFINITY {
        return Ok(());
    }
    within("max_window", segments, "at least 1", |segments| segments >= 1.0)
}

/// Checks the number of segments that one acknowledgement is for.
fn check_acked(segments_per_ack: f64) -> Result<(), OutOfRange> {
    within("segments_per_ack", segments_per_ack, "at least 1", |segments| segments >= 1.0)
}
