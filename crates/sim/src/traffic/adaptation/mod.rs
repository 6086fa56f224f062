//! Adaptation of video: the bit rate of the next segment.
//!
//! A rule is a file here with its parameters, its `mod` line and its line in the list
//! [`Adaptation`] and in [`AnyRule`]. It sees the ladder, the buffer and the throughput of
//! segments, and knows no clock and no connection.

mod buffer_based;
mod rate_based;

pub use buffer_based::{BufferBased, BufferBasedPlan};
pub use rate_based::{RateBased, RateBasedPlan};

use crate::engine::delegate;
use crate::language::part::prelude::*;

/// Facts that a rule is told before each segment.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// Bit rates, bits per second, each above the one before.
    pub ladder: &'a [f64],
    /// Place in the ladder of the segment before; `None` for the first.
    pub previous: Option<usize>,
    /// Part of the playback buffer that is filled, from 0 to 1.
    pub filled: f64,
}

/// A rule of adaptation.
pub trait AdaptationRule: std::fmt::Debug {
    /// Place in the ladder of the next segment.
    fn choose(&mut self, facts: &Facts<'_>) -> usize;

    /// Notes the throughput of a segment that has arrived, bits per second from its request to its
    /// last byte.
    fn on_segment(&mut self, _bits_per_second: f64) {}
}

/// Place of the highest rate that is at most `limit`; the lowest if none is.
pub(super) fn highest_within(ladder: &[f64], limit: f64) -> usize {
    ladder.partition_point(|&rate| rate <= limit).saturating_sub(1)
}

variants! {
    /// `flow.traffic.adaptive_video.adaptation`.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Adaptation {
        /// The highest rate below a part of the throughput of the last segments.
        RateBased(RateBasedPlan) = "rate_based",
        /// A rate that grows with the filled part of the playback buffer.
        BufferBased(BufferBasedPlan) = "buffer_based",
    }
}

impl Adaptation {
    /// Makes the rule of one player.
    pub fn rule(self) -> AnyRule {
        match self {
            Self::RateBased(plan) => AnyRule::RateBased(RateBased::new(plan)),
            Self::BufferBased(plan) => AnyRule::BufferBased(BufferBased::new(plan)),
        }
    }
}

/// The rules of the list, dispatched statically.
#[derive(Debug)]
pub enum AnyRule {
    /// By throughput.
    RateBased(RateBased),
    /// By the buffer.
    BufferBased(BufferBased),
}

impl AdaptationRule for AnyRule {
    delegate! { [RateBased, BufferBased]
        fn choose(&mut self, facts: &Facts<'_>) -> usize;
        fn on_segment(&mut self, bits_per_second: f64);
    }
}
