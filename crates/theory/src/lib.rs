//! Formulas for what cellway simulates: numbers in, numbers out, no network.
//!
//! | module | holds |
//! |---|---|
//! | [`buffer`] | how TCP connections share a buffer that a drop policy guards |
//! | [`tcp`] | how long a TCP takes per segment at a given loss |
//! | `normal` | the normal distribution |
//! | `root` | where a falling function passes zero |

pub mod buffer;
mod normal;
mod root;
pub mod tcp;
