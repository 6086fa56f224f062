//! Counters of the sending half.

use crate::units::Span;

/// Round trips of segments that were sent once (Karn and Partridge 1987), measured exactly, without
/// the timers' granularity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RttSamples {
    /// Number of samples.
    pub count: u64,
    /// Sum of the samples. One segment is timed at a time, so it cannot exceed the run.
    pub sum: Span,
    /// The shortest sample; zero if there is none.
    pub min: Span,
    /// The longest sample.
    pub max: Span,
    /// The latest sample.
    pub last: Option<Span>,
}

impl RttSamples {
    pub(super) fn add(&mut self, rtt: Span) {
        self.min = if self.count == 0 { rtt } else { self.min.min(rtt) };
        self.max = self.max.max(rtt);
        self.sum += rtt;
        self.count += 1;
        self.last = Some(rtt);
    }
}

/// Counters of the sender.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sent {
    pub(super) segments: u64,
    pub(super) retransmitted_segments: u64,
    pub(super) retransmitted_bytes: u64,
    pub(super) timeouts: u64,
    pub(super) fast_retransmits: u64,
    pub(super) dup_acks: u64,
    pub(super) ecn_reductions: u64,
    pub(super) window_probes: u64,
    pub(super) rtt: RttSamples,
}

impl Sent {
    /// Counts a segment with `len` bytes of data from `seq` on; bytes before `snd_max` are
    /// retransmitted.
    pub(super) fn count(&mut self, seq: u64, len: u64, snd_max: u64) {
        if len == 0 {
            return;
        }
        self.segments += 1;
        if seq < snd_max {
            self.retransmitted_segments += 1;
            self.retransmitted_bytes += (seq + len).min(snd_max) - seq;
        }
    }
}
