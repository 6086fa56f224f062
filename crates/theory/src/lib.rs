//! Formulas for what cellway simulates: numbers in, numbers out, no network.
//!
//! | module | holds |
//! |---|---|
//! | [`buffer`] | how TCP connections share a buffer that a drop policy guards |
//! | [`tcp`] | how fast a TCP sends at a given loss |
//! | [`range`] | numbers that a formula does not take |
//! | `normal` | the normal distribution |
//! | `root` | where a falling function passes zero |

pub mod buffer;
mod normal;
pub mod range;
mod root;
pub mod tcp;
