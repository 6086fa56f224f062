//! How TCP connections share a buffer that a drop policy guards.

pub mod dfba;
