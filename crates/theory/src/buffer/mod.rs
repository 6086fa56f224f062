//! How TCP connections share a buffer that a drop policy guards, and how much of it they need.
//!
//! | module | holds |
//! |---|---|
//! | [`dfba`] | shares under Differential Fair Buffer Allocation |
//! | [`size`] | rules for the size of a buffer |

pub mod dfba;
pub mod size;
