//! Queues of equal cells before one line, which serves a cell in one unit of time unless a module
//! defines another unit.
//!
//! | module | holds |
//! |---|---|
//! | [`poisson`] | M/D/1: Poisson arrivals |
//! | [`periodic`] | N·D/D/1: sources of one constant rate at random phases |
//! | [`slotted`] | an output of a slotted switch: binomial arrivals |
//! | [`fluid`] | on-off sources as a fluid: Anick, Mitra and Sondhi |
//! | `levels` | the stationary law of a queue that loses one cell per step |

pub mod fluid;
mod levels;
pub mod periodic;
pub mod poisson;
pub mod slotted;
