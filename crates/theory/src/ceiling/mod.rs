//! What a line carries of a segment's data at most.
//!
//! | module | holds |
//! |---|---|
//! | [`mod@line`] | what standard lines carry of cells |
//! | [`encapsulation`] | what stands beside a packet in a frame, and the cells of a frame |

pub mod encapsulation;
pub mod line;
