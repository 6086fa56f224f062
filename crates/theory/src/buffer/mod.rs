//! TCP connections before a buffer: their shares, and the buffer that they need.
//!
//! | module | holds |
//! |---|---|
//! | [`bbr`] | share of BBR beside loss-based flows |
//! | [`dfba`] | shares under Differential Fair Buffer Allocation |
//! | [`size`] | rules for the size of a buffer |

pub mod bbr;
pub mod dfba;
pub mod size;
