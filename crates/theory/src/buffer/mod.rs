//! TCP connections before a buffer with a drop policy: their shares, and the buffer that they need.
//!
//! | module | holds |
//! |---|---|
//! | [`dfba`] | shares under Differential Fair Buffer Allocation |
//! | [`size`] | rules for the size of a buffer |

pub mod dfba;
pub mod size;
