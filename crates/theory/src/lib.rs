//! Formulas for the systems that cellway simulates: numbers in, numbers out, no network.
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
