//! Formulas for what cellway simulates: numbers in, numbers out, no network.
//!
//! | module | holds |
//! |---|---|
//! | [`buffer`] | how TCP connections share a buffer, and how much of it they need |
//! | [`ceiling`] | what a line carries of a segment's data |
//! | [`effective_capacity`] | the constant rate that a link of varying capacity carries |
//! | [`queue`] | queues of equal cells before one line |
//! | [`rate`] | rates that a network grants |
//! | [`renewal`] | TCP over a link of two rates, with and without ABR below it |
//! | [`tcp`] | how fast a TCP sends at a given loss, window or buffer |
//! | [`range`] | numbers that a formula does not take |
//! | `normal` | the normal distribution |
//! | `root` | where a falling function passes zero |

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
