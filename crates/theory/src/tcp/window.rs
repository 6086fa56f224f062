//! A window per round trip, and the queue that a window makes.
//!
//! A line of C bits per second and a round trip of R seconds with empty queues contain `C R`. A
//! window W below that is sent once per round trip; the part of it beyond `C R` waits in the queue
//! before the line, so that the round trip becomes `W/C` and the rate stays C. A greedy TCP whose
//! window grows until a buffer overflows fills it: the delay of a full buffer B is `B/C`, however
//! long the path ("bufferbloat", J. Gettys, K. Nichols: "Bufferbloat: dark buffers in the
//! internet", ACM Queue 9(11), 2011).
//!
//! W and B count the bits that occupy the line, headers and framing included; the part of them that
//! is data is for the caller (`ceiling`). Range: all above 0; infinite C means that the line takes
//! no time. Equal case: at `W = C R` there is no queue.

use crate::range::{OutOfRange, positive};

/// Result of a constant window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paced {
    /// Bits per second.
    pub rate: f64,
    /// Round trip with the queue, seconds.
    pub round_trip: f64,
    /// Bits that wait before the line.
    pub queue: f64,
}

/// Rate, round trip and queue of a window of `window` bits over a path of `round_trip` seconds,
/// with a line of `capacity` bits per second and enough buffer.
pub fn paced(window: f64, round_trip: f64, capacity: f64) -> Result<Paced, OutOfRange> {
    positive("window", window)?;
    positive("round_trip", round_trip)?;
    if capacity.is_infinite() && capacity > 0.0 {
        return Ok(Paced { rate: window / round_trip, round_trip, queue: 0.0 });
    }
    positive("capacity", capacity)?;
    let queue = (window - capacity * round_trip).max(0.0);
    let round_trip = round_trip + queue / capacity;
    Ok(Paced { rate: (window / round_trip).min(capacity), round_trip, queue })
}

/// Seconds that a full buffer of `buffer` bits adds before a line of `capacity` bits per second.
pub fn full_buffer_delay(buffer: f64, capacity: f64) -> Result<f64, OutOfRange> {
    positive("buffer", buffer)?;
    positive("capacity", capacity)?;
    Ok(buffer / capacity)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 64 KiB over 100 ms are 5.24 Mbit/s, whatever the line.
    #[test]
    fn a_window_below_the_path_is_sent_once_per_round_trip() {
        let found = paced(524_288.0, 0.1, 100e6).unwrap();
        assert_eq!((found.rate, found.queue), (5_242_880.0, 0.0));
        assert_eq!(paced(524_288.0, 0.1, f64::INFINITY).unwrap(), found);
    }

    /// A million bits on 2 Mbit/s and 100 ms: 800 000 wait, 400 ms.
    #[test]
    fn a_window_beyond_the_path_waits() {
        let found = paced(1e6, 0.1, 2e6).unwrap();
        assert_eq!((found.rate, found.queue, found.round_trip), (2e6, 8e5, 0.5));
    }

    /// 256 packets of 1500 bytes before 1 Mbit/s.
    #[test]
    fn a_full_buffer_by_hand() {
        assert!((full_buffer_delay(256.0 * 12_000.0, 1e6).unwrap() - 3.072).abs() < 1e-12);
        assert_eq!(full_buffer_delay(1.0, 0.0).unwrap_err().name, "capacity");
        assert_eq!(paced(0.0, 0.1, 1e6).unwrap_err().name, "window");
    }
}
