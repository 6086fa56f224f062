//! Slow start and congestion avoidance only (Jacobson 1988 without fast retransmit): every loss waits for the timer.

use super::Congestion;

#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Vanilla;

impl Congestion for Vanilla {}
