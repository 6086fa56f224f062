//! Formulas for the systems that cellway simulates: numbers in, numbers out, no network.
//!
//! ```
//! use cellway_theory::tcp::square_root;
//!
//! // A loss of 0.1 %, a round trip of 100 ms, an acknowledgement for every other segment.
//! let rate = square_root::rate(0.001, 0.1, 2.0)?;
//! assert!((rate - 273.86).abs() < 0.01, "{rate} segments per second");
//! assert!(square_root::rate(0.0, 0.1, 2.0).is_err());
//! # Ok::<(), cellway_theory::range::OutOfRange>(())
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`buffer`] | shares of TCP connections in a buffer, and the buffer that they need |
//! | [`ceiling`] | maximum data rates of lines |
//! | [`effective_capacity`] | the constant rate that a link of varying capacity carries |
//! | [`queue`] | queues of equal cells before one line |
//! | [`rate`] | rates that a network grants |
//! | [`renewal`] | TCP over a link of two rates, with and without ABR below it |
//! | [`tcp`] | rates of a TCP at a given loss, window or buffer |
//! | [`range`] | numbers that a formula does not accept |
//! | `normal` | the normal distribution |
//! | `root` | zero of a falling function |

pub mod buffer;
pub mod ceiling;
pub mod effective_capacity;
mod normal;
pub mod queue;
pub mod range;
pub mod rate;
pub mod renewal;
mod root;
pub mod tcp;
