//! Formulas for what cellway simulates: numbers in, numbers out, no network.
//!
//! | module | holds |
//! |---|---|
//! | [`buffer`] | how TCP connections share a buffer, and how much of it they need |
//! | [`ceiling`] | what a line carries of a segment's data |
//! | [`queue`] | queues of equal cells before one line |
//! | [`rate`] | rates that a network grants |
//! | [`tcp`] | how fast a TCP sends at a given loss, window or buffer |
//! | [`range`] | numbers that a formula does not take |
//! | `normal` | the normal distribution |
//! | `root` | where a falling function passes zero |

pub mod buffer;
pub mod ceiling;
mod normal;
pub mod queue;
pub mod range;
pub mod rate;
mod root;
pub mod tcp;
