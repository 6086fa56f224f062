//! Cell-exact simulation of TCP over cell-switched and packet paths.
//!
//! The crate is pure: no clock, file, socket, thread or log. It takes a scenario as text and gives back numbers.

pub mod scenario;
pub mod tcp;
pub mod units;
