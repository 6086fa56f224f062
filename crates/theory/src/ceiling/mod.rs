//! Maximum rate at which a line carries the data of segments.
//!
//! | module | holds |
//! |---|---|
//! | [`mod@line`] | cell rates of standard lines |
//! | [`encapsulation`] | bytes beside a packet in a frame, and the cells of a frame |

pub mod encapsulation;
pub mod line;
