//! Formulas for what cellway simulates: numbers in, numbers out, no network.
//!
//! | module | holds |
//! |---|---|
//! | [`buffer`] | how TCP connections share a buffer that a drop policy guards |
//! | [`effective_capacity`] | the constant rate that a link of varying capacity carries |
//! | [`renewal`] | TCP over a link of two rates, with and without ABR below it |
//! | [`tcp`] | how fast a TCP sends at a given loss |
//! | [`range`] | numbers that a formula does not take |
//! | `normal` | the normal distribution |
//! | `root` | where a falling function passes zero |

pub mod buffer;
pub mod effective_capacity;
mod normal;
pub mod range;
pub mod renewal;
mod root;
pub mod tcp;
