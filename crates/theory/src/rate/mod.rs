//! Rates that a network grants.
//!
//! | module | holds |
//! |---|---|
//! | [`max_min`] | max-min fair shares with minimum rates and weights |
//! | [`feedback`] | sources that follow a varying rate, in the limits of slow and fast changes |

pub mod feedback;
pub mod max_min;
