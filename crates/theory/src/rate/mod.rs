//! Rates that a network grants.
//!
//! | module | holds |
//! |---|---|
//! | [`max_min`] | max-min fair shares with minimum rates and weights |
//! | [`feedback`] | sources that follow a varying rate, where it varies slowly or fast |

pub mod feedback;
pub mod max_min;
