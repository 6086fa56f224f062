//! Playback of video of one flow in the summary of a run.

use serde::Serialize;

use super::Shaped;
use crate::traffic::PlaybackCounters;
use crate::units::{Span, Time};

/// Playback of one flow over the measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct PlaybackSummary {
    /// Segments that have arrived.
    pub segments: u64,
    /// Mean of their bit rates; absent without a segment.
    pub mean_bits_per_second: Option<f64>,
    /// Segments whose bit rate differs from that of the one before.
    pub switches: u64,
    /// Time from the start of the flow until playback began; absent if it did not.
    pub start_up_s: Option<f64>,
    /// Stalls that began: the buffer was empty, and segments were missing.
    pub stalls: u64,
    /// Time in stalls; that before playback began is none.
    pub rebuffering_s: f64,
}

impl PlaybackSummary {
    /// Summary between two readings at these instants.
    pub fn between(
        earlier: &PlaybackCounters,
        later: &PlaybackCounters,
        (from, until): (Time, Time),
    ) -> Self {
        let segments = later.segments - earlier.segments;
        let stalled = later.stalled_until(until) - earlier.stalled_until(from);
        let rates = later.rates - earlier.rates;
        Self {
            segments,
            mean_bits_per_second: (segments > 0).then(|| rates / segments as f64),
            switches: later.switches - earlier.switches,
            start_up_s: later.start_up.map(Span::seconds_f64),
            stalls: later.stalls_until(until) - earlier.stalls_until(from),
            rebuffering_s: stalled.seconds_f64(),
        }
    }
}
